import { grouped, type Row, RunStopped } from '../model/index.ts';

/** Rows of one record. No product has more: a column that does not tell records apart put them together. */
const MAX_ROWS = 20_000;
/** Characters in the cells of one record. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** Counts the rows of a record as they are collected: all of them are in memory. */
export interface RecordSize {
  begin(first: Row): void;
  /** Throws RunStopped if the record has too many rows, or rows that are too long. */
  add(row: Row): void;
}

export function createRecordSize(): RecordSize {
  let first: Row | undefined;
  let rows = 0;
  let characters = 0;
  return {
    begin(row) {
      first = row;
      rows = 1;
      characters = 0;
    },
    add(row) {
      rows += 1;
      for (const cell of row.cells) characters += cell.length;
      if (rows > MAX_ROWS || characters > MAX_CHARACTERS) throw tooLarge(first ?? row, row, rows);
    },
  };
}

function tooLarge(first: Row, row: Row, rows: number): RunStopped {
  const what =
    rows > MAX_ROWS
      ? `more than ${grouped(MAX_ROWS)} rows`
      : `more than ${grouped(MAX_CHARACTERS)} characters in ${grouped(rows)} rows`;
  const where = `row ${first.row}${first.table === row.table ? '' : ` of ${first.table.file}`}`;
  return new RunStopped(
    'source-failed',
    `${row.table.file} was not read beyond row ${row.row}: the record that begins in ${where} has ${what}. ` +
      'The column that says which rows belong together may have one value for all: correct it, or group by another column in a mapping of your own.',
  );
}
