import type { PlannedRecord } from '../../model/index.ts';
import type { CheckedRecord, KeyClaim } from '../../plan/index.ts';
import type { Resource } from '../../resources/index.ts';
import { type Change, createChanges } from '../cleaning/changes.ts';
import { type CleanedBatch, type CleanWork, cleanFormatter } from '../cleaning/clean-records.ts';
import { withCleanRows } from '../cleaning/clean-rows.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import { prepareRecords } from '../prepare/prepare-records.ts';
import type { BlockJob } from './block-job.ts';

/** The records of a block as they are written if none but the known ones are duplicates. */
export interface CleanedBlock {
  readonly cleaned: readonly CleanedBatch[];
  readonly changes: readonly Change[];
  /** Row and key of each valid record that claims nothing else, in turn. */
  readonly keys: readonly (number | string)[];
  /** The claims of all other records, with their places in the block. */
  readonly others: readonly (readonly [at: number, claim: KeyClaim])[];
}

export function cleanBlock(file: ImportInputs, resource: Resource, work: CleanWork): BlockJob<CleanedBlock> {
  const format = cleanFormatter(file, resource, work);
  return (opened, { planner, steps }, options, duplicates) => {
    const changes = createChanges();
    const inputs = withCleanRows(opened, changes);
    const outcomes = new Map(duplicates);
    const cleaned: CleanedBatch[] = [];
    const keys: (number | string)[] = [];
    const others: [number, KeyClaim][] = [];
    let at = 0;

    function plan(checked: CheckedRecord): PlannedRecord {
      const { planned, claim } = planner.judge(checked);
      if (claim.by === 'valid' && claim.id === undefined) keys.push(claim.row, claim.key);
      else others.push([at, claim]);
      const outcome = outcomes.get(at++);
      return outcome ? { record: planned.record, key: planned.key, outcome } : planned;
    }

    return {
      async run() {
        for await (const planned of prepareRecords(inputs, options, { plan, steps }))
          cleaned.push(format(planned, changes));
      },
      batch: () => ({ cleaned, changes: changes.all(), keys, others }),
    };
  };
}
