import { type KnownRun, type Ledger, openLedger } from '../../ledger/index.ts';
import type { StoreTarget } from './execute.ts';
import { refuseOtherStore } from './resume-checks.ts';
import { findRun } from './runs.ts';
import type { Summary } from './summary.ts';

/** A run of the past, in the hands of the one process that works with its store. */
export interface ReopenedRun {
  readonly ledger: Ledger;
  readonly run: KnownRun;
  readonly to: StoreTarget;
}

/** Takes a run up again, to do more of it. Throws ConfigError where the settings name another store. */
export async function reopen(
  id: string,
  home: string,
  connect: () => Promise<StoreTarget>,
  work: (taken: ReopenedRun) => Promise<Summary>,
): Promise<Summary> {
  const to = await connect();
  const ledger = openLedger(home);
  try {
    ledger.lock(to.store, id);
    const run = findRun(ledger, id);
    refuseOtherStore(run, to.store);
    return await work({ ledger, run, to });
  } finally {
    ledger.close();
  }
}
