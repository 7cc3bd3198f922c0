import { type KnownRun, type Ledger, openLedger } from '../../ledger/index.ts';
import type { StoreTarget } from './context.ts';
import { assertSameStore } from './resume-checks.ts';
import { findRun } from './runs.ts';
import type { Summary } from './summary.ts';

/** A reopened run. This process holds the lock of its store. */
export interface ReopenedRun {
  readonly ledger: Ledger;
  readonly run: KnownRun;
  readonly target: StoreTarget;
}

/** Reopens a run and does `work` with it. Throws ConfigError if the settings name another store, or the store is locked. */
export async function reopen(
  id: string,
  home: string,
  connect: () => Promise<StoreTarget>,
  work: (reopened: ReopenedRun) => Promise<Summary>,
): Promise<Summary> {
  const target = await connect();
  const ledger = openLedger(home);
  try {
    ledger.lock(target.store, id);
    const run = findRun(ledger, id);
    assertSameStore(run, target.store);
    return await work({ ledger, run, target });
  } finally {
    ledger.close();
  }
}
