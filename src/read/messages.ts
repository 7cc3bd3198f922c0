import { columnLetters, grouped, HIDDEN, type Issue, SURPLUS_COLUMN } from '../model/index.ts';
import { MAX_COLUMNS } from './options.ts';

/** The name of a file in messages. */
export function nameOf(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/** `4 (D)` */
export function place(index: number): string {
  return `${index + 1} (${columnLetters(index)})`;
}

export type IssueText = Pick<Issue, 'code' | 'message' | 'unquoted' | 'column'>;

/** `areShort`: true if the rows at the beginning of the file all lack their last cells. */
export function raggedRow(header: readonly string[], cells: readonly string[], areShort: boolean): IssueText {
  const isWide = cells.length > MAX_COLUMNS;
  const cellCount = isWide ? `more than ${grouped(MAX_COLUMNS)} cells` : amount(cells.length, 'cell');
  const counts = `This row has ${cellCount}, the header has ${amount(header.length, 'column')}`;
  if (cells.length < header.length) {
    return {
      code: 'ragged-row',
      message:
        `${counts}: the cells from ${column({ header, index: cells.length })} on are missing. ` +
        (areShort
          ? 'The first rows all lack their last cells; read these as empty with --pad-rows.'
          : 'Add them, even if they are empty, and look whether a line break cut the row in two.'),
      ...named({ header, index: cells.length }),
    };
  }
  const extra = cells.findIndex((cell, index) => index >= header.length && cell !== '');
  return {
    code: 'ragged-row',
    message:
      `${counts}: cell ${place(extra)} and what follows belong to no column. ` +
      'A cell that holds the delimiter must be in quotes: "one, two".' +
      (isWide ? ` Only its first ${grouped(MAX_COLUMNS)} cells are kept.` : ''),
  };
}

/** The issue of a row of errors.csv that still has surplus cells. */
export function surplusCells(surplus: string): IssueText {
  return {
    code: 'ragged-row',
    ...quoting(
      surplus,
      (found) =>
        `"${found}" belongs to no column of the header. Move it into the right cell, or leave it out; then empty this cell.`,
    ),
    column: SURPLUS_COLUMN,
  };
}

/** The issue of a row in a workbook with cells to the right of the table. */
export function cellBeyond(header: readonly string[], cells: readonly string[], row: number): IssueText {
  const index = cells.findIndex((cell, at) => at >= header.length && cell !== '');
  const last = column({ header, index: header.length - 1 });
  return {
    code: 'ragged-row',
    message:
      `Cell ${columnLetters(index)}${row} belongs to no column: the table ends with ${last}. ` +
      'Remove the cell, or write a name into the header above it.',
  };
}

/** Describes a row that could not be read. `maxRowBytes` is the limit that it was read with. */
export function damagedRow(
  header: readonly string[],
  damage: Damage,
  { quote, maxRowBytes }: { readonly quote: string; readonly maxRowBytes: number },
): IssueText {
  const at = { header, index: damage.column };
  const where = upper(column(at));
  const sentences = {
    'unterminated-quote': (found: string) =>
      `${where} begins with a quote that is not closed: ${found}. Close it, or write ${quote}${quote} for a quote ` +
      'inside the cell. The rows below are read as if the cell ended with its line.',
    'text-after-quote': (found: string) =>
      `${where} has text after its closing quote: ${found}. Write ${quote}${quote} for a quote inside the cell.`,
    'cell-too-long': (found: string) =>
      `${where} makes this row longer than ${size(maxRowBytes)}; only its beginning was read: ${found}. ` +
      'Shorten the cell, or look for a line break that is missing.',
  };
  return {
    code: damage.code,
    ...quoting(damage.found, sentences[damage.code]),
    ...named(at),
  };
}

/** A column, by its index in the header. */
export interface HeaderColumn {
  readonly header: readonly string[];
  readonly index: number;
}

export function badBytes(at: HeaderColumn, cell: string, encoding: string): IssueText {
  return {
    code: 'bad-bytes',
    ...quoting(
      cell,
      (found) =>
        `${upper(column(at))} holds ${bytesThatAreNot(encoding)}: ${found}. ${otherEncoding(encoding)}`,
    ),
    ...named(at),
  };
}

export function bytesThatAreNot(encoding: string): string {
  return `bytes that are not ${encoding} (shown as \uFFFD)`;
}

export function otherEncoding(encoding: string): string {
  return encoding === 'UTF-8'
    ? 'Save the file as "CSV UTF-8", or name its encoding if it is another: --encoding windows-1252.'
    : `Correct them, or name the encoding with --encoding if it is not ${encoding}.`;
}

export function nulByte(at: HeaderColumn): IssueText {
  return {
    code: 'nul-byte',
    message: `${upper(column(at))} holds a NUL byte, which no text has. Remove it, or export the file again.`,
    ...named(at),
  };
}

export function longCell(at: HeaderColumn, bytes: number, maxBytes: number): IssueText {
  return {
    code: 'cell-too-long',
    message: `${upper(column(at))} holds ${size(bytes)}; at most ${size(maxBytes)} are allowed. Shorten it.`,
    ...named(at),
  };
}

/** Message and hint for a file that `--skip-lines` leaves nothing of. `found`: lines that it has. */
export function nothingBelow(file: string, skipLines: number, found: number): [string, string[]] {
  return found < skipLines
    ? [
        `${file} has fewer than ${amount(skipLines, 'line')}, or very long ones, so nothing is left to read below.`,
        ['Correct --skip-lines.'],
      ]
    : [`${file} has nothing below its first ${amount(skipLines, 'line')}.`, ['Correct --skip-lines.']];
}

export function reportLayout(file: string): string {
  return `${file} is a report of an earlier run, with a header in its first line: --skip-lines and --no-header are ignored.`;
}

export function duplicateHeader(name: string, indexes: readonly number[]): IssueText {
  return {
    code: 'duplicate-header',
    message: `The header has "${name}" ${indexes.length} times: columns ${list(indexes.map(place))}. Rename all but one.`,
    column: name,
  };
}

export function emptyHeader(indexes: readonly number[]): IssueText {
  const one = indexes.length === 1;
  return {
    code: 'empty-header',
    message: `The header has no name for column${one ? '' : 's'} ${list(indexes.map(place))}: no mapping can use ${one ? 'it' : 'them'}.`,
  };
}

/** `column 4 (D) "Price"` */
function column({ header, index }: HeaderColumn): string {
  const name = header[index];
  const isNamed = name !== undefined && name !== '' && name !== columnLetters(index);
  return !isNamed ? `column ${place(index)}` : `column ${place(index)} "${name}"`;
}

function named({ header, index }: HeaderColumn): { column: string } | Record<never, never> {
  const name = header[index];
  return name === undefined || name === '' ? {} : { column: name };
}

/** Builds a message that quotes the source, and the same message without the quote, which may be a password. */
export function quoting(
  text: string,
  sentence: (found: string) => string,
): Required<Pick<IssueText, 'message' | 'unquoted'>> {
  return { message: sentence(excerpt(text)), unquoted: sentence(HIDDEN) };
}

/** Shortens a cell to one line that is enough to find it by. */
export function excerpt(text: string): string {
  const line = text.slice(0, 31).replace(/[\x00-\x1f\x7f]+/g, ' ');
  return text.length > 30 ? `${line.slice(0, 30)}…` : line;
}

function list(items: readonly string[]): string {
  const shown = items.slice(0, 6);
  if (items.length > shown.length) return `${shown.join(', ')} and ${items.length - shown.length} more`;
  return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

export function amount(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

export function size(bytes: number): string {
  if (bytes < 10_000) return `${bytes} bytes`;
  return bytes < 1_048_576 ? `${Math.round(bytes / 1024)} KiB` : `${+(bytes / 1_048_576).toFixed(1)} MiB`;
}

export function upper(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** The reason why a row could not be read. */
export interface Damage {
  readonly code: 'unterminated-quote' | 'text-after-quote' | 'cell-too-long';
  /** Index of the damaged cell, which is the last of the row. */
  readonly column: number;
  /** Text that shows the fault: the text after the closing quote, or the beginning of the cell. */
  readonly found: string;
}
