import { says } from '../names/read-name.ts';
import { isBlankCell } from '../profile/profile.ts';
import type { ReadColumn } from '../sample.ts';
import type { Concept } from '../words/concepts.ts';

/** How the rows of a file become records. */
export type GroupingGuess =
  | { readonly kind: 'rows' }
  /** Rows with the same text in the column are one record; with `continues`, rows without a text belong to the one above. */
  | {
      readonly kind: 'key';
      readonly key: ReadColumn;
      readonly continues: boolean;
      /** Tells the row of a product from those of its variants; undefined if each row is of a variant. */
      readonly lead?: LeadRow | undefined;
    }
  /** Rows name the row that they are part of, some with a word before the name: `id:17`. */
  | {
      readonly kind: 'parent';
      readonly name: ReadColumn;
      readonly parent: ReadColumn;
      readonly prefix: string;
    };

/** The row that is the product itself: its column holds this text. */
export interface LeadRow {
  readonly column: string;
  readonly text: string;
}

const ROWS: GroupingGuess = { kind: 'rows' };

/** The rows of variants, as `each` names them: all rows, or all but the one that is the product itself. */
export function variantRows(grouping: GroupingGuess): 'row' | 'child' {
  return grouping.kind === 'parent' || (grouping.kind === 'key' && grouping.lead) ? 'child' : 'row';
}

/** Rows of one thing that must be seen before they count as a group: one could be an accident. */
const LEAST_REPEATS = 1;

/** Finds how rows belong together: by parents, by a key that repeats, or by rows that leave the key empty. */
export function guessGrouping(columns: readonly ReadColumn[]): GroupingGuess {
  return byParent(columns) ?? byEmptyKey(columns) ?? byRepeatedKey(columns) ?? ROWS;
}

/** Kinds of names of keys of a product, the best first. */
const KEY_NAMES: readonly (readonly Concept[])[] = [
  ['slug'],
  ['slug', 'id'],
  ['product', 'slug'],
  ['product', 'id'],
  ['group', 'id'],
  ['product', 'code'],
  ['product', 'number'],
  ['product', 'reference'],
  ['product', 'sku'],
  ['parent', 'sku'],
  ['parent', 'code'],
  ['parent', 'id'],
  ['id'],
  ['code'],
  ['reference'],
  ['product', 'name'],
  ['product', 'title'],
  ['title'],
  ['name'],
];

function rankOf({ reading }: ReadColumn): number {
  const isNamed = (all: readonly Concept[]) =>
    all.every((concept) => says(reading, concept)) &&
    reading.terms.every((term) => term.some((concept) => all.includes(concept) || MAY.has(concept)));
  return says(reading, 'variant') || reading.unknown.length > 0 ? -1 : KEY_NAMES.findIndex(isNamed);
}

const MAY = new Set<Concept>(['product', 'url', 'parent', 'group']);

const NAME_RANK = KEY_NAMES.findIndex((all) => all.includes('name'));

/** The column with the names of the things: the best of those that are called so. */
function nameColumn(columns: readonly ReadColumn[]): ReadColumn | undefined {
  return columns
    .filter((column) => rankOf(column) >= NAME_RANK && column.profile.share('text') > 0.6)
    .sort((a, b) => rankOf(a) - rankOf(b))[0];
}

function byRepeatedKey(columns: readonly ReadColumn[]): GroupingGuess | undefined {
  const name = nameColumn(columns);
  const ranked = columns.filter((column) => rankOf(column) >= 0).sort((a, b) => rankOf(a) - rankOf(b));
  const hasVariants = columns.some(isOfVariants);
  const unique = ranked.find((column) => rankOf(column) < NAME_RANK && isUniqueKey(column));
  // If each row has a key of its own, two rows with one name are two products.
  const isPossible = (column: ReadColumn) =>
    column === name ? hasVariants && !unique : rankOf(column) < NAME_RANK || !unique;
  const key =
    ranked.find((column) => isPossible(column) && repeatsAsKey(column, columns, name)) ??
    // With a variant for each product, no key repeats in the sample.
    (hasVariants ? unique : undefined);
  return key && { kind: 'key', key, continues: false, lead: leadRow(key, columns) };
}

/** A type of rows that the first row of each group has, and no other: `Product` above `Variant`. */
function leadRow(key: ReadColumn, columns: readonly ReadColumn[]): LeadRow | undefined {
  const groups = [...groupRows(key.cells).values()];
  const below = groups.flatMap((rows) => rows.slice(1));
  for (const column of columns) {
    if (!says(column.reading, 'type') || column.profile.fillRate < 1) continue;
    const others = textsIn(column, below);
    const firsts = groups.map(([first = 0]) => column.cells[first]?.trim() ?? '');
    const text = firsts.find((each) => !others.has(each));
    // A group whose first row is not in the sample begins with another.
    const share = firsts.filter((each) => each === text).length / firsts.length;
    if (text !== undefined && others.size > 0 && share > 0.8) return { column: column.name, text };
  }
  return undefined;
}

/** A filled column of variants: of their values, codes or names. */
function isOfVariants({ reading, profile }: ReadColumn): boolean {
  return (
    profile.filled.length > 0 &&
    profile.share('json-list') < 0.5 &&
    reading.unknown.length === 0 &&
    (says(reading, 'variant') || (says(reading, 'option') && says(reading, 'value')))
  );
}

