import { isBlankCell, type SampleColumn } from '../profile/profile.ts';

/** Share of its rows that a table fills, and the most that the shorter of two tables has of the rows of the longer one. */
const NEARLY_ALL = 0.8;
/** The other table must be shorter by this number of rows: one row that lacks something decides nothing. */
const MIN_DIFFERENCE = 2;

/**
 * The columns of a table beside another one: behind a column without a name and without cells, and filled from the top for fewer or
 * for more rows than the columns before it. `columns`: those without a name too.
 */
export function columnsBeside(columns: readonly SampleColumn[]): readonly SampleColumn[] {
  for (const [at, { name, cells }] of columns.entries()) {
    if (at === 0 || name !== '' || !cells.every(isBlankCell)) continue;
    const before = columns.slice(0, at);
    const behind = columns.slice(at + 1);
    const [left, right] = [filledRows(before), filledRows(behind)];
    if (left.length === 0 || right.length === 0) continue;
    const [shorter, longer] = [lengthOf(left), lengthOf(right)].sort((a, b) => a - b) as [number, number];
    const areDense = [left, right].every((rows) => rows.length >= NEARLY_ALL * lengthOf(rows));
    const isShorter = shorter <= NEARLY_ALL * longer && longer - shorter >= MIN_DIFFERENCE;
    if (areDense && isShorter) return behind;
  }
  return [];
}

/** Indexes of the rows with a cell in one of the columns. */
function filledRows(columns: readonly SampleColumn[]): number[] {
  const count = columns[0]?.cells.length ?? 0;
  return Array.from({ length: count }, (_, row) => row).filter((row) =>
    columns.some(({ cells }) => !isBlankCell(cells[row] ?? '')),
  );
}

/** Rows from the top to the last filled one. */
function lengthOf(filled: readonly number[]): number {
  return (filled.at(-1) ?? -1) + 1;
}
