import type { Database } from '../database/database.ts';
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
 * the intents before them from the tables, so any connection may fold any epoch. It throws the error of the disk or of SQLite;
 * then the tables have not changed.
 */
export function createEpochFold(
  database: Database,
  options: RecordStoreOptions,
): (epoch: EpochToFold) => void {
  const store = openRecordStore(database, options);
  return ({ rest, at, ...extent }) => {
    const entries = readEpoch(extent).map(decodeLogEntry);
    const { ended, open } = followEntries(openIntents(database, options.run), entries, refuseStray);
    for (const settled of rest.settled) ended.push(settled);
    ended.sort((a, b) => a.seq - b.seq);
    store.fold({ ended, open, checkpoints: rest.checkpoints, next: extent.epoch + 1, at });
  };
}

function refuseStray(seq: number): never {
  throw new Error(`record ${seq} was settled without an intent, or twice`);
}
