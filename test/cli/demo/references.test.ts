import { expect, test } from 'vitest';
import { countReferences, orderLines, type ShopCollection } from '../../../src/cli/demo/references.ts';
import type { JsonObject } from '../../../src/model/index.ts';

const STORE: Record<ShopCollection, JsonObject[]> = {
  suppliers: [{ _id: 's1', name: 'Smithy' }],
  products: [
    { _id: 'p1', name: 'Hoe', supplier: { _id: 's1' } },
    { _id: 'p2', name: 'Rake' },
  ],
  customers: [{ _id: 'c1', firstname: 'Nora', lastname: 'Wells' }],
  discounts: [{ _id: 'd1', code: 'TEN', products: [{ _id: 'p1' }, { _id: 'p2' }], customers: ['c1'] }],
  orders: [
    { _id: 'o1', orderId: 7, customer: {}, details: [{ quantity: 1 }] },
    {
      _id: 'o2',
      orderId: 8,
      customer: { _id: 'c1' },
      details: [
        { product: { _id: 'p1' }, quantity: 2 },
        { product: { _id: 'p2' }, quantity: 1 },
      ],
      discount: { _id: 'd1' },
    },
  ],
};

test('each kind of reference is counted, and one to no record of its own collection is dangling', () => {
  const count = (change: Partial<typeof STORE> = {}) =>
    countReferences((collection) => ({ ...STORE, ...change })[collection]);
  expect(count()).toEqual({ total: 8, dangling: 0 });
  // References to the only supplier, to customers, and to the discount.
  expect(count({ suppliers: [] })).toEqual({ total: 8, dangling: 1 });
  expect(count({ customers: [{ _id: 'p1' }] })).toEqual({ total: 8, dangling: 2 });
  expect(count({ products: [] })).toEqual({ total: 7, dangling: 4 });
  expect(count({ discounts: [] })).toEqual({ total: 5, dangling: 1 });
});

test('an order is shown by the names of the records that its ids lead to, and an id that leads nowhere says so', () => {
  expect(orderLines((collection) => STORE[collection])).toEqual([
    'Order 8',
    '  customer  c1   Nora Wells',
    '  product   p1   2 × Hoe, by Smithy',
    '  product   p2   1 × Rake',
    '  discount  d1   TEN',
  ]);
  const lines = orderLines((collection) => (collection === 'customers' ? [] : STORE[collection]));
  expect(lines[1]).toBe('  customer  c1   is no record of the store');
  expect(orderLines(() => [])).toEqual([]);
});
