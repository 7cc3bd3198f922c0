import fc from 'fast-check';
import { expect, test } from 'vitest';
import { payloadOf } from '../../support/map-rows.ts';
import { accepts, apply } from './apply.ts';

test('a power of ten moves the decimal point, without noise', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 999_999_999 }),
      fc.integer({ min: 1, max: 6 }),
      (amount, places) => {
        const digits = String(amount).padStart(places + 1, '0');
        const shifted = Number(`${digits.slice(0, -places)}.${digits.slice(-places)}`);
        expect(apply('multiply', Number(`1e-${places}`), String(amount)).value).toBe(shifted);
        expect(apply('multiply', 10 ** places, String(shifted)).value).toBe(amount);
      },
    ),
  );
});

test('a number and its factor may be exchanged', () => {
  const decimal = fc
    .tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.integer({ min: 0, max: 4 }))
    .map(([digits, places]) => digits / 10 ** places)
    .filter((value) => value !== 0);
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      expect(apply('multiply', a, String(b)).value).toBe(apply('multiply', b, String(a)).value);
    }),
  );
});

test.each([
  [0.01, '1', 0.01],
  [0.07, '100', 7],
  [-1, '2.50', -2.5],
  [1e-7, '3', 3e-7],
  [2, '1.5e-7', 3e-7],
  [1e21, '2', 2e21],
])('%s times %s is %s', (factor, text, product) => {
  expect(apply('multiply', factor, text).value).toBe(product);
});

test.each([0, '0,01', true, Number.POSITIVE_INFINITY])('%s is not a factor', (factor) => {
  expect(accepts('multiply', factor)).toBe(false);
});

test('it works on what number has read, in each row of a sum', () => {
  const fields = {
    reference: 'SKU',
    'price.salePrice': { from: 'Cents', multiply: 0.01 },
    'price.comparePrice': { from: 'List', number: 'german', multiply: 0.5 },
    'quantity.instock': { from: 'Dozens', multiply: 12, across: 'sum' },
  };
  expect(
    payloadOf(
      fields,
      ['SKU', 'Cents', 'List', 'Dozens'],
      ['A', '1999', '1.299,90', '2'],
      ['', '', '', '0.5'],
    ),
  ).toEqual({
    reference: 'A',
    price: { salePrice: 19.99, comparePrice: 649.95 },
    quantity: { instock: 30 },
  });
});
