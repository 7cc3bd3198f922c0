import { isObject, type JsonObject, type OpenMark, ownValue } from '../../model/index.ts';

/** Rows of a property that are listed. Others are counted. */
const MAX_ROWS = 5;

/** The properties of the records of one file, by name. Plain data with functions beside it, as `Figures` are. */
export interface Marks {
  readonly resource: string;
  readonly found: Map<
    string,
    { count: number; last: number; readonly rows: number[]; readonly shown: string[] }
  >;
}

export function createMarks(resource: string, earlier: Readonly<Record<string, OpenMark>> = {}): Marks {
  const marks: Marks = { resource, found: new Map() };
  mergeMarks(marks, earlier);
  return marks;
}

/** Notes the properties of a payload. `isNew`: false for an update, which changes only what the file has. */
export function notePayload(marks: Marks, payload: JsonObject, isNew: boolean, row: number): void {
  if (marks.resource === 'products') markProduct(marks, payload as Goods, isNew, row);
}

function markOf({ found }: Marks, name: string) {
  const known = found.get(name);
  if (known) return known;
  const fresh = { count: 0, last: -1, rows: [], shown: [] };
  found.set(name, fresh);
  return fresh;
}

/** A record has a property once, however many of its variants have it. `shown`: makes what there is to see in the row. */
export function mark(marks: Marks, name: string, row: number, shown?: () => string): void {
  const known = markOf(marks, name);
  if (known.last === row) return;
  known.last = row;
  known.count++;
  if (known.rows.length === MAX_ROWS) return;
  known.rows.push(row);
  if (shown) known.shown.push(shown());
}

export function mergeMarks(marks: Marks, other: Readonly<Record<string, OpenMark>>): void {
  for (const [name, [count, rows, shown = []]] of Object.entries(other)) {
    const known = markOf(marks, name);
    known.count += count;
    known.shown.push(...shown.slice(0, MAX_ROWS - known.shown.length));
    known.rows.push(...rows.slice(0, MAX_ROWS - known.rows.length));
  }
}

export function openMarks({ found }: Marks): Record<string, OpenMark> {
  return Object.fromEntries(
    [...found].map(([name, { count, rows, shown }]) => [
      name,
      shown.length > 0 ? [count, rows, shown] : [count, rows],
    ]),
  );
}

/** The fields of a product, and of a variant, that are looked at. */
interface Goods {
  readonly name?: unknown;
  readonly reference?: unknown;
  readonly model?: unknown;
  readonly description?: unknown;
  readonly html?: unknown;
  readonly brand?: { readonly name?: unknown } | null;
  /** Some mappings send one number as the price of a variant. */
  readonly price?: Prices | number | null;
  readonly quantity?: { readonly instock?: unknown } | null;
  readonly images?: unknown;
  readonly variants?: unknown;
}

interface Prices {
  readonly salePrice?: unknown;
  readonly comparePrice?: unknown;
  readonly buyingPrice?: unknown;
}

function isMore(a: unknown, b: unknown): boolean {
  return typeof a === 'number' && typeof b === 'number' && a > b;
}

function markProduct(marks: Marks, product: Goods, isNew: boolean, row: number): void {
  const { name, images, variants } = product;
  let hasPrice = markGoods(marks, product, row);
  if (Array.isArray(variants) && variants.length > 0) {
    for (const variant of variants)
      if (isObject(variant) && markGoods(marks, variant as Goods, row)) hasPrice = true;
    if (variants.length > 1 && hasLoneOption(variants.filter(isObject))) mark(marks, 'lone-option', row);
    if (variants.length >= MIN_VARIANTS && hasFarPrice(variants)) mark(marks, 'variant-price', row);
  }
  if (isNew && !hasPrice) mark(marks, 'no-price', row);
  if (isNew && !(Array.isArray(images) && images.length > 0)) mark(marks, 'no-picture', row);
  if (name === undefined) return;
  if (typeof name === 'string' && DIGITS.test(name)) mark(marks, 'name-is-other number', row);
  if (name === product.reference) mark(marks, 'name-is-other reference', row);
  if (name === product.model) mark(marks, 'name-is-other model', row);
  if (name === product.description) mark(marks, 'name-is-other description', row);
  if (name === product.html) mark(marks, 'name-is-other html', row);
  if (name === product.brand?.name) mark(marks, 'name-is-other brand', row);
}

const DIGITS = /^\d+$/;

/** Variants with a price from which on one of them can be far from the others. */
const MIN_VARIANTS = 3;
/** Factor between the highest price of a product's variants and the next one. A sample may cost a hundredth, so a low one is usual. */
const FAR_VARIANT = 20;

/** True if one variant costs far more than all others of its product. */
function hasFarPrice(variants: readonly unknown[]): boolean {
  let [highest, next, count] = [0, 0, 0];
  for (const variant of variants) {
    const { price } = (variant ?? {}) as Goods;
    const value = typeof price === 'object' ? price?.salePrice : price;
    if (typeof value !== 'number' || value <= 0) continue;
    count++;
    if (value > highest) [highest, next] = [value, highest];
    else if (value > next) next = value;
  }
  return count >= MIN_VARIANTS && highest >= FAR_VARIANT * next;
}

/** Marks what is wrong with the price and the stock of a product or a variant. Returns true if it has a price above 0. */
function markGoods(marks: Marks, { price, quantity }: Goods, row: number): boolean {
  const stock = quantity?.instock;
  if (typeof stock === 'number') {
    if (!Number.isInteger(stock)) mark(marks, 'fractional-stock', row);
    if (stock < 0) mark(marks, 'negative-stock', row);
  }
  if (typeof price !== 'object' || price === null) return isMore(price, 0);
  const { salePrice, comparePrice, buyingPrice } = price;
  if (isMore(buyingPrice, salePrice)) mark(marks, 'price-below-cost', row);
  if (isMore(salePrice, comparePrice)) mark(marks, 'sale-above-compare', row);
  return isMore(salePrice, 0);
}

const OPTIONS = ['option1', 'option2', 'option3'];

/** True if only one of the variants has an option. */
function hasLoneOption(variants: readonly JsonObject[]): boolean {
  return OPTIONS.some((option) => {
    const having = variants.filter((variant) => {
      const value = ownValue(variant, option);
      return isObject(value) && ownValue(value, 'value1') !== undefined;
    });
    return having.length === 1;
  });
}
