import type { CheckFindings } from '../check/check-records.ts';
import type { ImportInputs, InputFile } from '../inputs/inputs.ts';
import { mergeLook } from '../look/look.ts';
import { createNotices } from '../prepare/notices.ts';
import type { PrepareOptions } from '../prepare/options.ts';
import type { ShownRecord } from '../prepare/preview.ts';
import { createUnusedCells, UNUSED_CELLS_WITHIN } from '../prepare/unused-cells.ts';
import type { BlockNotes, BlockRequest } from './block-messages.ts';

/** The findings about a file, as if its blocks had been one. */
export interface MergedNotes {
  /** Adds those of the next block. */
  add(notes: BlockNotes): void;
  /** Number of records so far. */
  readonly records: number;
  /** Findings that are wanted of later blocks. They may be too many, since blocks in work are not counted. */
  wanted(): Pick<BlockRequest, 'show' | 'looks'>;
  findings(): CheckFindings;
  /** Gives the warnings about the whole file. */
  warn(): void;
}

/** Merges into the counts of the only file of `inputs`. `show`: number of records to show. */
export function mergeNotes(inputs: ImportInputs, options: PrepareOptions, show: number): MergedNotes {
  const [input] = inputs.files as readonly [InputFile];
  const { emptyRows, suspicions, mappingWarnings, look, binding } = input;
  const skipped: { rows: number } = input.skipped;
  const notices = createNotices(inputs, options);
  const unused = createUnusedCells();
  const shown: ShownRecord[] = [];
  let records = 0;
  return {
    get records() {
      return records;
    },
    add(notes) {
      emptyRows.merge(notes.emptyRows);
      skipped.rows += notes.skippedRows;
      suspicions.merge(notes.suspicious, records);
      mappingWarnings.merge(notes.warnings, records);
      mergeLook(look, notes.look, records);
      for (let image = 0; image < notes.leftOutImages; image++) notices.onLeftOut?.(notes.leftOutImage ?? '');
      notes.ruleUse?.forEach((use, rule) => {
        if (binding.ruleUse) binding.ruleUse[rule] = (binding.ruleUse[rule] ?? 0) | use;
      });
      shown.push(...notes.shown.slice(0, show - shown.length));
      if (notes.records > 0) unused.merge(notes.unused, binding, records);
      records += notes.records;
    },
    wanted: () => ({ show: show - shown.length, looks: records < UNUSED_CELLS_WITHIN }),
    findings: () => ({ shown, unused: unused.columns() }),
    warn: () => notices.warn(false),
  };
}
