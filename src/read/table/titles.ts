import type { Issue } from '../../model/index.ts';
import { amount, excerpt, nameOf } from '../messages.ts';
import { belowTitles, isFilled, type LayoutTrial, type Rows, valueKind } from './layout.ts';

/** The beginning of a table, to find titles above its header. */
export interface Beginning {
  /** Its first rows, as they are read if nothing is left out. */
  readonly rows: Rows;
  /** Reads it with a number of lines above the header. */
  readonly trial: (lines: number) => LayoutTrial | undefined;
  /** True if its last row was left out, since there is more of it. */
  readonly isCut?: boolean;
}

/** Lines above a header that are plainly not data, such as the title of a price list. */
export interface Titles {
  readonly lines: number;
  /** Their filled cells, one row after another. */
  readonly texts: readonly string[];
}

/** Titles that the warning quotes. */
const MAX_QUOTED = 3;
/** Columns of a header that is plain without a row below it, if that has texts that fill the beginning of the file. */
const MIN_NAMES = 4;
/** Rows below the header that must fit it if the title is a line of one cell: any list of one column begins so. */
const MIN_ROWS_BELOW_LINE = 2;

/**
 * Finds titles above the header of a table. A header in the first line must never be lost, so all of this must hold: the rows
 * above have few cells, the rows below have as many as the header, and a column below holds values that its name is not.
 * Undefined if there is any doubt.
 */
export function findTitles({ rows, trial, isCut = false }: Beginning): Titles | undefined {
  if (looksLikeTable(rows)) return undefined;
  const found = belowTitles(trial);
  if (found === undefined) return undefined;
  const { lines, above, rows: table } = found;
  const [header = [], ...data] = table;
  if (!above.every((row) => isPlainTitle(row))) return undefined;
  if (data.some((row) => row.length !== header.length)) return undefined;
  const isPadded = above.some((row) => row.length === header.length);
  if (data.length === 0) {
    if (!isCut || header.length < MIN_NAMES || !(isPadded || above.some(isSentence))) return undefined;
  } else {
    if (!hasValuesBelow(header, data)) return undefined;
    if (!isPadded && (data.length < MIN_ROWS_BELOW_LINE || !above.some(isSentence))) return undefined;
  }
  return {
    lines,
    texts: above
      .flat()
      .filter(isFilled)
      .map((text) => text.trim()),
  };
}

/** True if the first row has several cells, and the next one as many: it is the header. */
function looksLikeTable([first = [], next]: Rows): boolean {
  const filled = first.filter(isFilled);
  const isWide = first.length > 1 && filled.length * 3 > first.length && !filled.every(isComment);
  return isWide && next?.length === first.length;
}

/** True for few filled cells, and for comments in each cell. A column may be called "#id", so these must be sentences. */
function isPlainTitle(row: readonly string[]): boolean {
  const filled = row.filter(isFilled);
  return filled.length < 2 || filled.length * 3 <= row.length || filled.every(isComment);
}

function isComment(cell: string): boolean {
  const text = cell.trim();
  return text.startsWith('#') && text.split(/\s+/).length > 3;
}

/** True if the only text of a row is not like the name of a column: it has three words, or two and a digit. */
function isSentence(row: readonly string[]): boolean {
  const text = row.filter(isFilled).join(' ').trim();
  const words = text.split(/\s+/);
  return words.length > 2 || (words.length > 1 && /\d/.test(text));
}

/** True if some column has numbers, dates, addresses or codes below a name without a digit. */
function hasValuesBelow(header: readonly string[], data: Rows): boolean {
  return header.some((name, index) => {
    const cells = data.map((row) => row[index] ?? '').filter(isFilled);
    const isValue = (cell: string) => /\d/.test(cell) || valueKind(cell) !== undefined;
    return !/\d/.test(name) && cells.length > 0 && cells.every(isValue);
  });
}

/** Warns of titles that are not read. `unit`: how messages call a line of the source. */
export function titlesWarning(
  file: string,
  { lines, texts }: Titles,
  unit: 'line' | 'row',
): Omit<Issue, 'origin'> {
  const which = lines === 1 ? `${unit} 1` : `${unit}s 1–${lines}`;
  const verb = lines === 1 ? 'is' : 'are';
  const more = texts.length - MAX_QUOTED;
  const quoted = texts.slice(0, MAX_QUOTED).map((text) => `"${excerpt(text)}"`);
  const shown = [...quoted, ...(more > 0 ? [`and ${amount(more, 'other text')}`] : [])].join(', ');
  return {
    code: 'titles-skipped',
    message: `${which.charAt(0).toUpperCase()}${which.slice(1)} of ${nameOf(file)} ${verb} above the header and not read: ${shown}. If the header is in ${unit} 1, add --skip-lines 0.`,
  };
}
