import type { Database } from '../database/database.ts';
import type { PackedIntent } from '../records/intents.ts';
import type { Unlogged } from '../records/journal.ts';
import { decodeLogEntry } from '../records/log-entry.ts';
import { openRecordStore, type RecordStoreOptions } from '../records/record-store.ts';
import type { EpochExtent } from '../wal/log.ts';
import { readEpoch } from '../wal/read-log.ts';
import { followEntries, openIntents } from './pending.ts';

/** One epoch of a log that is on disk, and what belongs into the tables with it. */
export interface EpochToFold extends EpochExtent {
  readonly rest: Unlogged;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Returns a function that moves epochs of a run's log into the tables, one after another. It reads them from the log, and
 * the intents before them from the tables, unless it folded the epoch before: any connection may fold any epoch. It throws the
 * error of the disk or of SQLite; then the tables have not changed.
 */
export function createEpochFold(
  database: Database,
  options: RecordStoreOptions,
): (epoch: EpochToFold) => void {
  const store = openRecordStore(database, options);
  let last: { readonly next: number; readonly open: readonly PackedIntent[] } | undefined;
  return ({ rest, at, ...extent }) => {
    const before = last?.next === extent.epoch ? last.open : openIntents(database, options.run);
    last = undefined;
    const entries = readEpoch(extent).map(decodeLogEntry);
    const { ended, open } = followEntries(before, entries, refuseStray);
    for (const settled of rest.settled) ended.push(settled);
    ended.sort((a, b) => a.seq - b.seq);
    const next = extent.epoch + 1;
    store.fold({ ended, open, checkpoints: rest.checkpoints, next, at });
    last = { next, open };
  };
}

function refuseStray(seq: number): never {
  throw new Error(`record ${seq} was settled without an intent, or twice`);
}
