import { type Outcome, type RecordResult, removeUnordered } from '../../model/index.ts';
import { ledgerFailed } from '../database/database.ts';
import { createGroupCommit } from '../wal/group-commit.ts';
import type { RunLog } from '../wal/log.ts';
import { type Intent, type PackedIntent, packIntent } from './intents.ts';
import type { Checkpoint, RecordStore } from './record-store.ts';

/**
 * Writes the intents and outcomes of one run. They go into the log in groups. A group waits until half of the slots
 * have an intent, but no longer than a millisecond. Meanwhile the other half is in flight, so the store is not kept
 * waiting.
 *
 * The outcome of a request is in the same entry as the intent of the request that takes its slot. So one synced write
 * makes many records durable, and never more intents are open than requests may be in flight. Every few hundred records
 * the log is folded into the tables, and starts over.
 */
export interface RunJournal {
  /** Resolves when the intent is on disk; only then may its request be written. Rejects with RunStopped. */
  intend(intent: Intent): Promise<void>;
  /** Records the outcome of a record. `sent` is true if an intent for it exists. */
  settle(settled: RecordResult, sent: boolean): void;
  /** Records the position at which a record begins. It is written with the next outcomes. */
  checkpoint(checkpoint: Checkpoint): void;
  /** Resolves when the tables have everything recorded so far. Rejects with RunStopped. */
  flush(): Promise<void>;
  /**
   * Returns the outcomes that are missing in the tables after a failure, in source order. Reports need them to be
   * complete. There are few, since nothing is sent after a failure.
   */
  unwritten(): readonly RecordResult[];
}

/** The content of one write into the log. */
export interface LogEntry {
  readonly intents: readonly PackedIntent[];
  readonly ends: readonly PackedEnd[];
}

/** The outcome of a record whose intent is in the log or in the tables. */
export type PackedEnd = readonly [seq: number, outcome: Outcome];

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Outcomes that are folded into the tables at once: enough to make the commit cheap, few enough not to keep the store
 * waiting.
 */
const FOLD_RECORDS = 400;
/** Size of the log at which it is folded even with fewer outcomes: rows may be long. */
const FOLD_BYTES = 512 * 1024;

/** A loop, since it runs for every record, and a callback would cost more than everything else here. */
function placeOf(intents: readonly Intent[], seq: number): number {
  for (let place = 0; place < intents.length; place++) if (intents[place]?.seq === seq) return place;
  return -1;
}

export interface RunJournalOptions {
  readonly log: RunLog;
  readonly recordStore: RecordStore;
  /** Maximum number of requests in flight, and so of intents that can wait for a commit at the same time. */
  readonly slots: number;
  readonly home: string;
}

export function openJournal({ log, recordStore, slots, home }: RunJournalOptions): RunJournal {
  let intents: Intent[] = [];
  let ends: PackedEnd[] = [];
  let waiters: Waiter[] = [];
  let flushing: Waiter[] = [];
  let unfolded: RecordResult[] = [];
  let checkpoints: Checkpoint[] = [];
  /** Intents on disk without an outcome. */
  const open: Intent[] = [];
  let syncing = false;
  let broken: Error | undefined;

  // With half of the slots in flight, the store is busy while the other half waits.
  const enough = Math.ceil(slots / 2);
  const group = createGroupCommit(commit);
  log.begin(recordStore.epoch);

  function commit(): void {
    // Entries that arrive during a sync form the next group, which starts when the sync is done.
    if (syncing) return;
    if (broken) fail(broken, [...waiters.splice(0), ...flushing.splice(0)]);
    else if (intents.length > 0 || ends.length > 0) append();
    else fold();
  }

  function append(): void {
    const [begun, ended, waiting] = [intents, ends, waiters];
    [intents, ends, waiters] = [[], [], []];
    syncing = true;
    try {
      log.write({ intents: begun.map(packIntent), ends: ended } satisfies LogEntry);
      log.sync((error) => (error ? fail(error, waiting) : onDisk(begun, waiting)));
    } catch (error) {
      fail(error, waiting);
    }
  }

  function onDisk(begun: readonly Intent[], waiting: readonly Waiter[]): void {
    syncing = false;
    for (const intent of begun) open.push(intent);
    for (const waiter of waiting) waiter.resolve();
    if (unfolded.length >= FOLD_RECORDS || log.position >= FOLD_BYTES || flushing.length > 0) fold();
    if (intents.length > 0 || ends.length > 0) group.noted(intents.length >= enough);
  }

  /** Runs only between syncs, when the whole log is on disk. */
  function fold(): void {
    const waiting = flushing;
    flushing = [];
    try {
      if (unfolded.length > 0 || log.position > 0) {
        unfolded.sort((a, b) => a.seq - b.seq);
        recordStore.fold(unfolded, open, checkpoints);
        log.begin(recordStore.epoch);
        unfolded = [];
        checkpoints = [];
        // The tables already have the outcomes that wait for the log.
        ends = [];
      }
      for (const waiter of waiting) waiter.resolve();
    } catch (error) {
      fail(error, waiting);
    }
  }

  function fail(error: unknown, waiting: readonly Waiter[]): void {
    syncing = false;
    broken ??= ledgerFailed(home, error);
    for (const waiter of waiting) waiter.reject(broken);
    if (waiters.length > 0 || flushing.length > 0) group.soon();
  }

  return {
    intend(intent) {
      intents.push(intent);
      group.noted(intents.length >= enough);
      return new Promise((resolve, reject) => {
        waiters.push({ resolve, reject });
      });
    },
    settle(settled, sent) {
      unfolded.push(settled);
      if (sent) {
        removeUnordered(open, placeOf(open, settled.seq));
        ends.push([settled.seq, settled.outcome]);
      }
      if (sent || unfolded.length >= FOLD_RECORDS) group.noted(unfolded.length >= 2 * FOLD_RECORDS);
    },
    checkpoint(checkpoint) {
      checkpoints.push(checkpoint);
    },
    flush() {
      group.soon();
      return new Promise((resolve, reject) => {
        flushing.push({ resolve, reject });
      });
    },
    unwritten: () => unfolded.sort((a, b) => a.seq - b.seq),
  };
}
