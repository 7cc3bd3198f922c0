/** A cell of a grid: row and column from 0. */
export interface GridPlace {
  readonly row: number;
  readonly column: number;
}

/** Cells from one corner to another. The keyboard is at `head`. */
export interface GridRange {
  readonly anchor: GridPlace;
  readonly head: GridPlace;
}

/** A new text for a cell. */
export interface CellChange extends GridPlace {
  readonly text: string;
}

export interface GridSize {
  readonly rows: number;
  readonly columns: number;
}

/** The corners of a range in order: first and last row, first and last column. */
export function cornersOf({ anchor, head }: GridRange): {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
} {
  return {
    top: Math.min(anchor.row, head.row),
    bottom: Math.max(anchor.row, head.row),
    left: Math.min(anchor.column, head.column),
    right: Math.max(anchor.column, head.column),
  };
}

/** More rows or cells than this are changed by a replacement, and not by hand. */
const MOST_ROWS = 5000;
const MOST_CELLS = 50_000;

/** True if a range is too large to be copied, emptied or filled cell by cell. */
export function isTooLarge(range: GridRange): boolean {
  const { top, bottom, left, right } = cornersOf(range);
  return bottom - top >= MOST_ROWS || (bottom - top + 1) * (right - left + 1) > MOST_CELLS;
}

/** Places of a range, row by row. */
export function cellPlaces(range: GridRange): GridPlace[] {
  const { top, bottom, left, right } = cornersOf(range);
  return Array.from({ length: (bottom - top + 1) * (right - left + 1) }, (_, n) => ({
    row: top + Math.floor(n / (right - left + 1)),
    column: left + (n % (right - left + 1)),
  }));
}

/** The place that a key leads to; undefined for keys that do not move. `isFar`: with Ctrl. `page`: rows in sight. */
export function moved(
  at: GridPlace,
  key: string,
  { rows, columns }: GridSize,
  { isFar, page }: { readonly isFar: boolean; readonly page: number },
): GridPlace | undefined {
  const [lastRow, lastColumn] = [rows - 1, columns - 1];
  const moves: Readonly<Record<string, GridPlace>> = {
    ArrowUp: { ...at, row: isFar ? 0 : at.row - 1 },
    ArrowDown: { ...at, row: isFar ? lastRow : at.row + 1 },
    ArrowLeft: { ...at, column: isFar ? 0 : at.column - 1 },
    ArrowRight: { ...at, column: isFar ? lastColumn : at.column + 1 },
    PageUp: { ...at, row: at.row - page },
    PageDown: { ...at, row: at.row + page },
    Home: { row: isFar ? 0 : at.row, column: 0 },
    End: { row: isFar ? lastRow : at.row, column: lastColumn },
  };
  const to = Object.hasOwn(moves, key) ? moves[key] : undefined;
  return (
    to && {
      row: Math.max(0, Math.min(lastRow, to.row)),
      column: Math.max(0, Math.min(lastColumn, to.column)),
    }
  );
}

/** Text from a spreadsheet as rows of cells. Quoted cells may have line ends. */
export function cellsOfText(text: string): string[][] {
  const rows: string[][] = [[]];
  const pattern = /("(?:[^"]|"")*"|[^\t\r\n]*)(\t|\r\n|\r|\n|$)/g;
  for (const [, cell = '', end = ''] of text.matchAll(pattern)) {
    const plain = /^".*"$/s.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell;
    rows.at(-1)?.push(plain);
    if (end === '') break;
    if (end !== '\t') rows.push([]);
  }
  const last = rows.at(-1);
  // A spreadsheet ends the last row with a line end.
  if (rows.length > 1 && last?.length === 1 && last[0] === '') rows.pop();
  return rows;
}

/** Rows of cells as a spreadsheet pastes them. */
export function textOfCells(rows: readonly (readonly string[])[]): string {
  const quoted = (cell: string) => (/["\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return rows.map((row) => row.map(quoted).join('\t')).join('\n');
}

/** Pasted text in its places. A single cell fills the whole range; several go from its first corner on. */
export function pastedCells(text: string, range: GridRange, { rows, columns }: GridSize): CellChange[] {
  const cells = cellsOfText(text);
  const { top, left } = cornersOf(range);
  if (text === '') return [];
  if (cells.length === 1 && cells[0]?.length === 1)
    return cellPlaces(range).map((place) => ({ ...place, text: cells[0]?.[0] ?? '' }));
  return cells
    .flatMap((line, n) => line.map((each, m) => ({ row: top + n, column: left + m, text: each })))
    .filter(({ row, column }) => row < rows && column < columns);
}
