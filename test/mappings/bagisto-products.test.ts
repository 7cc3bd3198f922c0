import { describe, expect, test } from 'vitest';
import { gatherExport, mapExport, payloadOf as payloadIn } from './read-export.ts';

const PRESET = 'bagisto-products';
type Cells = Record<string, string>;

const DICE: Cells = {
  sku: 'DICE-6',
  parent_sku: '',
  locale: 'en',
  attribute_family_code: 'default',
  type: 'simple',
  categories: 'Games/Gifts',
  images: 'https://shop.example.com/1.jpg, https://shop.example.com/2.jpg',
  name: 'Oak dice',
  description: 'Six.',
  short_description: 'Dice',
  status: '1',
  visible_individually: '1',
  weight: '0.08',
  height: '3',
  price: '15',
  cost: '6',
  special_price: '',
  special_price_from: '',
  special_price_to: '',
  meta_title: 'Dice of oak',
  meta_keywords: 'dice, oak',
  manage_stock: '1',
  inventories: 'default=30,second=12',
  configurable_variants: '',
};
const payloadOf = (more: Cells = {}) => payloadIn(PRESET, { ...DICE, ...more });

const JACKET: Cells = {
  ...DICE,
  ...{
    sku: 'JKT',
    type: 'configurable',
    name: 'Jacket',
    price: '',
    cost: '',
    inventories: '',
    manage_stock: '',
  },
  configurable_variants:
    'sku=JKT-S,color=Red,size=S|sku=JKT-M, color=Red,size=M|sku=JKT-G,color=Green,size=M',
};
const variant = (end: string, more: Cells = {}): Cells => ({
  ...DICE,
  ...{ sku: `JKT-${end}`, parent_sku: 'JKT', name: `Jacket ${end}`, visible_individually: '0' },
  ...{ cost: '', weight: '', height: '', images: '', inventories: 'default=4' },
  ...more,
});

test('a row is a product with the stock of all sources', () => {
  expect(payloadOf()).toEqual({
    name: 'Oak dice',
    reference: 'DICE-6',
    html: 'Six.',
    description: 'Dice',
    productType: 'PHYSICAL',
    type: 'simple',
    collections: ['Games', 'Gifts'],
    seo: { title: 'Dice of oak', keywords: ['dice', 'oak'] },
    status: 'PUBLISH',
    price: { salePrice: 15, buyingPrice: 6 },
    quantity: { instock: 42 },
    sizes: { weight: { value: 0.08 }, dimensions: { height: 3 } },
    images: [{ src: 'https://shop.example.com/1.jpg' }, { src: 'https://shop.example.com/2.jpg' }],
  });
});

describe('variants', () => {
  const gather = async (...rows: Cells[]) =>
    (await gatherExport(PRESET, ...rows)).map(({ payload }) => payload);

  test('variants are part of the product that names them, without those that are disabled', async () => {
    const green = variant('G', { status: '0' });
    const [payload, ...others] = await gather(variant('S', { price: '20' }), JACKET, variant('M'), green);
    expect(others).toEqual([]);
    expect(payload).toMatchObject({
      reference: 'JKT',
      type: 'variable',
      status: 'PUBLISH',
      price: { salePrice: 20 },
      quantity: { instock: 8 },
      options: [
        { name: 'color', values: [{ value1: 'Red' }] },
        { name: 'size', values: [{ value1: 'S' }, { value1: 'M' }] },
      ],
    });
    expect(payload?.variants).toEqual([
      {
        name: 'Jacket S',
        reference: 'JKT-S',
        option1: { name: 'color', value1: 'Red' },
        option2: { name: 'size', value1: 'S' },
        price: { salePrice: 20 },
        quantity: { instock: 4 },
      },
      {
        name: 'Jacket M',
        reference: 'JKT-M',
        option1: { name: 'color', value1: 'Red' },
        option2: { name: 'size', value1: 'M' },
        price: { salePrice: 15 },
        quantity: { instock: 4 },
      },
    ]);
  });

  test('a name in configurable_variants is enough', async () => {
    const rows = ['S', 'M', 'G'].map((end) => variant(end, { parent_sku: '' }));
    const payloads = await gather(JACKET, ...rows);
    expect(payloads.map(({ reference, variants }) => [reference, (variants as unknown[]).length])).toEqual([
      ['JKT', 3],
    ]);
  });

  test('variants without known options make a draft with a warning', async () => {
    const rows = [{ ...JACKET, configurable_variants: '' }, variant('S')];
    const [first, ...others] = await gatherExport(PRESET, ...rows);
    expect(others).toEqual([]);
    expect([first?.payload.status, first?.warnings?.length]).toEqual(['DRAFT', 1]);
    expect(first?.payload.options).toBeUndefined();
    expect(first?.payload.variants).toMatchObject([{ reference: 'JKT-S' }]);
  });
});

