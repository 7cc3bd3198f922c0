import { describe, expect, test } from 'vitest';
import { gatherExport, mapExport, payloadOf as payloadIn } from './read-export.ts';

const PRESET = 'shopware6-products';
type Cells = Record<string, string>;
const payloadOf = (...rows: Cells[]) => payloadIn(PRESET, ...rows);

const DICE: Cells = {
  id: 'a1',
  parent_id: '',
  product_number: 'DICE',
  active: '1',
  stock: '15',
  name: 'Oak dice',
  description: '<p>Six of them.</p>',
  price_net: '10.504201680672',
  price_gross: '12.5',
  price_net_usd: '9',
  price_gross_usd: '11',
  categories: 'c1|c2',
  cover_media_url: 'https://shop.example.com/dice.jpg',
  cover_media_alt: 'Dice',
  manufacturer_name: 'Smithy',
  variants: '',
};

/** A row of a variant, which has what it does not write from its product. */
const variant = (number: string, more: Cells = {}): Cells => ({
  id: `a1-${number}`,
  parent_id: 'a1',
  product_number: number,
  stock: '2',
  ...more,
});

test('a row without a parent is a simple product with the gross price', () => {
  expect(payloadOf(DICE)).toEqual({
    name: 'Oak dice',
    reference: 'DICE',
    html: '<p>Six of them.</p>',
    type: 'simple',
    status: 'PUBLISH',
    price: { salePrice: 12.5 },
    quantity: { instock: 15 },
    brand: { name: 'Smithy' },
    images: [{ src: 'https://shop.example.com/dice.jpg', title: 'Dice' }],
  });
});

describe('status', () => {
  const statusOf = (cells: Cells) => mapExport(PRESET, { ...DICE, ...cells });

  test('a product that is not active is a draft', () => {
    expect(statusOf({ active: '0' }).payload.status).toBe('DRAFT');
  });

  test('an empty active cell makes a draft with a warning', () => {
    const { payload, warnings } = statusOf({ active: '' });
    expect(payload.status).toBe('DRAFT');
    expect(warnings).toHaveLength(1);
  });

  test('a product with a net price only is a draft without a price', () => {
    const { payload } = statusOf({ price_gross: '' });
    expect(payload.status).toBe('DRAFT');
    expect(payload.price).toBeUndefined();
  });
});

describe('variants in rows of their own', () => {
  test('rows that name a parent are its variants, wherever they are', async () => {
    const records = await gatherExport(PRESET, variant('DICE-L'), DICE, variant('DICE-S'));
    expect(records.map(({ payload }) => payload.reference)).toEqual(['DICE']);
    expect(records[0]?.payload.variants).toMatchObject([{ reference: 'DICE-L' }, { reference: 'DICE-S' }]);
  });

  test('a variant without a price has that of its product', () => {
    const { variants } = payloadOf(DICE, variant('S'), variant('L', { price_gross: '20' }));
    expect(variants).toMatchObject([{ price: { salePrice: 12.5 } }, { price: { salePrice: 20 } }]);
  });

  test('the stock is that of the variants, and not of their product', () => {
    expect(payloadOf(DICE, variant('S'), variant('L', { stock: '5' })).quantity).toEqual({ instock: 7 });
  });

  test('a product whose options are ids is a draft', () => {
    const payload = payloadOf(DICE, variant('S'));
    expect(payload).toMatchObject({ type: 'variable', status: 'DRAFT' });
    expect(payload.options).toBeUndefined();
  });
});

describe('a cell of option groups', () => {
  const withCell = (variants: string) => mapExport(PRESET, { ...DICE, variants });

  test('each combination is a variant, numbered as Shopware numbers it', () => {
    const { payload } = withCell('size: M, L | color: Green, White');
    expect(payload).toMatchObject({ type: 'variable', status: 'PUBLISH' });
    expect(payload.options).toEqual([
      { name: 'size', values: [{ value1: 'M' }, { value1: 'L' }] },
      { name: 'color', values: [{ value1: 'Green' }, { value1: 'White' }] },
    ]);
    const of = (key: number, size: string, color: string) => ({
      name: `${size} - ${color}`,
      reference: `DICE.${key}`,
      option1: { name: 'size', value1: size },
      option2: { name: 'color', value1: color },
      price: { salePrice: 12.5 },
    });
    expect(payload.variants).toEqual([
      of(0, 'M', 'Green'),
      of(1, 'M', 'White'),
      of(2, 'L', 'Green'),
      of(3, 'L', 'White'),
    ]);
  });

  test('one group with one value is one variant', () => {
    expect(withCell('size: M').payload.variants).toEqual([
      { name: 'M', reference: 'DICE.0', option1: { name: 'size', value1: 'M' }, price: { salePrice: 12.5 } },
    ]);
  });

  test('three groups are combined', () => {
    const { variants } = withCell('a: 1, 2 | b: x | c: p, q').payload;
    expect((variants as { name: string }[]).map(({ name }) => name)).toEqual([
      '1 - x - p',
      '1 - x - q',
      '2 - x - p',
      '2 - x - q',
    ]);
  });

  test.each(['M, L', 'size: M: L', 'a: 1 | b: 2 | c: 3 | d: 4 | e: 5'])('"%s" is an issue', (cell) => {
    expect(withCell(cell).issues).toHaveLength(1);
  });
});
