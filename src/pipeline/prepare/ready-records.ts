import { encodeIntent, type Intent } from '../../ledger/index.ts';
import {
  INCOMPLETE,
  keptRows,
  leadFile,
  leadRowNumber,
  mayBeInStore,
  type Operation,
  type Outcome,
  type PlannedRecord,
  type ReadyRecord,
  type RecordResult,
} from '../../model/index.ts';
import type { Resource } from '../../resources/index.ts';
import { requestFor } from '../../send/index.ts';

export interface ReadyOptions {
  readonly resource: Resource;
  /** True if the run has several files, so that records are noted with their file. */
  readonly namesFiles: boolean;
}

/** Makes requests, intents and results of planned records, batch by batch. After this, nothing needs their rows. */
export async function* readyRecords(
  batches: AsyncIterable<readonly PlannedRecord[]>,
  options: ReadyOptions,
): AsyncGenerator<ReadyRecord[]> {
  for await (const planned of batches) yield planned.map((each) => readyRecord(each, options));
}

/** As `readyRecords`, for one record. */
export function readyRecord(planned: PlannedRecord, options: ReadyOptions): ReadyRecord {
  const { operation, key } = planned;
  if (!operation) return { result: resultOf(planned, options) };
  const intent = intentOf(planned, operation.kind, options.namesFiles);
  const { seq, row, file, kind } = intent;
  const request = requestFor(options.resource, operation, key);
  const id = operation.kind === 'update' ? operation.id : undefined;
  return { seq, row, file, key, kind, request, id, intent: encodeIntent(intent) };
}

/** Written out, as `resultOf` is, since it runs for every record. */
export function intentOf(
  { record, key, digests, supersedes }: PlannedRecord,
  kind: Operation['kind'],
  namesFiles: boolean,
): Intent {
  return {
    seq: record.seq,
    row: leadRowNumber(record),
    file: namesFiles ? leadFile(record) : undefined,
    key,
    kind,
    rows: keptRows(record),
    digests,
    supersedes,
  };
}

/** The result of a record that has its outcome already. */
export function resultOf(
  {
    record,
    key,
    outcome,
    digests,
    supersedes,
    sharesOutcomeOf,
  }: PlannedRecord & { readonly outcome: Outcome },
  { namesFiles }: Pick<ReadyOptions, 'namesFiles'>,
): RecordResult {
  return {
    seq: record.seq,
    row: leadRowNumber(record),
    file: namesFiles ? leadFile(record) : undefined,
    key,
    outcome,
    rows: INCOMPLETE.has(outcome.outcome) ? keptRows(record) : undefined,
    digests: mayBeInStore(outcome) ? digests : undefined,
    supersedes,
    sharesOutcomeOf,
  };
}
