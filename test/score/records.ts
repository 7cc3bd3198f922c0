import { isObject, type Json, type JsonObject } from '../../src/model/index.ts';
import type { CheckedSample } from '../../src/pipeline/suggest/check-sample.ts';
import type { FileTruth } from './fields.ts';

/**
 * Fields whose values must be equal, by resource: what a record is called, what it costs, how much of it there is, whether it
 * is on sale, and how a person is reached. Texts for search engines, pictures and lists of words can be read in several right
 * ways. A field counts for files with a column for it: presets also know what their platform means by no column.
 */
const BEARING: Readonly<Record<string, readonly string[]>> = {
  products: ['name', 'status', 'price.salePrice', 'price.comparePrice', 'quantity.instock'],
  customers: [
    ...['firstname', 'lastname', 'email', 'phone'],
    ...['address.address1', 'address.city.name', 'address.zip'],
  ],
  suppliers: ['name', 'email', 'phone', 'city.name'],
  discounts: ['code', 'type', 'percentage', 'value', 'startDate', 'endDate'],
  orders: [
    ...['customer.email', 'customer.lastname', 'shipping.address.city.name'],
    ...['shipping.price', 'discount.price', 'details'],
  ],
};

/** Fields of variants that count, in any order: codes if a column has them, prices and stock as for products. */
const OF_VARIANTS = ['reference', 'price.salePrice', 'quantity.instock'];
/** Fields of the lines of an order that count. */
const OF_LINES = ['product.name', 'quantity', 'price'];
/** Amounts where zero says the same as none. */
const AMOUNTS: ReadonlySet<string> = new Set(['shipping.price', 'discount.price']);

export interface RecordScore {
  /** Records that the preset makes, and that are valid. */
  readonly records: number;
  readonly equal: number;
  /** How many records differ first in a field, in their rows, or in being valid. */
  readonly differences: ReadonlyMap<string, number>;
}

/** Compares the records that a suggestion makes of rows with those that a preset makes of them. */
export function scoreRecords(
  right: CheckedSample,
  made: CheckedSample | undefined,
  { resource, fields }: Pick<FileTruth, 'resource' | 'fields'>,
): RecordScore {
  const has = (field: string) => Object.hasOwn(fields, field);
  const hasCodes = (fields.variants ?? []).length > 0;
  const bearing = {
    fields: (BEARING[resource] ?? []).filter(has),
    ofVariants: has('variants')
      ? OF_VARIANTS.filter((field) => (field === 'reference' ? hasCodes : has(field)))
      : [],
  };
  const ofRows = new Map((made?.records ?? []).map((checked) => [rowsOf(checked), checked]));
  const valid = right.records.filter(({ issues }) => issues.length === 0);
  const differences = new Map<string, number>();
  for (const checked of valid) {
    const found = difference(checked, ofRows.get(rowsOf(checked)), bearing);
    if (found !== undefined) differences.set(found, (differences.get(found) ?? 0) + 1);
  }
  const different = [...differences.values()].reduce((sum, count) => sum + count, 0);
  return { records: valid.length, equal: valid.length - different, differences };
}

type Checked = CheckedSample['records'][number];

interface Bearing {
  readonly fields: readonly string[];
  readonly ofVariants: readonly string[];
}

function rowsOf({ record }: Checked): string {
  return record.rows
    .map(({ row }) => row)
    .sort((a, b) => a - b)
    .join(',');
}

/** Names the first difference of two records of the same rows. Any reference is right: which column identifies best is a choice. */
function difference(
  right: Checked,
  made: Checked | undefined,
  { fields, ofVariants }: Bearing,
): string | undefined {
  if (!made) return 'rows';
  if (made.issues.length > 0) return 'validity';
  const [a, b] = [right.payload, made.payload] as [JsonObject, JsonObject];
  const field = fields.find((path) => bearingText(a, path) !== bearingText(b, path));
  if (field !== undefined) return field;
  if (textAt(a, 'reference') !== '' && textAt(b, 'reference') === '') return 'reference';
  const isSame = variantsOf(a, ofVariants) === variantsOf(b, ofVariants) || isOnlyItself(b, ofVariants, a);
  return isSame ? undefined : 'variants';
}

function bearingText(payload: JsonObject, path: string): string {
  if (path === 'details') return linesOf(payload);
  const text = textAt(payload, path);
  return text === '0' && AMOUNTS.has(path) ? '' : text;
}

function linesOf({ details }: JsonObject): string {
  const lines = Array.isArray(details) ? details.filter(isObject) : [];
  return lines.map((line) => OF_LINES.map((field) => textAt(line, field)).join(' | ')).join('\n');
}

/** True if the only variant of a product has no option, and the price and the stock of the product: it says nothing more. */
function isOnlyItself(made: JsonObject, fields: readonly string[], right: JsonObject): boolean {
  const [only, ...others] = variantsIn(made);
  if (!only || others.length > 0 || 'option1' in only || variantsIn(right).length > 0) return false;
  return fields.every((field) => field === 'reference' || textAt(only, field) === textAt(made, field));
}

function variantsIn({ variants }: JsonObject): JsonObject[] {
  return Array.isArray(variants) ? variants.filter(isObject) : [];
}

function variantsOf(product: JsonObject, fields: readonly string[]): string {
  if (fields.length === 0) return '';
  const all = variantsIn(product);
  // A reference of several variants identifies none.
  const counts = new Map<string, number>();
  for (const variant of all)
    counts.set(textAt(variant, 'reference'), (counts.get(textAt(variant, 'reference')) ?? 0) + 1);
  const text = (variant: JsonObject, field: string) => {
    const value = textAt(variant, field);
    return field === 'reference' && (counts.get(value) ?? 0) > 1 ? '' : value;
  };
  return all
    .map((variant) => fields.map((field) => text(variant, field)).join(' | '))
    .sort()
    .join('\n');
}

function textAt(object: JsonObject, path: string): string {
  const value = path
    .split('.')
    .reduce<Json | undefined>((inside, key) => (isObject(inside) ? inside[key] : undefined), object);
  return JSON.stringify(value) ?? '';
}
