import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadPreset, type Mapped, presetNames } from '../../src/map/index.ts';
import type { JsonObject } from '../../src/model/index.ts';
import { scaledRuns } from '../support/property-tests.ts';
import { mapExport, mapObject } from './read-export.ts';

/** Amounts of an order in cents. Taxes are in the prices, or are added to them. */
interface Bought {
  readonly lines: readonly { readonly quantity: number; readonly cents: number; readonly off: number }[];
  readonly shipping: number;
  readonly tax: number;
  readonly isTaxAdded: boolean;
  readonly namesLineDiscounts: boolean;
}

const amount = fc.nat(200_000);
const bought: fc.Arbitrary<Bought> = fc.record({
  lines: fc.array(
    fc
      .record({
        quantity: fc.integer({ min: 1, max: 9 }),
        cents: amount,
        share: fc.integer({ min: 0, max: 100 }),
      })
      .map(({ quantity, cents, share }) => ({
        quantity,
        cents,
        off: Math.floor((quantity * cents * share) / 100),
      })),
    { minLength: 1, maxLength: 6 },
  ),
  shipping: amount,
  tax: amount,
  isTaxAdded: fc.boolean(),
  namesLineDiscounts: fc.boolean(),
});

const text = (cents: number) => (cents / 100).toFixed(2);
const sumOf = (amounts: readonly number[]) => amounts.reduce((a, b) => a + b, 0);
const discountOf = ({ lines }: Bought) => sumOf(lines.map(({ off }) => off));
const paidOf = (order: Bought) => {
  const { lines, shipping } = order;
  return sumOf(lines.map(({ quantity, cents }) => quantity * cents)) + shipping - discountOf(order);
};

/** Maps an order as each platform writes it. `error`: cents by which the total of the file is wrong. */
const FILES: Readonly<Record<string, (order: Bought, error: number) => Mapped>> = {
  'shopify-orders': (order, error) =>
    mapExport(
      'shopify-orders',
      ...order.lines.map(({ quantity, cents, off }, index) => ({
        Name: '#1',
        'Financial Status': index === 0 ? 'paid' : '',
        Shipping: index === 0 ? text(order.shipping) : '',
        Taxes: index === 0 ? text(order.tax) : '',
        Total: index === 0 ? text(paidOf(order) + (order.isTaxAdded ? order.tax : 0) + error) : '',
        'Discount Amount': index === 0 ? text(discountOf(order)) : '',
        'Lineitem quantity': String(quantity),
        'Lineitem name': `Thing ${index}`,
        'Lineitem price': text(cents),
        'Lineitem discount': text(order.namesLineDiscounts ? off : 0),
      })),
    ),
  'woocommerce-orders-json': (order, error) =>
    mapObject('woocommerce-orders-json', {
      number: '1',
      discount_total: text(discountOf(order)),
      shipping_total: text(order.shipping),
      total_tax: text(order.tax),
      total: text(paidOf(order) + order.tax + error),
      line_items: order.lines.map(({ quantity, cents, off }) => ({
        ...{ name: 'Thing', quantity, price: (quantity * cents - off) / quantity / 100 },
        ...{ subtotal: text(quantity * cents), total: text(quantity * cents - off) },
      })),
    }),
};

function sumIn({ details, shipping, discount }: JsonObject): number {
  const prices = (details as JsonObject[]).map(({ price }) => Math.round(Number(price) * 100));
  const [added, off] = [shipping, discount].map((each) =>
    Number((each as JsonObject | undefined)?.price ?? 0),
  );
  return sumOf(prices) + Math.round((added ?? 0) * 100) - Math.round((off ?? 0) * 100);
}

test('each preset of orders compares them with their totals', () => {
  const orders = presetNames().filter((name) => loadPreset(name).resource.name === 'orders');
  expect(orders).toEqual(Object.keys(FILES));
  for (const name of orders) expect(loadPreset(name).check, name).toBeDefined();
});

describe.each(Object.entries(FILES))('%s', (_name, mapped) => {
  test('sends what was paid, with each discount once, and does not warn', () => {
    fc.assert(
      fc.property(bought, (order) => {
        const { payload, warnings, issues } = mapped(order, 0);
        expect(issues).toEqual([]);
        expect(sumIn(payload)).toBe(paidOf(order));
        expect(warnings).toBeUndefined();
      }),
      { numRuns: scaledRuns(200) },
    );
  });

  test('warns of an order whose total is another, with both figures', () => {
    fc.assert(
      fc.property(bought, fc.integer({ min: 500, max: 100_000 }), (order, error) => {
        // The tax alone would explain this difference.
        fc.pre(order.tax === 0 || Math.abs(error) !== order.tax);
        const { warnings = [], issues } = mapped({ ...order, isTaxAdded: true }, order.tax + error);
        expect(issues).toEqual([]);
        const total = String((paidOf(order) + 2 * order.tax + error) / 100);
        expect(warnings).toEqual([
          {
            message: expect.stringMatching(
              /^Lines and shipping less the discount of an order are not its total, "total"/i,
            ),
            found: expect.stringMatching(
              new RegExp(`^${paidOf(order) / 100}( and .* of tax)?, not ${total}$`),
            ),
          },
        ]);
      }),
      { numRuns: scaledRuns(100) },
    );
  });
});

const ORDER = {
  Name: '#7',
  'Financial Status': 'paid',
  'Lineitem quantity': '1',
  'Lineitem name': 'Lamp',
  'Lineitem price': '50.00',
};

test('discounts that only the lines of a Shopify order have are the discount of the order', () => {
  const cells = { ...ORDER, Total: '45.00', 'Discount Amount': '', 'Lineitem discount': '5.00' };
  const { payload, warnings } = mapExport('shopify-orders', cells);
  expect(payload).toMatchObject({ details: [{ price: 50 }], discount: { price: 5 } });
  expect(warnings).toBeUndefined();
});

test('a discount of a line that is not a number is named with its cell', () => {
  const cells = { ...ORDER, 'Discount Amount': '', 'Lineitem discount': '5,00' };
  const { issues } = mapExport('shopify-orders', cells);
  expect(issues).toMatchObject([{ code: 'not-a-number', column: 'Lineitem discount' }]);
});

test('an order without a discount or without a total has neither a discount of 0 nor a warning', () => {
  const { payload, warnings } = mapExport('shopify-orders', {
    ...ORDER,
    Total: '',
    'Lineitem discount': '0.00',
  });
  expect(payload).not.toHaveProperty('discount');
  expect(warnings).toBeUndefined();
});

test('a total that is not a number is named and refuses no order', () => {
  const { issues, warnings } = mapExport('shopify-orders', { ...ORDER, Total: 'gratis' });
  expect(issues).toEqual([]);
  expect(warnings).toMatchObject([{ found: '50, not a number' }]);
});

test('a WooCommerce line without a subtotal has its discount in its price', () => {
  const { payload, warnings } = mapObject('woocommerce-orders-json', {
    ...{ number: '1', discount_total: '2.00', total: '18.00' },
    line_items: [{ name: 'Mug', quantity: 2, total: '18.00', price: 9 }],
  });
  expect(payload).toMatchObject({ details: [{ product: { price: { salePrice: 9 } }, price: 18 }] });
  expect(payload).not.toHaveProperty('discount');
  expect(warnings).toBeUndefined();
});
