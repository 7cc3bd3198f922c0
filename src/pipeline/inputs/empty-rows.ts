import type { EmptyRows, Row } from '../../model/index.ts';
import type { Source } from '../../read/index.ts';

/** Counts the empty rows of a file, each once, even if several executions of the run read it. */
export interface EmptyRowCount {
  /** Called with the size of each batch, empty rows included. */
  see(rows: number): void;
  /** Rows that this execution has read. */
  seen(): number;
  note(row: number): void;
  /** Adds the count of the rows below those so far. */
  merge(below: EmptyRows & { readonly seen: number }): void;
  all(): EmptyRows;
}

/** `earlier`: the count of the execution that is resumed. */
export function countEmptyRows(earlier: EmptyRows = { rows: 0, last: 0 }): EmptyRowCount {
  let { rows, last } = earlier;
  let seen = 0;
  return {
    see(count) {
      seen += count;
    },
    seen: () => seen,
    note(row) {
      if (row <= last) return;
      rows++;
      last = row;
    },
    merge(below) {
      seen += below.seen;
      rows += below.rows;
      last = Math.max(last, below.last);
    },
    all: () => ({ rows, last }),
  };
}

/** The part of a run's facts about empty rows; no field if there are none. */
export function emptyRowsIn(count: EmptyRowCount): { readonly emptyRows?: EmptyRows } {
  const emptyRows = count.all();
  return emptyRows.rows > 0 ? { emptyRows } : {};
}

/**
 * Drops the empty rows of a source. Tables of one column keep theirs, since a blank cell may be meant there. JSON objects
 * have one column.
 */
export function withoutEmptyRows(source: Source, count: EmptyRowCount): Source {
  const mayHaveSome = source.table.header.length > 1;
  async function* filled(): AsyncGenerator<Row[]> {
    for await (const rows of source.batches) {
      count.see(rows.length);
      if (!mayHaveSome || !rows.some(isEmptyRow)) yield rows;
      else {
        for (const row of rows) if (isEmptyRow(row)) count.note(row.row);
        yield rows.filter((row) => !isEmptyRow(row));
      }
    }
  }
  return { ...source, batches: filled() };
}

/** Warning about a file that was read to its end and has no record; undefined for any other. */
export function noRecordsWarning(
  { table, reading, leftOutRows }: Source,
  count: EmptyRowCount,
): string | undefined {
  const { rows } = count.all();
  if (count.seen() > rows) return undefined;
  const file = table.file === '-' ? 'Standard input' : table.file;
  if (leftOutRows !== undefined && leftOutRows() > 0)
    return `${file} has only rows that --rows, --skip-rows or --until-blank-row leaves out (${leftOutRows()}), so no record comes from it. Correct the option: it takes row numbers as reports show them.`;
  const what = rows > 0 ? `has only empty rows below its header (${rows})` : NO_ROWS[reading().format];
  return `${file} ${what}, so no record comes from it. Check whether the export that wrote it was complete.`;
}

const NO_ROWS = {
  csv: 'has a header and no row below it',
  xlsx: 'has a header and no row below it',
  json: 'holds an empty list',
  ndjson: 'is empty',
} as const;

/** True if a row has only blanks. Spreadsheets write such rows below the last one. */
export function isEmptyRow({ cells }: Row): boolean {
  for (const cell of cells) {
    if (cell === '') continue;
    const code = cell.charCodeAt(0);
    // Most cells begin with a letter or digit: checking the first character avoids the trim.
    if ((code > 0x20 && code < 0x80) || cell.trim() !== '') return false;
  }
  return true;
}
