import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { variantFaults } from '../../src/suspect/index.ts';
import { gatherExport, mapExport, payloadOf as payloadIn } from './read-export.ts';

const PRESET = 'woocommerce-products-webtoffee';
type Cells = Record<string, string>;

const DICE: Cells = {
  ID: '201',
  post_parent: '',
  parent_sku: '',
  sku: 'DICE-6',
  post_title: 'Oak dice',
  post_status: 'publish',
  regular_price: '12.50',
  'tax:product_type': 'simple',
};
const payloadOf = (more: Cells = {}) => payloadIn(PRESET, { ...DICE, ...more });

const SPOON: Cells = { ...DICE, ID: '210', sku: 'SPOON', regular_price: '', 'tax:product_type': 'variable' };
const SMALL: Cells = {
  ...DICE,
  ID: '211',
  sku: 'SPOON-S',
  post_parent: '210',
  'tax:product_type': '',
  'meta:attribute_pa_size': 'Small',
};
const LARGE: Cells = { ...SMALL, ID: '212', sku: 'SPOON-L', 'meta:attribute_pa_size': 'Large' };

/** The payload of a variable product, and the number of its warnings. */
function spoon(...rows: Cells[]) {
  const { payload, warnings = [] } = mapExport(PRESET, ...rows);
  return { ...payload, warned: warnings.length } as Record<string, unknown>;
}

describe('products', () => {
  test('categories and tags are divided by bars, and a path is one name', () => {
    const { collections, tags } = payloadOf({
      'tax:product_cat': 'Games > Dice|Gifts',
      'tax:product_tag': 'oak|set',
    });
    expect([collections, tags]).toEqual([
      ['Games > Dice', 'Gifts'],
      ['oak', 'set'],
    ]);
  });

  test('without a SKU, the number of the product identifies it', () => {
    expect(payloadOf({ sku: '' }).reference).toBe('id:201');
  });

  test('the content is HTML, and the excerpt plain text', () => {
    const { html, description } = payloadOf({
      post_content: '<p>Six.</p>',
      post_excerpt: '<p>In a tin.</p>',
    });
    expect([html, description]).toEqual(['<p>Six.</p>', 'In a tin.']);
  });

  test('the texts behind the address of an image are cut off, and its alternative text is its title', () => {
    const cell =
      'https://a.example/1.jpg ! alt : One die ! title : a ! desc : b\nc ! caption : | https://a.example/2.jpg ! alt :  ! title : d ! desc :  ! caption : ';
    expect(payloadOf({ images: cell }).images).toEqual([
      { src: 'https://a.example/1.jpg', title: 'One die' },
      { src: 'https://a.example/2.jpg' },
    ]);
  });

  test('a virtual or downloadable product is digital', () => {
    expect(payloadOf({ virtual: 'yes' }).productType).toBe('DIGITAL');
    expect(payloadOf({ downloadable: 'yes' })).toMatchObject({
      productType: 'DIGITAL',
      digitalConfig: { downloadable: true },
    });
    expect(payloadOf({ virtual: 'no' })).toMatchObject({ productType: 'PHYSICAL' });
  });

  test('the brand is the first of its list', () => {
    expect(payloadOf({ 'tax:product_brand': 'Oakworks|Others' }).brand).toEqual({ name: 'Oakworks' });
  });

  test('names of WordPress, which begin with _, are read too', () => {
    const { sku, regular_price, ...rest } = DICE;
    const old = { ...rest, _sku: 'OLD', _regular_price: '7', _stock: '3', _manage_stock: 'yes' };
    expect(payloadIn(PRESET, old)).toMatchObject({
      reference: 'OLD',
      price: { salePrice: 7 },
      quantity: { instock: 3 },
    });
  });
});

