import type { KeptRow, Operation, Settled } from '../model/index.ts';
import { type Database, inTransaction, ledgerFailed } from './database.ts';
import { STATEMENTS } from './statements.ts';

/** A record that is about to be sent. */
export interface Intent {
  readonly seq: number;
  readonly row: number;
  readonly key: string;
  readonly kind: Operation['kind'];
  readonly rows: readonly KeptRow[];
}

/**
 * The pen with which one run writes. What is written within one turn of the event loop is committed together, and
 * so is the outcome of a request with the intent of the next one that takes its place: durability then costs one
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

export function openJournal(database: Database.Database, run: number, now: () => number): Journal {
  const statement = {
    intend: database.prepare(STATEMENTS.intend),
    forget: database.prepare(STATEMENTS.forgetIntent),
    settle: database.prepare(STATEMENTS.settle),
    keep: database.prepare(STATEMENTS.keep),
  };
  let intents: Intent[] = [];
  let ends: { settled: Settled; sent: boolean }[] = [];
  let waiters: Waiter[] = [];
  const lost: Settled[] = [];
  let scheduled = false;
  let broken: Error | undefined;

  const write = (ended: typeof ends, begun: readonly Intent[]) => {
    const at = now();
    for (const { settled, sent } of ended) {
      const { seq, row, key, outcome, rows } = settled;
      if (sent) statement.forget.run(run, seq);
      statement.settle.run(
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
      );
      if (rows) statement.keep.run(run, seq, packRows(rows));
    }
    for (const { seq, row, key, kind, rows } of begun)
      statement.intend.run(run, seq, row, key, kind, packRows(rows), at);
  };

  const commit = () => {
    scheduled = false;
    const [ended, begun, waiting] = [ends, intents, waiters];
    [ends, intents, waiters] = [[], [], []];
    try {
      if (broken) throw broken;
      inTransaction(database, () => write(ended, begun));
    } catch (error) {
      broken ??= ledgerFailed(error);
      lost.push(...ended.map(({ settled }) => settled));
      for (const waiter of waiting) waiter.reject(broken);
      return;
    }
    for (const waiter of waiting) waiter.resolve();
  };
  const soon = () => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(commit);
  };
  const onDisk = () =>
    new Promise<void>((resolve, reject) => {
      waiters.push({ resolve, reject });
      soon();
    });

  return {
    intend(intent) {
      intents.push(intent);
      return onDisk();
    },
    settle(settled, sent) {
      ends.push({ settled, sent });
      soon();
    },
    flush: onDisk,
    unwritten: () => lost.sort((a, b) => a.seq - b.seq),
  };
}

export function packRows(rows: readonly KeptRow[]): string {
  return JSON.stringify(rows.map(({ row, cells }) => [row, cells]));
}

export function unpackRows(packed: string): KeptRow[] {
  return (JSON.parse(packed) as [number, string[]][]).map(([row, cells]) => ({ row, cells }));
}
