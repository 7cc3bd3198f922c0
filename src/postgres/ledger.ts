import type { KnownRun, Ledger, LedgerSource, NewRun, RecordTarget } from '../ledger/engine.ts';
import { ConfigError } from '../model/index.ts';
import { fenced } from './fence.ts';
import { checkLease, type Lease } from './lease.ts';
import { amendUnlessQuarantined } from './quarantine.ts';
import { hasHistoryIn, historyIn, lookupAt } from './queries/history.ts';
import { identifyIn, unidentifiedIn } from './queries/identify.ts';
import { checkpointIn, createdPages, holdersIn, laterPages, retryPages } from './queries/records.ts';
import {
  insertRunIn,
  outcomesIn,
  reopenRunIn,
  runAgain,
  runsIn,
  runWithId,
  tablesOfRun,
} from './queries/runs.ts';
import { endingsPages, settledPages } from './queries/settled.ts';
import { refuseRestored } from './review.ts';
import type { RowSeal } from './row-seal.ts';
import { useLateAnswers } from './run/late-answers.ts';
import { markLostRows } from './run/lost-rows.ts';
import { openRunUnder } from './run/open-run.ts';
import { settleLostRuns } from './run/recover.ts';
import { LONG_ANSWER_MS, type Sql } from './sql.ts';

export interface PostgresLedgerOptions {
  readonly sql: Sql;
  /** On the store with this base URL. It must be held as long as the ledger is open. */
  readonly lease: Lease;
  readonly baseUrl: string;
  /** Opens what encrypts source rows, when the ledger is opened. */
  readonly seal: () => Promise<RowSeal>;
  /** Shown in messages. */
  readonly name?: string | undefined;
  /** Called in each transaction that amends outcomes, with the numbers of their runs. */
  readonly onAmend?: ((inside: Sql, runs: readonly number[]) => Promise<void>) | undefined;
}

/** The parts of a ledger that need no lease. */
type LedgerReading = Pick<
  Ledger,
  | 'runs'
  | 'find'
  | 'reread'
  | 'settled'
  | 'endings'
  | 'toRetry'
  | 'created'
  | 'settledAfter'
  | 'holders'
  | 'outcomes'
  | 'checkpointBefore'
>;

/** Reads outcomes without a lease. Runs of lost holders are `running` until the next holder settles them. */
export function postgresOutcomes(sql: Sql): Pick<Ledger, 'find' | 'endings'> {
  return {
    find: (id) => runWithId(sql, id),
    endings: ({ number }) => endingsPages(sql, number),
  };
}

function readingOf({ sql, seal }: Pick<OpenedOptions, 'sql' | 'seal'>): LedgerReading {
  return {
    ...postgresOutcomes(sql),
    runs: () => runsIn(sql),
    reread: (run) => runAgain(sql, run),
    settled: ({ number }) => settledPages(sql, number, seal),
    toRetry: ({ number }, outcomes) => retryPages(sql, number, { outcomes, seal }),
    created: ({ number }) => createdPages(sql, number),
    settledAfter: (run) => laterPages(sql, run),
    holders: (run, ids) => holdersIn(sql, run, ids),
    outcomes: ({ number }) => outcomesIn(sql, number),
    checkpointBefore: ({ number }, seq) => checkpointIn(sql, number, seq),
  };
}

/** The ledger of one store under a lease. Closing it neither releases the lease nor closes the database. */
export function postgresLedger(options: PostgresLedgerOptions): LedgerSource {
  const { sql, baseUrl, name = 'the database' } = options;
  return {
    name,
    hasThreads: false,
    hasHistory: (resource) => hasHistoryIn(sql, { store: baseUrl, resource }),
    open: async () => openLeased({ ...options, seal: await options.seal() }),
  };
}

type OpenedOptions = Omit<PostgresLedgerOptions, 'seal'> & { readonly seal: RowSeal };

function openLeased({ sql, lease, baseUrl, seal, onAmend }: OpenedOptions): Ledger {
  function refuseOther(store: string): void {
    if (store === baseUrl) return;
    throw new ConfigError(`The lease is on the store ${baseUrl}, and this command is about ${store}.`, [
      'Was the address of the store changed? Add the new address as a store of its own.',
    ]);
  }

  /** Indexes the keys of runs that died, so that their records are found. */
  async function identifyLost(target: RecordTarget, exceptRun?: KnownRun): Promise<void> {
    for (const run of await unidentifiedIn(sql, target))
      if (run !== exceptRun?.number)
        await fenced(sql, lease, (inside) => identifyIn(inside, run), LONG_ANSWER_MS);
  }

  return {
    ...readingOf({ sql, seal }),
    async lock(store) {
      refuseOther(store);
      await checkLease(sql, lease);
      const lost = await settleLostRuns(sql, lease, { baseUrl: store, seal });
      await fenced(sql, lease, async (inside) => {
        await useLateAnswers(inside, store);
        await markLostRows(inside, store, seal);
      });
      return lost;
    },
    async begin(run, slots) {
      refuseOther(run.store);
      if (mayCreate(run)) await refuseRestored(sql, lease.store, run.resource);
      const number = await fenced(sql, lease, (inside) => insertRunIn(inside, run, lease.epoch));
      const { files } = await tablesOfRun(sql, number);
      return openRunUnder(sql, lease, { run: number, isResumed: false, files, fold: 0, slots, seal });
    },
    async reopen(run, slots) {
      refuseOther(run.store);
      if (mayCreate(run)) await refuseRestored(sql, lease.store, run.resource);
      const { number } = run;
      const fold = await fenced(sql, lease, async (inside) => {
        await reopenRunIn(inside, number, lease.epoch);
        const [line] = await inside.query<{ fold: number }>('select fold from run where number = $1', [
          number,
        ]);
        return line?.fold ?? 0;
      });
      const { files } = await tablesOfRun(sql, number);
      return openRunUnder(sql, lease, { run: number, isResumed: true, files, fold, slots, seal });
    },
    async history(store, resource, exceptRun) {
      refuseOther(store);
      const target = { store, resource };
      await identifyLost(target, exceptRun);
      return historyIn(sql, target, {
        seal,
        async lookupIn(other) {
          if (other.resource !== resource) await identifyLost(other);
          return lookupAt(sql, other);
        },
      });
    },
    amend: (amendments) =>
      fenced(sql, lease, async (inside) => {
        const released = await amendUnlessQuarantined(inside, amendments);
        const changed = [...amendments.map(({ run }) => run), ...released.map(({ number }) => number)];
        await onAmend?.(inside, [...new Set(changed)]);
        return released.map(({ run, records }) => ({ run, records }));
      }),
    close: async () => {},
  };
}

/** True if a run may send creates: after a restore, the database may not know of some. */
function mayCreate({ command, mode }: Pick<NewRun, 'command' | 'mode'>): boolean {
  return command === 'import' && mode !== 'update';
}
