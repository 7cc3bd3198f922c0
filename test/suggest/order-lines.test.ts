import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';
import { suggested } from '../support/suggested.ts';

interface Order extends JsonObject {
  readonly customer?: { readonly firstname?: string; readonly lastname?: string };
  readonly shipping?: { readonly price?: number; readonly address?: { readonly address1?: string } };
  readonly discount?: { readonly price?: number };
  readonly details?: {
    readonly product?: { readonly name?: string; readonly price?: { readonly salePrice?: number } };
    readonly variant?: { readonly name?: string };
    readonly quantity?: number;
    readonly price?: number;
  }[];
}

function orders(...lines: readonly string[]) {
  const { payloads, ...made } = suggested('orders', lines.join('\n'));
  const found = payloads as Order[];
  const doubt = made.draft.fields.find(({ field }) => field === 'details')?.doubt;
  const whyNot = (column: string) => made.draft.leftOut.find((each) => each.column === column)?.why;
  return { ...made, orders: found, doubt, whyNot };
}

const prices = (found: readonly Order[]) => found.map(({ details }) => details?.map(({ price }) => price));

describe('amounts of lines', () => {
  test.each(['Amount', 'Importe', 'Wartość', 'Bedrag', 'Montant TTC'])(
    'a column %s whose amounts are price times quantity has the amounts of lines, also those with a discount',
    (name) => {
      const made = orders(
        `Order,Email,Item,Qty,Price,${name}`,
        ...['1,a@example.com,Pen,2,3.50,7.00', '2,b@example.com,Ink,3,2.00,6.00'],
        ...[
          '3,c@example.com,Cup,4,5.00,20.00',
          '4,d@example.com,Cap,2,1.00,2.00',
          '5,e@example.com,Hat,2,9.00,16.20',
        ],
      );
      expect(prices(made.orders)).toEqual([[7], [6], [20], [2], [16.2]]);
      expect(made.doubt).toBeUndefined();
    },
  );

  test('a total that equals price times quantity in orders of one line is not the amount of lines', () => {
    const made = orders(
      'Order,Email,Item,Qty,Price,Total',
      ...[
        '1,a@example.com,Pen,2,3.50,7.00',
        '2,b@example.com,Ink,3,2.00,6.00',
        '3,c@example.com,Cup,4,5.00,20.00',
      ],
      ...['4,d@example.com,Cap,2,1.00,11.00', '4,d@example.com,Hat,1,9.00,11.00'],
      ...['5,e@example.com,Pin,2,2.50,5.00', '6,f@example.com,Pot,2,1.50,3.00'],
    );
    expect(prices(made.orders)).toEqual([[7], [6], [20], [2, 9], [5], [3]]);
  });

  test('an amount to which orders add up is that of lines, if no price gives their totals', () => {
    const made = orders(
      'Order,Email,Item,Qty,Price,Amount,Total',
      ...['1,a@example.com,Pen,2,10.00,18.00,23.00', '1,a@example.com,Ink,1,5.00,5.00,23.00'],
      ...['2,b@example.com,Cup,3,10.00,27.00,27.00', '3,c@example.com,Cap,2,4.00,7.20,7.20'],
    );
    expect(prices(made.orders)).toEqual([[18, 5], [27], [7.2]]);
  });

  test('an amount in the first row of each order only is not the amount of lines', () => {
    const made = orders(
      'Order,Email,Item,Qty,Price,Amount,Shipping,Total',
      ...['1,a@example.com,Pen,1,10.00,12.00,2.00,14.00', '2,b@example.com,Cup,1,30.00,33.00,0,33.00'],
      ...['3,c@example.com,Cap,2,4.00,9.00,1.00,10.00', '3,c@example.com,Hat,1,1.00,,,'],
    );
    expect(made.draft.fields.find(({ field }) => field === 'details')?.columns).not.toContain('Amount');
  });

  test('a price that does not give the amounts of lines is not the price of a product', () => {
    const made = orders(
      'Order,Email,Item,Qty,Unit price,Line total',
      ...[
        '1,a@example.com,Pen,2,10.00,24.00',
        '2,b@example.com,Ink,1,5.00,6.00',
        '3,c@example.com,Cup,3,1.00,3.60',
      ],
    );
    expect(made.orders.map(({ details }) => details?.[0]?.product)).toEqual([
      { name: 'Pen' },
      { name: 'Ink' },
      { name: 'Cup' },
    ]);
    expect(prices(made.orders)).toEqual([[24], [6], [3.6]]);
    expect(made.whyNot('Unit price')).toContain('may be without tax or before a discount');
  });

  test('a price without a quantity and without a word for one piece is no price of a product', () => {
    const rows = ['1,a@example.com,Pen,39.98', '2,b@example.com,Ink,5.00'];
    const made = orders('Order,Email,Item,Price', ...rows);
    expect(made.orders.map(({ details }) => details)).toEqual([
      [{ product: { name: 'Pen' } }],
      [{ product: { name: 'Ink' } }],
    ]);
    expect(made.doubt).toContain('so lines have no price');
  });

  test('returned goods are counted', () => {
    const rows = [
      '1,a@example.com,Pen,2,3.50,7.00',
      '1,a@example.com,Pen,-1,3.50,-3.50',
      '2,b@example.com,Ink,1,9,9',
    ];
    expect(orders('Order,Email,Item,Quantity,Unit price,Line total', ...rows).doubt).toBe(
      '1 of 3 lines have a negative quantity, as returned goods do, and are sent so',
    );
  });
});

