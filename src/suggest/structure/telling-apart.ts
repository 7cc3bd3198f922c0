import { isFew } from '../evidence.ts';
import { isBlankCell } from '../profile/profile.ts';
import type { ReadColumn } from '../sample.ts';
import type { Concept } from '../words/concepts.ts';
import { differsIn } from './grouping.ts';

/** The rows of one product that are its variants, for each product. */
export type VariantRows = readonly (readonly number[])[];

/** Cells of the options, one list for each. */
type OptionCells = readonly (readonly string[])[];

/**
 * Rows of one product that have the same options and different codes, together: something else tells them apart. Rows without any
 * option are not variants, unless there are no options at all.
 */
export function alikeVariants(
  products: VariantRows,
  options: OptionCells,
  codeOf: (row: number) => string,
): number[][] {
  return products.flatMap((rows) => {
    const alike = new Map<string, number[]>();
    for (const row of rows) {
      const values = options.map((cells) => cells[row]?.trim() ?? '');
      if (options.length > 0 && values.every((value) => value === '')) continue;
      const key = JSON.stringify(values);
      alike.set(key, [...(alike.get(key) ?? []), row]);
    }
    return [...alike.values()].filter((same) => {
      const codes = same.map(codeOf).filter((code) => code !== '');
      return new Set(codes).size > 1;
    });
  });
}

/** True if few products have such rows: one row in twenty decides nothing. */
export function areFewAlike(
  products: VariantRows,
  options: OptionCells,
  codeOf: (row: number) => string,
): boolean {
  const several = products.filter((rows) => new Set(rows.map(codeOf)).size > 1);
  const unclear = several.filter((rows) => alikeVariants([rows], options, codeOf).length > 0);
  return isFew(unclear.length, several.length);
}

/** The figures of two rows differ by chance. */
const MIN_ROWS_OF_FIGURES = 3;
/** More columns than this are not tried together. */
const MAX_TRIED = 8;

/**
 * The columns that distinguish variants with equal options: the smallest set that does it, if only one such set exists. `possible`: those
 * that may be options, if there is no such set. Columns of words come before columns of figures, which may count anything.
 */
export function missingOptions(
  products: VariantRows,
  options: OptionCells,
  {
    codeOf,
    columns,
    most,
  }: {
    readonly codeOf: (row: number) => string;
    readonly columns: readonly ReadColumn[];
    /** The most columns that can be added. */
    readonly most: number;
  },
): { readonly found: readonly ReadColumn[]; readonly possible: readonly ReadColumn[] } {
  const unclear = alikeVariants(products, options, codeOf);
  const rows = products.flat();
  const possible = columns.filter((column) => mayBeOption(column, rows) && differsIn(unclear, column.cells));
  const isWords = ({ profile }: ReadColumn) => profile.share('text') > 0.5;
  const hasMore = unclear.flat().length >= MIN_ROWS_OF_FIGURES;
  for (const tried of [possible.filter(isWords), ...(hasMore ? [possible] : [])]) {
    if (tried.length > MAX_TRIED) break;
    for (let size = 1; size <= Math.min(most, tried.length); size++) {
      const enough = subsets(tried, size).filter((set) =>
        areFewAlike(products, [...options, ...set.map(({ cells }) => cells)], codeOf),
      );
      const [only, ...others] = enough;
      if (only && others.length === 0) return { found: only, possible };
      if (only) return { found: [], possible };
    }
  }
  return { found: [], possible };
}

/** All sets of `size` items, in their order. */
function subsets<Item>(items: readonly Item[], size: number): Item[][] {
  if (size === 0) return [[]];
  return items.flatMap((item, at) => subsets(items.slice(at + 1), size - 1).map((rest) => [item, ...rest]));
}

/** Concepts that a column of options may be called by. A column that is called like another thing is that. */
const OF_OPTIONS: ReadonlySet<Concept> = new Set<Concept>([
  ...([
    'option',
    'value',
    'variant',
    'product',
    'size',
    'color',
    'material',
    'type',
    'style',
    'model',
  ] as const),
  ...(['length', 'width', 'height', 'depth', 'volume', 'weight', 'measure', 'unit', 'quantity'] as const),
  ...(['language', 'gender', 'condition'] as const),
]);
/** Share of different texts above which a column names rows: a place on a shelf, a serial number. */
const MAX_DIFFERENT = 0.8;
const MAX_LENGTH = 40;
const NOT_OF_OPTIONS = [
  'url',
  'picture',
  'mail',
  'date',
  'html',
  'json-list',
  'json-object',
  'machine-id',
] as const;

/** True if the column can hold an option: short values that repeat, in nearly all rows of variants. */
function mayBeOption({ reading, profile, cells }: ReadColumn, rows: readonly number[]): boolean {
  const filled = rows.map((row) => cells[row] ?? '').filter((cell) => !isBlankCell(cell));
  const amounts = filled.filter((cell) => /[.,]\d\d\D{0,4}$/.test(cell)).length;
  return (
    reading.terms.every((term) => term.some((concept) => OF_OPTIONS.has(concept))) &&
    isFew(rows.length - filled.length, rows.length) &&
    new Set(filled).size <= MAX_DIFFERENT * filled.length &&
    filled.every((cell) => cell.length <= MAX_LENGTH) &&
    amounts < 0.5 * filled.length &&
    profile.share('yes-no') < 1 &&
    NOT_OF_OPTIONS.every((look) => profile.share(look) < 0.1)
  );
}
