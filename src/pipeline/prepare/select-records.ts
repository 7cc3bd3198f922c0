import type { FileBinding } from '../../map/index.ts';
import type { SourceRecord } from '../../model/index.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import { keyOfGroup } from './map-and-validate.ts';
import type { PrepareOptions } from './options.ts';
import { groupingOf, type RecordBatch } from './read-and-group.ts';

/** Selects the records to prepare: those between `--offset` and `--limit` that no earlier execution of the run has settled. */
export interface RecordSelection {
  /** To be called with every batch, in order. */
  select(batch: RecordBatch): readonly SourceRecord[];
  /** True if `--limit` is reached, so that no further batch has a selected record. */
  isComplete(): boolean;
}

export function createRecordSelection(
  { mapping }: ImportInputs,
  { resource, offset, limit, resume }: PrepareOptions,
): RecordSelection {
  const end = limit === undefined ? Number.POSITIVE_INFINITY : offset + limit;
  const groupsHaveOwnKeys = groupingOf(mapping, resource) === 'by-other';
  const isSelected = ({ seq }: SourceRecord) => seq >= offset && seq < end && !resume?.isSettled(seq);
  /** Number of records so far, selected or not. */
  let seen = resume?.from?.seq ?? 0;

  /** Claims the group keys of settled records, so that later rows of them are refused. Record keys are in the ledger. */
  function claimSettled(records: readonly SourceRecord[], { groupKeyOf }: FileBinding): void {
    for (const record of records) {
      const groupKey = resume?.isSettled(record.seq) ? keyOfGroup(record, groupKeyOf) : undefined;
      if (groupKey) resume?.planner.claimGroup(groupKey, record);
    }
  }

  return {
    select({ records, binding }) {
      seen += records.length;
      const selected = records.filter(isSelected);
      if (resume && groupsHaveOwnKeys && selected.length < records.length) claimSettled(records, binding);
      return selected;
    },
    isComplete: () => seen >= end,
  };
}
