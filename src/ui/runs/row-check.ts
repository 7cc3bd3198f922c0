import { createHash } from 'node:crypto';
import { cellsIn, messageIn } from '../../model/index.ts';
import { openSource } from '../../read/index.ts';
import type { RowIndex } from './row-index.ts';
import { withRowNames } from './row-names.ts';

/** A row of the file that was checked: its place among all returned rows, and its number in the file of the user. */
export interface CheckedRow {
  readonly index: number;
  readonly row: number;
}

/** A row that does not fit. */
export interface RefusedRow {
  readonly message: string;
  /** Indexes of wrong cells. */
  readonly marks: readonly number[];
}

/** Digest by which the cells of a row are compared with those of a check. */
export function digestOfCells(cells: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(cells)).digest('base64').slice(0, 12);
}

/** Returns the row that has this number in the file of a check. The header is its row 1. */
export function checkedRowAt(rows: readonly CheckedRow[], number: number): CheckedRow | undefined {
  return rows[number - 2];
}

/** Reads which rows a check refused, by their places, from its errors.csv. */
export async function refusedRows(
  file: string,
  rows: readonly CheckedRow[],
  { header, ownFrom }: RowIndex,
): Promise<ReadonlyMap<number, RefusedRow>> {
  const columns = header.slice(0, ownFrom);
  const refused = new Map<number, RefusedRow>();
  const source = await openSource(file, {});
  try {
    const place = (name: string) => source.table.header.lastIndexOf(name);
    const [rowAt, fieldAt, messageAt] = [
      place('storeport_row'),
      place('storeport_field'),
      place('storeport_message'),
    ];
    for await (const batch of source.batches)
      for (const { cells } of batch) {
        const number = Number(cells[rowAt]);
        const checked = checkedRowAt(rows, number);
        if (!checked) continue;
        const message = messageIn(cells[messageAt] ?? '');
        refused.set(checked.index, {
          message: withRowNames(message, (row) => checkedRowAt(rows, row)?.row),
          marks: marksIn(message, { number, columns, field: cells[fieldAt] ?? '' }),
        });
      }
  } finally {
    await source.close();
  }
  return refused;
}

/** The cells of a row that a message names. A message of the store names a field, which may be a column. */
function marksIn(
  message: string,
  {
    number,
    columns,
    field,
  }: { readonly number: number; readonly columns: readonly string[]; readonly field: string },
): readonly number[] {
  // A source of JSON objects has one column, and that of surplus cells.
  if (columns.length === 2 && columns[0] === 'json') return [0];
  const named = cellsIn(message, columns);
  const column = columns.indexOf(field);
  if (named.length === 0) return column < 0 ? [] : [column];
  return [...new Set(named.flatMap((cell) => (cell.row === number ? [cell.column] : [])))];
}
