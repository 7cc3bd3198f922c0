import { FEW, isFew } from '../evidence.ts';
import { byContent } from '../match/candidate.ts';
import { says } from '../names/read-name.ts';
import { isBlankCell } from '../profile/profile.ts';
import type { ReadColumn } from '../sample.ts';
import type { Concept } from '../words/concepts.ts';
import { type GroupingGuess, groupRows, isKeyOfRows, isNoParent, type LeadRow } from './grouping.ts';
import { byListedParts } from './listed-parts.ts';

const ROWS: GroupingGuess = { kind: 'rows' };

/** Guesses how rows belong together: by parents, by lists of variants, by rows that leave the key empty, or by a key that repeats. */
export function guessGrouping(columns: readonly ReadColumn[]): GroupingGuess {
  return byParent(columns) ?? byListedParts(columns) ?? byEmptyKey(columns) ?? byRepeatedKey(columns) ?? ROWS;
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
  ['style'],
  ['product', 'style'],
  ['product', 'name'],
  ['product', 'title'],
  ['title'],
  ['name'],
  ['product'],
];

/** Index of a column's name in `KEY_NAMES`; -1 if it is called otherwise, or is a column of variants. */
function rankOf({ reading }: ReadColumn): number {
  const isNamed = (all: readonly Concept[]) =>
    all.every((concept) => says(reading, concept)) &&
    reading.terms.every((term) => term.some((concept) => all.includes(concept) || BESIDE.has(concept)));
  return says(reading, 'variant') || reading.unknown.length > 0 ? -1 : KEY_NAMES.findIndex(isNamed);
}

/** Concepts that do not change the meaning of a key beside the others of its name. */
const BESIDE = new Set<Concept>(['product', 'url', 'parent', 'group', 'code', 'number']);

const NAME_RANK = KEY_NAMES.findIndex((all) => all.includes('name'));

/** The column with the names of products; undefined if none is called so. */
function nameColumn(columns: readonly ReadColumn[]): ReadColumn | undefined {
  return (
    columns
      .filter((column) => rankOf(column) >= NAME_RANK && column.profile.share('text') > 0.6)
      // The name of a group of products is none of theirs.
      .filter(({ reading }) => !says(reading, 'group'))
      .sort(byRank)[0]
  );
}

/** True for names of models, which products have in place of names: not for their numbers. */
function isModelName({ reading, profile }: ReadColumn): boolean {
  return (
    reading.unknown.length === 0 &&
    reading.terms.length === 1 &&
    says(reading, 'model') &&
    profile.filled.length > 0 &&
    profile.filled.every((cell) => /\p{L}{3}/u.test(cell))
  );
}

/** The best name for a key first. */
function byRank(a: ReadColumn, b: ReadColumn): number {
  return rankOf(a) - rankOf(b) || byContent(a, b);
}

function byRepeatedKey(columns: readonly ReadColumn[]): GroupingGuess | undefined {
  const name = nameColumn(columns);
  const ranked = columns.filter((column) => rankOf(column) >= 0).sort(byRank);
  const hasVariants = columns.some(isOfVariants);
  const unique = ranked.find((column) => rankOf(column) < NAME_RANK && isUniqueKey(column));
  // If each row has a key of its own, two rows with one name are two products.
  const isPossible = (column: ReadColumn) =>
    column === name ? hasVariants && !unique : rankOf(column) < NAME_RANK || !unique;
  const isOfProducts = (column: ReadColumn) =>
    isSku(column) && columns.some((other) => other !== column && isCodeOfRows(other));
  const isKey = (column: ReadColumn) => repeatsAsKey(column, columns, name);
  const key =
    ranked.find((column) => rankOf(column) < NAME_RANK && isPossible(column) && isKey(column)) ??
    columns.find((column) => isOfProducts(column) && isKey(column)) ??
    ranked.find((column) => isPossible(column) && isKey(column)) ??
    // With a variant for each product, no key repeats in the sample.
    (hasVariants ? unique : undefined);
  return key && { kind: 'key', key, continues: false, lead: leadRow(key, columns) };
}

/** True for the number of an article, which can be of a product if its rows have codes of their own: `商品コード` beside `SKU`. */
function isSku({ reading }: ReadColumn): boolean {
  return says(reading, 'sku') && !says(reading, 'product') && !says(reading, 'parent');
}

/** True for a column with another code in each row. */
function isCodeOfRows({ reading, profile, cells }: ReadColumn): boolean {
  const isCode = (['sku', 'code', 'reference', 'barcode'] as const).some((concept) => says(reading, concept));
  return isCode && reading.unknown.length === 0 && profile.distinct.size === cells.length;
}

