import { stringify } from 'csv-stringify/sync';
import { cellText, defuse, type Json, type JsonObject } from '../model/index.ts';
import type { Column } from './column.ts';

/** Readers take any line end for the end of a row, so all are quoted. */
const MANY_COLUMNS = { quote_record_delimiter: true };
/** A line that is empty, or blank, means no row to many readers: such a cell of a table of one column is quoted. */
const ONE_COLUMN = { ...MANY_COLUMNS, quoted_empty: true, quoted_match: /^\s+$/ };

/**
 * Rows of cells as CSV: commas unless another delimiter is named, LF line ends, quotes where they are needed. Every row gives exactly one row back
 * when it is read, and every cell its own text.
 *
 * Of more than one column it is what csv-stringify gives, to the letter: a test holds the two against each other. It is
 * made here since rows come by the million, while pages of JSON or records are in memory: what csv-stringify makes for
 * each cell on its way (arrays, a context) kept those alive over the collector's rounds. A million reviews took 200 to
 * 225 MB with it, and take 150 MB without; the limit is 200.
 */
export function csvText(rows: readonly (readonly string[])[], delimiter = ','): string {
  if (rows[0]?.length === 1) return stringify(rows as string[][], { ...ONE_COLUMN, delimiter });
  const line = (row: readonly string[]) => `${row.map((cell) => quoted(cell, delimiter)).join(delimiter)}\n`;
  return rows.map(line).join('');
}

/** The header's line. A name that begins with U+FEFF is quoted, or it would be taken for a byte order mark. */
export function csvHeader(columns: readonly string[], delimiter = ','): string {
  return stringify([columns], {
    delimiter,
    ...(columns.length === 1 ? ONE_COLUMN : MANY_COLUMNS),
    quoted_match: /^\uFEFF/,
  });
}

/** The line of an item, defused unless it is to be raw: what `csvText` gives of its cells, without a list of them. */
export function csvLine(columns: readonly Column[], item: JsonObject, raw: boolean): string {
  const [first] = columns;
  if (first !== undefined && columns.length === 1) {
    const text = cellText(first.value(item));
    return csvText([[raw ? text : defuse(text)]]);
  }
  let line = '';
  let separator = '';
  for (const column of columns) {
    line += separator;
    line += csvCell(column.value(item), raw);
    separator = ',';
  }
  return `${line}\n`;
}

function csvCell(value: Json | undefined, raw: boolean): string {
  const text = cellText(value);
  // Nothing in these needs quotes, and no spreadsheet runs them.
  if (typeof value === 'number' || typeof value === 'boolean' || text === '') return text;
  return quoted(raw ? text : defuse(text), ',');
}

function quoted(cell: string, delimiter: string): string {
  return QUOTE_OR_LINE_END.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const QUOTE_OR_LINE_END = /["\r\n]/;
