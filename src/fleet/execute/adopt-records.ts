import type { AdoptOptions } from '../../pipeline/index.ts';
import { runAdopt } from '../../pipeline/index.ts';
import { fenced, noteAdopted, postgresLedger } from '../../postgres/index.ts';
import type { Summary } from '../../report/index.ts';
import { openRowSeal } from '../artifacts/place/index.ts';
import type { FleetStore } from '../stores/stores.ts';
import type { ExecutorOptions } from './options.ts';
import { withStoreLease } from './store-lease.ts';

/**
 * Adopts records of a store from a file with their keys and identifiers, under its lease and in this process. Nothing is sent.
 * Throws ConfigError if a worker serves the store.
 */
export async function adoptRecords(
  { sql, log, storage }: Pick<ExecutorOptions, 'sql' | 'log' | 'storage'>,
  store: FleetStore,
  options: Omit<AdoptOptions, 'store' | 'ledger'>,
): Promise<Summary> {
  const seal = await openRowSeal(sql, storage);
  return withStoreLease({ sql, log }, store, async (lease) => {
    const ledger = postgresLedger({ sql, lease, baseUrl: store.baseUrl, seal: async () => seal });
    const summary = await runAdopt({ ...options, store: store.baseUrl, ledger });
    if (!summary.stopped)
      await fenced(sql, lease, (inside) =>
        noteAdopted(inside, { store: store.number, resource: options.resource.name, isComplete: false }),
      );
    return summary;
  });
}
