import { describe, expect, test } from 'vitest';
import { bind, parseMapping } from '../../src/map/index.ts';
import type { JsonObject, Row, Table } from '../../src/model/index.ts';
import { columnsOfObjects, draftMapping, writeYaml } from '../../src/suggest/index.ts';
import { recordOf } from '../support/map-rows.ts';

/** The draft for orders of a JSON file, and each order as its mapping makes it. */
function suggestedOrders(objects: readonly JsonObject[]) {
  const { draft } = draftMapping('orders', columnsOfObjects(objects));
  const table: Table = { file: 'shop.json', header: [], items: objects };
  const binding = bind(parseMapping('suggested', writeYaml(draft, 'shop.json')), table, []);
  const mapped = objects.map((value, index) => {
    const row: Row = { table, row: index + 1, line: index + 1, cells: [JSON.stringify(value)], value };
    return binding.map(recordOf([row]));
  });
  return {
    draft,
    lines: mapped.map(({ payload }) => payload.details),
    issues: mapped.flatMap(({ issues }) => issues),
    doubt: draft.fields.find(({ field }) => field === 'details')?.doubt,
  };
}

const order = (number: string, more: JsonObject): JsonObject => ({
  number,
  customer: { name: 'Ann Lee', email: 'ann@x.com' },
  ...more,
});

const MUG = { sku: 'A', title: 'Mug', qty: 2, unitPrice: 8.5, total: 17 };
const PEN = { sku: 'B', title: 'Pen', qty: 3, unitPrice: 2, total: 6 };

const LINE_OF_MUG = { product: { name: 'Mug', price: { salePrice: 8.5 } }, quantity: 2, price: 17 };
const LINE_OF_PEN = { product: { name: 'Pen', price: { salePrice: 2 } }, quantity: 3, price: 6 };

describe('lines of orders in JSON', () => {
  test.each(['positions', 'line_items', 'items', 'lines', 'products', 'orderRows', 'cart.entries'])(
    'are the items of the list %s',
    (path) => {
      const [first = '', second] = path.split('.');
      const listed = (...items: readonly JsonObject[]) =>
        second === undefined ? { [first]: [...items] } : { [first]: { [second]: [...items] } };
      const { lines, draft, issues, doubt } = suggestedOrders([
        order('S-1', { ...listed(MUG), shippingCost: 5, total: 22 }),
        order('S-2', { ...listed(MUG, PEN), shippingCost: 5, total: 28 }),
      ]);
      expect(lines).toEqual([[LINE_OF_MUG], [LINE_OF_MUG, LINE_OF_PEN]]);
      expect(issues).toEqual([]);
      expect(doubt).toBeUndefined();
      expect(draft.check).toEqual({ total: { from: 'total', number: true } });
    },
  );

  test('lines of orders in JSON have the price of all pieces if the total shows that prices are of one', () => {
    const lineOf = (title: string, quantity: number, price: number) => ({
      product: { name: title },
      quantity,
      pricing: { price },
    });
    const { lines, issues } = suggestedOrders([
      order('S-1', { items: [lineOf('Mug', 2, 8.5)], total: 17 }),
      order('S-2', { items: [lineOf('Mug', 2, 8.5), lineOf('Pen', 3, 2)], total: 23 }),
    ]);
    expect(lines).toEqual([[LINE_OF_MUG], [LINE_OF_MUG, LINE_OF_PEN]]);
    expect(issues).toEqual([]);
  });

  test('lines of orders in JSON have a doubt if nothing shows whether prices are of one piece', () => {
    const { doubt } = suggestedOrders([
      order('S-1', { items: [{ name: 'Mug', quantity: 2, price: 8.5 }] }),
      order('S-2', { items: [{ name: 'Pen', quantity: 3, price: 2 }] }),
    ]);
    expect(doubt).toContain('may be the price of one piece or of the whole line');
  });

  test('lines of orders in JSON have a doubt if orders do not add up to their total', () => {
    const { doubt, draft } = suggestedOrders([
      order('S-1', { items: [{ name: 'Mug', quantity: 2, price: 8.5 }], total: 99 }),
      order('S-2', { items: [{ name: 'Pen', quantity: 3, price: 2 }], total: 77 }),
    ]);
    expect(doubt).toContain('the lines do not add up to total');
    expect(draft.check).toBeUndefined();
  });

  test('lines of orders in JSON that may be in cents have a doubt', () => {
    const { doubt } = suggestedOrders([
      order('S-1', { positions: [{ ...MUG, unitPrice: 850, total: 1700 }], total: 1700, currency: 'EUR' }),
    ]);
    expect(doubt).toContain('so they may be in cents');
  });

  test('lines of orders in JSON are not the items of lists of shipping, of refunds or of tags', () => {
    const { draft } = suggestedOrders([
      order('S-1', {
        shipping_lines: [{ name: 'Post', quantity: 1, price: 5 }],
        refunds: [{ name: 'Mug', quantity: 1, price: 5 }],
        tags: [{ name: 'gift' }],
      }),
    ]);
    expect(draft.fields.some(({ field }) => field === 'details')).toBe(false);
  });

  test('lines of orders in JSON stay with their orders beside an order without items and an empty object', () => {
    const { lines } = suggestedOrders([
      {},
      order('S-1', { items: [MUG], total: 17 }),
      order('S-2', { items: [], total: 0 }),
      order('S-3', { items: [MUG, PEN], total: 23 }),
    ]);
    expect(lines.slice(1)).toEqual([[LINE_OF_MUG], undefined, [LINE_OF_MUG, LINE_OF_PEN]]);
  });
});
