import type { Settled } from '../model/index.ts';
import { type Database, inTransaction, ledgerFailed } from './database.ts';
import { createGroupCommit } from './group-commit.ts';
import { type Intent, openIntentLines } from './intents.ts';
import { forMany, type SqlValue } from './many.ts';
import { packRows } from './rows.ts';
import { MANY } from './statements.ts';

/**
 * The pen with which one run writes. Commits are grouped: one waits until half of the slots ask for an intent, but no
 * longer than a millisecond; the other half is in flight meanwhile, so the store is not kept waiting. The outcome of a
 * request goes into the same commit as the intent of the next one that takes its place: durability then costs one
 * synced write for many records, while never more intents are open than requests may be in flight.
 */
export interface Journal {
  /** Resolves when the intent is on disk; only then may its request be written. Rejects with RunStopped. */
  intend(intent: Intent): Promise<void>;
  /** Notes the end of a record. `sent`: an intent for it exists, and is taken back in the same transaction. */
  settle(settled: Settled, sent: boolean): void;
  /** Resolves when all that was noted is on disk. Rejects with RunStopped. */
  flush(): Promise<void>;
  /**
   * Ends that could not be written since a commit failed, in source order. Few, since nothing is sent after that;
   * reports need them, or records would be missing there.
   */
  unwritten(): readonly Settled[];
}

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Ends that are held back at most, where no intent asks for a commit. */
const MOST_HELD = 1000;

/** `slots`: requests in flight at most, and so intents that can wait for a commit at the same time. */
export function openJournal(
  database: Database.Database,
  run: number,
  slots: number,
  now: () => number,
): Journal {
  const insertRecords = forMany(database, MANY.settle);
  const insertKept = forMany(database, MANY.keep);
  const intentLines = openIntentLines(database, run);
  let intents: Intent[] = [];
  let ends: { settled: Settled; sent: boolean }[] = [];
  let waiters: Waiter[] = [];
  const lost: Settled[] = [];
  let broken: Error | undefined;

  function write(ended: typeof ends, begun: readonly Intent[]): void {
    insertRecords(ended.flatMap(({ settled }) => recordValues(run, settled)));
    insertKept(ended.flatMap(({ settled: { seq, rows } }) => (rows ? [run, seq, packRows(rows)] : [])));
    for (const { settled, sent } of ended) if (sent) intentLines.settle(settled.seq);
    if (begun.length > 0) intentLines.add(begun, now());
  }

  const group = createGroupCommit(() => {
    const [ended, begun, waiting] = [ends, intents, waiters];
    [ends, intents, waiters] = [[], [], []];
    try {
      if (broken) throw broken;
      inTransaction(database, () => write(ended, begun));
    } catch (error) {
      broken ??= ledgerFailed(error);
      for (const { settled } of ended) lost.push(settled);
      for (const waiter of waiting) waiter.reject(broken);
      return;
    }
    for (const waiter of waiting) waiter.resolve();
  });

  // With half of the slots in flight the store has enough to do while the other half waits.
  const enough = Math.ceil(slots / 2);
  const onDisk = () =>
    new Promise<void>((resolve, reject) => {
      waiters.push({ resolve, reject });
    });

  return {
    intend(intent) {
      intents.push(intent);
      group.noted(intents.length >= enough);
      return onDisk();
    },
    settle(settled, sent) {
      ends.push({ settled, sent });
      group.noted(ends.length >= MOST_HELD);
    },
    flush() {
      group.soon();
      return onDisk();
    },
    unwritten: () => lost.sort((a, b) => a.seq - b.seq),
  };
}

function recordValues(run: number, { seq, row, key, outcome }: Settled): SqlValue[] {
  return [
    run,
    seq,
    row,
    key,
    outcome.outcome,
    outcome.id ?? null,
    outcome.httpStatus ?? null,
    outcome.attempts,
    Math.round(outcome.durationMs),
    outcome.code ?? null,
    outcome.field ?? null,
    outcome.message ?? null,
  ];
}
