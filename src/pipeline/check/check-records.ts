import {
  IN_ERRORS_CSV,
  keptRows,
  leadRowNumber,
  type PlannedRecord,
  type RecordResult,
} from '../../model/index.ts';
import type { CheckedRecord } from '../../plan/index.ts';
import type { PlanLine, UnusedColumn } from '../../report/index.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import type { PrepareOptions } from '../prepare/options.ts';
import { prepareRecords } from '../prepare/prepare-records.ts';
import { createPreview, type ShownRecord } from '../prepare/preview.ts';
import { createUnusedCells } from '../prepare/unused-cells.ts';
import { checkedOutcome, planLine } from '../summary/plan.ts';

/** A record as a check reports it. */
export interface CheckedResult {
  readonly settled: RecordResult;
  readonly plan: PlanLine;
}

/** Parts of the records that a check shows. */
export interface CheckFindings {
  /** The first records, finished. */
  readonly shown: readonly ShownRecord[];
  readonly unused: readonly UnusedColumn[];
}

export interface RecordCheck {
  /** The results of all records, batch by batch. */
  results(): AsyncGenerator<CheckedResult[]>;
  /** The findings in the batches so far. */
  findings(): CheckFindings;
}

/** Checks the records of files. `show`: number of records to show. */
export function checkRecords(inputs: ImportInputs, options: PrepareOptions, show: number): RecordCheck {
  const preview = createPreview(show, options.resource);
  const unusedCells = createUnusedCells();
  let checked: readonly CheckedRecord[] = [];
  return {
    async *results() {
      const batches = prepareRecords(inputs, {
        ...options,
        onChecked(records, binding) {
          checked = records;
          preview.note(records, binding);
          unusedCells.note(records, binding);
        },
      });
      for await (const batch of batches)
        yield batch.map((planned, index) => checkedResult(planned, checked[index] as CheckedRecord));
    },
    findings: () => ({ shown: preview.shown, unused: unusedCells.columns() }),
  };
}

export function checkedResult(planned: PlannedRecord, checked: CheckedRecord): CheckedResult {
  const { record, key } = planned;
  const outcome = checkedOutcome(planned, checked);
  const rows = IN_ERRORS_CSV.has(outcome.outcome) ? { rows: keptRows(record) } : {};
  return {
    settled: { seq: record.seq, row: leadRowNumber(record), key, outcome, ...rows },
    plan: planLine(planned),
  };
}
