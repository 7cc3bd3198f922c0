import { encodeIntent } from '../../ledger/index.ts';
import {
  INCOMPLETE,
  keptRows,
  leadFile,
  leadRowNumber,
  mayBeInStore,
  type PlannedRecord,
  type ReadyRecord,
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

/** As `readyRecords`, for one record. Objects are written out, since this runs for every record. */
export function readyRecord(planned: PlannedRecord, { resource, namesFiles }: ReadyOptions): ReadyRecord {
  const { record, key, outcome, operation, digests, supersedes, sharesOutcomeOf } = planned;
  const { seq } = record;
  const row = leadRowNumber(record);
  const file = namesFiles ? leadFile(record) : undefined;
  if (outcome) {
    const rows = INCOMPLETE.has(outcome.outcome) ? keptRows(record) : undefined;
    const kept = mayBeInStore(outcome) ? digests : undefined;
    return { result: { seq, row, file, key, outcome, rows, digests: kept, supersedes, sharesOutcomeOf } };
  }
  const { kind } = operation;
  const request = requestFor(resource, operation, key);
  const intent = encodeIntent({ seq, row, file, key, kind, rows: keptRows(record), digests, supersedes });
  const id = kind === 'update' ? operation.id : undefined;
  return { seq, row, file, key, kind, request, id, intent };
}
