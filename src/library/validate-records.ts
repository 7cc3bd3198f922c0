import { runValidate } from '../pipeline/index.ts';
import { normaliseBaseUrl } from '../store/base-url.ts';
import { type RecordsEvent, type RecordsSummary, watcherFor, withCause } from './record-events.ts';
import type { InputFailure, RecordInput } from './record-input.ts';
import { type ApiOption, pipelineOptions, type RecordRunOptions } from './records-options.ts';
import type { ImportableResource } from './schemas.ts';
import { type EventRun, startRun } from './start-run.ts';
import { resourceIn } from './store-options.ts';

export interface ValidateRecordsOptions<Name extends ImportableResource = ImportableResource>
  extends RecordRunOptions<Name>,
    ApiOption {
  /** Address of the store that the records are for. The plan then uses what earlier runs know of it. */
  readonly baseUrl?: string | undefined;
}

/**
 * Maps, validates and plans records as `importRecords` would, without a store: as `storeport validate`. Outcomes and errors
 * are as there; `planned` is the outcome of a record that would be sent.
 */
export function validateRecords<Name extends ImportableResource>(
  input: RecordInput,
  options: ValidateRecordsOptions<Name>,
): EventRun<RecordsEvent, RecordsSummary> {
  return startRun(async (sink) => {
    const { emit, interrupted } = sink;
    const { api, baseUrl } = options;
    const resource = resourceIn(options.resource, { api, purpose: 'create' });
    const failure: InputFailure = {};
    const parts = pipelineOptions(input, options, { resource, interrupted, failure });
    const store = baseUrl === undefined ? undefined : { address: normaliseBaseUrl(baseUrl) };
    const summary = withCause(await runValidate({ ...parts, watch: watcherFor(sink) }, store), failure);
    emit({ type: 'end', summary });
    return summary;
  }, options.signal);
}
