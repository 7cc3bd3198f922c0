import { type Outcome, type RecordResult, removeUnordered } from '../../model/index.ts';
import { ledgerFailed } from '../database/database.ts';
import { createGroupCommit } from '../wal/group-commit.ts';
import type { RunLog } from '../wal/log.ts';
import { type Intent, type PackedIntent, packIntent } from './intents.ts';
import type { Checkpoint, Tables } from './tables.ts';

/**
 * The pen with which one run writes. What was noted goes into the log in groups: one waits until half of the slots
 * ask for an intent, but no longer than a millisecond; the other half is in flight meanwhile, so the store is not kept
 * waiting. The outcome of a request is in the same entry as the intent of the next one that takes its place:
 * durability then costs one synced write for many records, while never more intents are open than requests may be in
 * flight. Every few hundred records the tables take over what the log has, and the log begins anew.
 */
export interface RunJournal {
  /** Resolves when the intent is on disk; only then may its request be written. Rejects with RunStopped. */
  intend(intent: Intent): Promise<void>;
  /** Notes the end of a record. `sent`: an intent for it exists. */
  settle(settled: RecordResult, sent: boolean): void;
  /** Notes where a record begins; it is written with the ends that come next. */
  mark(mark: Checkpoint): void;
  /** Resolves when the tables have all that was noted. Rejects with RunStopped. */
  flush(): Promise<void>;
  /**
   * Ends that the tables do not have since something failed, in source order. Few, since nothing is sent after that;
   * reports need them, or records would be missing there.
   */
  unwritten(): readonly RecordResult[];
}

/** What one write into the log holds. */
export interface LogEntry {
  readonly intents: readonly PackedIntent[];
  readonly ends: readonly PackedEnd[];
}

/** How a record ended that the log, or the tables, know the intent of. */
export type PackedEnd = readonly [seq: number, outcome: Outcome];

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Ends that the tables take at once: enough to make the commit cheap, few enough not to keep the store waiting. */
const FOLD_RECORDS = 400;
/** Rows may be long: before the log has grown by that much, the tables take over too. */
const FOLD_BYTES = 512 * 1024;

/** A loop, since it runs for every record and a callback would cost more than all else here. */
function placeOf(intents: readonly Intent[], seq: number): number {
  for (let place = 0; place < intents.length; place++) if (intents[place]?.seq === seq) return place;
  return -1;
}

/** `slots`: requests in flight at most, and so intents that can wait for a commit at the same time. */
export function openJournal(log: RunLog, tables: Tables, slots: number, home: string): RunJournal {
  let intents: Intent[] = [];
  let ends: PackedEnd[] = [];
  let waiters: Waiter[] = [];
  let flushing: Waiter[] = [];
  let unfolded: RecordResult[] = [];
  let marks: Checkpoint[] = [];
  /** Intents on disk without an outcome. */
  const open: Intent[] = [];
  let syncing = false;
  let broken: Error | undefined;

  // With half of the slots in flight the store has enough to do while the other half waits.
  const enough = Math.ceil(slots / 2);
  const group = createGroupCommit(commit);
  log.begin(tables.epoch);

  function commit(): void {
    // What was noted meanwhile is the next group, as soon as the disk is done with this one.
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

  /** Nothing is being synced: whatever the log says is on disk. */
  function fold(): void {
    const waiting = flushing;
    flushing = [];
    try {
      if (unfolded.length > 0 || log.position > 0) {
        unfolded.sort((a, b) => a.seq - b.seq);
        tables.take(unfolded, open, marks);
        log.begin(tables.epoch);
        unfolded = [];
        marks = [];
        // Of ends that wait for the log the tables know already.
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
    mark(mark) {
      marks.push(mark);
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
