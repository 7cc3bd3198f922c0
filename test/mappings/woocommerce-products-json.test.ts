import { describe, expect, test } from 'vitest';
import { recogniseMapping } from '../../src/map/index.ts';
import type { JsonObject } from '../../src/model/index.ts';
import { products } from '../../src/resources/products.ts';
import { messagesOf } from '../support/map-rows.ts';
import { gatherObjects } from './read-export.ts';

const PRESET = 'woocommerce-products-json';

const INK: JsonObject = {
  id: 20,
  name: 'Blue ink',
  type: 'simple',
  status: 'publish',
  catalog_visibility: 'visible',
  description: '<p>Dries in a minute.</p>',
  short_description: '<p>Blue &amp; quick</p>',
  sku: 'INK-07',
  price: '9.5',
  regular_price: '9.5',
  sale_price: '',
  date_on_sale_from: null,
  date_on_sale_to: null,
  virtual: false,
  downloadable: false,
  manage_stock: true,
  stock_quantity: 5,
  stock_status: 'instock',
  backorders: 'no',
  weight: '0.12',
  dimensions: { length: '3', width: '4', height: '5' },
  parent_id: 0,
  categories: [
    { id: 1, name: 'Ink &amp; paper' },
    { id: 2, name: 'New' },
  ],
  tags: [{ id: 3, name: 'blue' }],
  brands: [{ id: 4, name: 'Quiet Inkwell' }],
  images: [{ id: 5, src: 'https://cdn.example.com/ink.jpg', alt: 'A bottle' }],
  attributes: [{ id: 0, name: 'Colour', variation: false, options: ['blue'] }],
  meta_data: [{ id: 6, key: '_yoast_wpseo_title', value: 'Ink' }],
};

const TEE: JsonObject = {
  ...INK,
  id: 10,
  name: 'Tee',
  type: 'variable',
  sku: 'TEE',
  regular_price: '',
  manage_stock: false,
  stock_quantity: null,
  attributes: [
    { id: 1, name: 'Size', variation: true, options: ['S', 'M'] },
    { id: 2, name: 'Care', variation: false, options: ['cold'] },
  ],
};

const variation = (id: number, size: string, more: JsonObject = {}): JsonObject => ({
  ...{ id, parent_id: 10, type: 'variation', status: 'publish', sku: `TEE-${size}`, regular_price: '19' },
  ...{ sale_price: '', date_on_sale_from: null, date_on_sale_to: null, virtual: false, downloadable: false },
  ...{ manage_stock: true, stock_quantity: 3, stock_status: 'instock', backorders: 'no', weight: '' },
  dimensions: { length: '', width: '', height: '' },
  image: { id: 7, src: `https://cdn.example.com/tee-${size}.jpg`, alt: '' },
  attributes: [{ id: 1, name: 'Size', option: size }],
  ...more,
});

async function mappedOf(...items: JsonObject[]) {
  const [mapped, ...others] = await gatherObjects(PRESET, ...items);
  expect(others).toEqual([]);
  expect(mapped?.issues).toEqual([]);
  return { payload: mapped?.payload ?? {}, warnings: mapped?.warnings };
}
const payloadOf = async (...items: JsonObject[]) => (await mappedOf(...items)).payload;

test('a simple product has the values of its object', async () => {
  expect(await payloadOf(INK)).toEqual({
    name: 'Blue ink',
    reference: 'INK-07',
    html: '<p>Dries in a minute.</p>',
    description: 'Blue & quick',
    productType: 'PHYSICAL',
    type: 'simple',
    tags: ['blue'],
    collections: ['Ink & paper', 'New'],
    seo: { title: 'Ink' },
    status: 'PUBLISH',
    price: { salePrice: 9.5 },
    quantity: { instock: 5 },
    sizes: { weight: { value: 0.12 }, dimensions: { depth: 3, width: 4, height: 5 } },
    brand: { name: 'Quiet Inkwell' },
    images: [{ src: 'https://cdn.example.com/ink.jpg', title: 'A bottle' }],
  });
});

