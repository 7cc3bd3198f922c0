import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { cliForEachTest } from '../support/cli.ts';
import { environmentOf, sample, storeport } from '../support/run.ts';

const cli = cliForEachTest();

/** Imports files one after another, in their order, and returns the orders and the other records of the store. */
async function ordersAfter(
  ...imports: readonly (readonly [resource: string, file: string, text?: string])[]
) {
  const store = await startSandbox();
  try {
    for (const [resource, file, text] of imports) {
      if (text !== undefined) writeFileSync(join(cli.cwd, file), text);
      const { code, stderr } = await storeport(['import', resource, file, '--concurrency', '1'], {
        cwd: cli.cwd,
        env: environmentOf(store),
      });
      expect([0, 1], stderr).toContain(code);
    }
    const idOf = (collection: 'customers' | 'products', field: string, value: string) =>
      (store.records(collection) as JsonObject[]).find((each) => each[field] === value)?._id;
    return { orders: store.records('orders') as JsonObject[], idOf };
  } finally {
    await store.close();
  }
}

test('an order of Shopify names a customer that an earlier run has imported, and a guest by name only', async () => {
  const customers = 'firstname,lastname,email\nMara,Okafor,mara.okafor@example.com\n';
  const { orders, idOf } = await ordersAfter(
    ['customers', 'people.csv', customers],
    ['orders', sample('shopify-orders.csv')],
  );
  expect(orders.map(({ customer }) => customer)).toEqual([
    {
      _id: idOf('customers', 'email', 'mara.okafor@example.com'),
      firstname: 'Mara',
      lastname: 'Okafor',
      email: 'mara.okafor@example.com',
    },
    { firstname: 'Jan Willem', lastname: 'de Boer' },
    { firstname: 'Ines', email: 'ines.prado@example.com' },
  ]);
});

const ORDER = {
  id: 727,
  number: '727',
  status: 'processing',
  discount_total: '2.00',
  shipping_total: '5.00',
  customer_note: 'Ring twice',
  billing: { first_name: 'Rosa', last_name: 'Ferro', email: 'rosa.ferro@example.org' },
  shipping: { first_name: 'Rosa', last_name: 'Ferro', address_1: 'Via Larga 2', city: 'Pisa', country: 'IT' },
  payment_method_title: 'Bank transfer',
  date_paid_gmt: '2026-02-22T15:28:08',
  line_items: [
    {
      ...{ name: 'Scarf - Red', parent_name: 'Scarf', sku: 'SCARF-RED' },
      ...{ quantity: 2, subtotal: '20.00', total: '18.00', price: 9 },
    },
    { name: 'Mug', parent_name: null, quantity: 1, subtotal: '1.00', total: '1.00', sku: 'MUG', price: 1 },
  ],
  shipping_lines: [{ method_title: 'Courier', total: '5.00' }],
};

test('an order of WooCommerce names its customer and its products by what earlier runs sent', async () => {
  const { orders, idOf } = await ordersAfter(
    ['customers', 'people.csv', 'firstname,lastname,email\nRosa,Ferro,Rosa.Ferro@example.org\n'],
    ['products', 'things.csv', 'name,reference\nMug,MUG\n'],
    ['orders', 'orders.json', JSON.stringify([ORDER, { ...ORDER, number: '728', status: 'completed' }])],
  );
  const [first, second] = orders;
  expect(first).toMatchObject({
    customer: { _id: idOf('customers', 'firstname', 'Rosa'), firstname: 'Rosa', lastname: 'Ferro' },
    details: [
      {
        product: { name: 'Scarf', price: { salePrice: 10 } },
        variant: { name: 'Scarf - Red' },
        quantity: 2,
        price: 20,
      },
      { product: { _id: idOf('products', 'reference', 'MUG'), name: 'Mug' }, quantity: 1, price: 1 },
    ],
    shipping: {
      price: 5,
      shipper: { name: 'Courier' },
      address: { firstname: 'Rosa', lastname: 'Ferro', address1: 'Via Larga 2', country: { name: 'IT' } },
    },
    discount: { price: 2 },
    status: 'PENDING',
    payment: { paidAt: '2026-02-22T15:28:08Z' },
    method: { name: 'Bank transfer' },
    customerNote: 'Ring twice',
  });
  expect(idOf('products', 'reference', 'MUG')).toBeDefined();
  const [scarf] = (first?.details ?? []) as JsonObject[];
  expect(scarf?.product).not.toHaveProperty('_id');
  expect(second?.status).toBe('FULFILLED');
});
