import type { LaterRecord, RecordResult, RecordResultStub } from '../model/index.ts';
import type { OlderRun, StoreHistory } from './contract.ts';
import { openDatabase } from './database/database.ts';
import { peekedHistory } from './history.ts';
import { endingsOf, laterThan, pagesOf, settledOf } from './records/settled.ts';

/** The ledger under a home for reading, in another thread of the process that writes it. */
export interface LedgerView {
  /** The history of a store whose lock the process has. Runs that died must be indexed already. */
  history(store: string, resource: string): StoreHistory;
  /** As in `Ledger`. `run`: the number of the run. */
  endings(run: number): Iterable<readonly RecordResultStub[]>;
  /** As in `Ledger`. The tables must have all outcomes of the run. */
  settled(run: number): Iterable<readonly RecordResult[]>;
  /** As in `Ledger`. */
  settledAfter(run: OlderRun): Iterable<readonly LaterRecord[]>;
  close(): void;
}

/** Throws ConfigError. */
export function openLedgerView(home: string): LedgerView {
  const database = openDatabase(home);
  return {
    history: (store, resource) => peekedHistory(database, { store, resource }),
    endings: (run) => pagesOf(endingsOf(database, run)),
    settled: (run) => pagesOf(settledOf(database, run)),
    settledAfter: (run) => pagesOf(laterThan(database, run)),
    close: () => database.close(),
  };
}
