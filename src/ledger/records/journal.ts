import { type RecordResult, type RunStopped, resultBytes } from '../../model/index.ts';
import type { EntryLog } from '../wal/entry-log.ts';
import { createGroupCommit } from '../wal/group-commit.ts';
import { entryPieces } from './log-entry.ts';
import type { Checkpoint } from './record-store.ts';

/**
 * Writes the intents and outcomes of one run. They go into the log in groups. A group waits until half of the slots have
 * an intent, but no longer than a millisecond. Meanwhile the other half is in flight, so the store is not kept waiting. If
 * it answers sooner than the disk, both halves are on their way to the disk.
 *
 * The outcome of a request is in the same entry as the intent of the request that takes its slot. So one synced write
 * makes many records durable, and never more intents are open than requests may be in flight. Every few hundred records
 * the log is folded into the tables, and starts over.
 */
export interface RunJournal {
  /**
   * Resolves when the intent is on disk; only then may its request be written. Rejects with RunStopped. `intent`: the
   * bytes of `encodeIntent`.
   */
  intend(intent: Buffer): Promise<void>;
  /**
   * Begins the age of an intent, just before `intend`. Returns a function that is true once the intent is too old to be sent.
   * Undefined if no other process can take over the store while this one lives.
   */
  readonly ageIntent?: (() => () => boolean) | undefined;
  /**
   * Records the outcome of a record. `sent` is true if an intent for it exists. Returns a promise if the tables are far
   * behind: the caller must wait for it before the next record. It never rejects.
   */
  settle(settled: RecordResult, sent: boolean): Promise<void> | undefined;
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

/** Moves what is recorded into the tables. */
export interface Folding {
  /**
   * Moves the current epoch of the log into the tables, together with `rest`. All of the epoch must be on disk. Begins the
   * next epoch before it returns, unless that fails. Calls `done` once the tables have all of it, or with the error. It may
   * do so before it returns.
   */
  fold(rest: Unlogged, done: (error: Error | null) => void): void;
}

/** Outcomes and checkpoints that the log does not have. A kill may lose them, since a resumed run finds them again. */
export interface Unlogged {
  /** Outcomes of records that were not sent. */
  readonly settled: readonly RecordResult[];
  readonly checkpoints: readonly Checkpoint[];
}

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
/** If a fold takes so long that this much has come together behind it, the records wait for it. */
const MOST_RECORDS = 20 * FOLD_RECORDS;
const MOST_BYTES = 8 * FOLD_BYTES;
/** Limit of the outcomes that the log does not get: both threads hold their rows in memory, and no store waits for them. */
const MAX_HELD_BYTES = 2 * FOLD_BYTES;

export interface RunJournalOptions {
  readonly log: EntryLog;
  readonly folding: Folding;
  /** Maximum number of requests in flight, and so of intents that can wait for a commit at the same time. */
  readonly slots: number;
  /** Makes the error that ends the run, from that of the log or the tables. */
  readonly failed: (error: unknown) => RunStopped;
}

export function openJournal({ log, folding, slots, failed }: RunJournalOptions): RunJournal {
  let intents: Buffer[] = [];
  /** Outcomes of records that were sent, which wait for the log. */
  let ends: RecordResult[] = [];
  let waiters: Waiter[] = [];
  const flushing: Waiter[] = [];
  /** Outcomes in the present epoch of the log. */
  let logged: RecordResult[] = [];
  /** Outcomes and checkpoints that the log does not get. */
  let unlogged: RecordResult[] = [];
  /** Memory that `unlogged` takes, about. */
  let held = 0;
  let checkpoints: Checkpoint[] = [];
  /** Outcomes that are being folded, or could not be. */
  let folded: readonly RecordResult[] = [];
  let room: { readonly promise: Promise<void>; readonly open: () => void } | undefined;
  let syncs = 0;
  let isFolding = false;
  let broken: Error | undefined;

  // With half of the slots in flight, the store is busy while the other half waits. Smaller groups take a tenth more CPU.
  const enough = Math.ceil(slots / 2);
  const group = createGroupCommit(commit);

  /** Outcomes that wait for the next fold. */
  function unfolded(): number {
    return logged.length + ends.length + unlogged.length;
  }

  function isFull(): boolean {
    return unfolded() >= MOST_RECORDS || log.position >= MOST_BYTES || held >= MAX_HELD_BYTES;
  }

  function isMuch(): boolean {
    return unfolded() >= FOLD_RECORDS || held >= FOLD_BYTES;
  }

  function isFoldDue(): boolean {
    return !isFolding && (isMuch() || log.position >= FOLD_BYTES);
  }

  function commit(): void {
    // Entries that arrive meanwhile form the next group, which starts when a sync is done. A fold needs the whole log on
    // disk, so nothing is added before it.
    if (syncs === log.syncsAtOnce || (syncs > 0 && isFoldDue())) return;
    if (broken) fail(broken, [...waiters.splice(0), ...flushing.splice(0)]);
    else if (intents.length > 0 || ends.length > 0) append();
    else if (syncs === 0) fold();
  }

  function append(): void {
    const [begun, ended, waiting] = [intents, ends, waiters];
    [intents, ends, waiters] = [[], [], []];
    for (const end of ended) logged.push(end);
    try {
      log.write(entryPieces(begun, ended));
      log.sync((error) => onSynced(error, waiting));
      syncs++;
    } catch (error) {
      fail(error, waiting);
    }
  }

  function onSynced(error: Error | null, waiting: readonly Waiter[]): void {
    syncs--;
    // `broken`: another sync or a fold has failed meanwhile.
    if (error || broken) fail(error ?? broken, waiting);
    else {
      for (const waiter of waiting) waiter.resolve();
      const isFlush = flushing.length > 0;
      // A flush waits for outcomes that arrived during the sync, so that one fold takes all.
      const isLast = isFlush && ends.length === 0;
      if (syncs === 0 && (isFoldDue() || isLast)) fold();
      if (intents.length > 0 || ends.length > 0) group.noted(isFlush || intents.length >= enough);
    }
  }

  /** Runs only between syncs, when the whole log is on disk. */
  function fold(): void {
    if (isFolding) return;
    if (logged.length === 0 && unlogged.length === 0 && log.position === 0) {
      for (const waiter of flushing.splice(0)) waiter.resolve();
      return;
    }
    const rest = { settled: unlogged, checkpoints };
    folded = [...logged, ...unlogged];
    [logged, unlogged, checkpoints, held] = [[], [], [], 0];
    isFolding = true;
    folding.fold(rest, onFolded);
  }

  function onFolded(error: Error | null): void {
    isFolding = false;
    if (error) fail(error, flushing.splice(0));
    else {
      folded = [];
      giveRoom();
      if (flushing.length > 0 || isMuch()) group.soon();
    }
  }

  function fail(error: unknown, waiting: readonly Waiter[]): void {
    broken ??= failed(error);
    for (const waiter of waiting) waiter.reject(broken);
    giveRoom();
    if (waiters.length > 0 || flushing.length > 0) group.soon();
  }

  function giveRoom(): void {
    room?.open();
    room = undefined;
  }

  return {
    intend(intent) {
      return new Promise((resolve, reject) => {
        intents.push(intent);
        waiters.push({ resolve, reject });
        group.noted(intents.length >= enough);
      });
    },
    settle(settled, sent) {
      (sent ? ends : unlogged).push(settled);
      if (!sent) held += resultBytes(settled);
      if (sent || isMuch()) group.noted(unfolded() >= 2 * FOLD_RECORDS);
      if (broken || !isFull()) return undefined;
      room ??= createRoom();
      return room.promise;
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
    unwritten: () => [...folded, ...logged, ...ends, ...unlogged].sort((a, b) => a.seq - b.seq),
  };
}

function createRoom(): { readonly promise: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}
