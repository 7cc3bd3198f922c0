import { stringify } from 'csv-stringify/sync';
import {
  cellText,
  defuse,
  defuseLine,
  defuseLiveLine,
  isSpared,
  type Json,
  type JsonObject,
  MARKS,
  mayStartFormula,
  PLAIN_CELL,
  valueReader,
} from '../model/index.ts';

/** csv-stringify is fastest with about a hundred rows a call. */
const ROWS_PER_CALL = 100;

/** Readers accept any line end as the end of a row, so cells with any of them are quoted. */
const MANY_COLUMNS = { quote_record_delimiter: true };
/** Many readers skip an empty or blank line, so in a table of one column such a cell is quoted. */
const ONE_COLUMN = { ...MANY_COLUMNS, quoted_empty: true, quoted_match: /^\s+$/ };

interface Delimiter {
  /** Finds a character that needs quotes around the cell. */
  readonly needsQuotes: RegExp;
  /** Finds a mark (see `MARKS`) other than the delimiter. Without any, no part of a text is guarded. */
  readonly otherMarks: RegExp;
}

const DELIMITERS: Readonly<Record<string, Delimiter>> = {
  ',': { needsQuotes: /[",\r\n]/, otherMarks: /[";|\t\r\n]/ },
  ';': { needsQuotes: /[";\r\n]/, otherMarks: /[",|\t\r\n]/ },
  '\t': { needsQuotes: /["\t\r\n]/, otherMarks: MARKS },
};

export interface CsvTextOptions {
  /** Default: a comma. */
  readonly delimiter?: string | undefined;
  /** Leaves cells that a spreadsheet would run as formulas. */
  readonly raw?: boolean | undefined;
  /** The rows are cells of a source, not texts: guards that they have stay. */
  readonly areCells?: boolean | undefined;
}

/**
 * Formats rows as CSV: with commas by default, LF line ends, and quotes where they are needed. An import reads exactly the
 * same texts. All CSV is written here and by `csvLine`, so that no file has cells that a spreadsheet runs.
 */
export function csvText(rows: readonly (readonly string[])[], options: CsvTextOptions = {}): string {
  const { delimiter = ',' } = options;
  const guard = guardOf(options);
  let text = '';
  /** Rows that csv-stringify formats; they come before those that follow. */
  let others: (readonly string[])[] = [];
  let columns = 0;
  let plain: RegExp | undefined;
  for (const row of rows) {
    if (row.length !== columns) {
      columns = row.length;
      plain = plainLine(columns, delimiter);
    }
    const line = row.join(delimiter);
    const isPlain = plain?.test(line) === true;
    if (!isPlain && others.push(guard ? guard(row) : row) < ROWS_PER_CALL) continue;
    if (others.length > 0) {
      text += stringifyRows(others, delimiter);
      others = [];
    }
    if (isPlain) text += `${line}\n`;
  }
  return text + stringifyRows(others, delimiter);
}

function guardOf({
  delimiter,
  raw,
  areCells,
}: CsvTextOptions): ((row: readonly string[]) => readonly string[]) | undefined {
  if (raw) return undefined;
  return areCells ? (row) => defuseLiveLine(row, delimiter) : (row) => defuseLine(row, delimiter);
}

const plainLines = new Map<string, RegExp | undefined>();

/**
 * Matches the joined cells of a row without a cell that needs a guard or quotes, as nearly all rows of reports are. One search of
 * the line costs less than one in each cell. Undefined for one column, whose blank cells are quoted.
 */
function plainLine(columns: number, delimiter: string): RegExp | undefined {
  if (columns < 2 || !Object.hasOwn(DELIMITERS, delimiter)) return undefined;
  const source = `^${PLAIN_CELL}(?:${delimiter}${PLAIN_CELL}){${columns - 1}}$`;
  if (!plainLines.has(source)) plainLines.set(source, new RegExp(source));
  return plainLines.get(source);
}

/** Formats the header line. A name that begins with U+FEFF is quoted, since it would be read as a byte order mark. */
export function csvHeader(columns: readonly string[], options: CsvTextOptions = {}): string {
  const guard = guardOf(options);
  return stringify([guard ? guard(columns) : columns], {
    delimiter: options.delimiter ?? ',',
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

/** How a CSV file is written, for spreadsheets that expect another form than commas in UTF-8. */
export interface CsvForm {
  /** Default: a comma. */
  readonly delimiter?: string | undefined;
  /** Begins the file with a byte order mark, by which Excel recognises UTF-8. */
  readonly bom?: boolean | undefined;
}

/**
 * Formats one item as a line, exactly as `csvText` would; a test compares the two.
 *
 * Exports use it, since they write millions of rows while pages of JSON are in memory. csv-stringify allocates an array
 * and a context for each cell, which kept those pages alive over several garbage collections. A million reviews took
 * 200 to 225 MB with it, and take 150 MB without; the limit is 200.
 */
export function csvLine(
  columns: readonly Column[],
  item: JsonObject,
  { raw = false, delimiter = ',' }: Omit<CsvTextOptions, 'areCells'>,
): string {
  if (columns.length === 1) return textOfLine(columns, item, { raw, delimiter });
  const guard = raw ? undefined : delimiter;
  const marks = DELIMITERS[delimiter] as Delimiter;
  const [first, ...others] = columns as readonly [Column, ...Column[]];
  const begin = csvCell(first.value(item), guard, marks);
  let line = begin;
  for (const column of others) {
    line += delimiter;
    line += csvCell(column.value(item), guard, marks);
  }
  // Only the beginning is looked at: looking at a line that was put together copies it.
  return mayStartFormula(begin) && isSpared(begin)
    ? textOfLine(columns, item, { raw, delimiter })
    : `${line}\n`;
}

function textOfLine(columns: readonly Column[], item: JsonObject, options: CsvTextOptions): string {
  return csvText([columns.map(({ value }) => cellText(value(item)))], options);
}

/** `guard`: the delimiter, if cells are guarded. */
function csvCell(value: Json | undefined, guard: string | undefined, marks: Delimiter): string {
  if (typeof value === 'string') return textCell(value, guard, marks);
  const text = cellText(value);
  // Such cells need no quotes, and no spreadsheet runs them.
  return typeof value === 'number' || typeof value === 'boolean' ? text : textCell(text, guard, marks);
}

function textCell(text: string, guard: string | undefined, marks: Delimiter): string {
  if (text === '') return text;
  // One search where most cells end, in place of one for parts and one for quotes.
  if (!MARKS.test(text)) return guard !== undefined && mayStartFormula(text) ? defuse(text, guard) : text;
  if (!mayStartFormula(text) && !marks.otherMarks.test(text)) return `"${text}"`;
  const cell = guard === undefined ? text : defuse(text, guard);
  if (!marks.needsQuotes.test(cell)) return cell;
  // Looking for a quote costs less than a copy.
  return cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : `"${cell}"`;
}

/** A column of a table: its name, and the value of an item in it, which `cellText` turns into the cell. */
export interface Column {
  readonly name: string;
  readonly value: (item: JsonObject) => Json | undefined;
}

/** Creates the column for a dotted path, see `valueReader`. */
export function pathColumn(path: string): Column {
  return { name: path, value: valueReader(path) };
}
