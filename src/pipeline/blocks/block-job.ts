import type { PlannedRecord } from '../../model/index.ts';
import type { CheckedRecord, KeyClaim, Planner } from '../../plan/index.ts';
import { type CheckedResult, checkedResult } from '../check/check-records.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import type { RecordSteps } from '../prepare/map-and-validate.ts';
import type { PrepareOptions } from '../prepare/options.ts';
import { prepareRecords } from '../prepare/prepare-records.ts';
import { PLANNED } from '../summary/plan.ts';
import type { BlockDuplicates } from './block-messages.ts';

/** The work on the records of one block, such as a check. */
export type BlockJob<Batch> = (
  inputs: ImportInputs,
  parts: { readonly planner: Planner; readonly steps: RecordSteps },
  options: PrepareOptions,
  duplicates: BlockDuplicates,
) => {
  run(): Promise<void>;
  /** The records that were mapped until now. */
  batch(): Batch;
};

/** Checked records of a block. The main thread finds the duplicates among them. */
export interface CheckedBlock {
  /** Row and key of each valid create, in turn. */
  readonly creates: readonly (number | string)[];
  /** All others, with their places in the block. */
  readonly others: readonly (readonly [at: number, result: CheckedResult, claim: KeyClaim])[];
}

export const checkBlock: BlockJob<CheckedBlock> = (inputs, { planner, steps }, options) => {
  const creates: (number | string)[] = [];
  const others: [number, CheckedResult, KeyClaim][] = [];
  let checked: readonly CheckedRecord[] = [];
  let claims: KeyClaim[] = [];
  const plan = (record: CheckedRecord): PlannedRecord => {
    const { planned, claim } = planner.judge(record);
    claims.push(claim);
    return planned;
  };
  const note = options.onChecked;
  const onChecked: PrepareOptions['onChecked'] = (records, binding) => {
    [checked, claims] = [records, []];
    note?.(records, binding);
  };
  return {
    async run() {
      let at = 0;
      for await (const batch of prepareRecords(inputs, { ...options, onChecked }, { plan, steps }))
        for (const [index, planned] of batch.entries()) {
          const result = checkedResult(planned, checked[index] as CheckedRecord);
          const { settled, plan } = result;
          if (settled.outcome === PLANNED && plan.action === 'create') creates.push(settled.row, settled.key);
          else others.push([at, result, claims[index] as KeyClaim]);
          at++;
        }
    },
    batch: () => ({ creates, others }),
  };
};