test('variations are part of their product, before or behind it', async () => {
  const payload = await payloadOf(variation(11, 'S'), TEE, variation(12, 'M', { regular_price: '21' }));
  expect(payload).toMatchObject({
    reference: 'TEE',
    type: 'variable',
    price: { salePrice: 19 },
    quantity: { instock: 6 },
    options: [{ name: 'Size', values: [{ value1: 'S' }, { value1: 'M' }] }],
  });
  expect(payload.options).toHaveLength(1);
  expect(payload.images).toEqual(
    ['ink', 'tee-S', 'tee-M'].map((name) =>
      expect.objectContaining({ src: `https://cdn.example.com/${name}.jpg` }),
    ),
  );
  expect(payload.variants).toEqual([
    {
      name: 'S',
      reference: 'TEE-S',
      option1: { name: 'Size', value1: 'S' },
      price: { salePrice: 19 },
      quantity: { instock: 3 },
    },
    expect.objectContaining({ reference: 'TEE-M', price: { salePrice: 21 } }),
  ]);
});

test('a variation that repeats the SKU of its product, or has none, is known by its number', async () => {
  const payload = await payloadOf(TEE, variation(11, 'S', { sku: 'TEE' }), variation(12, 'M', { sku: '' }));
  expect(payload.variants).toMatchObject([{ reference: 'id:11' }, { reference: 'id:12' }]);
  expect(await payloadOf({ ...INK, sku: '' })).toMatchObject({ reference: 'id:20' });
});

test('a variation whose product is not in the files is an issue', async () => {
  const [mapped] = await gatherObjects(PRESET, variation(11, 'S'));
  expect(mapped?.issues).toMatchObject([{ code: 'no-parent' }]);
});

test('a variation that is switched off is no variant, and its stock does not count', async () => {
  const payload = await payloadOf(TEE, variation(11, 'S', { status: 'private' }), variation(12, 'M'));
  expect(payload.variants).toMatchObject([{ reference: 'TEE-M' }]);
  expect(payload).toMatchObject({ status: 'PUBLISH', quantity: { instock: 3 } });
});

describe('the status', () => {
  test.each([
    [{}, 'PUBLISH', undefined],
    [{ status: 'draft' }, 'DRAFT', undefined],
    [{ status: 'pending' }, 'DRAFT', undefined],
    [{ status: 'private' }, 'DRAFT', undefined],
    [{ status: 'future' }, 'DRAFT', undefined],
    [{ status: 'trash' }, 'TRASH', undefined],
    [{ catalog_visibility: 'hidden' }, 'DRAFT', undefined],
    [{ catalog_visibility: 'search' }, 'PUBLISH', undefined],
    [{ post_password: 'secret' }, 'DRAFT', undefined],
    [{ type: 'external' }, 'DRAFT', [expect.stringContaining('another shop')]],
    [{ type: 'grouped', regular_price: '' }, 'DRAFT', [expect.stringContaining('no price of its own')]],
    [{ regular_price: '' }, 'DRAFT', [expect.stringContaining('without a price')]],
  ])('of a product with %j is %s', async (cells, status, expected) => {
    const { payload, warnings } = await mappedOf({ ...INK, ...(cells as JsonObject) });
    expect(payload.status).toBe(status);
    expect(warnings).toEqual(expected);
  });

  test('of a variable product without its variations is DRAFT, with a warning', async () => {
    const { payload, warnings } = await mappedOf(TEE);
    expect(payload.status).toBe('DRAFT');
    expect(warnings).toEqual([expect.stringContaining('file of variations')]);
  });

  test('of a variable product with a variation without a price is PUBLISH, with a warning', async () => {
    const { payload, warnings } = await mappedOf(
      TEE,
      variation(11, 'S'),
      variation(12, 'M', { regular_price: '' }),
    );
    expect(payload.status).toBe('PUBLISH');
    expect(messagesOf(warnings)).toEqual([expect.stringContaining('variation without a price')]);
  });
});

