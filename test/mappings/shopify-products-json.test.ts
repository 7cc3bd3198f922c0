import { describe, expect, test } from 'vitest';
import { bind, loadPreset, recogniseMapping } from '../../src/map/index.ts';
import type { JsonObject, Table } from '../../src/model/index.ts';
import { products } from '../../src/resources/products.ts';
import { createValidator } from '../../src/validate/index.ts';

const PRESET = 'shopify-products-json';

/** The payload of one object of a file, for which the preset must be recognised. */
function payloadOf(item: JsonObject): JsonObject {
  const table: Table = { file: 'products.json', header: ['json'], items: [item] };
  expect(recogniseMapping(table, products, { required: ['name', 'reference'] }).name).toBe(PRESET);
  const binding = bind(loadPreset(PRESET), table, []);
  const row = { table, row: 1, line: 1, cells: [JSON.stringify(item)], value: item };
  const { payload, issues } = binding.map({ seq: 0, rows: [row] });
  const check = createValidator(products, { partial: false, suppliedLater: [] });
  expect([...issues, ...check(payload, () => ({}))]).toEqual([]);
  return payload;
}

const OURS = {
  sku: "'0017",
  price: '24.00',
  compare_at_price: '30.00',
  grams: 250,
  requires_shipping: true,
  taxable: true,
};

const ADMIN = {
  id: 1,
  title: 'Field notebook',
  body_html: '<p>Dotted</p>',
  vendor: 'Quiet Inkwell',
  product_type: 'Paper',
  handle: 'field-notebook',
  published_at: '2026-01-05T10:00:00+01:00',
  tags: 'paper, outdoor, paper',
  status: 'active',
  variants: [
    {
      ...OURS,
      title: 'A5 / Green',
      option1: 'A5',
      option2: 'Green',
      option3: null,
      inventory_policy: 'deny',
      inventory_management: 'shopify',
      inventory_quantity: 4,
    },
    {
      ...OURS,
      sku: '0018',
      price: '19.00',
      compare_at_price: null,
      option1: 'A6',
      option2: 'Green',
      option3: null,
      inventory_policy: 'deny',
      inventory_management: 'shopify',
      inventory_quantity: -1,
    },
  ],
  options: [
    { name: 'Size', position: 1, values: ['A5', 'A6'] },
    { name: 'Colour', position: 2, values: ['Green'] },
  ],
  images: [
    { src: 'https://img.example.com/1.jpg', alt: 'Closed', position: 1 },
    { src: 'https://img.example.com/2.jpg', alt: null, position: 2 },
  ],
};

const STOREFRONT = {
  id: 2,
  title: 'Ink, 50 ml',
  handle: 'ink',
  body_html: '',
  published_at: '2026-01-05T10:00:00+01:00',
  vendor: 'Quiet Inkwell',
  product_type: 'Ink',
  tags: ['ink', 'new, at last'],
  variants: [
    {
      ...OURS,
      title: 'Default Title',
      option1: 'Default Title',
      option2: null,
      available: true,
      compare_at_price: null,
    },
  ],
  options: [{ name: 'Title', position: 1, values: ['Default Title'] }],
  images: [{ src: 'https://img.example.com/ink.jpg', position: 1 }],
};

