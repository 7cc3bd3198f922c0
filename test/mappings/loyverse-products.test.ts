import { describe, expect, test } from 'vitest';
import { gatherExport, mapExport, payloadOf as payloadIn } from './read-export.ts';

const PRESET = 'loyverse-products';
type Cells = Record<string, string>;
const payloadOf = (...rows: Cells[]) => payloadIn(PRESET, ...rows);

const DICE: Cells = {
  Handle: 'oak-dice',
  SKU: '10001',
  Name: 'Oak dice',
  Category: 'Games, toys',
  Description: '<p>Six.</p>',
  'Sold by weight': 'N',
  'Option 1 name': '',
  'Option 1 value': '',
  Cost: '4.10',
  'SKU of included item': '',
  'Track stock': 'Y',
  'Available for sale [Market hall]': 'Y',
  'Price [Market hall]': '12.50',
  'In stock [Market hall]': '15.000',
};

const sized = (size: string, more: Cells = {}): Cells => ({
  ...DICE,
  SKU: `D-${size}`,
  'Option 1 name': size === 'S' ? 'Size' : '',
  'Option 1 value': size,
  ...more,
});

test('an item without options is simple, and its category is one name', () => {
  expect(payloadOf(DICE)).toEqual({
    name: 'Oak dice',
    reference: 'oak-dice',
    html: '<p>Six.</p>',
    model: '10001',
    type: 'simple',
    collections: ['Games, toys'],
    status: 'PUBLISH',
    price: { salePrice: 12.5, buyingPrice: 4.1 },
    quantity: { instock: 15 },
  });
});

test('an item without a handle has its stock number as the reference', () => {
  expect(payloadOf({ ...DICE, Handle: '' }).reference).toBe('10001');
});

test('columns of two shops are refused', () => {
  expect(() => mapExport(PRESET, { ...DICE, 'Price [Station]': '14' })).toThrow(/Price \[Station\]/);
});

describe('status', () => {
  const weight = { 'Sold by weight': 'Y' };
  const typed = { 'Price [Market hall]': 'variable' };
  test.each([
    ['an item that is not for sale', { 'Available for sale [Market hall]': 'N' }, 0],
    ['an item that is sold by weight', weight, 1],
    ['an item whose price is typed in', typed, 1],
  ])('%s is a draft', (_what, more: Cells, warned) => {
    const { payload, warnings = [], issues } = mapExport(PRESET, { ...DICE, ...more });
    expect(payload.status).toBe('DRAFT');
    expect([warnings.length, issues.length]).toEqual([warned, 0]);
  });

  test('a price that is typed in is none', () => {
    expect(payloadOf({ ...DICE, ...typed, Cost: '0' }).price).toBeUndefined();
  });
});

describe('stock', () => {
  test('an item that is not tracked is sold without stock', () => {
    const { quantity, outStock } = payloadOf({ ...DICE, 'Track stock': 'N' });
    expect([quantity, outStock]).toEqual([undefined, { disabled: true }]);
  });

  test('a stock below zero stays, and lowers no sum', () => {
    const below = { 'In stock [Market hall]': '-2.000' };
    expect(payloadOf({ ...DICE, ...below }).quantity).toEqual({ instock: -2 });
    expect(payloadOf(sized('S', below), sized('M')).quantity).toEqual({ instock: 15 });
  });
});

describe('variants', () => {
  const HIDDEN = { 'Available for sale [Market hall]': 'N' };

  test('rows with the same handle are variants of one item', async () => {
    const records = await gatherExport(
      PRESET,
      sized('S'),
      sized('M', { Name: '', 'Price [Market hall]': '14' }),
    );
    expect(records).toHaveLength(1);
    expect(records[0]?.payload).toMatchObject({
      type: 'variable',
      price: { salePrice: 12.5 },
      quantity: { instock: 30 },
      options: [{ name: 'Size', values: [{ value1: 'S' }, { value1: 'M' }] }],
      variants: [
        { name: 'S', reference: 'D-S', option1: { name: 'Size', value1: 'S' }, price: { salePrice: 12.5 } },
        { name: 'M', reference: 'D-M', option1: { name: 'Size', value1: 'M' }, price: { salePrice: 14 } },
      ],
    });
    expect(records[0]?.payload.model).toBeUndefined();
  });

  test('a variant that is not for sale is left out, with its price and stock', () => {
    const payload = payloadOf(sized('S', HIDDEN), sized('M', { 'Price [Market hall]': '14' }));
    expect(payload).toMatchObject({ status: 'PUBLISH', price: { salePrice: 14 }, quantity: { instock: 15 } });
    expect(payload.variants).toMatchObject([{ name: 'M' }]);
  });
});
