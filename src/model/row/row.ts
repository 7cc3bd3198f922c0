import type { Json, JsonObject } from '../json.ts';
import { restore } from '../text/formula.ts';

/** Codes of rows that could not be read as they were written: their cells may be anything. */
export const UNREADABLE: ReadonlySet<string> = new Set([
  'ragged-row',
  'bad-bytes',
  'unterminated-quote',
  'text-after-quote',
  'cell-too-long',
  'nul-byte',
  'bad-json',
  'not-an-object',
  'json-too-deep',
]);

/** One source file as its header describes it. Rows point here instead of repeating it. */
export interface Table {
  /** The file as the user named it; `-` is standard input. */
  readonly file: string;
  /** Column names exactly as written, in order; duplicates and empty names are kept. */
  readonly header: readonly string[];
  /**
   * Of a file of JSON, the first of its objects, by which it is recognised: its header is the one column `json`, each row
   * one item, whose only cell is the item's text as it stood. Also an errors.csv of such a file, which has the columns of
   * the tool besides.
   */
  readonly items?: readonly JsonObject[];
  /**
   * Of objects that come back from an earlier run: what its file had beyond the API's fields, and what was left out there.
   * These here are a selection, and do not tell it.
   */
  readonly leftOut?: readonly string[];
}

/** Columns that the tool itself adds to errors.csv; they carry no data when the file comes back. */
export function isOwnColumn(name: string): boolean {
  return /^\s*storeport_/i.test(name);
}

/** Where something came from: `row` as a spreadsheet numbers it (the header is row 1), `line` as an editor does. */
export interface Origin {
  readonly file: string;
  readonly row: number;
  readonly line: number;
}

/**
 * One row of a source file. Cells are text, positional, exactly as they were; a ragged row has fewer or
 * more cells than the header. The reader attaches `row` and `line`; nothing recomputes them.
 */
export interface Row {
  readonly table: Table;
  readonly row: number;
  readonly line: number;
  readonly cells: readonly string[];
  /** Where the table has items: the item, parsed. Absent for one that is no JSON object, which has an issue. */
  readonly value?: Json;
  /** Its first byte in the file, unpacked and decoded; absent for a row that comes out of the ledger. */
  readonly offset?: number;
  /** Near it the file holds bytes that sound text hardly has: whoever asks for damage should look at its cells. */
  readonly suspect?: boolean;
  /** It is in several records: a part that several rows name. */
  readonly shared?: true;
  /** What the reader found wrong with this row; absent for a sound one. */
  readonly issues?: readonly Issue[];
}

/** Rows of a file that have nothing but blanks in their cells, and so are part of no record. */
export interface EmptyRows {
  readonly rows: number;
  /** Number of the last of them. */
  readonly last: number;
}

/** A place in a source file from which it can be read on: where a row begins. */
export interface Position {
  /** Of the row's first byte. */
  readonly offset: number;
  readonly row: number;
  readonly line: number;
}

/** The row, or the rows, that describe one thing. Never empty; `rows[0]` is the lead row. */
export interface SourceRecord {
  /** Position in the run, from 0, over all its files: the order of results.csv. */
  readonly seq: number;
  readonly rows: readonly Row[];
  /** What is wrong with the record as a whole, beyond its rows' own issues. */
  readonly issues?: readonly Issue[];
  /** Sentences about the record as a whole. Records with the same sentence are counted together. */
  readonly warnings?: readonly string[];
}

/**
 * Something wrong with the data: a value, not an exception. The record it belongs to is invalid, the run goes on.
 * `code` is public (people filter on it in errors.csv); `message` says what was found, what was expected and
 * what to do, in words a shop owner understands.
 */
export interface Issue {
  readonly code: string;
  readonly message: string;
  /** The message without its quote of the source. Set where the quote may come from any field, also a secret one. */
  readonly unquoted?: string;
  /** Path in the payload, such as `price.salePrice`. */
  readonly field?: string;
  /** Column name in the source file. */
  readonly column?: string;
  readonly origin?: Origin;
}

export function originOf(row: Row): Origin {
  return { file: row.table.file, row: row.row, line: row.line };
}

/**
 * What a cell says that identifies something, such as a key: as it was before an export defused it, and without the
 * blanks around it.
 */
export function identifierIn({ cells }: Pick<Row, 'cells'>, column: number): string {
  return identifierOf(cells[column] ?? '');
}

/** The same for the text of a cell. */
export function identifierOf(cell: string): string {
  return restore(cell).trim();
}

/** How messages name a row: `row 7`; where there are several files, `"b.csv", row 7`. */
export function placeWords({
  row,
  file,
}: {
  readonly row: number;
  readonly file?: string | undefined;
}): string {
  return file === undefined ? `row ${row}` : `"${file}", row ${row}`;
}

export function leadFile(record: SourceRecord): string | undefined {
  return record.rows[0]?.table.file;
}

export function leadRow(record: SourceRecord): number {
  return record.rows[0]?.row ?? 0;
}
