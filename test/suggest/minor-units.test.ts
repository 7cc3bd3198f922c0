import { describe, expect, test } from 'vitest';
import { bind, parseMapping } from '../../src/map/index.ts';
import type { JsonObject, Row, Table } from '../../src/model/index.ts';
import { columnsOfObjects, draftMapping, type MappingDraft, writeYaml } from '../../src/suggest/index.ts';
import { recordOf } from '../support/map-rows.ts';
import { suggested, suggestedDraft } from '../support/suggested.ts';

const ofObjects = (resource: string, objects: readonly JsonObject[]): MappingDraft =>
  draftMapping(resource, columnsOfObjects(objects)).draft;

/** The doubts about cents by field. */
const doubtsIn = ({ fields }: MappingDraft) =>
  Object.fromEntries(
    fields.flatMap(({ field, doubt }) => (doubt?.includes('may be in cents') ? [[field, doubt]] : [])),
  );

const products = (prices: readonly number[], more: JsonObject = {}) =>
  ofObjects(
    'products',
    prices.map((price, n) => ({ sku: `A${n}`, name: `Mug ${n}`, price, ...more })),
  );

describe('amounts that may be in cents', () => {
  test('amounts that may be in cents are a doubt with a cell in discounts beside a currency', () => {
    const draft = ofObjects('discounts', [
      { code: 'TEN', percent_off: 10, amount_off: null, currency: null, minimum_amount: 3000 },
      { code: 'FIVE', percent_off: null, amount_off: 500, currency: 'eur', minimum_amount: null },
    ]);
    expect(doubtsIn(draft)).toEqual({
      value:
        'all amounts are whole numbers of 100 and more beside EUR, such as "500" in amount_off, so they may be in cents; if they are, add multiply: 0.01',
      'requirements.price':
        'all amounts are whole numbers of 100 and more beside EUR, such as "3000" in minimum_amount, so they may be in cents; if they are, add multiply: 0.01',
    });
  });

  test('amounts that may be in cents are a doubt for products of JSON, with and without a currency', () => {
    expect(Object.keys(doubtsIn(products([1999, 2450, 990])))).toEqual(['price.salePrice']);
    expect(Object.keys(doubtsIn(products([2000, 3000], { currency: 'USD' })))).toEqual(['price.salePrice']);
  });

  test('amounts that may be in cents are a doubt for the prices of variants', () => {
    const variants = [
      { sku: 'A-S', size: 'S', price: 1999 },
      { sku: 'A-M', size: 'M', price: 2499 },
    ];
    const draft = ofObjects('products', [{ id: 1, title: 'Shirt', variants }]);
    expect(doubtsIn(draft)).toHaveProperty('variants');
  });

  test('amounts that may be in cents are a doubt for a table beside a currency', () => {
    const draft = suggestedDraft('products', 'SKU,Name,Price,Currency\nA,Mug,1999,EUR\nB,Pen,250,EUR');
    expect(Object.keys(doubtsIn(draft))).toEqual(['price.salePrice']);
  });

  test.each([
    ['small ones', products([1999, 12, 450])],
    ['round ones', products([2000, 3000, 1500])],
    ['ones with decimals', products([19.5, 450, 990])],
    ['a currency without hundredths', products([1999, 2450], { currency: 'JPY' })],
    ['a currency of large prices', products([1999, 2450], { currency: 'CZK' })],
    ['a table without a currency', suggestedDraft('products', 'SKU,Name,Price\nA,Desk,1999\nB,Chair,249')],
    [
      'a name in cents',
      ofObjects('products', [
        { sku: 'A', name: 'Mug', price_in_cents: 1999 },
        { sku: 'B', name: 'Pen', price_in_cents: 250 },
      ]),
    ],
  ])('are not suspected in %s', (_, draft) => {
    expect(draft.fields.some(({ field }) => field === 'price.salePrice')).toBe(true);
    expect(doubtsIn(draft)).toEqual({});
  });
});

test('a column whose words are codes too is not the currency of amounts', () => {
  const draft = ofObjects('discounts', [
    { code: 'A', amount_off: 1550, percent_off: null, applies_to: 'all' },
    { code: 'B', amount_off: 725, percent_off: null, applies_to: 'all' },
    { code: 'C', amount_off: null, percent_off: 10, applies_to: 'all' },
  ]);
  expect(Object.keys(doubtsIn(draft))).toEqual(['value']);
});

test.each(['expires_at', 'discount.expires_at'])(
  'the end of a discount as seconds since 1970 is read from %s',
  (name) => {
    const [first = '', second] = name.split('.');
    const end: JsonObject = second ? { [first]: { [second]: 1798761599 } } : { [first]: 1798761599 };
    const value: JsonObject = { code: 'A', percentage: 10, ...end };
    const objects = [value];
    const { draft } = draftMapping('discounts', columnsOfObjects(objects));
    const table: Table = { file: 'shop.json', header: [], items: objects };
    const binding = bind(parseMapping('suggested', writeYaml(draft, 'shop.json')), table, []);
    const row: Row = { table, row: 1, line: 1, cells: [JSON.stringify(value)], value };
    expect(binding.map(recordOf([row]))).toMatchObject({ payload: { endDate: '2026-12-31T23:59:59.000Z' } });
  },
);

test('the end of a discount is read from a column whose name has a dot', () => {
  const { payloads } = suggested('discounts', 'Code,Percentage,Expires.at\nA,10,1798761599');
  expect(payloads[0]?.endDate).toBe('2026-12-31T23:59:59.000Z');
});

test.each([
  ['1798761599', '2026-12-31T23:59:59.000Z'],
  ['1798761599000', '2026-12-31T23:59:59.000Z'],
])('the end of a discount as a number since 1970 is a time: %s', (cell, end) => {
  const { payloads } = suggested('discounts', `Code,Percentage,expires_at\nA,10,${cell}\nB,10,`);
  expect(payloads.map(({ endDate }) => endDate)).toEqual([end, undefined]);
});
