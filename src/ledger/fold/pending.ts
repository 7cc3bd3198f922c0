import { INCOMPLETE, mayBeInStore, type Outcome, type RecordResult } from '../../model/index.ts';
import type { Database } from '../database/database.ts';
import { STATEMENTS } from '../database/statements.ts';
import { digestsOf, type Intent, type PackedIntent, unpacked, unpackIntent } from '../records/intents.ts';
import { decodeLogEntry, type LogEntry } from '../records/log-entry.ts';
import { type ExpectedLog, readLog } from '../wal/read-log.ts';

/** Entries of a log that the tables do not have. */
export interface PendingEntries {
  readonly ended: readonly RecordResult[];
  /** Intents without an outcome, from the log and the tables. Their requests may have been in flight. */
  readonly open: readonly Intent[];
}

/** Reads the log of a run that died, together with the intents in its tables. Throws ConfigError if the log is damaged. */
export function readPending(database: Database, run: number, logFile: string): PendingEntries {
  const entries = readLog(logFile, expectedLog(database, run)).map(decodeLogEntry);
  const { ended, open } = followEntries(openIntents(database, run), entries);
  return { ended, open: open.map(unpackIntent) };
}

/** The log that a run must have, by its tables. */
export function expectedLog(database: Database, run: number): ExpectedLog {
  return database.prepare(STATEMENTS.logOf).get(run) as ExpectedLog;
}

/** Intents that were open when the epoch of the tables began. */
export function openIntents(database: Database, run: number): PackedIntent[] {
  const lines = database.prepare(STATEMENTS.intents).all(run) as { entries: string }[];
  return lines.flatMap(({ entries }) => JSON.parse(entries) as PackedIntent[]);
}

/**
 * Follows the entries of a log from the intents that were open before them. `onStray`: called with the number of a record
 * that ends without an open intent.
 */
export function followEntries(
  before: readonly PackedIntent[],
  entries: readonly LogEntry[],
  onStray: (seq: number) => void = () => {},
): { readonly ended: RecordResult[]; readonly open: PackedIntent[] } {
  const open = new Map(before.map((intent) => [intent[0], intent]));
  const ended: RecordResult[] = [];
  for (const entry of entries) {
    for (const [seq, outcome] of entry.ends) {
      const intent = open.get(seq);
      if (intent) ended.push(settledAs(intent, outcome));
      else onStray(seq);
      open.delete(seq);
    }
    for (const intent of entry.intents) open.set(intent[0], intent);
  }
  return { ended, open: [...open.values()] };
}

/** Written out, since it runs for every record. */
function settledAs(intent: PackedIntent, outcome: Outcome): RecordResult {
  const [seq, row, key, , rows, , , supersedes, file] = intent;
  return {
    seq,
    row,
    file,
    key,
    outcome,
    rows: INCOMPLETE.has(outcome.outcome) ? unpacked(rows) : undefined,
    digests: mayBeInStore(outcome) ? digestsOf(intent) : undefined,
    supersedes: supersedes?.length ? supersedes : undefined,
  };
}