describe('lines that have columns of their own in one row', () => {
  const HEADER = 'Order ID,Name,Email,Item 1,Size 1,Qty 1,Price 1,Item 2,Size 2,Qty 2,Price 2,Total';
  const ROWS = [
    '1,Ann Lee,a@example.com,Mug,L,2,8.00,Cup,S,1,5.00,21.00',
    '2,Bob Ray,b@example.com,Pot,M,1,25.00,,,,,25.00',
    '3,Cy Doe,c@example.com,Cup,S,4,5.00,Mug,M,1,8.00,28.00',
  ];

  test('lines that have columns of their own in one row are all lines of the order', () => {
    const made = orders(HEADER, ...ROWS);
    expect(prices(made.orders)).toEqual([[16, 5], [25], [20, 8]]);
    expect(made.orders[0]?.details?.map(({ variant }) => variant?.name)).toEqual(['L', 'S']);
    expect([made.doubt, made.draft.notUsed]).toEqual([undefined, []]);
  });
});

test('a second name without a quantity or a price is no line', () => {
  const rows = ['1,a@example.com,Mug,with handle,2,8.00', '2,b@example.com,Cup,with saucer,1,5.00'];
  const made = orders('Order,Email,Item 1,Item 2,Qty,Unit price', ...rows);
  expect(made.orders.map(({ details }) => details?.length)).toEqual([1, 1]);
});

