import { describe, expect, test } from 'vitest';
import { suggested } from '../support/suggested.ts';

const HEADER =
  'Date,Time,Category,Item,Qty,Price Point Name,SKU,Modifiers Applied,Gross Sales,Discounts,Net Sales,Tax,Transaction ID,Payment ID,Customer Name,Customer ID';
const ROWS = [
  '2026-03-01,10:01:00,Coffee,Latte,2,Large,LAT-L,Oat milk,$9.00,$0.00,$9.00,$0.72,T1001,P1,Ann Lee,C1',
  '2026-03-01,10:01:00,Food,Bagel,1,Regular,BAG,,$4.50,-$0.50,$4.00,$0.32,T1001,P1,Ann Lee,C1',
  '2026-03-01,11:12:00,Coffee,Espresso,1,Single,ESP,,$3.00,$0.00,$3.00,$0.24,T1002,P2,,',
  '2026-03-01,12:40:00,Coffee,Latte,3,Small,LAT-S,,$12.00,-$1.00,$11.00,$0.96,T1003,P3,Bo Ray,C2',
];

describe('sales of a till', () => {
  test('sales of a till are orders by the number of the transaction, with gross sales as the amounts of lines', () => {
    const { draft, payloads, issues } = suggested('orders', [HEADER, ...ROWS].join('\n'));
    expect(draft.key).toBe('Transaction ID');
    expect(draft.group).toEqual({ by: 'Transaction ID' });
    expect(payloads.map(({ details }) => details)).toEqual([
      [
        { product: { name: 'Latte' }, quantity: 2, price: 9 },
        { product: { name: 'Bagel' }, quantity: 1, price: 4.5 },
      ],
      [{ product: { name: 'Espresso' }, quantity: 1, price: 3 }],
      [{ product: { name: 'Latte' }, quantity: 3, price: 12 }],
    ]);
    expect(issues.flat()).toEqual([]);
  });

  test('sales of a till have a doubt if no total shows whether gross sales have the tax', () => {
    const { draft } = suggested('orders', [HEADER, ...ROWS].join('\n'));
    expect(draft.fields.find(({ field }) => field === 'details')?.doubt).toBe(
      'no total shows whether Gross Sales has the tax in Tax',
    );
  });

  test.each(['Receipt number', 'Ticket', 'Transaktions-ID', 'Kvitto nr', 'Scontrino', 'Чек'])(
    'are orders by %s if no column has the number of an order',
    (name) => {
      const rows = ['1,Latte,2,4.50', '1,Bagel,1,3.00', '2,Latte,1,4.50'];
      const { draft } = suggested('orders', [`${name},Item,Qty,Unit price`, ...rows].join('\n'));
      expect(draft.key).toBe(name);
    },
  );

  test('sales of a till are orders by the number of an order if there is one beside that of the transaction', () => {
    const rows = ['1,T8,Latte,2,4.50', '1,T9,Bagel,1,3.00', '2,T10,Latte,1,4.50'];
    const { draft } = suggested(
      'orders',
      ['Order ID,Transaction ID,Item,Qty,Unit price', ...rows].join('\n'),
    );
    expect(draft.key).toBe('Order ID');
  });

  test('without a number have each of their doubts', () => {
    const { draft } = suggested('orders', 'Item,Qty\nLatte,2\nBagel,-1');
    expect(draft.fields.find(({ field }) => field === 'details')?.doubt).toBe(
      'no column surely has the number of an order, so each row is an order of its own; no column surely has the price of a line; 1 of 2 lines have a negative quantity, as returned goods do, and are sent so',
    );
  });
});
