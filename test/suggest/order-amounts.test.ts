import { describe, expect, test } from 'vitest';
import { suggested } from '../support/suggested.ts';

interface Order {
  readonly customer?: { readonly lastname?: string };
  readonly details?: readonly { readonly price?: number }[];
  readonly discount?: { readonly price?: number };
  readonly shipping?: { readonly price?: number; readonly address?: { readonly address1?: string } };
}

function orders(...lines: readonly string[]) {
  const { payloads, ...rest } = suggested('orders', lines.join('\n'));
  return { ...rest, orders: payloads as unknown as readonly Order[] };
}

describe('discounts of orders', () => {
  const HEADER = 'Order,Email,Item,Quantity,Unit price,Discount,Shipping,Total';
  const PLAIN = '3,c@example.com,Cup,1,20.00,0,5.00,25.00';

  test('are left out if the totals show that they are in percent', () => {
    const made = orders(
      HEADER,
      '1,a@example.com,Pen,2,10.00,10,0,18.00',
      '2,b@example.com,Ink,1,50.00,20,5.00,45.00',
      PLAIN,
    );
    expect(made.orders.map(({ discount }) => discount)).toEqual([undefined, undefined, undefined]);
    expect(made.orders.map(({ details }) => details?.[0]?.price)).toEqual([20, 50, 20]);
    expect(made.draft.leftOut).toContainEqual(
      expect.objectContaining({
        ...{ column: 'Discount', field: 'discount.price' },
        why: 'the totals show that it is a percentage, and the store takes amounts',
      }),
    );
  });

  test('are left out if no order that has one adds up with it, and all others do', () => {
    const { draft } = orders(
      HEADER,
      '1,a@example.com,Pen,2,10.00,3,0,19.00',
      '2,b@example.com,Ink,1,50.00,7,5.00,54.00',
      PLAIN,
    );
    expect(draft.leftOut.find(({ column }) => column === 'Discount')?.why).toBe(
      'the orders that have one do not add up with it',
    );
  });

  test.each([
    ['that add up', ['1,a@example.com,Pen,2,10.00,10,0,10.00', '2,b@example.com,Ink,1,50.00,20,5.00,35.00']],
    ['of one order that does not add up', ['1,a@example.com,Pen,2,10.00,3,0,19.00']],
  ])('are amounts: those %s', (_, rows) => {
    const made = orders(HEADER, ...rows, PLAIN);
    expect(made.orders[0]?.discount?.price).toBe(Number(rows[0]?.split(',')[5]));
  });
});

describe('a row without the number of its order', () => {
  const HEADER = 'Order,Email,Item,Quantity,Unit price,Total';
  const ROWS = [
    '1,a@example.com,Pen,2,10.00,20.00',
    '2,b@example.com,Ink,1,50.00,60.00',
    ',,Cap,2,5.00,',
    ',b2@example.com,Mug,1,9.00,9.00',
    '3,c@example.com,Cup,1,20.00,20.00',
  ];

  test('is left out and named if it has another customer than the order above', () => {
    const { draft, orders: made } = orders(HEADER, ...ROWS);
    expect(draft.skips).toEqual([
      {
        ...{ when: { Order: '', Email: { empty: false } }, rows: [5] },
        why: 'it has no Order, and another Email than the order above',
      },
    ]);
    expect(draft.group).toEqual({ by: 'Order', empty: 'continues' });
    expect(made.map(({ details }) => details?.map(({ price }) => price))).toEqual([[20], [50, 10], [20]]);
  });

  test('is an order of its own, as an issue, if rows continue it, or nothing else continues an order', () => {
    const continued = orders(HEADER, ...ROWS.slice(0, 4), ',,Hat,1,4.00,', ...ROWS.slice(4));
    expect(continued.draft.group).toBeUndefined();
    const alone = orders(HEADER, ...ROWS.filter((row) => !row.startsWith(',,')));
    expect(alone.draft.group).toBeUndefined();
    expect(alone.orders).toHaveLength(4);
  });

  test('continues the order above if its customer is the same', () => {
    const same = ROWS.map((row) => row.replace('b2@', 'b@').replace(',9.00,9.00', ',9.00,'));
    expect(orders(HEADER, ...same).draft.skips).toBeUndefined();
  });
});

