import type { FileBinding } from '../../map/index.ts';
import type { OpenSuspicion, SourceRecord, Suspicion, Table } from '../../model/index.ts';
import type { CheckedRecord } from '../../plan/index.ts';
import { repeatedSkus, skuField } from '../../suspect/index.ts';
import type { InputFile } from './inputs.ts';

/** Notes variants of one product that share a SKU, at the cell of the second. */
export function repeatsNoter(
  files: readonly InputFile[],
): (checked: readonly CheckedRecord[], binding: FileBinding) => void {
  const byTable = new Map<Table, InputFile>(files.map((input) => [input.source.table, input]));
  return (checked, binding) => {
    for (const { record, payload, issues } of checked) {
      if (issues.length > 0) continue;
      for (const { at, before, sku } of repeatedSkus(payload)) {
        const { column = '', origin } = binding.locate(record, skuField(payload, at));
        const first = binding.locate(record, skuField(payload, before)).origin?.row;
        const [row] = record.rows.filter((each) => each.row === origin?.row).concat(record.rows);
        const text = first === undefined || first === row?.row ? sku : `${sku}, as row ${first}`;
        if (row)
          byTable.get(row.table)?.suspicions.add(record.seq, row, [{ code: 'same-sku', column, text }]);
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
