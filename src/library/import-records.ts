import { runImport } from '../pipeline/index.ts';
import {
  onWaitFor,
  type RecordOutcome,
  type RecordsEvent,
  type RecordsSummary,
  watcherFor,
  withCause,
} from './record-events.ts';
import type { InputFailure, RecordInput } from './record-input.ts';
import { pipelineOptions, type RecordRunOptions } from './records-options.ts';
import { repeatableOptions } from './repeatable-options.ts';
import type { ImportableResource } from './schemas.ts';
import { type EventRun, startRun } from './start-run.ts';
import { openStore, resourceIn, type StoreOptions } from './store-options.ts';

export interface ImportRecordsOptions<Name extends ImportableResource = ImportableResource>
  extends RecordRunOptions<Name> {
  readonly store: StoreOptions;
  /** Number of records to send first. The rest is sent if `confirm` resolves with true. */
  readonly canary?: number | undefined;
  /** Called with the outcomes of the canary. Default: continues. */
  readonly confirm?: ((records: readonly RecordOutcome[]) => Promise<boolean>) | undefined;
}

/**
 * Maps, validates and sends records, and keeps every intent and outcome in the ledger under `home`: as `storeport import`.
 * The input is read no faster than the store accepts records. A run that stopped early has its reason in the summary.
 *
 * The loop over the events, or `summary()`, throws ConfigError if the options, the mapping or the files are wrong, and
 * RunStopped if the run could not begin. Nothing was sent then.
 */
export function importRecords<Name extends ImportableResource>(
  input: RecordInput,
  options: ImportRecordsOptions<Name>,
): EventRun<RecordsEvent, RecordsSummary> {
  return startRun(async (sink) => {
    const { emit, interrupted } = sink;
    const resource = resourceIn(options.resource, { api: options.store?.api, purpose: 'create' });
    const failure: InputFailure = {};
    const parts = pipelineOptions(input, options, { resource, interrupted, failure });
    const store = openStore(options.store, { home: parts.home, onWait: onWaitFor(sink) });
    const { baseUrl, client, concurrency, timeoutMs, storeId } = store;
    // Ends waiting for a store that is away. Requests in flight may still be answered.
    const onInterrupt = () => void client.close(timeoutMs);
    interrupted.addEventListener('abort', onInterrupt, { once: true });
    try {
      const whole = await runImport(
        {
          ...parts,
          canary: options.canary,
          toRepeat: repeatableOptions(input, options, { given: options.store, open: store }),
          watch: watcherFor(sink, options.confirm),
        },
        async () => ({ store: baseUrl, ephemeral: false, storeId, client, concurrency }),
      );
      const summary = withCause(whole, failure);
      emit({ type: 'end', summary });
      return summary;
    } finally {
      interrupted.removeEventListener('abort', onInterrupt);
      await client.close();
    }
  }, options.signal);
}
