import { describe, expect, test } from 'vitest';
import { mapExport, payloadOf as payloadIn } from './read-export.ts';

const PRESET = 'bigcommerce-products';
type Cells = Record<string, string>;

const DICE: Cells = {
  'Product ID': '41',
  'Product Type': 'P',
  Code: 'DICE-6',
  Name: 'Oak dice',
  Brand: 'Smithy',
  Description: '<p>Six.</p>',
  'Cost Price': '0.00',
  'Retail Price': '0.00',
  'Sale Price': '0.00',
  'Calculated Price': '12.50',
  Weight: '0.2000',
  Width: '0.0000',
  'Allow Purchases': 'Y',
  'Product Visible': 'Y',
  'Product Inventoried': 'Y',
  'Stock Level': '15',
  'Category Details': '',
  Images: '',
};
const payloadOf = (more: Cells = {}) => payloadIn(PRESET, { ...DICE, ...more });

test('a row is a simple product, and zeros are no values', () => {
  expect(payloadOf()).toEqual({
    name: 'Oak dice',
    reference: 'DICE-6',
    html: '<p>Six.</p>',
    productType: 'PHYSICAL',
    type: 'simple',
    status: 'PUBLISH',
    price: { salePrice: 12.5 },
    quantity: { instock: 15 },
    outStock: { disabled: false },
    brand: { name: 'Smithy' },
    sizes: { weight: { value: 0.2 } },
  });
});

test('a product without a code has its number as the reference', () => {
  expect(payloadOf({ Code: '' }).reference).toBe('bigcommerce-41');
});

test('D is a digital product', () => {
  expect(payloadOf({ 'Product Type': 'D' }).productType).toBe('DIGITAL');
});

describe('prices', () => {
  const pricesOf = (more: Cells) => payloadOf(more).price;

  test('buyers pay the calculated price, beside which a higher retail price is shown', () => {
    const sale = { 'Cost Price': '75.00', 'Retail Price': '200.00', 'Sale Price': '175.00' };
    expect(pricesOf({ ...sale, 'Calculated Price': '175.00' })).toEqual({
      salePrice: 175,
      comparePrice: 200,
      buyingPrice: 75,
    });
  });

  test('a retail price that is not higher is not shown', () => {
    expect(pricesOf({ 'Retail Price': '12.50' })).toEqual({ salePrice: 12.5 });
  });

  test('a price below one is a price', () => {
    expect(pricesOf({ 'Calculated Price': '0.50' })).toEqual({ salePrice: 0.5 });
  });

  test('a text is an issue', () => {
    const { issues } = mapExport(PRESET, { ...DICE, 'Calculated Price': 'on request' });
    expect(issues).toMatchObject([{ code: 'not-a-number' }]);
  });
});

describe('status', () => {
  test.each([
    ['a hidden product', { 'Product Visible': 'N' }, 0],
    ['a product that is not sold', { 'Allow Purchases': 'N' }, 1],
    ['a product without a price', { 'Calculated Price': '0.00' }, 1],
  ])('%s is a draft', (_what, more: Cells, warned) => {
    const { payload, warnings = [] } = mapExport(PRESET, { ...DICE, ...more });
    expect(payload.status).toBe('DRAFT');
    expect(warnings).toHaveLength(warned);
  });
});

test('a product that is not inventoried has no stock and is sold without', () => {
  const { quantity, outStock } = payloadOf({ 'Product Inventoried': 'N', 'Stock Level': '0' });
  expect([quantity, outStock]).toEqual([undefined, { disabled: true }]);
});

test('each category is named, also with commas in its name', () => {
  const details =
    'Category Name: Games, Category Path: Games|Category Name: Dice, sets, Category Path: Games/Dice, sets';
  expect(payloadOf({ 'Category Details': details }).collections).toEqual(['Games', 'Dice, sets']);
});

test('images have the addresses after the names of their files', () => {
  const one = 'Product Image File: a, b.jpg, Product Image URL: http://shop.example.com/a.jpg';
  const two = 'Product Image File: c.jpg, Product Image URL: https://shop.example.com/c,1.jpg';
  expect(payloadOf({ Images: `${one}|${two}|${one}` }).images).toEqual([
    { src: 'http://shop.example.com/a.jpg' },
    { src: 'https://shop.example.com/c,1.jpg' },
  ]);
});