test.each([
  ['Frais de port', 'Total'],
  ['Toimituskulut', 'Yhteensä'],
  ['Kargo', 'Toplam'],
  ['Porto', 'Total'],
  ['Spese di spedizione', 'Totale'],
  ['Frakt', 'Totalt'],
  ['Gastos de envío', 'Total'],
  ['Poštovné', 'Celkem'],
  ['Freight', 'Total'],
])('%s is the price of the shipping', (name, total) => {
  const { orders: made } = orders(
    `Order,Email,Product,Quantity,Unit price,${name},${total}`,
    '1,a@example.com,Pen,2,10.00,5.00,25.00',
    '2,b@example.com,Ink,1,50.00,6.00,56.00',
  );
  expect(made.map(({ shipping }) => shipping?.price)).toEqual([5, 6]);
});

describe('prices of lines without tax', () => {
  test.each([
    ['Cena netto', 'Cena brutto', 'Wartość zamówienia'],
    ['Price ex GST', 'Price inc GST', 'Total inc GST'],
    ['Unit price (excl. VAT)', 'Unit price (incl. VAT)', 'Order total'],
  ])('are not used beside those with it: %s, %s', (net, gross, total) => {
    const { orders: made, draft } = orders(
      `Order No,Email,Product,Qty,${net},${gross},${total}`,
      '1,a@example.com,Pen,2,10.00,11.00,22.00',
      '2,b@example.com,Ink,1,50.00,55.00,55.00',
    );
    expect(made.map(({ details }) => details?.[0]?.price)).toEqual([22, 55]);
    expect(draft.leftOut).toContainEqual(
      expect.objectContaining({ column: net, why: `it is without tax, and ${gross} is used` }),
    );
  });

  test('are left out and named if there are no others', () => {
    const { orders: made, draft } = orders(
      'Order No,Email,Product,Qty,Unit price (excl. VAT),VAT rate',
      '1,a@example.com,Pen,2,10.00,20%',
      '2,b@example.com,Ink,1,50.00,20%',
    );
    expect(made.map(({ details }) => details?.[0]?.price)).toEqual([undefined, undefined]);
    expect(draft.leftOut).toContainEqual(
      expect.objectContaining({ field: 'details.price', why: 'it is a price without tax' }),
    );
  });
});

test.each(['Address 2', 'Address Line 2', 'Shipping Address 2', "Complément d'adresse"])(
  'the second line of an address is part of it: %s',
  (name) => {
    const { orders: made } = orders(
      `Order,Email,Product,Quantity,Unit price,Address,${name},City`,
      '1,a@example.com,Pen,2,10.00,1 High St,Flat 2,York',
      '2,b@example.com,Ink,1,50.00,2 Low Rd,,Hull',
    );
    expect(made.map(({ shipping }) => shipping?.address?.address1)).toEqual([
      '1 High St, Flat 2',
      '2 Low Rd',
    ]);
  },
);

test('a second line of an address beside the number of a house is named', () => {
  const { risks } = orders(
    'Bestellnummer,E-Mail,Artikel,Menge,Einzelpreis,Straße,Hausnummer,Adresszusatz,Ort',
    '1,a@example.com,Stift,2,10.00,Am Weg,3,Hinterhaus,Bonn',
    '2,b@example.com,Tinte,1,50.00,Allee,4,,Ulm',
  );
  expect(risks).toEqual({ Adresszusatz: 'parcels may need it' });
});

test('the part of a last name that has a column of its own is kept', () => {
  const text = [
    'Voornaam,Tussenvoegsel,Achternaam,E-mail',
    'Jan,van der,Berg,a@example.com',
    'Bo,,Smit,b@example.com',
  ];
  expect(suggested('customers', text.join('\n')).payloads.map(({ lastname }) => lastname)).toEqual([
    ...['van der Berg', 'Smit'],
  ]);
  const { orders: made } = orders(
    'Ordernummer,E-mail,Voornaam,Tussenvoegsel,Achternaam,Product,Aantal,Prijs',
    '1,a@example.com,Jan,van der,Berg,Pen,2,10.00',
    '2,b@example.com,Bo,,Smit,Inkt,1,50.00',
  );
  expect(made.map(({ customer }) => customer?.lastname)).toEqual(['van der Berg', 'Smit']);
});
