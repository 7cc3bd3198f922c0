import { stringify } from 'csv-stringify/sync';
import { cellText, defuse, type Json, type JsonObject } from '../model/index.ts';
import type { Column } from './column.ts';

/** csv-stringify is fastest with about a hundred rows a call: 280,000 rows of twelve cells a second. */
const ROWS_PER_CALL = 100;

/** Readers take any line end for the end of a row, so all are quoted. */
const MANY_COLUMNS = { quote_record_delimiter: true };
/** A line that is empty, or blank, means no row to many readers: such a cell of a table of one column is quoted. */
const ONE_COLUMN = { ...MANY_COLUMNS, quoted_empty: true, quoted_match: /^\s+$/ };

/**
 * Rows of cells as CSV: commas unless another delimiter is named, LF line ends, quotes where they are needed. Every row gives exactly one row back
 * when it is read, and every cell its own text.
 */
export function csvText(rows: readonly (readonly string[])[], delimiter = ','): string {
  if (rows.length <= ROWS_PER_CALL) return stringifyRows(rows, delimiter);
  let text = '';
  for (let from = 0; from < rows.length; from += ROWS_PER_CALL) {
    text += stringifyRows(rows.slice(from, from + ROWS_PER_CALL), delimiter);
  }
  return text;
}

/** The header's line. A name that begins with U+FEFF is quoted, or it would be taken for a byte order mark. */
export function csvHeader(columns: readonly string[], delimiter = ','): string {
  return stringify([columns], {
    delimiter,
    ...(columns.length === 1 ? ONE_COLUMN : MANY_COLUMNS),
    quoted_match: /^\uFEFF/,
  });
}

function stringifyRows(rows: readonly (readonly string[])[], delimiter: string): string {
  if (rows.length === 0) return '';
  return stringify(rows as string[][], {
    ...(rows[0]!.length === 1 ? ONE_COLUMN : MANY_COLUMNS),
    delimiter,
  });
}

const NEEDS_QUOTES = /[",\r\n]/;

/**
 * One line of what `csvText` gives, to the letter, defused unless it is to be raw: a test holds the two against each other. It is here for exports, whose
 * rows come by the million while pages of JSON are in memory: what csv-stringify makes for each cell on its way (an array,
 * a context) kept those pages alive over the collector's rounds. A million reviews took 200 to 225 MB with it, and take
 * 150 MB without; the limit is 200.
 */
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
  const cell = raw ? text : defuse(text);
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
