import { INCOMPLETE, mayBeInStore, type Outcome, type RecordResult } from '../../model/index.ts';
import type { Database } from '../database/database.ts';
import { STATEMENTS } from '../database/statements.ts';
import { type Intent, type PackedIntent, unpackIntent } from '../records/intents.ts';
import type { LogEntry } from '../records/log-entry.ts';
import { type ExpectedLog, readLog } from '../wal/read-log.ts';

/** Entries of a log that the tables do not have. */
export interface PendingEntries {
  readonly ended: readonly RecordResult[];
  /** Intents without an outcome, from the log and the tables. Their requests may have been in flight. */
  readonly open: readonly Intent[];
}

/** Reads the log of a run that died, together with the intents in its tables. Throws ConfigError if the log is damaged. */
export function readPending(database: Database, run: number, logFile: string): PendingEntries {
  return pendingIn(openIntents(database, run), readLog<LogEntry>(logFile, expectedLog(database, run)));
}

/** The log that a run must have, by its tables. */
export function expectedLog(database: Database, run: number): ExpectedLog {
  return database.prepare(STATEMENTS.logOf).get(run) as ExpectedLog;
}

/** Intents that were open when the epoch of the tables began. */
export function openIntents(database: Database, run: number): Intent[] {
  const lines = database.prepare(STATEMENTS.intents).all(run) as { entries: string }[];
  return lines.flatMap(({ entries }) => (JSON.parse(entries) as PackedIntent[]).map(unpackIntent));
}

/**
 * Follows the entries of a log from the intents that were open before them. `onStray`: called with the number of a record
 * that ends without an open intent.
 */
export function pendingIn(
  before: readonly Intent[],
  entries: readonly LogEntry[],
  onStray: (seq: number) => void = () => {},
): PendingEntries {
  const open = new Map(before.map((intent) => [intent.seq, intent]));
  const ended: RecordResult[] = [];
  for (const entry of entries) {
    for (const [seq, outcome] of entry.ends) {
      const intent = open.get(seq);
      if (intent) ended.push(settledAs(intent, outcome));
      else onStray(seq);
      open.delete(seq);
    }
    for (const intent of entry.intents.map(unpackIntent)) open.set(intent.seq, intent);
  }
  return { ended, open: [...open.values()] };
}

export function settledAs(
  { seq, row, file, key, rows, digests, supersedes }: Intent,
  outcome: Outcome,
): RecordResult {
  return {
    ...{ seq, row, file, key, outcome, supersedes },
    ...(INCOMPLETE.has(outcome.outcome) ? { rows } : {}),
    ...(mayBeInStore(outcome) ? { digests } : {}),
  };
}
