import { describe, expect, test } from 'vitest';
import { recogniseMapping } from '../../src/map/index.ts';
import type { JsonObject } from '../../src/model/index.ts';
import { products } from '../../src/resources/products.ts';
import { mapObject, objectPayloadOf } from './read-export.ts';

const PRESET = 'shopify-products-graphql';
const payloadOf = (item: JsonObject) => objectPayloadOf(PRESET, item);

const variant = (size: string, more: JsonObject = {}): JsonObject => ({
  title: size,
  sku: `'TEE-${size}`,
  price: '24.90',
  compareAtPrice: null,
  inventoryQuantity: 4,
  inventoryPolicy: 'DENY',
  selectedOptions: [{ name: 'Size', value: size }],
  inventoryItem: {
    tracked: true,
    requiresShipping: true,
    unitCost: { amount: '9.0' },
    measurement: { weight: { value: 0.2, unit: 'KILOGRAMS' } },
  },
  ...more,
});

const TEE: JsonObject = {
  title: 'Tidewater Tee',
  handle: 'tidewater-tee',
  descriptionHtml: '<p>Soft</p>',
  vendor: 'Tidewater Mill',
  productType: 'Tees',
  tags: ['cotton', 'summer'],
  category: { fullName: 'Apparel > Shirts' },
  collections: { nodes: [{ title: 'New' }] },
  seo: { title: 'Tee', description: null },
  status: 'ACTIVE',
  publishedAt: '2026-01-05T10:00:00Z',
  options: [{ name: 'Size', values: ['S', 'M'] }],
  images: { nodes: [{ url: 'https://cdn.example.com/tee.jpg', altText: 'Front' }] },
  variants: { nodes: [variant('S'), variant('M', { price: '20.00', compareAtPrice: '25.00', sku: null })] },
};

const INK: JsonObject = {
  ...TEE,
  title: 'Ink',
  handle: 'ink',
  options: [{ name: 'Title', values: ['Default Title'] }],
  variants: {
    nodes: [
      variant('Default Title', { sku: 'INK', selectedOptions: [{ name: 'Title', value: 'Default Title' }] }),
    ],
  },
};

/** The same product in the other form of lists: `{ edges: [{ node }] }`, and inside of a node itself. */
function inEdges(product: JsonObject): JsonObject {
  const edges = (list: unknown) => ({
    edges: (list as { nodes: JsonObject[] }).nodes.map((node) => ({ node })),
  });
  const { collections, images, variants } = product;
  return {
    cursor: 'x',
    node: { ...product, collections: edges(collections), images: edges(images), variants: edges(variants) },
  };
}

test('a product with options has the fields of its variants', () => {
  expect(payloadOf(TEE)).toEqual({
    name: 'Tidewater Tee',
    reference: 'tidewater-tee',
    html: '<p>Soft</p>',
    productType: 'PHYSICAL',
    type: 'variable',
    tags: ['cotton', 'summer', 'Tees', 'Apparel', 'Shirts'],
    collections: ['New'],
    seo: { title: 'Tee' },
    status: 'PUBLISH',
    price: { salePrice: 24.9, buyingPrice: 9 },
    quantity: { instock: 8 },
    sizes: { weight: { value: 0.2, unit: 'kg' } },
    brand: { name: 'Tidewater Mill' },
    images: [{ src: 'https://cdn.example.com/tee.jpg', title: 'Front' }],
    options: [{ name: 'Size', values: [{ value1: 'S' }, { value1: 'M' }] }],
    variants: [
      {
        name: 'S',
        reference: 'TEE-S',
        option1: { name: 'Size', value1: 'S' },
        price: { salePrice: 24.9, buyingPrice: 9 },
        quantity: { instock: 4 },
        sizes: { weight: { value: 0.2, unit: 'kg' } },
      },
      {
        name: 'M',
        option1: { name: 'Size', value1: 'M' },
        price: { salePrice: 20, comparePrice: 25, buyingPrice: 9 },
        quantity: { instock: 4 },
        sizes: { weight: { value: 0.2, unit: 'kg' } },
      },
    ],
  });
});

test('a product without options is a simple one with its stock number as model', () => {
  const payload = payloadOf(INK);
  expect(payload).toMatchObject({ type: 'simple', model: 'INK' });
  expect(payload).not.toHaveProperty('options');
  expect(payload).not.toHaveProperty('variants');
});

test.each([
  ['tee', TEE],
  ['ink', INK],
])('edges and nodes give the same payload: %s', (_name, product) => {
  expect(payloadOf(inEdges(product))).toEqual(payloadOf(product));
});

