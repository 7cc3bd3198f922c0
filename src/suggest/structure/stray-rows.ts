import { fold } from '../../map/index.ts';
import type { Dictionary } from '../names/dictionary.ts';
import { readName, says } from '../names/read-name.ts';
import { isBlankCell, type SampleColumn } from '../profile/profile.ts';
import type { Concept } from '../words/concepts.ts';
import { type StrayRows, type StraySkip, strayRowsOf } from './stray-skip.ts';
import { findTranslations } from './translations.ts';

/** Share of the rows that have a cell in a column that all records fill. */
const NEARLY_ALL = 0.8;
/** A list of names or codes has no rows that lack something. */
const MIN_COLUMNS = 3;
/** Share of the rows that strays of one kind have at most: more of them are records that are not understood. */
const MAX_SHARE = 0.25;
/** The same of rows that head sections: a section may have one record. */
const MAX_HEADINGS = 0.5;
/** Concepts of the names of products. */
const NAMES: readonly Concept[] = ['name', 'title', 'description'];
/** Conditions that are written into a mapping. */
const MAX_SKIPS = 8;

/**
 * Finds rows that are no records. Each condition holds for nothing else in the sample: a row that has what records have is one,
 * whatever it is called. `columns` have names that differ. `isWhole`: they have all rows of the file.
 */
export function findStrayRows(
  columns: readonly SampleColumn[],
  dictionary: Dictionary,
  { numbers, isWhole }: { readonly numbers?: readonly number[] | undefined; readonly isWhole: boolean },
): StrayRows {
  const count = columns[0]?.cells.length ?? 0;
  if (columns.length < MIN_COLUMNS) return strayRowsOf([]);
  const end = secondTable(columns, numbers, count) ?? count;
  const isBlank = (row: number) => columns.every(({ cells }) => isBlankCell(cells[row] ?? ''));
  const found = new Map<string, StraySkip & { readonly rows: number[] }>();
  const filled = columns.map(({ cells }) => filledRows(cells, end));
  // Between rows of one cell and blank ones, those that may be records: the others would hide what these have.
  const filledIn = (row: number) => columns.filter(({ cells }) => !isBlankCell(cells[row] ?? '')).length;
  const isAlone = (row: number) => filledIn(row) === 1;
  const whole = rowsWhere(0, end, (row) => filledIn(row) > 1);
  const wholeFilled = columns.map(
    ({ cells }) => whole.filter((row) => !isBlankCell(cells[row] ?? '')).length,
  );
  // The only cell of a row may be the name of the rows below, which have none. Beside their names it is a heading.
  const isName = ({ name }: SampleColumn) =>
    NAMES.some((concept) => says(readName(name, dictionary), concept));
  const areNamed = columns.some((column, n) => isName(column) && (wholeFilled[n] ?? 0) > 0);
  const isAbove = (row: number) =>
    filledIn(row + 1) > 1 &&
    columns.every(({ cells }, n) => isBlankCell(cells[row] ?? '') || wholeFilled[n] === 0);
  for (let row = 0; row < end; row++) {
    const counts = isAlone(row) ? wholeFilled : filled;
    const lacking = (most: number) =>
      columns.filter(({ cells }, n) => isBlankCell(cells[row] ?? '') && (counts[n] ?? 0) > most);
    // Columns of the other rows: in a short table, a row of totals would hide them.
    const lacks = lacking(NEARLY_ALL * (isAlone(row) ? whole.length : end - 1));
    const lacksOften = lacking(0.5 * (isAlone(row) ? whole.length : end));
    if (isAlone(row) && isAbove(row) && !areNamed) continue;
    const stray = strayRow(row, columns, { lacks, lacksOften }, dictionary);
    if (stray === undefined) continue;
    const key = JSON.stringify(stray.when).toLowerCase();
    const known = found.get(key);
    if (known) known.rows.push(row);
    else found.set(key, { ...stray, rows: [row] });
  }
  const blanks = rowsWhere(0, end, isBlank).length;
  const isHeading = (row: number) =>
    isAlone(row) &&
    filledIn(row + 1) > 1 &&
    (isAbove(row) ||
      columns.some(
        ({ cells }, n) => !isBlankCell(cells[row] ?? '') && (wholeFilled[n] ?? 0) > NEARLY_ALL * whole.length,
      ));
  const isSure = ({ when = {}, rows }: StraySkip) =>
    rows.length <= (rows.every(isHeading) ? MAX_HEADINGS : MAX_SHARE) * (end - blanks) &&
    [0, blanks].includes(rowsOf(when, columns, end) - rows.length);
  const skips: StraySkip[] = [...found.values()].filter(isSure).slice(0, MAX_SKIPS);
  const strays = new Set(skips.flatMap(({ rows }) => rows));
  const records = rowsWhere(0, end, (row) => !strays.has(row) && !isBlank(row));
  skips.push(...findTranslations(columns, dictionary, records));
  const below = rowsWhere(end, count, () => true);
  if (below.length > 0) {
    // Further down in a longer file, rows may be records again.
    const canCut = isWhole && firstBlank(numbers, end, isBlank) === end;
    const why = 'another table begins there';
    skips.push(
      canCut
        ? { rows: below, why, isCut: true }
        : { rows: below, why: `${why}; put it into a file of its own` },
    );
  }
  return strayRowsOf(skips);
}

