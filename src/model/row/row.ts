import type { Json, JsonObject } from '../json.ts';
import { restore } from '../text/formula.ts';

/** Codes of rows that could not be read correctly, so their cells cannot be trusted. */
export const UNREADABLE: ReadonlySet<string> = new Set([
  'ragged-row',
  'bad-bytes',
  'unterminated-quote',
  'text-after-quote',
  'cell-too-long',
  'nul-byte',
  'formula-without-value',
  'bad-json',
  'not-an-object',
  'json-too-deep',
  'json-too-large',
]);

/** Header of one source file. Its rows share one table. */
export interface Table {
  /** Path as the user gave it; `-` is standard input. */
  readonly file: string;
  /** Column names exactly as written, in order; duplicates and empty names are kept. */
  readonly header: readonly string[];
  /** Name of the sheet, if the table is one of a workbook. The columns are those of the sheet, from A on. */
  readonly sheet?: string;
  /**
   * First objects of a JSON file, by which it is recognised. The header is the single column `json`, and the only
   * cell of each row is the original text of one item. Also set for an errors.csv of such a file, which has the
   * tool's columns as well.
   */
  readonly items?: readonly JsonObject[];
  /**
   * For objects from a report of an earlier run: fields of the original file beyond the API's, and what was left
   * out. The objects of the report are a selection, so this cannot be derived from them.
   */
  readonly leftOut?: readonly string[];
}

/** True for a column that the tool adds to errors.csv. It has no data when the file is imported again. */
export function isOwnColumn(name: string): boolean {
  return /^\s*storeport_/i.test(name);
}

/** Column of errors.csv with the cells of a row that belong to no column of its source. */
export const SURPLUS_COLUMN = 'storeport_surplus';

/** Index of that column; -1 in a file that has none. */
export function surplusColumnOf(header: readonly string[]): number {
  return header.findIndex((name) => name.trim().toLowerCase() === SURPLUS_COLUMN);
}

/** Returns the cells that belong to no column of the source, joined; '' if there are none. */
export function surplusIn(
  header: readonly string[],
  cells: readonly string[],
  at = surplusColumnOf(header),
): string {
  return [cells[at] ?? '', ...cells.slice(header.length)].filter((cell) => cell.trim() !== '').join(' | ');
}

/**
 * Position in a source: `row` as a spreadsheet numbers it, lines above the header included; in JSON the number of the item,
 * from 1. `line` as in an editor.
 */
export interface Origin {
  readonly file: string;
  readonly row: number;
  readonly line: number;
}

/**
 * One row of a source file. Cells are the original text, by position. A ragged row has fewer or more cells than the
 * header. The reader assigns `row` and `line`, and nothing recomputes them.
 */
export interface Row {
  readonly table: Table;
  readonly row: number;
  readonly line: number;
  readonly cells: readonly string[];
  /** The parsed item, if the table has items. Undefined for an item that is not a JSON object, which has an issue. */
  readonly value?: Json;
  /** First byte of the row in the unpacked, decoded file; undefined for a row from the ledger. */
  readonly offset?: number;
  /** True if bytes near the row are rare in intact text, so its cells should be checked for damage. */
  readonly suspect?: boolean;
  /** The row is part of several records, since several rows name it. */
  readonly shared?: true;
  /** Errors that the reader found; undefined for an intact row. */
  readonly issues?: readonly Issue[];
}

/** Rows of a file with only blank cells. They are part of no record. */
export interface EmptyRows {
  readonly rows: number;
  /** Row number of the last one. */
  readonly last: number;
}

/** Beginning of a row in a source file, from which reading can continue. */
export interface Position {
  /** Offset of the row's first byte. */
  readonly offset: number;
  readonly row: number;
  readonly line: number;
}

/** The rows that describe one thing. Never empty; `rows[0]` is the lead row. */
export interface SourceRecord {
  /** Position in the run, counted from 0 over all files. Also the order of results.csv. */
  readonly seq: number;
  readonly rows: readonly Row[];
  /** Issues of the record as a whole, in addition to those of its rows. */
  readonly issues?: readonly Issue[];
  /** Warnings about the record as a whole. Records with the same text are counted together. */
  readonly warnings?: readonly string[];
}

/**
 * An error in the data: a value, not an exception. Its record is invalid, and the run continues.
 * `code` is public, since people filter errors.csv by it. `message` says what was found, what was expected and what to
 * do, in terms that a shop owner understands.
 */
export interface Issue {
  readonly code: string;
  readonly message: string;
  /** The message without its quote of the source. Set if the quote may come from a secret field. */
  readonly unquoted?: string;
  /** Payload path, such as `price.salePrice`. */
  readonly field?: string;
  /** Column name in the source file. */
  readonly column?: string;
  /** The cell of a workbook, such as `C17`. */
  readonly cell?: string;
  readonly origin?: Origin;
}

export function originOf(row: Row): Origin {
  return { file: row.table.file, row: row.row, line: row.line };
}

/**
 * Returns the identifier in a cell, such as a key: the text before an export defused it, without surrounding blanks.
 */
export function identifierIn({ cells }: Pick<Row, 'cells'>, column: number): string {
  return identifierOf(cells[column] ?? '');
}

/** Returns the identifier in the text of a cell; see `identifierIn`. */
export function identifierOf(cell: string): string {
  return restore(cell).trim();
}

/** Names a row in messages: `row 7`, or `"b.csv", row 7` if there are several files. */
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

export function leadRowNumber(record: SourceRecord): number {
  return record.rows[0]?.row ?? 0;
}
