import { againHint, type ReadFormat, runningLine } from '../../model/index.ts';
import { excerpt, place } from '../messages.ts';
import type { TableLayout } from '../options.ts';

/** The parts of a layout that differ from the usual one, as reports show them. */
export function layoutIn({ skipLines = 0, noHeader, padRows }: TableLayout): Partial<ReadFormat> {
  return {
    ...(skipLines > 0 ? { skippedLines: skipLines } : {}),
    ...(noHeader ? { noHeader } : {}),
    ...(padRows ? { paddedRows: padRows } : {}),
  };
}

export type Rows = readonly (readonly string[])[];

/** The beginning of a file, read as if the header were below some of its lines. */
export interface LayoutTrial {
  /** Rows above the header. */
  readonly above: Rows;
  /** The header, and the rows below it. */
  readonly rows: Rows;
}

/** Lines above the header that are looked at. */
export const MAX_TITLE_LINES = 12;

const NAME_LETTERS =
  'With --no-header the columns are called A, B, C: name a mapping that uses these names with --mapping.';

/**
 * Suggests the option that reads a file whose header no mapping knows, with the command. Empty if nothing shows that an option
 * would help. `trial` reads the beginning of the file with a number of lines above the header.
 */
export function suggestLayout(
  given: TableLayout,
  trial: (lines: number) => LayoutTrial | undefined,
): readonly string[] {
  if (given.noHeader) return [NAME_LETTERS];
  const { skipLines = 0 } = given;
  const isRight = skipLines > 0 && trialBelow(trial, skipLines) !== undefined;
  const found = isRight ? undefined : belowTitles(trial);
  if (found !== undefined) {
    const { lines, above } = found;
    const title = above[0]?.find(isFilled) ?? '';
    return [
      `The header seems to be below ${lines === 1 ? 'the first line' : `the first ${lines} lines`}, which ${lines === 1 ? 'begins' : 'begin'} with "${excerpt(title)}": add --skip-lines ${lines}.`,
      ...againHint({ 'skip-lines': lines }),
    ];
  }
  const column = dataColumn(trial(skipLines)?.rows ?? []);
  if (column === undefined) return [];
  return [
    `The first row seems to be data, since it has "${excerpt(column.text)}" in column ${place(column.index)}: add --no-header if the file has no header, and a mapping that calls its columns A, B, C.`,
    // Without a mapping, the option alone would not help: nothing is known of columns that are called A, B, C.
    ...(runningLine()?.options.mapping === undefined ? [] : againHint({ 'no-header': true })),
  ];
}

/** Finds the fewest lines with titles or comments above something that looks like a header. */
export function belowTitles(
  trial: (lines: number) => LayoutTrial | undefined,
): (LayoutTrial & { readonly lines: number }) | undefined {
  for (let lines = 1; lines <= MAX_TITLE_LINES; lines++) {
    const found = trialBelow(trial, lines);
    if (found !== undefined) return { ...found, lines };
  }
  return undefined;
}

/** The trial with this number of lines above the header; undefined if it shows no titles above a header. */
function trialBelow(
  trial: (lines: number) => LayoutTrial | undefined,
  lines: number,
): LayoutTrial | undefined {
  const found = trial(lines);
  return found && found.above.length > 0 && areAbove(found.above, found.rows) ? found : undefined;
}

/** True if all rows below the header lack their last cells. */
export function lackLastCells([header = [], ...rows]: Rows): boolean {
  return rows.length > 0 && rows.every((row) => row.length < header.length);
}

/** True if comments or a title are above something that looks like a header. */
function areAbove(above: Rows, [header = [], ...rows]: Rows): boolean {
  const isComment = (row: readonly string[]) => /^\s*#/.test(row[0] ?? '');
  const isTitle = (row: readonly string[]) => row.filter(isFilled).length * 3 <= header.length;
  if (header.length < 2 || isComment(header) || !header.every(isName)) return false;
  if (new Set(header.map((name) => name.trim().toLowerCase())).size < header.length) return false;
  if (rows.length > 0 && !rows.some((row) => row.length === header.length)) return false;
  return above.every((row) => isComment(row) || isTitle(row));
}

/** Shops name columns after the path of a field, such as `Related products (product.metafields.shopify--discovery.related)`. */
const MAX_NAME_LENGTH = 300;

function isName(text: string): boolean {
  return isFilled(text) && text.trim().length <= MAX_NAME_LENGTH && valueKind(text) === undefined;
}

export function isFilled(text: string): boolean {
  return text.trim() !== '';
}

/** Finds a column whose first cell is a value like those below it. */
function dataColumn([first = [], ...rows]: Rows): { index: number; text: string } | undefined {
  const index = first.findIndex((text, at) => {
    const kind = valueKind(text);
    const below = rows.map((row) => row[at] ?? '').filter(isFilled);
    return kind !== undefined && below.length > 0 && below.every((cell) => valueKind(cell) === kind);
  });
  return index < 0 ? undefined : { index, text: first[index] ?? '' };
}

/** Kinds of cells that are no names of columns. */
const KINDS = {
  number: /^[-+]?(?:[$€£¥] ?)?\d[\d.,' ]*(?: ?(?:[$€£¥%]|[A-Z]{3}))?$/,
  date: /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:[T ][\d:.]+\S*)?$/,
  address: /^https?:\/\//i,
  mail: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
} as const;

/** The kind of a cell that is not the name of a column; undefined for other texts. */
export function valueKind(text: string): string | undefined {
  const cell = text.trim();
  return Object.entries(KINDS).find(([, pattern]) => pattern.test(cell))?.[0];
}
