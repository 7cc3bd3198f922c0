import type { Json, JsonObject, PlannedRecord } from '../../model/index.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import { changeOf } from './change-kind.ts';
import type { Changes } from './changes.ts';

/** Counts the cells that the mapping changed. */
export function noteMappedCells(
  { record, operation }: PlannedRecord,
  { files }: ImportInputs,
  changes: Changes,
): void {
  const table = record.rows[0]?.table;
  const input = files.find(({ source }) => source.table === table);
  if (!input || !operation) return;
  for (const { path, row, column } of input.binding.cellsOf(record)) {
    // The value of an expression has no cell.
    if (column < 0) continue;
    const before = row.cells[column] ?? '';
    const value = valueAt(operation.payload, path);
    const change = value === undefined ? undefined : changeOf(before, value);
    if (!change) continue;
    const { file, header } = row.table;
    const cell = { file, row: row.row, column: header[column] ?? '', before, after: change.after };
    changes.add(change.kind, cell);
  }
}

function valueAt(payload: JsonObject, path: readonly string[]): Json | undefined {
  let found: Json | undefined = payload;
  for (const step of path) found = (found as JsonObject | undefined)?.[step];
  return found;
}
