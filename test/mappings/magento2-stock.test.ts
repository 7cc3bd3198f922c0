import { describe, expect, test } from 'vitest';
import { PLAIN, payloadOf, TEE, variant } from './magento2-rows.ts';

describe('the stock', () => {
  const stock = (sku: string, qty: string, is_in_stock: string, more: Record<string, string> = {}) =>
    variant(sku, { qty, is_in_stock, ...more });
  const own = (cells: Record<string, string>) => ({ ...TEE, qty: '0', is_in_stock: '1', ...cells });

  test.each([
    [
      'one variant is out of stock: it does not count',
      own({}),
      [stock('S', '7', '0'), stock('M', '2', '1')],
      2,
    ],
    ['all variants are out of stock', own({}), [stock('S', '7', '0'), stock('M', '2', '0')], 0],
    [
      'the product has no stock cells',
      own({ is_in_stock: '' }),
      [stock('S', '7', '0'), stock('M', '2', '1')],
      2,
    ],
    [
      'the product is out of stock',
      own({ is_in_stock: '0' }),
      [stock('S', '7', '1'), stock('M', '2', '1')],
      0,
    ],
    ['one variant is oversold', own({}), [stock('S', '-4', '1'), stock('M', '3', '1')], 3],
    ['all variants are oversold', own({}), [stock('S', '-4.5', '1'), stock('M', '-3', '0')], -4.5],
    [
      'the product has a stock number too',
      own({ qty: '100' }),
      [stock('S', '7', '1'), stock('M', '2', '1')],
      9,
    ],
    [
      'one variant is disabled',
      own({}),
      [stock('S', '7', '1', { product_online: '2' }), stock('M', '2', '1')],
      2,
    ],
    ['all variants are disabled', own({}), [stock('S', '7', '1', { product_online: '2' })], 0],
    [
      'no row has stock cells',
      own({ qty: '', is_in_stock: '' }),
      [stock('S', '', ''), stock('M', '', '')],
      undefined,
    ],
  ])('of a configurable product if %s', (_, tee, variants, instock) => {
    expect(payloadOf(tee, ...variants).quantity).toEqual(instock === undefined ? undefined : { instock });
  });

  test.each([
    ['is its own number', { qty: '5', is_in_stock: '1' }, 5],
    ['is its own number if it is disabled', { qty: '5', is_in_stock: '1', product_online: '2' }, 5],
    ['is 0 if it is marked as out of stock', { qty: '5', is_in_stock: '0' }, 0],
    ['may be negative', { qty: '-5', is_in_stock: '1' }, -5],
  ])('of a simple product %s', (_, cells, instock) => {
    expect(payloadOf({ ...PLAIN, ...cells }).quantity).toEqual({ instock });
  });

  test.each(['grouped', 'bundle', 'configurable'])(
    'of a %s product is that of its parts, whatever its own qty',
    (product_type) => {
      const cells = { product_type, price: '5', qty: '0.0000', configurable_variations: '' };
      const inStock = payloadOf({ ...PLAIN, ...cells, is_in_stock: '1' });
      expect(inStock).not.toHaveProperty('quantity');
      expect(inStock.outStock).toEqual({ disabled: true });
      const soldOut = payloadOf({ ...PLAIN, ...cells, is_in_stock: '0' });
      expect(soldOut.quantity).toEqual({ instock: 0 });
      expect(soldOut.outStock).not.toEqual({ disabled: true });
      const unknown = payloadOf({ ...PLAIN, ...cells });
      expect([unknown.quantity, unknown.outStock]).toEqual([undefined, undefined]);
    },
  );

  test('of a variant is 0 if it is marked as out of stock', () => {
    const { variants } = payloadOf(own({}), stock('S', '7', '0'), stock('M', '2', '1'));
    expect(variants).toMatchObject([{ quantity: { instock: 0 } }, { quantity: { instock: 2 } }]);
  });
});

describe('selling without stock is enabled', () => {
  const COUNTED = {
    qty: '0',
    is_in_stock: '1',
    manage_stock: '1',
    use_config_manage_stock: '0',
    allow_backorders: '0',
    use_config_backorders: '0',
  };
  const UNCOUNTED = { ...COUNTED, manage_stock: '0' };
  const BACKORDERS = { ...COUNTED, allow_backorders: '1' };
  const outStockOf = (...rows: Record<string, string>[]) => payloadOf(...rows).outStock;
  const parent = (cells: Record<string, string>) => ({ ...TEE, ...cells });

  test.each([
    ['one is not counted', [COUNTED, UNCOUNTED], { disabled: true }],
    ['one may be oversold', [COUNTED, BACKORDERS], { disabled: true }],
    ['all are counted', [COUNTED, COUNTED], undefined],
    ['the shop setting disables counting', [{ ...UNCOUNTED, use_config_manage_stock: '1' }], undefined],
    ['one is not counted, and is out of stock', [COUNTED, { ...UNCOUNTED, is_in_stock: '0' }], undefined],
    ['one may be oversold, and is disabled', [COUNTED, { ...BACKORDERS, product_online: '2' }], undefined],
  ])('by the variants, or not: %s', (_, cells, expected) => {
    const variants = cells.map((each, index) => variant(`TEE-${index}`, each));
    expect(outStockOf(parent(COUNTED), ...variants)).toEqual(expected);
  });

  test('never for a configurable product that is marked as out of stock', () => {
    const tee = parent({ ...COUNTED, is_in_stock: '0' });
    expect(outStockOf(tee, variant('TEE-S', UNCOUNTED))).toEqual({ disabled: false });
  });

  test('never by the own cells of a configurable product whose variants are counted', () => {
    expect(outStockOf(parent(UNCOUNTED), variant('TEE-S', COUNTED))).toBeUndefined();
  });

  test.each([
    ['is not counted', UNCOUNTED, { disabled: true }],
    ['may be oversold', BACKORDERS, { disabled: true }],
    ['is not counted and disabled', { ...UNCOUNTED, product_online: '2' }, { disabled: true }],
    ['is counted', COUNTED, undefined],
    ['may be oversold, and is out of stock', { ...BACKORDERS, is_in_stock: '0' }, undefined],
  ])('for a simple product, or not: it %s', (_, cells, expected) => {
    expect(outStockOf({ ...PLAIN, ...cells })).toEqual(expected);
  });
});