test('images of the newer field media and option values with names are read', () => {
  const { images: _images, ...rest } = TEE;
  const media = {
    nodes: [{ image: { url: 'https://cdn.example.com/m.jpg', altText: null } }, { sources: [] }],
  };
  const options = [{ name: 'Size', optionValues: [{ name: 'S' }, { name: 'M' }] }];
  expect(payloadOf({ ...rest, media, options })).toMatchObject({
    images: [{ src: 'https://cdn.example.com/m.jpg' }],
    options: [{ name: 'Size', values: [{ value1: 'S' }, { value1: 'M' }] }],
  });
});

describe('the status', () => {
  const { publishedAt: _published, ...unknown } = TEE;
  test.each([
    ['active and published', TEE, 'PUBLISH', undefined],
    ['active and not published', { ...TEE, publishedAt: null }, 'DRAFT', undefined],
    ['active without a page', { ...TEE, onlineStoreUrl: null }, 'DRAFT', undefined],
    [
      'active with a page',
      { ...unknown, onlineStoreUrl: 'https://shop.example.com/tee' },
      'PUBLISH',
      undefined,
    ],
    [
      'active, if nothing says whether it is published',
      unknown,
      'DRAFT',
      [expect.stringContaining('publishedAt')],
    ],
    ['a gift card', { ...TEE, isGiftCard: true }, 'DRAFT', [expect.stringContaining('gift card')]],
    ['a draft', { ...TEE, status: 'DRAFT' }, 'DRAFT', undefined],
    ['archived', { ...TEE, status: 'ARCHIVED' }, 'TRASH', undefined],
    ['unlisted', { ...TEE, status: 'UNLISTED' }, 'DRAFT', undefined],
  ])('of a product that is %s', (_what, product, status, expected) => {
    const { payload, warnings } = mapObject(PRESET, product as JsonObject);
    expect(payload.status).toBe(status);
    expect(warnings).toEqual(expected);
  });

  test('of a product of the admin without a status is DRAFT', () => {
    const { status: _status, ...rest } = TEE;
    expect(payloadOf(rest).status).toBe('DRAFT');
  });
});

describe('a product of the storefront', () => {
  const PEN: JsonObject = {
    title: 'Pen',
    handle: 'pen',
    availableForSale: true,
    descriptionHtml: '',
    description: '',
    options: [{ name: 'Title', values: ['Default Title'] }],
    variants: {
      nodes: [
        {
          title: 'Default Title',
          sku: 'PEN',
          availableForSale: false,
          price: { amount: '5.0', currencyCode: 'EUR' },
          compareAtPrice: { amount: '7.0', currencyCode: 'EUR' },
          weight: 120,
          weightUnit: 'GRAMS',
        },
      ],
    },
  };

  test('is published, and has prices with an amount', () => {
    expect(payloadOf(PEN)).toEqual({
      name: 'Pen',
      reference: 'pen',
      model: 'PEN',
      type: 'simple',
      status: 'PUBLISH',
      price: { salePrice: 5, comparePrice: 7 },
      quantity: { instock: 0 },
      sizes: { weight: { value: 120, unit: 'g' } },
    });
  });
});

describe('stock', () => {
  const sold = (...variants: JsonObject[]) => mapObject(PRESET, { ...TEE, variants: { nodes: variants } });

  test('below zero of one variant does not reduce that of others', () => {
    expect(sold(variant('S', { inventoryQuantity: -2 }), variant('M')).payload.quantity).toEqual({
      instock: 4,
    });
    expect(sold(variant('S', { inventoryQuantity: -2 })).payload.quantity).toEqual({ instock: -2 });
  });

  test.each([
    ['may be oversold', { inventoryPolicy: 'CONTINUE' }],
    ['is not tracked', { inventoryItem: { tracked: false } }],
  ])('that %s for all variants does not end a sale, and for some it does', (_what, more) => {
    expect(sold(variant('S', more), variant('M', more)).payload.outStock).toEqual({ disabled: true });
    expect(sold(variant('S'), variant('M')).payload).not.toHaveProperty('outStock');
    const { payload, warnings } = sold(variant('S', more), variant('M'));
    expect(payload.outStock).toEqual({ disabled: false });
    expect(warnings).toEqual([expect.stringContaining('sells on none')]);
  });
});

test('a compare price that is not higher is left out', () => {
  const product = { ...TEE, variants: { nodes: [variant('S', { compareAtPrice: '24.90' })] } };
  expect(payloadOf(product).price).toEqual({ salePrice: 24.9, buyingPrice: 9 });
  expect(payloadOf(product)).not.toHaveProperty('variants.0.price.comparePrice');
});

test('a product of the GraphQL API is not mistaken for one of the REST API', () => {
  const table = { file: 'products.json', header: ['json'], items: [TEE] };
  expect(recogniseMapping(table, products, { required: ['name', 'reference'] }).name).toBe(PRESET);
});