/** Finds a type that the first row of each group has, and no other row: `Product` above `Variant`. */
function leadRow(key: ReadColumn, columns: readonly ReadColumn[]): LeadRow | undefined {
  const byKey = groupRows(key.cells);
  byKey.delete('');
  const groups = [...byKey.values()];
  const below = groups.flatMap((rows) => rows.slice(1));
  for (const column of columns) {
    if (!says(column.reading, 'type') || column.profile.fillRate < 1 - FEW) continue;
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

/** True if nearly each row has a text of its own, and the name says that it is of a product: keys of variants are unique too. */
function isUniqueKey({ reading, profile, cells }: ReadColumn): boolean {
  return (
    (says(reading, 'slug') || says(reading, 'product') || says(reading, 'group')) &&
    isFew(cells.length - profile.distinct.size, cells.length)
  );
}

/** Share of the rows that a key of products may leave empty. */
const MAX_BLANK_KEYS = 0.1;

/** True if rows with the same key are one product: they have one name, but differ in another column. */
function repeatsAsKey(
  key: ReadColumn,
  columns: readonly ReadColumn[],
  name: ReadColumn | undefined,
): boolean {
  const groups = groupRows(key.cells);
  if (!isFew(groups.get('')?.length ?? 0, key.cells.length, MAX_BLANK_KEYS)) return false;
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
  // Two products may also be of one style.
  const isOption = ({ reading }: ReadColumn) => OPTIONS.some((concept) => says(reading, concept));
  if (isSku(key)) {
    const options = differing.filter(isOption);
    const differs = (rows: readonly number[]) => options.some((column) => textsIn(column, rows).size > 1);
    return isFew(repeated.filter((rows) => !differs(rows)).length, repeated.length);
  }
  return name !== undefined && !says(key.reading, 'style') ? differing.length > 0 : differing.some(isOption);
}

function textsIn({ cells }: ReadColumn, rows: readonly number[]): Set<string> {
  return new Set(rows.map((row) => cells[row]?.trim() ?? '').filter((cell) => cell !== ''));
}

/** Finds rows without name and key, but with other cells, that continue the row above them. */
function byEmptyKey(columns: readonly ReadColumn[]): GroupingGuess | undefined {
  const name = nameColumn(columns) ?? columns.find(isModelName);
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
  if (filledThere.length < 2 || !continues(name, nameless, columns)) return undefined;
  // A code that only rows with a name have is the product's, whatever it is called.
  const isOfProduct = (column: ReadColumn) =>
    says(column.reading, 'sku') || (rankOf(column) >= 0 && rankOf(column) < rankOf(name));
  const [key] = columns.filter((column) => isOfProduct(column) && emptyThere(column)).sort(byRank);
  return { kind: 'key', key: key ?? name, continues: true };
}

/**
 * True if rows without a name are part of the row above: they differ from it in an option, or leave empty what rows with a
 * name fill. A row whose only fault is a missing name, or that has nothing but figures, is none.
 */
function continues(name: ReadColumn, nameless: readonly number[], columns: readonly ReadColumn[]): boolean {
  if (isFew(nameless.length, name.cells.length)) return false;
  const isFilled = ({ cells }: ReadColumn, row: number) => !isBlankCell(cells[row] ?? '');
  const isOption = ({ reading }: ReadColumn) => OPTIONS.some((concept) => says(reading, concept));
  const options = columns.filter((column) => isOption(column));
  const varied = nameless.filter((row) => options.some((column) => isFilled(column, row)));
  if (varied.length > 0.5 * nameless.length) return true;
  const named = [...name.cells.keys()].filter((row) => isFilled(name, row));
  const ofLead = columns.filter(
    (column) =>
      column !== name &&
      !nameless.some((row) => isFilled(column, row)) &&
      named.filter((row) => isFilled(column, row)).length > 0.5 * named.length,
  );
  return nameless.length > 1 && ofLead.length > 0;
}

/** Concepts of columns in which the variants of a product differ. */
const OPTIONS: readonly Concept[] = ['option', 'variant', 'size', 'color', 'material'];

/** Finds a column whose cells are the keys of other rows. */
function byParent(columns: readonly ReadColumn[]): GroupingGuess | undefined {
  for (const parent of columns) {
    if (!says(parent.reading, 'parent') || parent.profile.filled.length === 0) continue;
    const keys = columns.filter((column) => column !== parent && isKeyOfRows(column));
    for (const prefix of ['', 'id:']) {
      const named = [...parent.profile.distinct].filter((text) => !isNoParent(text));
      const prefixed = named.filter((text) => text.startsWith(prefix));
      const isKnown = ({ profile, cells }: ReadColumn) => {
        // A row that names itself shows nothing.
        const ofOthers = new Set(
          parent.cells.flatMap((text, row) =>
            text.trim().slice(prefix.length) === cells[row]?.trim() ? [] : [text.trim()],
          ),
        );
        const wanted = prefixed.filter((text) => ofOthers.has(text));
        const known = wanted.filter((text) => profile.distinct.has(text.slice(prefix.length)));
        return known.length >= Math.max(1, Math.min(wanted.length - 1, 0.7 * wanted.length));
      };
      const name =
        prefixed.length === 0 || prefixed.length < 0.5 * named.length ? undefined : keys.find(isKnown);
      if (name) return { kind: 'parent', name, parent, prefix };
    }
  }
  return undefined;
}
