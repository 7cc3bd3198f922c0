import type { FileBinding } from '../../map/index.ts';
import type { OpenSuspicion, SourceRecord, Suspicion, Table } from '../../model/index.ts';
import type { CheckedRecord } from '../../plan/index.ts';
import type { Resource } from '../../resources/index.ts';
import { repeatedSkus, type Suspect, skuField, wrongTextsFinder } from '../../suspect/index.ts';
import type { InputFile } from './inputs.ts';

/**
 * Notes what is suspect about payloads at the cells that it is from: texts that cannot be what their field is for, and
 * variants of one product that share a SKU, at the second.
 */
export function payloadsNoter(
  files: readonly InputFile[],
  { meanings }: Pick<Resource, 'meanings'>,
): (checked: readonly CheckedRecord[], binding: FileBinding) => void {
  const byTable = new Map<Table, InputFile>(files.map((input) => [input.source.table, input]));
  const wrongTextsIn = wrongTextsFinder(meanings);

  function note({ seq, rows }: SourceRecord, row: number | undefined, suspect: Suspect): void {
    const at = rows.find((each) => each.row === row) ?? rows[0];
    if (at) byTable.get(at.table)?.suspicions.add(seq, at, [suspect]);
  }

  return (checked, binding) => {
    for (const { record, payload, issues } of checked) {
      for (const { code, field, text } of wrongTextsIn(payload)) {
        if (issues.some((issue) => issue.field === field)) continue;
        const { column = '', origin } = binding.locate(record, field);
        note(record, origin?.row, { code, column, text });
      }
      if (issues.length > 0) continue;
      for (const { at, before, sku } of repeatedSkus(payload)) {
        const { column = '', origin } = binding.locate(record, skuField(payload, at));
        const first = binding.locate(record, skuField(payload, before)).origin?.row;
        const text = first === undefined || first === origin?.row ? sku : `${sku}, as row ${first}`;
        note(record, origin?.row, { code: 'same-sku', column, text });
      }
    }
  };
}

/** Inspects the rows of records for damage, and notes what it finds with the file of each row. */
export function suspectsNoter(files: readonly InputFile[]): (records: readonly SourceRecord[]) => void {
  const byTable = new Map<Table, InputFile>(files.map((input) => [input.source.table, input]));
  return (records) => {
    for (const { seq, rows } of records)
      for (const row of rows) {
        const input = byTable.get(row.table);
        const suspects = input?.inspect(row) ?? [];
        if (suspects.length > 0) input?.suspicions.add(seq, row, suspects);
      }
  };
}

/** Removes the fields that only resuming needs. */
export function publicSuspicions(suspicions: readonly OpenSuspicion[]): Suspicion[] {
  return suspicions.map(({ last: _, ...shown }) => shown);
}