/** The names that only a product's own key has: a key of variants is unique too. */
function isUniqueKey({ reading, profile }: ReadColumn): boolean {
  return (
    (says(reading, 'slug') || says(reading, 'product') || says(reading, 'group')) &&
    profile.distinctRate === 1 &&
    profile.fillRate === 1
  );
}

/** True if rows with the same key are one thing with differences: one name, but other values elsewhere. */
function repeatsAsKey(
  key: ReadColumn,
  columns: readonly ReadColumn[],
  name: ReadColumn | undefined,
): boolean {
  if (key.profile.fillRate < 0.9) return false;
  const groups = groupRows(key.cells);
  groups.delete('');
  const repeated = [...groups.values()].filter((rows) => rows.length > 1);
  const rows = repeated.reduce((total, each) => total + each.length - 1, 0);
  if (rows < LEAST_REPEATS) return false;
  if (name && name !== key) {
    const oneName = repeated.filter((rows) => textsIn(name, rows).size <= 1).length;
    if (oneName < 0.95 * repeated.length) return false;
    // A brand has fewer texts than there are names.
    if (groups.size < 0.6 * name.profile.distinct.size) return false;
  }
  const differing = columns.filter(
    (column) => column !== key && column !== name && repeated.some((rows) => textsIn(column, rows).size > 1),
  );
  // Two products that have the same code by mistake have different names and prices. Rows of one product differ
  // in what variants differ in.
  return name !== undefined ||
    differing.some(({ reading }) => says(reading, 'option') || says(reading, 'variant'))
    ? differing.length > 0
    : false;
}

function groupRows(cells: readonly string[]): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [row, cell] of cells.entries()) {
    const rows = groups.get(cell.trim());
    if (rows) rows.push(row);
    else groups.set(cell.trim(), [row]);
  }
  return groups;
}

function textsIn({ cells }: ReadColumn, rows: readonly number[]): Set<string> {
  return new Set(rows.map((row) => cells[row]?.trim() ?? '').filter((cell) => cell !== ''));
}

/** Rows without name and key that have other cells continue the row above them. */
function byEmptyKey(columns: readonly ReadColumn[]): GroupingGuess | undefined {
  const name = nameColumn(columns);
  if (!name || name.profile.fillRate === 1 || name.profile.fillRate === 0) return undefined;
  const nameless = [...name.cells.keys()].filter((row) => isBlankCell(name.cells[row] ?? ''));
  if (nameless[0] === 0) return undefined;
  const emptyThere = (column: ReadColumn) =>
    nameless.every((row) => isBlankCell(column.cells[row] ?? '')) &&
    column.cells.every((cell, row) => !isBlankCell(cell) || isBlankCell(name.cells[row] ?? ''));
  const filledThere = columns.filter((column) =>
    nameless.some((row) => !isBlankCell(column.cells[row] ?? '')),
  );
  // A key that is repeated where the name is not: Shopify's handle.
  if (filledThere.some((column) => rankOf(column) >= 0 && repeatsAsKey(column, columns, name)))
    return undefined;
  if (filledThere.length < 2) return undefined;
  const [key] = columns
    .filter((column) => rankOf(column) >= 0 && rankOf(column) < rankOf(name) && emptyThere(column))
    .sort((a, b) => rankOf(a) - rankOf(b));
  return { kind: 'key', key: key ?? name, continues: true };
}

/** Concepts of columns by which rows name each other. */
const NAMES_OF_ROWS: readonly Concept[] = ['sku', 'id', 'code', 'reference', 'number', 'slug', 'name'];

/** A column whose cells are keys of other rows. */
function byParent(columns: readonly ReadColumn[]): GroupingGuess | undefined {
  for (const parent of columns) {
    if (!says(parent.reading, 'parent') || parent.profile.filled.length === 0) continue;
    const keys = columns.filter(
      (column) =>
        column !== parent &&
        !says(column.reading, 'parent') &&
        column.profile.distinctRate > 0.95 &&
        column.reading.unknown.length === 0 &&
        NAMES_OF_ROWS.some((concept) => says(column.reading, concept)),
    );
    for (const prefix of ['', 'id:']) {
      const wanted = [...parent.profile.distinct].filter(
        (text) => text.startsWith(prefix) && !isNoParent(text),
      );
      const isKnown = ({ profile }: ReadColumn) =>
        wanted.filter((text) => profile.distinct.has(text.slice(prefix.length))).length >=
        0.7 * wanted.length;
      const named = [...parent.profile.distinct].filter((text) => !isNoParent(text)).length;
      const name = wanted.length === 0 || wanted.length < 0.5 * named ? undefined : keys.find(isKnown);
      if (name) return { kind: 'parent', name, parent, prefix };
    }
  }
  return undefined;
}

/** The texts with which rows say that they are part of nothing. */
export function isNoParent(text: string): boolean {
  return /^0?$/.test(text.trim());
}

/** Numbers of the sampled rows of each record. */
export function recordsOf(grouping: GroupingGuess, rows: number): number[][] {
  if (grouping.kind === 'rows') return Array.from({ length: rows }, (_, row) => [row]);
  if (grouping.kind === 'parent') {
    const { name, parent, prefix } = grouping;
    const names = name.cells.map((cell, row) => {
      const above = parent.cells[row]?.trim() ?? '';
      return isNoParent(above) ? `${prefix}${cell.trim()}` : above;
    });
    return [...groupRows(names).values()];
  }
  const { key, continues } = grouping;
  let above = '';
  const keys = key.cells.map((cell) => {
    if (cell.trim() !== '' || !continues) above = cell.trim();
    return above;
  });
  return [...groupRows(keys).values()];
}
