import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { bind, parseMapping } from '../../src/map/index.ts';
import { draftMapping, writeYaml } from '../../src/suggest/index.ts';
import { createDictionary } from '../../src/suggest/names/dictionary.ts';
import { LANGUAGES } from '../../src/suggest/words/index.ts';
import { recordOf, rowsOf, tableOf } from '../support/map-rows.ts';

const dictionary = createDictionary(LANGUAGES);

function draftFor(text: string) {
  const [header = [], ...rows] = parse(text) as string[][];
  const columns = header.map((name, index) => ({ name, cells: rows.map((row) => row[index] ?? '') }));
  return draftMapping('orders', { columns }, dictionary).draft;
}

function linesOf(text: string) {
  const details = draftFor(text).fields.find(({ field }) => field === 'details');
  const { fields = {} } = (details?.rule ?? {}) as { fields?: Record<string, unknown> };
  return { doubt: details?.doubt, fields };
}

const DIGITS = { matches: "^[-+]?\\d[\\d.,'’ \u00a0\u202f]*$" };
const MULTIPLIED = {
  expression: '$round($number($trim(`Quantity`)) * $number($trim(`Price`)), 4)',
  when: { Quantity: DIGITS, Price: DIGITS },
};

describe('prices of order lines', () => {
  const HEADER = 'Order,Email,Item,Quantity,Price,Shipping,Tax,Subtotal,Total';
  const ofPiece = [
    '1001,ann@example.com,Pen,2,3.50,5.00,1.92,7.00,12.00',
    '1002,bo@example.com,Ink,1,9.50,5.00,2.32,18.50,23.50',
    '1002,bo@example.com,Cap,3,3.00,,,,',
    '1003,cy@example.com,Cup,4,2.00,0.00,1.28,8.00,8.00',
  ];

  test('a price of one piece is multiplied if the orders add up so, and the mapping checks their total', () => {
    const text = [HEADER, ...ofPiece].join('\n');
    expect(linesOf(text)).toMatchObject({
      doubt: undefined,
      fields: { 'product.price.salePrice': { from: 'Price', number: true }, price: MULTIPLIED },
    });
    const { check, leftOut } = draftFor(text);
    expect(check).toEqual({ total: { from: 'Total', number: true }, tax: { from: 'Tax', number: true } });
    expect(leftOut.find(({ column }) => column === 'Subtotal')?.why).toBe(
      'it is not the sum of the lines, shipping and discount',
    );
  });

  test('a price of the whole line is sent as it is if the orders add up so', () => {
    const ofLine = ofPiece.map((row) =>
      row.replace('2,3.50', '2,7.00').replace('3,3.00', '3,9.00').replace('4,2.00', '4,8.00'),
    );
    const { fields, doubt } = linesOf([HEADER, ...ofLine].join('\n'));
    expect([fields.price, doubt]).toEqual([{ from: 'Price', number: true }, undefined]);
    expect(fields).not.toHaveProperty('product.price.salePrice');
  });

  test('orders may add up with a tax that is not in the prices', () => {
    const added = [
      '1,a@example.com,Pen,2,10.00,0,4.00,20.00,24.00',
      '2,b@example.com,Ink,3,5.00,0,3.00,15.00,18.00',
    ];
    const { check } = draftFor([HEADER, ...added].join('\n'));
    expect(check?.total).toEqual({ from: 'Total', number: true });
    expect(linesOf([HEADER, ...added].join('\n')).fields.price).toEqual(MULTIPLIED);
  });

  test('a price is in doubt without a total, and one wrong total in twenty decides nothing', () => {
    const rows = ofPiece.map((row) => row.replace(/(,[^,]*){3}$/, ',,,'));
    expect(linesOf([HEADER, ...rows].join('\n'))).toMatchObject({
      doubt:
        'no column has the total of an order, so Price may be the price of one piece or of the whole line',
      fields: { price: { from: 'Price', number: true } },
    });
    const many = Array.from({ length: 20 }, (_, n) => {
      const total = n === 7 ? '1.00' : `${(2 * (n + 1)).toFixed(2)}`;
      return `${n},a${n}@example.com,Pen,2,${n + 1}.00,0.00,,,${total}`;
    });
    const { check } = draftFor([HEADER, ...many].join('\n'));
    expect(check).toEqual({ total: { from: 'Total', number: true } });
    expect(linesOf([HEADER, ...many].join('\n')).fields.price).toEqual(MULTIPLIED);
  });

  test('a unit price is of one piece by its name, and a line total is the price of the line', () => {
    const header = 'Order,Email,Item,Quantity,Unit price';
    expect(linesOf(`${header}\n1,a@example.com,Pen,2,"3,50"\n2,b@example.com,Ink,1,"9,50"`).fields).toEqual({
      ...{ 'product.name': 'Item', quantity: { from: 'Quantity', number: true } },
      'product.price.salePrice': { from: 'Unit price', number: 'german' },
      price: {
        expression:
          '$round($number($trim(`Quantity`)) * $number($replace($replace($trim(`Unit price`), /[.]/, ""), ",", ".")), 4)',
        when: { Quantity: DIGITS, 'Unit price': DIGITS },
      },
    });
    const both = linesOf(
      `${header},Line total\n1,a@example.com,Pen,2,3.50,7.00\n2,b@example.com,Ink,1,9.50,9.50`,
    );
    expect(both.fields).toMatchObject({
      'product.price.salePrice': { from: 'Unit price' },
      price: { from: 'Line total', number: true },
    });
  });

  test('lines have no price, with a doubt, if cells with a currency would have to be multiplied', () => {
    const text =
      'Order,Email,Item,Quantity,Unit price\n1,a@example.com,Pen,2,€3.50\n2,b@example.com,Ink,1,€9.50';
    const { fields, doubt } = linesOf(text);
    expect(fields).not.toHaveProperty('price');
    expect(doubt).toBe(
      'Unit price is of one piece, and its cells cannot be multiplied, so lines have no price',
    );
  });
});