describe('a sale price', () => {
  test.each([
    [{ sale_price: '7' }, { salePrice: 7, comparePrice: 9.5 }, undefined],
    [{ sale_price: '9.5' }, { salePrice: 9.5 }, undefined],
    [
      { sale_price: '7', date_on_sale_from: '2020-01-01T00:00:00' },
      { salePrice: 7, comparePrice: 9.5 },
      undefined,
    ],
    [
      { sale_price: '7', date_on_sale_from: '2999-01-01T00:00:00' },
      { salePrice: 9.5 },
      [expect.stringContaining('dates')],
    ],
    [
      { sale_price: '7', date_on_sale_to: '2999-01-01T00:00:00' },
      { salePrice: 9.5 },
      [expect.stringContaining('dates')],
    ],
    [{ sale_price: '7', date_on_sale_to: '2020-01-01T00:00:00' }, { salePrice: 9.5 }, undefined],
  ])('%j', async (cells, price, expected) => {
    const { payload, warnings } = await mappedOf({ ...INK, ...(cells as JsonObject) });
    expect(payload.price).toEqual(price);
    expect(warnings).toEqual(expected);
  });

  test('of a variation is its own, and that of the first is the price of the product', async () => {
    const payload = await payloadOf(TEE, variation(11, 'S', { sale_price: '15' }), variation(12, 'M'));
    expect(payload.price).toEqual({ salePrice: 15, comparePrice: 19 });
    expect(payload.variants).toMatchObject([
      { price: { salePrice: 15, comparePrice: 19 } },
      { price: { salePrice: 19 } },
    ]);
  });
});

describe('stock', () => {
  test.each([
    [{}, { quantity: { instock: 5 } }],
    [{ stock_quantity: -2 }, { quantity: { instock: -2 } }],
    [{ backorders: 'notify' }, { quantity: { instock: 5 }, outStock: { disabled: true } }],
    [{ manage_stock: false, stock_quantity: null }, { outStock: { disabled: true } }],
    [{ manage_stock: false, stock_quantity: null, stock_status: 'outofstock' }, { quantity: { instock: 0 } }],
    [
      { manage_stock: false, stock_quantity: null, stock_status: 'onbackorder' },
      { outStock: { disabled: true } },
    ],
  ])('of a product with %j', async (cells, expected) => {
    const { quantity, outStock } = await payloadOf({ ...INK, ...(cells as JsonObject) });
    expect(JSON.parse(JSON.stringify({ quantity, outStock }))).toEqual(expected);
  });

  test('below zero of one variation does not reduce that of others', async () => {
    const payload = await payloadOf(TEE, variation(11, 'S', { stock_quantity: -4 }), variation(12, 'M'));
    expect(payload.quantity).toEqual({ instock: 3 });
  });

  test('of a product whose variations repeat it is counted once', async () => {
    const shared = { manage_stock: 'parent', stock_quantity: 8 };
    const payload = await payloadOf(
      { ...TEE, manage_stock: true, stock_quantity: 8 },
      variation(11, 'S', shared),
      variation(12, 'M', shared),
    );
    expect(payload.quantity).toEqual({ instock: 8 });
    expect(payload).not.toHaveProperty('outStock');
    expect(payload).not.toHaveProperty('variants.0.quantity');
  });

  test('that is not counted for all variations does not end a sale, and for some it does', async () => {
    const endless = { manage_stock: false, stock_quantity: null };
    expect((await payloadOf(TEE, variation(11, 'S', endless), variation(12, 'M', endless))).outStock).toEqual(
      {
        disabled: true,
      },
    );
    const { payload, warnings } = await mappedOf(TEE, variation(11, 'S', endless), variation(12, 'M'));
    expect(payload.outStock).toEqual({ disabled: false });
    expect(messagesOf(warnings)).toEqual([expect.stringContaining('sells on none')]);
  });
});

test.each([
  [{ virtual: true }, { productType: 'DIGITAL' }],
  [{ downloadable: true }, { productType: 'DIGITAL', digitalConfig: { downloadable: true } }],
])('a product with %j is digital', async (cells, expected) => {
  expect(await payloadOf({ ...INK, ...(cells as JsonObject) })).toMatchObject(expected);
});

test('a variable product is digital if all of its variations are', async () => {
  const digital = { virtual: true };
  expect(await payloadOf(TEE, variation(11, 'S', digital), variation(12, 'M', digital))).toMatchObject({
    productType: 'DIGITAL',
  });
  expect(await payloadOf(TEE, variation(11, 'S', digital), variation(12, 'M'))).toMatchObject({
    productType: 'PHYSICAL',
  });
});

test.each([[[INK]], [[variation(11, 'S')]]])('a list of products or of variations is recognised', (items) => {
  const table = { file: 'products.json', header: ['json'], items };
  expect(recogniseMapping(table, products, { required: ['name', 'reference'] }).name).toBe(PRESET);
});
