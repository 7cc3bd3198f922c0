import { says } from '../names/read-name.ts';
import { isBlankCell } from '../profile/profile.ts';
import type { ReadColumn } from '../sample.ts';
import type { Concept } from '../words/concepts.ts';
import { type GroupingGuess, groupRows, isNoParent, type LeadRow } from './grouping.ts';

const ROWS: GroupingGuess = { kind: 'rows' };

/** Guesses how rows belong together: by parents, by rows that leave the key empty, or by a key that repeats. */
export function guessGrouping(columns: readonly ReadColumn[]): GroupingGuess {
  return byParent(columns) ?? byEmptyKey(columns) ?? byRepeatedKey(columns) ?? ROWS;
}

/** Names of the keys of products, as concepts; the best first. */
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

/** Index of a column's name in `KEY_NAMES`; -1 if it is called otherwise, or is a column of variants. */
function rankOf({ reading }: ReadColumn): number {
  const isNamed = (all: readonly Concept[]) =>
    all.every((concept) => says(reading, concept)) &&
    reading.terms.every((term) => term.some((concept) => all.includes(concept) || BESIDE.has(concept)));
  return says(reading, 'variant') || reading.unknown.length > 0 ? -1 : KEY_NAMES.findIndex(isNamed);
}

/** Concepts that do not change the meaning of a key beside the others of its name. */
const BESIDE = new Set<Concept>(['product', 'url', 'parent', 'group']);

const NAME_RANK = KEY_NAMES.findIndex((all) => all.includes('name'));

/** The column with the names of products; undefined if none is called so. */
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

/** Finds a type that the first row of each group has, and no other row: `Product` above `Variant`. */
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

/** True if each row has a text of its own, and the name says that it is of a product: keys of variants are unique too. */
function isUniqueKey({ reading, profile }: ReadColumn): boolean {
  return (
    (says(reading, 'slug') || says(reading, 'product') || says(reading, 'group')) &&
    profile.distinctRate === 1 &&
    profile.fillRate === 1
  );
}

/** True if rows with the same key are one product: they have one name, but differ in another column. */
function repeatsAsKey(
  key: ReadColumn,
  columns: readonly ReadColumn[],
  name: ReadColumn | undefined,
): boolean {
  if (key.profile.fillRate < 0.9) return false;
  const groups = groupRows(key.cells);
  groups.delete('');
  const repeated = [...groups.values()].filter((rows) => rows.length > 1);
  if (repeated.length === 0) return false;
  if (name && name !== key) {
    const oneName = repeated.filter((rows) => textsIn(name, rows).size <= 1).length;
    if (oneName < 0.95 * repeated.length) return false;
    // A brand has fewer texts than there are names.
    if (groups.size < 0.6 * name.profile.distinct.size) return false;
  }
  const differing = columns.filter(
    (column) => column !== key && column !== name && repeated.some((rows) => textsIn(column, rows).size > 1),
  );
  // Two products may have the same code by mistake. Without names, only what variants differ in shows that rows are one.
  return name !== undefined
    ? differing.length > 0
    : differing.some(({ reading }) => says(reading, 'option') || says(reading, 'variant'));
}

function textsIn({ cells }: ReadColumn, rows: readonly number[]): Set<string> {
  return new Set(rows.map((row) => cells[row]?.trim() ?? '').filter((cell) => cell !== ''));
}

/** Finds rows without name and key, but with other cells, that continue the row above them. */
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

/** Finds a column whose cells are the keys of other rows. */
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
