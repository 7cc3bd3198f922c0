import { fold } from '../../map/index.ts';
import type { Dictionary } from '../names/dictionary.ts';
import { readName } from '../names/read-name.ts';
import { isBlankCell, type SampleColumn } from '../profile/profile.ts';
import type { Concept } from '../words/concepts.ts';

/** Rows of a table that are no records: totals, headers that repeat, lines of a footer. */
export interface StrayRows {
  /** Indexes of rows. */
  readonly rows: ReadonlySet<number>;
  /** Conditions that leave them out, as in `skip` of a mapping; each with the rows that it is about. */
  readonly skips: readonly StraySkip[];
}

export interface StraySkip {
  /** Undefined if no condition tells these rows from others: they will be records with issues. */
  readonly when?: Readonly<Record<string, string>>;
  /** `it says "TOTAL"` */
  readonly why: string;
  /** Columns that nearly all other rows fill, and these do not. */
  readonly lacks?: readonly string[];
  /** Indexes of rows; in a draft, their numbers in the file. */
  readonly rows: readonly number[];
}

/** A sentence about stray rows, whose `rows` are numbers in the file: `Left out: row 62, since it says "TOTAL".` */
export function skippedText({ when, rows, why }: StraySkip): string {
  const shown = rows.slice(0, 3).join(', ');
  const more = rows.length > 3 ? ` and ${rows.length - 3} more` : '';
  const named = rows.length === 1 ? `row ${shown}` : `rows ${shown}${more}`;
  const reason = rows.length === 1 ? why : why.replace(/^it /, 'each ');
  return `${when ? 'Left out' : 'Not looked at'}: ${named}, since ${reason}.`;
}

/** Share of the rows that have a cell in a column that all records fill. */
const NEARLY_ALL = 0.8;
/** A list of names or codes has no rows that lack something. */
const MIN_COLUMNS = 3;
/** Share of the rows that strays of one kind have at most: more of them are records that are not understood. */
const MAX_SHARE = 0.25;
/** Conditions that are written into a mapping. */
const MAX_SKIPS = 8;

/**
 * Finds rows that are no records. Each condition holds for nothing else in the sample: a row that has what records have is one,
 * whatever it is called. `columns` have names that differ.
 */
export function findStrayRows(
  columns: readonly SampleColumn[],
  dictionary: Dictionary,
  numbers: readonly number[] | undefined,
): StrayRows {
  const count = columns[0]?.cells.length ?? 0;
  if (columns.length < MIN_COLUMNS) return { rows: new Set(), skips: [] };
  const end = secondTable(columns, numbers, count) ?? count;
  const found = new Map<string, StraySkip & { readonly rows: number[] }>();
  const filled = columns.map(({ cells }) => filledRows(cells, end));
  for (let row = 0; row < end; row++) {
    // Columns of the other rows: in a short table, a row of totals would hide them.
    const lacks = columns.filter(
      ({ cells }, n) => isBlankCell(cells[row] ?? '') && (filled[n] ?? 0) > NEARLY_ALL * (end - 1),
    );
    const stray = strayRow(row, columns, lacks, dictionary);
    if (stray === undefined) continue;
    const key = JSON.stringify(stray.when).toLowerCase();
    const known = found.get(key);
    if (known) known.rows.push(row);
    else found.set(key, { ...stray, rows: [row] });
  }
  const isSure = ({ when = {}, rows }: StraySkip) =>
    rows.length <= MAX_SHARE * end && rowsOf(when, columns, end) === rows.length;
  const skips = [...found.values()].filter(isSure).slice(0, MAX_SKIPS);
  const below = Array.from({ length: count - end }, (_, n) => end + n);
  if (below.length > 0)
    skips.push({ rows: below, why: 'another table begins there; put it into a file of its own' });
  return { rows: new Set(skips.flatMap(({ rows }) => rows)), skips };
}

function filledRows(cells: readonly string[], end: number): number {
  return cells.slice(0, end).filter((cell) => !isBlankCell(cell)).length;
}

/** The row at which a second table begins: below a blank row, with the name of a column in this column. */
function secondTable(
  columns: readonly SampleColumn[],
  numbers: readonly number[] | undefined,
  count: number,
): number | undefined {
  const isHeading = (row: number) => {
    const filled = columns.filter(({ cells }) => !isBlankCell(cells[row] ?? ''));
    const isNamed = filled.some(({ name, cells }) => fold(cells[row] ?? '') === fold(name));
    return isNamed && filled.length > 1 && filled.every(({ cells }) => !/\d/.test(cells[row] ?? ''));
  };
  for (let row = 1; row < count; row++) {
    const isBelowBlank = (numbers?.[row] ?? 0) > (numbers?.[row - 1] ?? 0) + 1;
    if (isBelowBlank && isHeading(row)) return row;
  }
  return undefined;
}

/** Says why a row is no record; undefined if it may be one. */
function strayRow(
  row: number,
  columns: readonly SampleColumn[],
  /** Columns that it leaves empty, and nearly all others fill. */
  lacks: readonly SampleColumn[],
  dictionary: Dictionary,
): Omit<StraySkip, 'rows'> | undefined {
  const textOf = ({ cells }: SampleColumn) => (cells[row] ?? '').trim();
  const filled = columns.filter((column) => !isBlankCell(textOf(column)));
  const [first] = filled;
  if (!first) return undefined;
  const headed = filled.filter((column) => fold(textOf(column)) === fold(column.name));
  const [named] = headed;
  if (named && headed.length >= 2 && headed.length > 0.5 * filled.length)
    return { when: { [named.name]: textOf(named) }, why: 'it repeats the header' };
  if (lacks.length === 0) return undefined;
  const total = filled.find((column) => isTotal(textOf(column), dictionary));
  const names = lacks.map(({ name }) => name);
  if (total)
    return {
      ...{ when: { [total.name]: textOf(total) }, why: `it says ${JSON.stringify(textOf(total))}` },
      lacks: names,
    };
  return filled.length === 1 && lacks.length >= 2
    ? { when: Object.fromEntries(names.map((name) => [name, ''])), why: 'it has one cell only', lacks: names }
    : undefined;
}

/** How many rows of the sample a condition holds for. */
function rowsOf(
  when: Readonly<Record<string, string>>,
  columns: readonly SampleColumn[],
  count: number,
): number {
  const tests = Object.entries(when).map(([name, wanted]) => ({
    cells: columns.find((each) => each.name === name)?.cells,
    wanted,
  }));
  const holds = (row: number) =>
    tests.every(({ cells, wanted }) => {
      const cell = (cells?.[row] ?? '').trim();
      return wanted === '' ? cell === '' : cell.toLowerCase() === String(wanted).toLowerCase();
    });
  return Array.from({ length: count }, (_, row) => row).filter(holds).length;
}

/** Concepts that a row of totals names beside the word. */
const OF_TOTALS: ReadonlySet<Concept> = new Set<Concept>([
  'total',
  'amount',
  'price',
  'quantity',
  'stock',
  'value',
  'product',
  'number',
]);

/** True for `Total`, `Summe:`, `Grand total (60 items)`, in any language. */
function isTotal(text: string, dictionary: Dictionary): boolean {
  if (text.length > 40 || !/\p{L}/u.test(text)) return false;
  const { terms, unknown } = readName(text, dictionary);
  return (
    unknown.length === 0 &&
    terms.some((term) => term.includes('total')) &&
    terms.every((term) => term.some((concept) => OF_TOTALS.has(concept)))
  );
}
