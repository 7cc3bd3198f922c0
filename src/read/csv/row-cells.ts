import { MAX_COLUMNS } from '../options.ts';
import { countBreaks } from './damage.ts';

/** Cells kept of a row: the last one shows that there are too many. */
const MAX_CELLS = MAX_COLUMNS + 1;

/** Cells of the current row that earlier engines read. A row may have an engine for each cell, so one array collects them. */
export interface RowCells {
  readonly cells: readonly string[];
  add(cell: string): void;
  /** Takes the cells that an engine has read, and leaves out surplus ones. */
  take(record: readonly string[]): void;
  /** Shortens the unfinished row of an engine: a row of commas has millions of cells. */
  shorten(record: string[]): void;
  /** Line breaks in cells that were left out. */
  readonly droppedBreaks: number;
  restart(): void;
}

export function createRowCells(): RowCells {
  let cells: string[] = [];
  let droppedBreaks = 0;

  function shorten(record: string[]): void {
    if (record.length > MAX_CELLS) droppedBreaks += countBreaks(dropSurplus(record));
  }

  return {
    get cells() {
      return cells;
    },
    get droppedBreaks() {
      return droppedBreaks;
    },
    add: (cell) => void cells.push(cell),
    take(record) {
      for (const cell of record) cells.push(cell);
      shorten(cells);
    },
    shorten,
    restart() {
      if (cells.length > 0) cells = [];
      droppedBreaks = 0;
    },
  };
}

/** Drops all but the most cells. The last one that is kept has text if any of those beyond has. */
export function dropSurplus(cells: string[]): string[] {
  const dropped = cells.splice(MAX_CELLS);
  if (dropped.length > 0) cells[MAX_COLUMNS] ||= dropped.find((cell) => cell !== '') ?? '';
  return dropped;
}