describe('prices', () => {
  test('a lower sale price has the regular one beside it', () => {
    const { price } = payloadOf({ regular_price: '12,50', sale_price: '9,9' });
    expect(price).toEqual({ salePrice: 9.9, comparePrice: 12.5 });
  });

  test('a sale price that is not lower is left out', () => {
    expect(payloadOf({ sale_price: '13' }).price).toEqual({ salePrice: 12.5 });
  });

  test.each([
    ['begins later', { sale_price_dates_from: '4102444800' }],
    ['ends later', { sale_price_dates_to: '2100-01-01' }],
  ])('a sale that %s is left out with a warning', (_what, dates: Cells) => {
    const { payload, warnings = [] } = mapExport(PRESET, { ...DICE, sale_price: '9', ...dates });
    expect([payload.price, warnings.length]).toEqual([{ salePrice: 12.5 }, 1]);
  });
});

test('a sale that has ended is left out', () => {
  expect(payloadOf({ sale_price: '9', sale_price_dates_to: '2001-01-01' }).price).toEqual({
    salePrice: 12.5,
  });
});

describe('status', () => {
  test.each([
    ['trash', 'TRASH', 0, { post_status: 'trash' }],
    ['private', 'DRAFT', 0, { post_status: 'private' }],
    ['an unknown status', 'DRAFT', 1, { post_status: 'archived' }],
    ['no status', 'DRAFT', 1, { post_status: '' }],
    ['hidden in the catalogue', 'DRAFT', 0, { visibility: 'hidden' }],
    [
      'in neither catalogue nor search',
      'DRAFT',
      0,
      { 'tax:product_visibility': 'exclude-from-search|exclude-from-catalog' },
    ],
    ['in the catalogue only', 'PUBLISH', 0, { 'tax:product_visibility': 'featured|exclude-from-search' }],
    ['a password', 'DRAFT', 0, { post_password: 'oak' }],
    ['sold in another shop', 'DRAFT', 1, { 'tax:product_type': 'external' }],
    ['grouped', 'DRAFT', 1, { 'tax:product_type': 'grouped' }],
    ['no price', 'DRAFT', 1, { regular_price: '' }],
  ])('%s → %s', (_what, status, warned, more: Cells) => {
    const { payload, warnings = [] } = mapExport(PRESET, { ...DICE, ...more });
    expect([payload.status, warnings.length]).toEqual([status, warned]);
  });

  test('a variable product is a draft with a warning if none of its variations is switched on', () => {
    expect(spoon(SPOON)).toMatchObject({ status: 'DRAFT', warned: 1 });
    expect(spoon(SPOON, { ...SMALL, post_status: 'private' })).toMatchObject({ status: 'DRAFT', warned: 1 });
    expect(spoon(SPOON, SMALL)).toMatchObject({ status: 'PUBLISH', warned: 0 });
  });

  test('a variation without a price gives a warning', () => {
    expect(spoon(SPOON, SMALL, { ...LARGE, regular_price: '' })).toMatchObject({
      status: 'PUBLISH',
      warned: 1,
    });
    const bySku = { ...LARGE, post_parent: '', parent_sku: 'SPOON', regular_price: '' };
    expect(spoon(SPOON, SMALL, bySku)).toMatchObject({ status: 'PUBLISH', warned: 1 });
  });
});

describe('stock', () => {
  const stock = (more: Cells) => {
    const { quantity, outStock } = payloadOf({ stock_status: 'instock', backorders: 'no', ...more });
    return [quantity, outStock];
  };

  test('stock that is counted ends a sale, unless it may be oversold', () => {
    expect(stock({ stock: '4', manage_stock: 'yes' })).toEqual([{ instock: 4 }, undefined]);
    expect(stock({ stock: '0', manage_stock: 'yes', backorders: 'notify' })).toEqual([
      { instock: 0 },
      { disabled: true },
    ]);
  });

  test('the number of a stock that is not counted is not used', () => {
    expect(stock({ stock: '4', manage_stock: 'no' })).toEqual([undefined, { disabled: true }]);
    expect(stock({ stock: '4', manage_stock: 'no', stock_status: 'outofstock' })).toEqual([
      { instock: 0 },
      undefined,
    ]);
  });

  test('the stock of a variable product is the sum of its variations', () => {
    const counted = { manage_stock: 'yes', stock_status: 'instock', backorders: 'no' };
    const rows = [
      { ...SMALL, ...counted, stock: '4' },
      { ...LARGE, ...counted, stock: '3' },
      { ...LARGE, ID: '214', sku: 'SPOON-M', 'meta:attribute_pa_size': 'Medium', ...counted, stock: '-2' },
      { ...LARGE, ID: '213', sku: 'OFF', post_status: 'private', ...counted, stock: '9' },
    ];
    expect(spoon(SPOON, ...rows)).toMatchObject({ quantity: { instock: 7 }, warned: 0 });
  });

  test('a product is not sold on if only some of its variations are', () => {
    const rows = [
      { ...SMALL, manage_stock: 'yes', stock: '4', backorders: 'no' },
      { ...LARGE, manage_stock: 'yes', stock: '0', backorders: 'yes' },
    ];
    expect(spoon(SPOON, ...rows)).toMatchObject({ outStock: { disabled: false }, warned: 1 });
  });
});

