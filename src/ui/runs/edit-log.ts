import { dirname } from 'node:path';
import { existsSync, open, readFileSync, statSync, truncateSync } from '../../model/files/fs.ts';
import { PRIVATE_FILE } from '../../model/index.ts';
import { syncNamesIn } from '../../write/index.ts';
import type { Correction, CorrectionCount } from './corrections.ts';

/** A step with its result. */
export interface CountedStep extends CorrectionCount {
  readonly step: Correction;
}

/** The steps of a person about the rows of an index; those from `at` on were undone. */
export interface EditLog {
  readonly steps: readonly CountedStep[];
  readonly at: number;
  /** Bytes of the file, which holds undone steps too. */
  readonly bytes: number;
}

/** A line of the file. Lines are only added, so that a crash loses no more than the last one. */
export type EditEntry = CountedStep | { readonly move: 'undo' | 'redo' };

/** The steps in a file. The first line that is not whole ends them: it was cut by a crash, and never acknowledged. */
export function readEditLog(file: string): EditLog {
  if (!existsSync(file)) return NO_STEPS;
  let log = NO_STEPS;
  let bytes = 0;
  for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1)) {
    const entry = entryIn(line);
    if (!entry) break;
    log = withEntry(log, entry);
    bytes += Buffer.byteLength(line) + 1;
  }
  if (bytes < statSync(file).size) truncateSync(file, bytes);
  return { ...log, bytes };
}

export const NO_STEPS: EditLog = { steps: [], at: 0, bytes: 0 };

function entryIn(line: string): EditEntry | undefined {
  try {
    return JSON.parse(line) as EditEntry;
  } catch {
    return undefined;
  }
}

/** The log after an entry. A new step discards those that were undone. */
function withEntry({ steps, at, bytes }: EditLog, entry: EditEntry): EditLog {
  if ('step' in entry) return { steps: [...steps.slice(0, at), entry], at: at + 1, bytes };
  const to = entry.move === 'undo' ? Math.max(0, at - 1) : Math.min(steps.length, at + 1);
  return { steps, at: to, bytes };
}

/** Adds entries to the file, and resolves with the log when they are on the disk. */
export async function appendEntries(
  file: string,
  log: EditLog,
  entries: readonly EditEntry[],
): Promise<EditLog> {
  const text = Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  const handle = await open(file, 'a', PRIVATE_FILE);
  try {
    // A step that could not be written whole, for want of space.
    if ((await handle.stat()).size > log.bytes) await handle.truncate(log.bytes);
    await handle.appendFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (log.bytes === 0) await syncNamesIn(dirname(file));
  return { ...entries.reduce(withEntry, log), bytes: log.bytes + text.length };
}
