import type { AdoptOptions } from '../../pipeline/index.ts';
import { runAdopt } from '../../pipeline/index.ts';
import { fenced, noteAdopted, postgresLedger, type Sql } from '../../postgres/index.ts';
import type { Summary } from '../../report/index.ts';
import type { FleetStore } from '../stores/stores.ts';
import type { WorkerLog } from '../worker/options.ts';
import { withStoreLease } from './store-lease.ts';

/**
 * Adopts records of a store from a file with their keys and identifiers, under its lease and in this process. Nothing is sent.
 * Throws ConfigError if a worker serves the store.
 */
export function adoptRecords(
  { sql, log }: { readonly sql: Sql; readonly log: WorkerLog },
  store: FleetStore,
  options: Omit<AdoptOptions, 'store' | 'ledger'>,
): Promise<Summary> {
  return withStoreLease({ sql, log }, store, async (lease) => {
    const ledger = postgresLedger({ sql, lease, baseUrl: store.baseUrl });
    const summary = await runAdopt({ ...options, store: store.baseUrl, ledger });
    if (!summary.stopped)
      await fenced(sql, lease, (inside) =>
        noteAdopted(inside, { store: store.number, resource: options.resource.name, isComplete: false }),
      );
    return summary;
  });
}
