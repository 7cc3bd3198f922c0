import { RunStopped, startStopwatch } from '../model/index.ts';
import { type ListSummary, listJob, readList } from '../pipeline/index.ts';
import type { ItemOf, ListedResource } from './schemas.ts';
import { type EventRun, startRun } from './start-run.ts';
import { openStore, resourceIn, type StoreOptions } from './store-options.ts';

export interface ExportRecordsOptions<Name extends ListedResource> {
  readonly resource: Name;
  readonly store: StoreOptions;
  /** Values by name, for what the API can filter by: `{ status: 'abandoned' }`. */
  readonly filters?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** A day, a moment in ISO 8601, or an age such as `7d`. Older items are left out. */
  readonly since?: string | undefined;
  /** Maximum number of items. */
  readonly limit?: number | undefined;
  /** Ends the export with RunStopped. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads a list of the store, in its order, each item once, although the list may shift while it is read: as `storeport
 * export`. Pages are fetched ahead within the rate. `summary()` tells how many items came, and whether one may be missing.
 *
 * The loop over the items, or `summary()`, throws ConfigError if an option is wrong, RunStopped if the list could not be read
 * to its end.
 */
export function exportRecords<Name extends ListedResource>(
  options: ExportRecordsOptions<Name>,
): EventRun<ItemOf<Name>, ListSummary> {
  return startRun(async ({ emit, room, interrupted }) => {
    const resource = resourceIn(options.resource, { api: options.store?.api, purpose: 'list' });
    const filters = Object.entries(options.filters ?? {}).map(([name, value]) => `${name}=${value}`);
    const job = listJob({ resource, filters, since: options.since }, startStopwatch().startedAt);
    const { client, concurrency } = openStore(options.store);
    const onInterrupt = () => void client.close();
    interrupted.addEventListener('abort', onInterrupt, { once: true });
    const list = readList(job, { limit: options.limit, interrupted, onProgress() {}, remember: false });
    try {
      if (interrupted.aborted) throw new RunStopped('interrupted', 'The export was interrupted.');
      await client.authenticate();
      for await (const { items } of list.items(client, concurrency))
        for (const item of items) {
          emit(item as ItemOf<Name>);
          const full = room();
          if (full) await full;
        }
      return list.summary();
    } finally {
      interrupted.removeEventListener('abort', onInterrupt);
      await client.close();
    }
  }, options.signal);
}