describe('shipping and discounts of orders', () => {
  const HEADER = 'Order,Email,Item,Quantity,Unit price,Shipping,Discount,Total';

  test('shipping and discounts of orders are left out if the rows of one order differ in them', () => {
    const rows = ['1,a@example.com,Pen,2,10.00,4.99,0.00,', '1,a@example.com,Ink,1,5.00,1.00,0.50,'];
    const made = orders(HEADER, ...rows, '2,b@example.com,Cup,1,3.00,2.00,0.00,');
    expect(made.orders.map(({ shipping, discount }) => [shipping, discount])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect(made.whyNot('Shipping')).toBe('rows of one order differ in it, so it may be of each line');
    expect(made.whyNot('Discount')).toBe('rows of one order differ in it, so it may be of each line');
  });

  test('shipping and discounts of orders are read if they are in the first row of an order, with zeros below', () => {
    const rows = ['1,a@example.com,Pen,2,10.00,4.99,1.00,', '1,a@example.com,Ink,1,5.00,0.00,0.00,'];
    const [order] = orders(HEADER, ...rows, '2,b@example.com,Cup,1,3.00,2.00,0.00,').orders;
    expect([order?.shipping?.price, order?.discount?.price]).toEqual([4.99, 1]);
  });

  test('a discount that the amounts of lines have already is left out', () => {
    const made = orders(
      'Order,Email,Item,Quantity,Line total,Shipping,Discount,Total',
      ...['1,a@example.com,Pen,2,18.00,5.00,2.00,23.00', '2,b@example.com,Ink,1,5.00,5.00,0,10.00'],
    );
    expect(made.orders.map(({ discount }) => discount)).toEqual([undefined, undefined]);
    expect(made.whyNot('Discount')).toBe('orders that have one add up to their totals without it');
    expect(made.draft.check).toBeDefined();
  });
});

describe('people and goods of orders', () => {
  const row = (cells: string) => `1,a@example.com,${cells},2,3.50`;

  test('a column Name beside a product has the customer, and without one the product', () => {
    const [beside] = orders(
      'Order,Email,Item,Name,Qty,Unit price',
      row('Mug,Ann Lee'),
      row('Cup,Bo Ray').replace('1', '2'),
    ).orders;
    expect(beside?.customer).toMatchObject({ firstname: 'Ann', lastname: 'Lee' });
    const [alone] = orders(
      'Order,Email,Name,Qty,Unit price',
      row('Blue Mug'),
      row('Red Cup').replace('1', '2'),
    ).orders;
    expect(alone?.customer?.firstname).toBeUndefined();
    expect(alone?.details?.[0]?.product?.name).toBe('Blue Mug');
    const [described] = orders(
      'Order,Email,Name,Description,Qty,Unit price',
      row('Blue Mug,Good mug'),
      row('Red Cup,Cup').replace('1', '2'),
    ).orders;
    expect(described?.customer?.firstname).toBeUndefined();
  });

  test('the name of a customer joins no orders', () => {
    const rows = [
      'Ann Lee,Mug,a@example.com,2,3.50',
      'Bo Ray,Cup,b@example.com,1,2.00',
      'Ann Lee,Pen,a@example.com,1,1.00',
    ];
    const made = orders('Name,Item,Email,Qty,Unit price', ...rows);
    expect([made.draft.key, made.orders.length]).toEqual([undefined, 3]);
  });

  test.each(['Imię i nazwisko', '氏名', 'Full name'])('a column %s has the name of the customer', (name) => {
    const made = orders(
      `Order,Email,Item,${name},Qty,Unit price`,
      row('Mug,Ann Lee'),
      row('Cup,Bo Ray').replace('1', '2'),
    );
    expect(made.orders[0]?.customer).toMatchObject({ email: 'a@example.com' });
    expect(made.orders[0]?.customer?.firstname).toBeDefined();
  });

  test('names of persons and streets below a name that nobody knows are named', () => {
    const { risks } = orders(
      'Order,Email,Item,Besteller:in,Wohin,Qty,Unit price',
      row('Mug,Ann Lee,12 Elm Rd'),
      row('Cup,Bo Ray,5 Oak Ave').replace('1', '2'),
    );
    expect(risks).toEqual({
      'Besteller:in': "it may have a customer's name, which no field has",
      Wohin: 'it may have an address, which no field has',
    });
  });

  test('an address of the delivery in one phrase is where the order goes, and ways of delivery are not', () => {
    const where = (cells: readonly [string, string]) =>
      orders(
        'Order,Email,Item,Adres dostawy,Qty,Unit price',
        row(`Mug,${cells[0]}`),
        row(`Cup,${cells[1]}`).replace('1', '2'),
      ).orders[0]?.shipping?.address?.address1;
    expect(where(['ul. Długa 5', 'ul. Krótka 7'])).toBe('ul. Długa 5');
    expect(where(['Express', 'Standard'])).toBeUndefined();
  });

  test('size and colour are the variant of a line', () => {
    const made = orders(
      'Pedido,Email,Producto,Talla,Color,Unidades,Precio unitario',
      row('Camiseta,M,Rojo'),
      row('Gorra,,Negro').replace('1', '2'),
    );
    expect(made.orders.map(({ details }) => details?.[0]?.variant?.name)).toEqual(['M / Rojo', 'Negro']);
  });

  test('orders of several currencies are compared with no total', () => {
    const { draft } = orders(
      'Order,Email,Item,Qty,Unit price,Currency,Total',
      ...[
        '1,a@example.com,Pen,2,3.50,EUR,7.00',
        '2,b@example.com,Ink,1,2.00,USD,2.00',
        '3,c@example.com,Cup,1,2.00,GBP,2.00',
      ],
    );
    expect(draft.check).toBeUndefined();
  });

  test('a column Name with one text in all lines of an order has no products', () => {
    const rows = [
      '1,Huber GmbH,Lager Ost,a@example.com,2',
      '1,Huber GmbH,Lager Ost,a@example.com,5',
      '2,Vogt KG,,b@example.com,1',
    ];
    const made = orders('Order,Name 1,Name 2,Email,Qty', ...rows);
    expect(made.orders.map(({ details }) => details)).toEqual([undefined, undefined]);
    expect(made.whyNot('Qty')).toBe('no column surely has the product or the price of a line');
  });

  test.each([
    ['Type', ['Order', 'Quote', 'Order']],
    ['Deleted', ['', 'x', '']],
    ['Void', ['no', 'yes', 'no']],
  ])('a column %s that may decide which orders count is named', (name, cells) => {
    const rows = cells.map((cell, n) => `${n},a${n}@example.com,Mug,1,8.00,paid,${cell}`);
    expect(orders(`Order,Email,Item,Qty,Unit price,Status,${name}`, ...rows).risks).toEqual({
      [name]: 'it may decide which orders count',
    });
  });
});
