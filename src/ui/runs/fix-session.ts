import { join } from 'node:path';
import { existsSync, readdirSync, readFileSync, statSync, writeFile } from '../../model/files/fs.ts';
import { PRIVATE_FILE, removeFolder } from '../../model/index.ts';
import type { KnownRun, ReturnedState } from '../../pipeline/index.ts';
import { buildIndex, rewriteIndex } from './build-index.ts';
import { type Correct, type Correction, correcting } from './corrections.ts';
import { appendEntries, type EditEntry, type EditLog, NO_STEPS, readEditLog } from './edit-log.ts';

import { type IndexedRow, indexFolders, openRowIndex, type RowCheck, type RowIndex } from './row-index.ts';

/** The rows that a run returned, with the corrections of a person. */
export interface FixSession {
  readonly known: KnownRun;
  readonly index: RowIndex;
  readonly log: EditLog;
  readonly correct: Correct;
  /** Rows with corrections that can be sent. */
  readonly corrected: number;
}

/** Steps that can be undone, and bytes of them, before the earlier ones become a part of the rows. */
const MOST_STEPS = 500;
const MOST_BYTES = 8 * 1024 * 1024;
/** Steps that can still be undone then. */
const KEPT_STEPS = 100;

const editsIn = (folder: string) => join(folder, 'edits.ndjson');
const logOf = (index: RowIndex) => editsIn(index.folder);

/** Steps that are in force. */
export function stepsIn({ steps, at }: EditLog): Correction[] {
  return steps.slice(0, at).map(({ step }) => step);
}

/**
 * Opens the rows that a run returned. They are read from the ledger once, and again when it may have others; then
 * corrections stay with the rows that are still the same. `folder`: of the run, for its rows and corrections.
 */
export async function openFixes(
  home: string,
  { known, mark, isChanging }: ReturnedState,
  folder: string,
): Promise<FixSession> {
  const index = latestIndex(folder);
  const opened = index && sessionOf(known, index);
  // A run with these records changes them all the time. Its end is soon enough.
  if (opened && (opened.index.mark === mark || isChanging)) return opened;
  const path = await buildIndex({ home, run: known.id, folder, mark, before: opened });
  if (index) removeFolder(index.folder);
  return sessionOf(known, openWritten(path));
}

/** Opens the latest index that can be read, and removes all others. */
function latestIndex(folder: string): RowIndex | undefined {
  let latest: RowIndex | undefined;
  for (const path of indexFolders(folder)) {
    latest ??= openRowIndex(path);
    if (latest?.folder !== path) removeFolder(path);
  }
  return latest;
}

function openWritten(folder: string): RowIndex {
  const index = openRowIndex(folder);
  if (!index) throw new Error(`${folder} was written, and cannot be read.`);
  return index;
}

/** Indexes of other runs that are kept without corrections. They are large, and the ledger can make them again. */
const KEPT_INDEXES = 5;

/** Finds the oldest indexes of runs in which nothing was corrected. `folder`: has a folder for each run. Returns runs. */
export function idleRuns(folder: string, inUse: string): string[] {
  const isIdle = (path: string) =>
    indexFolders(path).every((index) => !existsSync(editsIn(index)) && !isTouched(openRowIndex(index)));
  const idle = readdirSync(folder)
    .filter((run) => run !== inUse && isIdle(join(folder, run)))
    .map((run) => ({ run, at: statSync(join(folder, run)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  return idle.slice(KEPT_INDEXES).map(({ run }) => run);
}

/** True if a person did something to a row. */
function isTouched(index: RowIndex | undefined): boolean {
  return (index?.touched ?? 0) > 0;
}

/** True if what was opened is still what the ledger and the folder have. */
export function isCurrent(
  { index }: FixSession,
  { mark, isChanging }: ReturnedState,
  folder: string,
): boolean {
  return (index.mark === mark || isChanging) && indexFolders(folder)[0] === index.folder;
}

function sessionOf(known: KnownRun, index: RowIndex): FixSession {
  return withLog({ known, index }, readEditLog(logOf(index)));
}

function withLog({ known, index }: Pick<FixSession, 'known' | 'index'>, log: EditLog): FixSession {
  const corrected = log.steps[log.at - 1]?.corrected ?? index.corrected;
  return { known, index, log, correct: correcting(stepsIn(log), index.ownFrom), corrected };
}

/** Keeps an entry on the disk. Resolves with the session after it. */
export async function keepEntry(session: FixSession, entry: EditEntry, folder: string): Promise<FixSession> {
  const log = await appendEntries(logOf(session.index), session.log, [entry]);
  const after = withLog(session, log);
  return log.steps.length > MOST_STEPS || log.bytes > MOST_BYTES ? compacted(after, folder) : after;
}

/** Makes the earlier steps a part of the rows, so that neither the log nor the time to read rows grows for ever. */
async function compacted({ known, index, log }: FixSession, folder: string): Promise<FixSession> {
  let from = Math.max(0, log.at - KEPT_STEPS);
  const sizes = log.steps.map((step) => JSON.stringify(step).length);
  const sizeFrom = (at: number) => sizes.slice(at).reduce((sum, size) => sum + size, 0);
  while (from < log.at && sizeFrom(from) > MOST_BYTES / 2) from++;
  const first = stepsIn({ ...log, at: from });
  const last = log.steps.slice(from, log.at);
  // In the folder before it appears: after a crash the latest index counts, with the steps that are beside it.
  const path = await rewriteIndex(
    folder,
    { index, correct: correcting(first, index.ownFrom) },
    {
      async writeBeside(part) {
        if (last.length > 0) await appendEntries(editsIn(part), NO_STEPS, last);
      },
    },
  );
  removeFolder(index.folder);
  return sessionOf(known, openWritten(path));
}

/** Keeps what a check found in the rows. `checkOf`: undefined for rows that were not checked. */
export async function keepChecks(
  { known, index, log }: FixSession,
  checkOf: (at: number, row: IndexedRow) => RowCheck | undefined,
  folder: string,
): Promise<FixSession> {
  const path = await rewriteIndex(
    folder,
    { index, correct: correcting([], index.ownFrom) },
    {
      checkOf,
      async writeBeside(part) {
        if (log.bytes > 0) await writeFile(editsIn(part), readFileSync(logOf(index)), { mode: PRIVATE_FILE });
      },
    },
  );
  removeFolder(index.folder);
  return sessionOf(known, openWritten(path));
}
