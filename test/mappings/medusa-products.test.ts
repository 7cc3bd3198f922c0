import { describe, expect, test } from 'vitest';
import { gatherExport, mapExport, payloadOf as payloadIn } from './read-export.ts';

const PRESET = 'medusa-products';
type Cells = Record<string, string>;
const payloadOf = (...rows: Cells[]) => payloadIn(PRESET, ...rows);

/** A product without options, as Medusa 2 exports it. */
const DICE: Cells = {
  'Product Handle': 'oak-dice',
  'Product Title': 'Oak dice',
  'Product Status': 'published',
  'Product Description': 'Six.',
  'Product Subtitle': 'In a tin',
  'Product Thumbnail': 'https://shop.example.com/1.jpg',
  'Product Image 1': 'https://shop.example.com/1.jpg',
  'Product Image 2': 'https://shop.example.com/2.jpg',
  'Product Tag 1': 'games',
  'Product Tag 4': 'oak',
  'Variant Title': 'Default variant',
  'Variant Sku': 'DICE-6',
  'Variant Option 1 Name': 'Default option',
  'Variant Option 1 Value': 'Default option value',
  'Variant Price EUR': '12.5',
};

const small: Cells = {
  ...DICE,
  'Variant Title': 'Small',
  'Variant Sku': 'DICE-S',
  'Variant Option 1 Name': 'Size',
  'Variant Option 1 Value': 'Small',
};
const large: Cells = {
  ...small,
  'Variant Title': 'Large',
  'Variant Sku': 'DICE-L',
  'Variant Option 1 Value': 'Large',
  'Variant Price EUR': '15',
};

/** The same product with the names of Medusa 1. `Product Profile Name` is in its exports. */
const FIRST: Cells = {
  'Product Handle': 'oak-dice',
  'Product Title': 'Oak dice',
  'Product Status': 'published',
  'Product Collection Title': 'Games',
  'Product Collection Handle': 'games',
  'Product Type': 'toy',
  'Product Tags': 'oak,tin',
  'Product Profile Name': 'Default Shipping Profile',
  'Variant Title': 'One',
  'Variant SKU': 'DICE-6',
  'Variant Inventory Quantity': '4',
  'Variant Allow Backorder': 'false',
  'Variant Manage Inventory': 'true',
  'Price EUR': '1250',
  'Price North [EUR]': '1300',
  'Image 1 Url': 'https://shop.example.com/1.jpg',
};

test('a product without options is simple, with all its images and tags', () => {
  expect(payloadOf(DICE)).toEqual({
    name: 'Oak dice',
    reference: 'oak-dice',
    html: 'Six.',
    description: 'In a tin',
    model: 'DICE-6',
    type: 'simple',
    tags: ['games', 'oak'],
    status: 'PUBLISH',
    price: { salePrice: 12.5 },
    currencies: [{ currency: 'EUR', properties: [{ name: 'salePrice', value: 12.5 }] }],
    images: [{ src: 'https://shop.example.com/1.jpg' }, { src: 'https://shop.example.com/2.jpg' }],
  });
});

test('rows of one handle are the variants of a product', async () => {
  const records = await gatherExport(PRESET, small, large, { ...DICE, 'Product Handle': 'cap' });
  expect(records.map(({ payload }) => payload.reference)).toEqual(['oak-dice', 'cap']);
  expect(records[0]?.payload).toMatchObject({
    type: 'variable',
    price: { salePrice: 12.5 },
    options: [{ name: 'Size', values: [{ value1: 'Small' }, { value1: 'Large' }] }],
    variants: [
      { name: 'Small', reference: 'DICE-S', option1: { value1: 'Small' }, price: { salePrice: 12.5 } },
      { name: 'Large', reference: 'DICE-L', option1: { value1: 'Large' }, price: { salePrice: 15 } },
    ],
  });
  expect(records[0]?.payload.model).toBeUndefined();
});

test('tags that are ids are left out', () => {
  expect(payloadOf({ ...DICE, 'Product Tag 1': 'ptag_01', 'Product Tag 4': 'ptag_02' }).tags).toBeUndefined();
});

test('an export of Medusa 1 has collections, types, stock and prices in the smallest unit', () => {
  expect(payloadOf(FIRST)).toEqual({
    name: 'Oak dice',
    reference: 'oak-dice',
    model: 'DICE-6',
    type: 'simple',
    tags: ['oak', 'tin', 'toy'],
    collections: ['Games'],
    status: 'PUBLISH',
    price: { salePrice: 12.5 },
    currencies: [{ currency: 'EUR', properties: [{ name: 'salePrice', value: 12.5 }] }],
    quantity: { instock: 4 },
    images: [{ src: 'https://shop.example.com/1.jpg' }],
  });
});

test('categories of Medusa 1 are collections by their names', () => {
  const named = { 'Product Category 1 Name': 'Toys', 'Product Category 2 Name': 'Gifts' };
  expect(payloadOf({ ...FIRST, ...named }).collections).toEqual(['Games', 'Toys', 'Gifts']);
});