/** The row below the first blank one; undefined if none is blank. */
function firstBlank(
  numbers: readonly number[] | undefined,
  end: number,
  isBlank: (row: number) => boolean,
): number | undefined {
  for (let row = 1; row <= end; row++) {
    if (isBlank(row - 1)) return row;
    if ((numbers?.[row] ?? 0) > (numbers?.[row - 1] ?? 0) + 1) return row;
  }
  return undefined;
}

function filledRows(cells: readonly string[], end: number): number {
  return cells.slice(0, end).filter((cell) => !isBlankCell(cell)).length;
}

/**
 * The row at which a second table begins: below a blank row, or with a title of one cell. Its header has no digits. It has the
 * name of a column, or no row from there on has a cell in a column that the rows above fill, or it has names where these have
 * numbers; below a title without a blank row, only the last counts.
 */
function secondTable(
  columns: readonly SampleColumn[],
  numbers: readonly number[] | undefined,
  count: number,
): number | undefined {
  const isFilled = ({ cells }: SampleColumn, row: number) => !isBlankCell(cells[row] ?? '');
  const filledIn = (row: number) => columns.filter((column) => isFilled(column, row));
  const isBlank = (row: number) => filledIn(row).length === 0;
  const names = new Set(columns.map(({ name }) => fold(name)));
  for (let begin = 1; begin < count; begin++) {
    const isBelowBlank = isBlank(begin - 1) || (numbers?.[begin] ?? 0) > (numbers?.[begin - 1] ?? 0) + 1;
    const isTitle = filledIn(begin).length === 1;
    if (!isBelowBlank && !isTitle) continue;
    const row = isTitle ? begin + 1 : begin;
    const headed = filledIn(row);
    const heading = headed.map(({ cells }) => cells[row] ?? '');
    if (heading.length < 2 || heading.some((cell) => /\d/.test(cell))) continue;
    // The same header again begins a part of the same table.
    const same = headed.filter(({ name, cells }) => fold(cells[row] ?? '') === fold(name)).length;
    if (same > 0.5 * headed.length) continue;
    if (isBelowBlank && heading.some((cell) => names.has(fold(cell)))) return begin;
    const above = rowsWhere(0, begin, (each) => !isBlank(each));
    const below = rowsWhere(begin, count, (each) => !isBlank(each));
    if (above.length < MIN_COLUMNS || below.length < 2) continue;
    const usual = columns.filter(
      (column) => above.filter((each) => isFilled(column, each)).length > NEARLY_ALL * above.length,
    );
    const isLacking = (column: SampleColumn) => !below.some((each) => isFilled(column, each));
    // A header has names where all rows above have numbers.
    const ofNumbers = columns.filter(({ cells }) => {
      const filled = above.map((each) => cells[each] ?? '').filter((cell) => !isBlankCell(cell));
      return filled.length > NEARLY_ALL * above.length && filled.every((cell) => /\d/.test(cell));
    });
    const isHeader = ofNumbers.length > 1 && ofNumbers.every((column) => isFilled(column, row));
    if (isHeader || (isBelowBlank && usual.some(isLacking))) return begin;
  }
  return undefined;
}

