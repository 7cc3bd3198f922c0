import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { draftMapping } from '../../src/suggest/index.ts';
import { createDictionary } from '../../src/suggest/names/dictionary.ts';
import { LANGUAGES } from '../../src/suggest/words/index.ts';

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

const MULTIPLIED = {
  expression: '$round($number($trim(`Quantity`)) * $number($trim(`Price`)), 4)',
  when: { Quantity: { matches: '^-?\\d+(\\.\\d+)?$' }, Price: { matches: '^-?\\d+(\\.\\d+)?$' } },
};

describe('the price of a line of an order', () => {
  const HEADER = 'Order,Email,Item,Quantity,Price,Shipping,Tax,Subtotal,Total';
  const ofPiece = [
    '1001,ann@example.com,Pen,2,3.50,5.00,1.92,7.00,12.00',
    '1002,bo@example.com,Ink,1,9.50,5.00,2.32,18.50,23.50',
    '1002,bo@example.com,Cap,3,3.00,,,,',
    '1003,cy@example.com,Cup,4,2.00,0.00,1.28,8.00,8.00',
  ];

  test('is that of all its pieces if orders add up so, and they are compared with their total', () => {
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

  test('is the one of the file if orders add up by it', () => {
    const ofLine = ofPiece.map((row) =>
      row.replace('2,3.50', '2,7.00').replace('3,3.00', '3,9.00').replace('4,2.00', '4,8.00'),
    );
    const { fields, doubt } = linesOf([HEADER, ...ofLine].join('\n'));
    expect([fields.price, doubt]).toEqual([{ from: 'Price', number: true }, undefined]);
    expect(fields).not.toHaveProperty('product.price.salePrice');
  });

  test('adds up with a tax that is not in the prices', () => {
    const added = [
      '1,a@example.com,Pen,2,10.00,0,4.00,20.00,24.00',
      '2,b@example.com,Ink,3,5.00,0,3.00,15.00,18.00',
    ];
    const { check } = draftFor([HEADER, ...added].join('\n'));
    expect(check?.total).toEqual({ from: 'Total', number: true });
    expect(linesOf([HEADER, ...added].join('\n')).fields.price).toEqual(MULTIPLIED);
  });

  test('is in doubt if no total shows it, and one wrong total in twenty decides nothing', () => {
    const rows = ofPiece.map((row) => row.replace(/(,[^,]*){3}$/, ',,,'));
    expect(linesOf([HEADER, ...rows].join('\n'))).toMatchObject({
      doubt:
        'no total shows whether Price is of one piece or of the line, and it is sent as that of the line',
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

  test('is of one piece by its name, and the total of a line is its price', () => {
    const header = 'Order,Email,Item,Quantity,Unit price';
    expect(linesOf(`${header}\n1,a@example.com,Pen,2,"3,50"\n2,b@example.com,Ink,1,"9,50"`).fields).toEqual({
      ...{ 'product.name': 'Item', quantity: { from: 'Quantity', number: true } },
      'product.price.salePrice': { from: 'Unit price', number: 'german' },
      price: {
        expression:
          '$round($number($trim(`Quantity`)) * $number($replace($replace($trim(`Unit price`), ".", ""), ",", ".")), 4)',
        when: {
          Quantity: { matches: '^-?\\d+(\\.\\d+)?$' },
          'Unit price': { matches: '^-?\\d{1,3}(\\.?\\d{3})*(,\\d+)?$' },
        },
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

  test('is left out, and this is said, if its cells cannot be multiplied', () => {
    const text =
      'Order,Email,Item,Quantity,Unit price\n1,a@example.com,Pen,2,€3.50\n2,b@example.com,Ink,1,€9.50';
    const { fields, doubt } = linesOf(text);
    expect(fields).not.toHaveProperty('price');
    expect(doubt).toBe(
      'Unit price is of one piece, and its cells cannot be multiplied, so lines have no price',
    );
  });
});

describe('the rows of one order', () => {
  const lines = (rows: readonly string[]) =>
    draftFor(['Name,Email,Id,Lineitem name,Lineitem quantity,Lineitem price', ...rows].join('\n'));
  const ROWS = [
    '#1,ann@example.com,9001,Pen,2,3.50',
    '#2,bo@example.com,9002,Ink,1,9.50',
    '#2,,,Cap,3,3.00',
    '#3,cy@example.com,9003,Cup,4,2.00',
  ];

  test('have one text in a column, beside an id that only the first of them has', () => {
    expect(lines(ROWS)).toMatchObject({ key: 'Name', group: { by: 'Name' } });
  });

  test('continue the row with an id if no column has one text for them', () => {
    const without = ROWS.map((row, n) => row.replace(/^#\d/, `note ${n}`));
    const draft = lines(without);
    expect(draft).toMatchObject({ key: 'Id', group: { by: 'Id', empty: 'continues' } });
  });

  test('are not joined with a row that has neither an id nor a line', () => {
    const footer = ['#1,a@example.com,9001,Pen,2,3.50', '#2,b@example.com,9002,Ink,1,9.50', 'exported,,,,,'];
    expect(lines(footer).group).toBeUndefined();
  });
});