describe('variations', () => {
  test('variations name their product by number or SKU, in any order', async () => {
    const bySku = { ...LARGE, post_parent: '', parent_sku: 'SPOON' };
    const records = await gatherExport(PRESET, SMALL, SPOON, DICE, bySku);
    expect(records.map(({ payload }) => payload.reference)).toEqual(['SPOON', 'DICE-6']);
    expect(records[0]?.payload.variants).toMatchObject([{ reference: 'SPOON-S' }, { reference: 'SPOON-L' }]);
  });

  test('a part of a grouped product is a product of its own', async () => {
    const records = await gatherExport(
      PRESET,
      { ...SPOON, 'tax:product_type': 'grouped' },
      { ...DICE, post_parent: '210' },
    );
    expect(records).toHaveLength(2);
  });

  test('an option has the values of the product and of its variations, without pa_ before its name', () => {
    const { options, variants } = spoon(
      {
        ...SPOON,
        'attribute:pa_size': 'Large|Small',
        'attribute:pa_origin': 'Oslo',
        'attribute_data:pa_origin': '0|1|0',
      },
      { ...SMALL, 'meta:attribute_wood': 'Ash' },
      LARGE,
    );
    expect(options).toEqual([
      { name: 'size', values: [{ value1: 'Large' }, { value1: 'Small' }] },
      { name: 'wood', values: [{ value1: 'Ash' }] },
    ]);
    expect(variants).toMatchObject([
      {
        name: 'Small - Ash',
        option1: { name: 'size', value1: 'Small' },
        option2: { name: 'wood', value1: 'Ash' },
      },
      { name: 'Large', option1: { name: 'size', value1: 'Large' } },
    ]);
    expect((variants as Cells[])[1]).not.toHaveProperty('option2');
  });

  test('a variation that is private is left out, with its images and its value', () => {
    const off = { ...LARGE, post_status: 'private', images: 'https://a.example/l.jpg' };
    const { images, options, variants } = spoon(SPOON, { ...SMALL, images: 'https://a.example/s.jpg' }, off);
    expect(images).toEqual([{ src: 'https://a.example/s.jpg' }]);
    expect(options).toEqual([{ name: 'size', values: [{ value1: 'Small' }] }]);
    expect(variants).toHaveLength(1);
  });

  test('a variable product has the price of its first variation, and is shipped if one of them is', () => {
    const product = { ...SPOON, regular_price: '1' };
    const rows = [
      { ...SMALL, regular_price: '8', sale_price: '6', virtual: 'yes' },
      { ...LARGE, regular_price: '9', virtual: 'no' },
    ];
    expect(spoon(product, ...rows)).toMatchObject({
      productType: 'PHYSICAL',
      price: { salePrice: 6, comparePrice: 8 },
      variants: [{ price: { salePrice: 6, comparePrice: 8 } }, { price: { salePrice: 9 } }],
    });
  });

  test('two variations with the same options are found at the second', () => {
    const payload = spoon(SPOON, SMALL, { ...SMALL, ID: '214', sku: 'TWIN' });
    expect(variantFaults(payload as JsonObject, false)).toMatchObject([{ code: 'same-options' }]);
  });
});