function rowsWhere(from: number, to: number, holds: (row: number) => boolean): number[] {
  return Array.from({ length: to - from }, (_, n) => from + n).filter(holds);
}

/** Says why a row is no record; undefined if it may be one. */
function strayRow(
  row: number,
  columns: readonly SampleColumn[],
  {
    lacks,
    lacksOften,
  }: {
    /** Columns that it leaves empty, and nearly all others fill. */
    readonly lacks: readonly SampleColumn[];
    /** The same of those that most others fill: several rows of sums may be among them. */
    readonly lacksOften: readonly SampleColumn[];
  },
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
  if (lacksOften.length === 0) return undefined;
  const total = filled.find((column) => isTotal(textOf(column), dictionary));
  if (total)
    return {
      ...{ when: { [total.name]: textOf(total) }, why: `it says ${JSON.stringify(textOf(total))}` },
      lacks: lacksOften.map(({ name }) => name),
    };
  const whenBlank = (blank: readonly SampleColumn[]) =>
    Object.fromEntries(blank.map(({ name }) => [name, '']));
  const texts = filled.filter((column) => /\p{L}/u.test(textOf(column)));
  const figures = filled.filter((column) => !texts.includes(column));
  if (texts.length < 2 && figures.length > 1 && areSums(row, figures)) {
    const said = Object.fromEntries(texts.map((column) => [column.name, textOf(column)]));
    return {
      when: { ...whenBlank(lacksOften), ...said },
      why: 'its numbers are the sums of rows above',
      lacks: lacksOften.map(({ name }) => name),
    };
  }
  return filled.length === 1 && lacks.length >= 2
    ? { when: whenBlank(lacks), why: 'it has one cell only', lacks: lacks.map(({ name }) => name) }
    : undefined;
}

/** Fewer rows add up by chance. */
const MIN_ADDED = 2;
const CENT = 0.011;

/** True if each cell of a row is the sum of its column over the rows just above, the same rows for all columns. */
function areSums(row: number, columns: readonly SampleColumn[]): boolean {
  return ['.', ','].some((decimal) => {
    const wanted = columns.map(({ cells }) => figureIn(cells[row] ?? '', decimal));
    if (wanted.some((sum) => sum === undefined) || wanted.every((sum) => sum === 0)) return false;
    const sums = columns.map(() => 0);
    for (let above = row - 1; above >= 0; above--) {
      for (const [n, { cells }] of columns.entries())
        sums[n] = (sums[n] ?? 0) + (figureIn(cells[above] ?? '', decimal) ?? 0);
      if (sums.some((sum, n) => sum > (wanted[n] ?? 0) + CENT)) return false;
      if (row - above < MIN_ADDED) continue;
      if (sums.every((sum, n) => Math.abs(sum - (wanted[n] ?? 0)) < CENT)) return true;
    }
    return false;
  });
}

/** A number without its currency; undefined for other texts. */
function figureIn(text: string, decimal: string): number | undefined {
  const digits = text.replaceAll(/[^\d.,-]/g, '');
  if (!/\d/.test(digits) || /\p{L}{4}/u.test(text)) return undefined;
  const plain = decimal === '.' ? digits.replaceAll(',', '') : digits.replaceAll('.', '').replace(',', '.');
  const number = Number(plain);
  return Number.isNaN(number) ? undefined : number;
}

/** How many rows of the sample a condition holds for. */
function rowsOf(
  when: NonNullable<StraySkip['when']>,
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
