import { type FileBinding, type Mapping, NATIVE } from '../../map/index.ts';
import type { OpenSuspicion, SourceRecord, Suspicion, Table } from '../../model/index.ts';
import type { CheckedRecord } from '../../plan/index.ts';
import { type Suspect, variantFaults, wrongTextsFinder } from '../../suspect/index.ts';
import type { InputFile } from './inputs.ts';

/**
 * Notes what is suspect about payloads at the cells that it is from: texts that cannot be what their field is for, and
 * variants of one product that cannot be chosen or distinguished, at the second.
 */
export function payloadsNoter(
  files: readonly InputFile[],
  { resource, isNativeJson, name }: Pick<Mapping, 'resource' | 'isNativeJson' | 'name'>,
): (checked: readonly CheckedRecord[], binding: FileBinding) => void {
  const byTable = new Map<Table, InputFile>(files.map((input) => [input.source.table, input]));
  const wrongTextsIn = wrongTextsFinder(resource.meanings);
  const isReady = isNativeJson === true || name === NATIVE;

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
      for (const { code, field, before, text } of variantFaults(payload, isReady)) {
        const { column = '', origin } = binding.locate(record, field);
        const first = before === undefined ? undefined : binding.locate(record, before).origin?.row;
        const found = first === undefined || first === origin?.row ? text : `${text}, as row ${first}`;
        note(record, origin?.row, { code, column, text: found });
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
