import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownRun, ReturnedState } from '../../pipeline/index.ts';
import { buildIndex, rewriteIndex } from './build-index.ts';
import { type Correct, type Correction, correcting } from './corrections.ts';
import { appendEntries, type EditEntry, type EditLog, readEditLog } from './edit-log.ts';
import { indexFolders, openRowIndex, type RowIndex } from './row-index.ts';

/** The rows that a run returned, with the corrections of a person. */
export interface FixSession {
  readonly known: KnownRun;
  readonly index: RowIndex;
  readonly log: EditLog;
  readonly correct: Correct;
  /** Rows that have corrections and are not dropped. */
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
  const [latest, ...stale] = indexFolders(folder);
  for (const path of stale) rmSync(path, { recursive: true, force: true });
  const opened = latest === undefined ? undefined : sessionOf(known, openRowIndex(latest));
  // A run with these records changes them all the time. Its end is soon enough.
  if (opened && (opened.index.mark === mark || isChanging)) return opened;
  const path = await buildIndex({ home, run: known.id, folder, mark, before: opened });
  if (latest !== undefined) rmSync(latest, { recursive: true, force: true });
  return sessionOf(known, openRowIndex(path));
}

/** Indexes of other runs that are kept without corrections. They are large, and the ledger can make them again. */
const KEPT_INDEXES = 5;

/** Removes the oldest indexes of runs in which nothing was corrected. `folder`: has a folder for each run. */
export function dropIdleIndexes(folder: string, inUse: string): void {
  const idle = readdirSync(folder)
    .filter((run) => run !== inUse)
    .map((run) => join(folder, run))
    .filter((path) =>
      indexFolders(path).every((index) => !existsSync(editsIn(index)) && openRowIndex(index).corrected === 0),
    )
    .map((path) => ({ path, at: statSync(path).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { path } of idle.slice(KEPT_INDEXES)) rmSync(path, { recursive: true, force: true });
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
  return { known, index, log, correct: correcting(stepsIn(log)), corrected };
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
  const path = await rewriteIndex(folder, { index, correct: correcting(first) });
  const next = openRowIndex(path);
  await appendEntries(logOf(next), readEditLog(logOf(next)), log.steps.slice(from, log.at));
  rmSync(index.folder, { recursive: true, force: true });
  return sessionOf(known, next);
}
