import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import type { CreatedCollection } from '../../../src/sandbox/index.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { importOf, shopRows, stepsOf } from '../../support/sample-shop.ts';

const cli = cliForEachTest();

/** Imports each step by a command of its own, and returns its exit code with the outcomes of its report. */
async function importSteps(plan: string) {
  const ends = [];
  for (const step of stepsOf(plan)) {
    const { code } = await cli.run(...importOf(step), '--out', step.resource);
    const { results, summary } = cli.reports(step.resource);
    ends.push({ resource: step.resource, code, outcomes: summary.outcomes, results });
  }
  return ends;
}

function records<T = JsonObject>(collection: CreatedCollection): (T & { _id: string })[] {
  return cli.sandbox.records(collection) as (T & { _id: string })[];
}

/** Ids in the store by the text that files use for these records. */
function idsBy(collection: CreatedCollection, field: string): Record<string, string> {
  return Object.fromEntries(records(collection).map((record) => [record[field], record._id]));
}

interface Order {
  readonly customer: { _id: string; email: string };
  readonly details: { product: { _id: string; name: string }; quantity: number; price: number }[];
  readonly discount?: { _id: string; price: number };
}

test('all five resources of the sample shop arrive, each reference as the id of the record that the file names', async () => {
  const ends = await importSteps('plan.yaml');
  expect(ends.map(({ resource, code, outcomes }) => [resource, code, outcomes])).toEqual([
    ['suppliers', 0, { created: 6 }],
    ['products', 0, { created: 30 }],
    ['customers', 0, { created: 25 }],
    ['discounts', 0, { created: 6 }],
    ['orders', 0, { created: 40 }],
  ]);
  const suppliers = idsBy('suppliers', 'name');
  const products = idsBy('products', 'reference');
  const customers = idsBy('customers', 'email');
  const discounts = idsBy('discounts', 'code');
  expect([suppliers, products, customers, discounts].map((ids) => new Set(Object.values(ids)).size)).toEqual([
    6, 30, 25, 6,
  ]);

  const withSupplier = shopRows('products.csv').filter(({ Supplier }) => Supplier);
  const suppliersSent = records<{ reference: string; supplier: { _id: string } }>('products');
  expect(suppliersSent.map(({ reference, supplier }) => [reference, supplier._id]).sort()).toEqual(
    withSupplier.map(({ Handle, Supplier = '' }) => [Handle, suppliers[Supplier]]).sort(),
  );

  const idsOf = (cell: string, ids: Record<string, string>) =>
    cell === '' ? undefined : cell.split('|').map((key) => ids[key]);
  const discountsSent = records<{ code: string; products?: { _id: string }[]; customers?: string[] }>(
    'discounts',
  );
  expect(
    Object.fromEntries(
      discountsSent.map(({ code, products: chosen, customers: of }) => [
        code,
        [chosen?.map(({ _id }) => _id), of],
      ]),
    ),
  ).toEqual(
    Object.fromEntries(
      shopRows('discounts.csv', ';').map(({ Code = '', Products = '', Customers = '' }) => [
        Code,
        [idsOf(Products, products), idsOf(Customers, customers)],
      ]),
    ),
  );

  // The number of an order is not sent, so orders are compared as a whole, in any order.
  const rows = shopRows('orders.csv', ';');
  const numbers = [...new Set(rows.map(({ Order = '' }) => Order))];
  const amount = (text = '') => Number(text.replaceAll('.', '').replace(',', '.'));
  const expected = numbers.map((number) => {
    const lines = rows.filter(({ Order }) => Order === number);
    const { Customer = '', Coupon = '', ...first } = lines[0] ?? {};
    return {
      customer: [customers[Customer], Customer],
      lines: lines.map((line) => [
        products[line.Article ?? ''],
        line.Description,
        Number(line.Pieces),
        amount(line['Line total']),
      ]),
      discount: Coupon === '' ? [] : [discounts[Coupon], amount(first['Coupon value'])],
    };
  });
  const sent = records<Order>('orders').map(({ customer, details, discount }) => ({
    customer: [customer._id, customer.email],
    lines: details.map(({ product, quantity, price }) => [product._id, product.name, quantity, price]),
    discount: discount === undefined ? [] : [discount._id, discount.price],
  }));
  const sorted = (list: readonly object[]) => list.map((each) => JSON.stringify(each)).sort();
  expect(sorted(sent)).toEqual(sorted(expected));
  expect(expected.filter(({ lines }) => lines.length > 1).length).toBeGreaterThan(15);
  expect(expected.filter(({ discount }) => discount.length > 0).length).toBeGreaterThan(5);
});

test('a second import of the sample shop creates nothing', async () => {
  await importSteps('plan.yaml');
  const before = cli.sends().length;
  const ends = await importSteps('plan.yaml');
  expect(ends.map(({ outcomes }) => outcomes)).toEqual(
    [6, 30, 25, 6, 40].map((unchanged) => ({ unchanged })),
  );
  expect(cli.sends()).toHaveLength(before);
});

test('the amounts of the sample shop agree: lines with prices, orders with the articles', () => {
  const prices = shopRows('products.csv').map((row) => [
    row.Handle,
    row['Option1 Value'] === 'Default Title' ? '' : row['Option1 Value'],
    row['Variant Price'],
  ]);
  const amount = (text = '') => Number(text.replaceAll('.', '').replace(',', '.'));
  for (const row of shopRows('orders.csv', ';')) {
    const price = prices.find(([handle, variant]) => handle === row.Article && variant === row.Variant)?.[2];
    expect(amount(row['Unit price']), `${row.Order} ${row.Article}`).toBe(Number(price));
    expect(amount(row['Line total'])).toBeCloseTo(Number(price) * Number(row.Pieces), 6);
  }
});

test('the plan with mistakes leaves out what names an unknown record, and imports the rest', async () => {
  const ends = await importSteps('plan-with-mistakes.yaml');
  expect(ends.map(({ resource, code, outcomes }) => [resource, code, outcomes])).toEqual([
    ['suppliers', 0, { created: 2 }],
    ['products', 1, { created: 2, invalid: 1 }],
    ['customers', 0, { created: 2 }],
    ['orders', 1, { created: 1, invalid: 2 }],
  ]);
  const failed = ends.flatMap(({ results }) => results.filter(({ outcome }) => outcome === 'invalid'));
  expect(failed.map(({ key, code, field }) => [key, code, field])).toEqual([
    ['carafe', 'not-found', 'supplier._id'],
    ['HT-2', 'not-found', 'customer._id'],
    ['HT-3', 'not-found', 'details.1.product._id'],
  ]);
});
