import { type Database, inTransaction } from '../database/database.ts';
import { STATEMENTS } from '../database/statements.ts';
import type { Folding } from '../records/journal.ts';
import type { RecordStoreOptions } from '../records/record-store.ts';
import type { RunLog } from '../wal/log.ts';
import { createEpochFold } from './fold-epoch.ts';
import type { FoldThread } from './fold-thread.ts';

/** Folds in this thread before another one is started, which costs as much as some of them. */
const FOLDS_HERE = 4;

export interface FoldingOptions extends RecordStoreOptions {
  readonly database: Database;
  readonly log: RunLog;
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
  /** Undefined: all folds are in this thread. */
  readonly startThread: (() => FoldThread) | undefined;
}

/**
 * Folds the log of a run. A short run folds in this thread, and nothing is sent meanwhile. A longer one folds in another
 * thread, while the next epoch is written into the second file of the log.
 */
export function openFolding({
  database,
  log,
  now,
  startThread,
  ...options
}: FoldingOptions): Folding & { close(): Promise<void> } {
  const foldHere = createEpochFold(database, options);
  let thread: FoldThread | undefined;
  let hasSecond = false;
  let folds = 0;

  /** The second file is for odd epochs. From now on, if it is missing, it was lost. */
  function addSecond(): void {
    log.addSecond();
    inTransaction(database, () => database.prepare(STATEMENTS.hasLog).run(2, options.run));
    hasSecond = true;
  }

  return {
    fold(rest, done) {
      const epoch = { ...log.extent(), rest, at: now() };
      const next = epoch.epoch + 1;
      try {
        if (!hasSecond && thread?.isReady && next % 2 === 1) addSecond();
        if (!hasSecond) foldHere(epoch);
        log.begin(next);
      } catch (error) {
        return done(error as Error);
      }
      if (hasSecond) return thread?.fold(epoch, done);
      folds += 1;
      if (folds === FOLDS_HERE) thread = startThread?.();
      return done(null);
    },
    async close() {
      await thread?.close();
    },
  };
}