describe('grouping of order lines', () => {
  const lines = (rows: readonly string[]) =>
    draftFor(['Name,Email,Id,Lineitem name,Lineitem quantity,Lineitem price', ...rows].join('\n'));
  const ROWS = [
    '#1,ann@example.com,9001,Pen,2,3.50',
    '#2,bo@example.com,9002,Ink,1,9.50',
    '#2,,,Cap,3,3.00',
    '#3,cy@example.com,9003,Cup,4,2.00',
  ];

  test('rows of one order are found by a column that all of them fill, beside an id of the first', () => {
    expect(lines(ROWS)).toMatchObject({ key: 'Name', group: { by: 'Name' } });
  });

  test('rows without an id continue the order above if no column has one text for them', () => {
    const without = ROWS.map((row, n) => row.replace(/^#\d/, `note ${n}`));
    const draft = lines(without);
    expect(draft).toMatchObject({ key: 'Id', group: { by: 'Id', empty: 'continues' } });
  });

  test('a row with neither an id nor a line is joined with no order', () => {
    const footer = ['#1,a@example.com,9001,Pen,2,3.50', '#2,b@example.com,9002,Ink,1,9.50', 'exported,,,,,'];
    expect(lines(footer).group).toBeUndefined();
  });
});

test.each([
  ['plain', ['3.50', ' 2.00 ', '10.00'], [7, 4, 20]],
  ['english', ['1,234.50', '2.00', '10,000.00'], [2469, 4, 20_000]],
  ['german', ['1.200,00', '2,50', '0,10'], [2400, 5, 0.2]],
  ['french', ['1 200,00', '2,50', '1\u202f000,00'], [2400, 5, 2000]],
  ['swiss', ["1'200.00", '2.50', '1’000.00'], [2400, 5, 2000]],
])('the price of a line is multiplied in the %s format of its column', (_, cells, prices) => {
  const header = ['Order', 'Email', 'Item', 'Quantity', 'Unit price'];
  const rows = cells.map((cell, n) => [`O${n}`, `a${n}@example.com`, 'Pen', ' 2', cell]);
  const columns = header.map((name, at) => ({ name, cells: rows.map((row) => row[at] ?? '') }));
  const { draft } = draftMapping('orders', { columns }, dictionary);
  const table = tableOf(...header);
  const binding = bind(parseMapping('suggested', writeYaml(draft, 'orders.csv')), table, []);
  const made = rowsOf(table, ...rows).map((row) => binding.map(recordOf([row])));
  expect(made.flatMap(({ issues }) => issues)).toEqual([]);
  expect(made.map(({ payload }) => (payload.details as { price: number }[])[0]?.price)).toEqual(prices);
});

test.each(['Unit price', 'Einzelpreis', 'Stückpreis', 'Precio unitario', 'Prix unitaire'])(
  'a column %s has the price of one piece, also without a total',
  (name) => {
    const text = [
      `Order,Email,Item,Quantity,${name}`,
      '1,a@example.com,Pen,2,3.50',
      '2,b@example.com,Ink,3,2.00',
    ];
    expect(linesOf(text.join('\n'))).toMatchObject({
      doubt: undefined,
      fields: {
        'product.price.salePrice': { from: name },
        price: { expression: expect.stringContaining(name) },
      },
    });
  },
);

test('line totals add up to the total of an order by themselves', () => {
  const rows = [
    '1,a@example.com,Pen,2,7.00,16.00',
    '1,a@example.com,Ink,1,9.00,16.00',
    '2,b@example.com,Cup,3,12.00,12.00',
  ];
  const text = ['Order,Email,Item,Qty,Line total,Order total', ...rows].join('\n');
  expect(draftFor(text).check).toEqual({ total: { from: 'Order total', number: true } });
  expect(linesOf(text).fields.price).toEqual({ from: 'Line total', number: true });
});

test('a total that no reading of the lines gives is a doubt', () => {
  const rows = ['1,a@example.com,Pen,2,3.50,99.00', '2,b@example.com,Ink,3,2.00,98.00'];
  const { doubt } = linesOf(['Order,Email,Item,Quantity,Unit price,Total', ...rows].join('\n'));
  expect(doubt).toBe('the lines do not add up to Total');
});

test('the whole names of customer and recipient are split', () => {
  const text = [
    'Order ID,Email,Billing Name,Shipping Name,Lineitem name,Lineitem quantity,Lineitem price',
    ...Array.from({ length: 8 }, (_, n) => `10${n},a${n}@example.com,Ann Lee,Bo Lund,Pen ${n},1,3.00`),
  ].join('\n');
  const rules = new Map(draftFor(text).fields.map(({ field, rule }) => [field, rule]));
  expect(rules.get('customer.firstname')).toEqual({ from: 'Billing Name', person: 'first' });
  expect(rules.get('customer.lastname')).toEqual({ from: 'Billing Name', person: 'last' });
  expect(rules.get('shipping.address.lastname')).toEqual({ from: 'Shipping Name', person: 'last' });
});

test('a last name alone that has two words in nearly all cells is a whole name', () => {
  const rows = Array.from({ length: 12 }, (_, n) => `10${n};Anne Petit;k${n}@example.com;Stylo ${n};2;3,50`);
  const { key, fields } = draftFor(
    ['N° commande;Nom du client;Email;Produit;Quantité;Prix unitaire', ...rows]
      .join('\n')
      .replaceAll(',', '.')
      .replaceAll(';', ','),
  );
  const rules = new Map(fields.map(({ field, rule }) => [field, rule]));
  expect(rules.get('customer.firstname')).toEqual({ from: 'Nom du client', person: 'first' });
  expect(rules.get('customer.lastname')).toEqual({ from: 'Nom du client', person: 'last' });
  expect(key).toBe('N° commande');
});