describe('prices', () => {
  const priceIn = (currency: string, amount: string) => {
    const { 'Price EUR': _, ...rest } = FIRST;
    const { price, currencies } = payloadOf({ ...rest, [`Price ${currency}`]: amount });
    return [price, (currencies as { properties: { value: number }[] }[])[0]?.properties[0]?.value];
  };

  test.each([
    ['EUR', 12.5],
    ['JPY', 1250],
    ['KWD', 1.25],
  ])('1250 of Medusa 1 in %s are %d', (currency, amount) => {
    expect(priceIn(currency, '1250')).toEqual([{ salePrice: amount }, amount]);
  });

  test('a price of Medusa 1 with a point is an issue', () => {
    expect(mapExport(PRESET, { ...FIRST, 'Price EUR': '12.50' }).issues[0]).toMatchObject({
      field: 'price.salePrice',
    });
  });

  test('a price that is no number is one issue', () => {
    expect(mapExport(PRESET, { ...DICE, 'Variant Price EUR': 'about 90' }).issues).toMatchObject([
      { code: 'not-a-number' },
    ]);
    expect(mapExport(PRESET, { ...FIRST, 'Price EUR': 'about 90' }).issues).toMatchObject([
      { code: 'not-a-number' },
    ]);
  });

  test('prices with the names of Medusa 1 in another file count only with a point', () => {
    const { 'Product Profile Name': _, ...other } = FIRST;
    const exact = payloadOf({ ...other, 'Price EUR': '12.50' });
    expect([exact.price, exact.status]).toEqual([{ salePrice: 12.5 }, 'PUBLISH']);
    const { payload, warnings = [] } = mapExport(PRESET, other);
    expect([payload.price, payload.currencies, payload.status]).toEqual([undefined, undefined, 'DRAFT']);
    expect(warnings).toHaveLength(1);
  });

  test('variants of Medusa 1 have prices in units too', () => {
    const rows = ['1250', '1500'].map((amount, index) => ({
      ...FIRST,
      'Option 1 Name': 'Size',
      'Option 1 Value': String(index),
      'Price EUR': amount,
    }));
    expect(payloadOf(...rows)).toMatchObject({
      quantity: { instock: 8 },
      variants: [{ price: { salePrice: 12.5 } }, { price: { salePrice: 15 } }],
    });
  });

  test('all variants have the price of the same currency', () => {
    const { 'Variant Price EUR': _, ...pounds } = large;
    const { price, variants } = mapExport(PRESET, small, { ...pounds, 'Variant Price GBP': '13' }).payload;
    expect(price).toEqual({ salePrice: 12.5 });
    expect((variants as { price?: unknown }[])[1]?.price).toBeUndefined();
  });
});

describe('status', () => {
  test.each([
    ['a draft', { 'Product Status': 'draft' }, 'DRAFT', 0],
    ['a proposed product', { 'Product Status': 'proposed' }, 'DRAFT', 0],
    ['a product without a status', { 'Product Status': '' }, 'DRAFT', 1],
    ['a gift card', { 'Product Is Giftcard': 'true' }, 'DRAFT', 1],
    ['a product with prices in two currencies', { 'Variant Price GBP': '11' }, 'DRAFT', 1],
    ['a product without a price', { 'Variant Price EUR': '' }, 'DRAFT', 1],
    [
      'a product with a price for a region only',
      { 'Variant Price EUR': '', 'Variant Price North [EUR]': '9' },
      'DRAFT',
      1,
    ],
    ['a deleted product', { 'Product Deleted At': '2026-01-05T09:00:00.000Z' }, 'TRASH', 0],
  ])('%s is not published', (_what, more: Cells, status, warned) => {
    const { payload, warnings = [] } = mapExport(PRESET, { ...DICE, ...more });
    expect([payload.status, warnings.length]).toEqual([status, warned]);
  });
});

describe('stock', () => {
  const stockOf = (...more: Cells[]) => {
    const { quantity, outStock } = mapExport(
      PRESET,
      ...more.map((cells) => ({ ...FIRST, ...cells })),
    ).payload;
    return [quantity, outStock];
  };
  const untracked = { 'Variant Manage Inventory': 'false' };
  const backorder = { 'Variant Allow Backorder': 'true' };

  test('what is not tracked, or can be backordered, is sold without stock', () => {
    expect(stockOf(untracked)).toEqual([undefined, { disabled: true }]);
    expect(stockOf(backorder)).toEqual([undefined, { disabled: true }]);
  });

  test('a product with a variant that is counted is not sold without stock', () => {
    expect(stockOf(untracked, {})).toEqual([{ instock: 4 }, { disabled: false }]);
    expect(stockOf({}, backorder)).toEqual([{ instock: 4 }, { disabled: false }]);
  });
});

test('weight and measures are those of the variant, else of the product', () => {
  expect(payloadOf({ ...DICE, 'Product Weight': '90', 'Product Height': '3' }).sizes).toEqual({
    weight: { value: 90 },
    dimensions: { height: 3 },
  });
  expect(payloadOf({ ...DICE, 'Product Weight': '90', 'Variant Weight': '80' }).sizes).toEqual({
    weight: { value: 80 },
  });
});