describe('prices', () => {
  const special = (more: Cells) => mapExport(PRESET, { ...DICE, cost: '', special_price: '12', ...more });

  test('a lower special price is shown beside the price', () => {
    expect(special({ special_price_from: '2024-02-01' }).payload.price).toEqual({
      salePrice: 12,
      comparePrice: 15,
    });
    expect(special({ special_price: '15' }).payload.price).toEqual({ salePrice: 15 });
  });

  test.each([
    ['that has ended', { special_price_to: '2024-02-15' }, 0],
    ['that ends', { special_price_to: '2999-01-01' }, 1],
    ['that has not begun', { special_price_from: '2999-01-01' }, 1],
  ])('a special price %s is left out', (_what, dates: Cells, warned) => {
    const { payload, warnings = [] } = special(dates);
    expect([payload.price, warnings.length]).toEqual([{ salePrice: 15 }, warned]);
  });
});

describe('status', () => {
  test.each([
    ['a disabled product', { status: '0' }, 0],
    ['a product that is not shown on its own', { visible_individually: '0' }, 1],
    ['a booking', { type: 'booking' }, 1],
    ['a grouped product', { type: 'grouped', price: '' }, 1],
    ['a bundle', { type: 'bundle' }, 1],
    ['a product without a price', { price: '' }, 1],
    ['a product without a status', { status: '' }, 1],
  ])('%s is a draft', (_what, more: Cells, warned) => {
    const { payload, warnings = [] } = mapExport(PRESET, { ...DICE, ...more });
    expect([payload.status, warnings.length]).toEqual(['DRAFT', warned]);
  });
});

test.each([
  ['simple', 'simple', 'PHYSICAL'],
  ['virtual', 'simple', 'DIGITAL'],
  ['downloadable', 'simple', 'DIGITAL'],
  ['grouped', 'grouped', 'PHYSICAL'],
  ['bundle', 'bundle', 'PHYSICAL'],
  ['booking', 'simple', 'BOOKING'],
])('a product of type %s is %s and %s', (type, kind, productType) => {
  const payload = payloadOf({ type });
  expect([payload.type, payload.productType]).toEqual([kind, productType]);
  expect(payload.digitalConfig).toEqual(type === 'downloadable' ? { downloadable: true } : undefined);
});

test('a product whose stock is not managed is sold without it', () => {
  const { quantity, outStock } = payloadOf({ manage_stock: '0' });
  expect([quantity, outStock]).toEqual([undefined, { disabled: true }]);
});

test('a product with a variant that is counted is not sold without stock', async () => {
  const rows = [variant('S', { manage_stock: '0' }), variant('M'), variant('G')];
  const [first] = await gatherExport(PRESET, JACKET, ...rows);
  expect([first?.payload.quantity, first?.payload.outStock]).toEqual([{ instock: 8 }, { disabled: false }]);
});

test('a brand is named', () => {
  expect(payloadOf({ brand: 'Quiet Inkwell' }).brand).toEqual({ name: 'Quiet Inkwell' });
});