describe('a product of the Admin API', () => {
  test('with options has variants, their total stock, and the prices of the first', () => {
    expect(payloadOf(ADMIN)).toEqual({
      name: 'Field notebook',
      reference: 'field-notebook',
      html: '<p>Dotted</p>',
      productType: 'PHYSICAL',
      type: 'variable',
      tags: ['paper', 'outdoor', 'Paper'],
      status: 'PUBLISH',
      price: { salePrice: 24, comparePrice: 30 },
      quantity: { instock: 4 },
      sizes: { weight: { value: 250, unit: 'g' } },
      brand: { name: 'Quiet Inkwell' },
      images: [
        { src: 'https://img.example.com/1.jpg', title: 'Closed' },
        { src: 'https://img.example.com/2.jpg' },
      ],
      options: [
        { name: 'Size', values: [{ value1: 'A5' }, { value1: 'A6' }] },
        { name: 'Colour', values: [{ value1: 'Green' }] },
      ],
      variants: [
        {
          name: 'A5 - Green',
          reference: '0017',
          option1: { name: 'Size', value1: 'A5' },
          option2: { name: 'Colour', value1: 'Green' },
          price: { salePrice: 24, comparePrice: 30 },
          quantity: { instock: 4 },
          sizes: { weight: { value: 250, unit: 'g' } },
        },
        {
          name: 'A6 - Green',
          reference: '0018',
          option1: { name: 'Size', value1: 'A6' },
          option2: { name: 'Colour', value1: 'Green' },
          price: { salePrice: 19 },
          quantity: { instock: -1 },
          sizes: { weight: { value: 250, unit: 'g' } },
        },
      ],
    });
  });

  test.each([
    ['active', '2026-01-05T10:00:00Z', 'PUBLISH'],
    ['active', null, 'DRAFT'],
    ['draft', null, 'DRAFT'],
    ['unlisted', '2026-01-05T10:00:00Z', 'DRAFT'],
    ['archived', '2026-01-05T10:00:00Z', 'TRASH'],
  ])('%s, published %s, is %s', (status, published_at, expected) => {
    expect(payloadOf({ ...ADMIN, status, published_at })).toHaveProperty('status', expected);
  });

  test.each([
    ['deny', 'shopify', undefined],
    ['continue', 'shopify', { disabled: true }],
    ['deny', null, { disabled: true }],
  ])(
    'with stock policy %s and tracker %s has outStock %j',
    (inventory_policy, inventory_management, expected) => {
      const [first] = ADMIN.variants;
      const variants = [{ ...first, inventory_policy, inventory_management } as JsonObject];
      expect(payloadOf({ ...ADMIN, variants }).outStock).toEqual(expected);
    },
  );
});

test('a product of a storefront without options is simple; fields that the storefront hides are left out', () => {
  expect(payloadOf(STOREFRONT)).toEqual({
    name: 'Ink, 50 ml',
    reference: 'ink',
    productType: 'PHYSICAL',
    model: '0017',
    type: 'simple',
    tags: ['ink', 'new, at last', 'Ink'],
    status: 'PUBLISH',
    price: { salePrice: 24 },
    sizes: { weight: { value: 250, unit: 'g' } },
    brand: { name: 'Quiet Inkwell' },
    images: [{ src: 'https://img.example.com/ink.jpg' }],
  });
});

describe('of several variants', () => {
  const of = (...variants: JsonObject[]) =>
    payloadOf({ ...ADMIN, variants: variants.map((each) => ({ ...ADMIN.variants[0], ...each })) });

  test('an active gift card is a draft', () => {
    const card = { fulfillment_service: 'gift_card' };
    expect(of(card, card).status).toBe('DRAFT');
    expect(of({}).status).toBe('PUBLISH');
  });

  test('a negative stock of one variant does not reduce that of others', () => {
    expect(of({ inventory_quantity: -4 }, { inventory_quantity: 3 }).quantity).toEqual({ instock: 3 });
    expect(of({ inventory_quantity: -4 }, { inventory_quantity: -1 }).quantity).toEqual({ instock: -4 });
  });

  test.each([{ inventory_policy: 'continue' }, { inventory_management: null }])(
    'sells without stock if each variant has %j, and not if only one has',
    (change) => {
      expect(of(change, change).outStock).toEqual({ disabled: true });
      expect(of({}, change).outStock).toEqual({ disabled: false });
      expect(of({}, {})).not.toHaveProperty('outStock');
    },
  );

  test('a compare price is used if it is higher, variant by variant', () => {
    const { price, variants } = of(
      { price: '10.00', compare_at_price: '10.00' },
      { price: '9.00', compare_at_price: '10.00' },
    );
    expect(price).toEqual({ salePrice: 10 });
    expect(variants).toMatchObject([
      { price: { salePrice: 10 } },
      { price: { salePrice: 9, comparePrice: 10 } },
    ]);
    expect(variants).not.toHaveProperty('0.price.comparePrice');
  });

  test('a weight that is not in grams has its unit', () => {
    const { sizes } = of({ grams: null, weight: 1.5, weight_unit: 'lb' });
    expect(sizes).toEqual({ weight: { value: 1.5, unit: 'lb' } });
  });
});
