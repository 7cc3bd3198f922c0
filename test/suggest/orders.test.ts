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
const LEFT_OUT = {
  from: 'Price',
  'leave-out': '"Price" is left out: "Quantity" is no number that it can be multiplied by.',
};
const MULTIPLIED = [
  {
    expression: '$round($number($trim(`Quantity`)) * $number($trim(`Price`)), 4)',
    when: { Quantity: DIGITS, Price: DIGITS },
  },
  LEFT_OUT,
];
const OF_ONE = { from: 'Price', number: true, when: { Quantity: { matches: '^0*1(?:[.,]0{1,2})?$' } } };

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

  test('only lines of one piece have a price if no total tells, and the others are counted', () => {
    const rows = ofPiece.map((row) => row.replace(/(,[^,]*){3}$/, ',,,'));
    expect(linesOf([HEADER, ...rows].join('\n'))).toMatchObject({
      doubt:
        'no column has the total of an order, so Price may be the price of one piece or of the whole line, and only lines of one piece have a price',
      fields: {
        'product.price.salePrice': OF_ONE,
        price: [
          OF_ONE,
          {
            from: 'Price',
            'leave-out': '"Price" is left out: it may be the price of one piece or of the whole line.',
          },
        ],
      },
    });
  });

  test('an order with a price that is missing or no number says nothing about how orders add up', () => {
    const ofOne = Array.from(
      { length: 6 },
      (_, n) => `20${n},d${n}@example.com,Mug,1,4.00,0.00,0.80,4.00,4.00`,
    );
    for (const cell of ['', 'on request']) {
      const rows = ofPiece.map((row) => row.replace('2,3.50', `2,${cell}`));
      expect(linesOf([HEADER, ...rows].join('\n')).fields.price).toEqual(MULTIPLIED);
    }
    // Nothing is left that tells the two readings apart.
    const one = [ofPiece[0]?.replace('2,3.50', '2,') ?? '', ...ofOne];
    const { doubt, fields } = linesOf([HEADER, ...one].join('\n'));
    expect(doubt).toBeUndefined();
    expect(fields.price).toEqual(MULTIPLIED);
  });

  test('one wrong total in twenty decides nothing', () => {
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
    expect(
      linesOf(`${header}\n1,a@example.com,Pen,2,"3,50"\n2,b@example.com,Ink,1,"9,50"`).fields,
    ).toMatchObject({
      ...{ 'product.name': 'Item', quantity: { from: 'Quantity', number: true } },
      'product.price.salePrice': { from: 'Unit price', number: 'german' },
      price: {
        0: {
          expression:
            '$round($number($trim(`Quantity`)) * $number($replace($replace($trim(`Unit price`), /[.]/, ""), ",", ".")), 4)',
          when: { Quantity: DIGITS, 'Unit price': DIGITS },
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

  test('lines have no price, with a doubt, if cells are of several currencies', () => {
    const text =
      'Order,Email,Item,Quantity,Unit price\n1,a@example.com,Pen,2,€3.50\n2,b@example.com,Ink,1,$9.50';
    const { fields, doubt } = linesOf(text);
    expect(Object.keys(fields)).toEqual(['product.name', 'quantity']);
    expect(doubt).toBe(
      'lines have no price, since Unit price is left out: its cells are of several currencies: 1 × €, 1 × $',
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

  test('a row without a number is a record of its own if the rows of an order repeat its number', () => {
    const rows = Array.from(
      { length: 12 },
      (_, n) => `#${Math.floor(n / 2)},k${n}@example.com,,Pen ${n},1,2.00`,
    );
    const lost = rows.map((row, n) => (n === 5 || n === 9 ? row.replace(/^#\d/, '') : row));
    const { group } = lines(lost);
    expect(group).toEqual({ by: 'Name' });
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

test('prices of lines are multiplied without their currency, and a cell of another one is an issue of its order', () => {
  const cells = ['€ 3.50', '3.50 EUR', '2.00', '€1.25', '4.00€', '€5', '6.00', '€7.00', '$ 8.00'];
  const header = ['Order', 'Email', 'Item', 'Quantity', 'Unit price'];
  const rows = cells.map((cell, n) => [`O${n}`, `a${n}@example.com`, 'Pen', '2', cell]);
  const columns = header.map((name, at) => ({ name, cells: rows.map((row) => row[at] ?? '') }));
  const { draft } = draftMapping('orders', { columns }, dictionary);
  const table = tableOf(...header);
  const binding = bind(parseMapping('suggested', writeYaml(draft, 'orders.csv')), table, []);
  const made = rowsOf(table, ...rows).map((row) => binding.map(recordOf([row])));
  expect(made.map(({ payload }) => (payload.details as { price?: number }[])[0]?.price)).toEqual([
    ...[7, 7, 4, 2.5, 8, 10, 12, 14],
    undefined,
  ]);
  expect(made.map(({ issues }) => issues.length)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1]);
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
        price: [{ expression: expect.stringContaining(name) }, {}],
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

describe('names of columns of lines that begin with an unknown word', () => {
  const HEADER = 'Name,Email,Rida_name,Rida_quantity,Rida_price,Ostja_name,Ostja_price,Ostja_code';
  const ROWS = [
    '1,a@example.com,Pen,1,3.50,Acme,1,x',
    '1,a@example.com,Ink,1,9.50,Acme,1,x',
    '2,b@example.com,Cup,2,2.00,Bazaar,1,y',
    '2,b@example.com,Cap,1,3.00,Bazaar,1,y',
    '3,c@example.com,Cup,1,2.00,Cork,2,z',
  ];

  test('columns with an unknown first word belong to lines if they tell the rows of one order apart', () => {
    const { columns } =
      draftFor([HEADER, ...ROWS].join('\n')).fields.find(({ field }) => field === 'details') ?? {};
    expect(columns).toEqual(['Rida_name', 'Rida_quantity', 'Rida_price']);
  });

  test('columns with an unknown first word have no meaning if each order is one row, or if two such words tell rows apart', () => {
    const single = ROWS.map((row, n) => row.replace(/^\d/, `${n}`));
    const both = ROWS.map((row, n) => `${row}${n}`);
    for (const rows of [single, both]) {
      const { fields } = draftFor([HEADER, ...rows].join('\n'));
      expect(fields.map(({ field }) => field)).not.toContain('details');
    }
  });
});

test.each(['Shipping Method', 'Carrier', 'Versandart', 'Mode de livraison', 'Transportista', 'Corriere'])(
  'a column %s says who brings an order, beside the method of its payment',
  (name) => {
    const rows = ['1,a@example.com,Pen,2,3.50,DHL,Cash', '2,b@example.com,Ink,3,2.00,UPS,Card'];
    const { fields } = draftFor(
      [`Order,Email,Item,Quantity,Unit price,${name},Payment Method`, ...rows].join('\n'),
    );
    const rules = new Map(fields.map(({ field, rule }) => [field, rule]));
    expect(rules.get('shipping.shipper.name')).toBe(name);
    expect(rules.get('method.name')).toBe('Payment Method');
  },
);

test('an address of an order without a word about whose it is says where the order goes', () => {
  const rows = [
    '1,a@example.com,Pen,2,High Street 1,Leeds,England',
    '2,b@example.com,Ink,3,Low Street 2,York,England',
  ];
  const { fields } = draftFor(['Order,Email,Item,Quantity,Street 1,City,Country', ...rows].join('\n'));
  expect(
    fields.filter(({ field }) => field.startsWith('shipping')).map(({ field, columns }) => [field, columns]),
  ).toEqual([
    ['shipping.address.address1', ['Street 1']],
    ['shipping.address.city.name', ['City']],
    ['shipping.address.country.name', ['Country']],
  ]);
});

test.each(['Kunde', 'Customer', 'Client'])(
  'a column %s with whole names is split, and one with numbers is not',
  (name) => {
    const fieldsOf = (cells: readonly string[]) => {
      const rows = cells.map((cell, n) => `${n},${cell},Pen,2,3.50`);
      return draftFor([`Order,${name},Item,Quantity,Unit price`, ...rows].join('\n')).fields.map(
        ({ field }) => field,
      );
    };
    expect(fieldsOf(['Ann Lee', 'Bo van Dyk', 'Cy Doe'])).toContain('customer.lastname');
    for (const cells of [
      ['K-1', 'K-2', 'K-3'],
      ['Acme', 'Bazaar', 'Cork'],
    ])
      expect(fieldsOf(cells)).not.toContain('customer.lastname');
  },
);

test('a cell that lists all lines of an order is not the name of a product', () => {
  const rows = ['1,a@example.com,"2x Pen, 1x Ink",16.50', '2,b@example.com,1 x Cup,8.00'];
  const { fields, leftOut } = draftFor(['Order,Email,Items,Total', ...rows].join('\n'));
  expect(fields.map(({ field }) => field)).not.toContain('details');
  expect(leftOut).toContainEqual(
    expect.objectContaining({ column: 'Items', field: 'details', why: 'its cells do not fit its name' }),
  );
});

describe('prices of lines without a quantity', () => {
  test('a price without a quantity is the price of one piece only, and a comment says so', () => {
    const { fields, doubt } = linesOf(
      'Order,Email,Item,Packs,Unit price\n1,a@example.com,Pen,2 pcs,3.50\n2,b@example.com,Ink,1 pcs,9.50',
    );
    expect(fields).toEqual({
      'product.name': 'Item',
      'product.price.salePrice': { from: 'Unit price', number: true },
      price: expect.objectContaining({
        'leave-out': expect.stringContaining('no column surely says how many'),
      }),
    });
    expect(doubt).toBe('no column surely says how many pieces a line has, so lines have no price');
  });

  test('a price without a quantity is the price of the line if orders add up so', () => {
    const { fields, doubt } = linesOf(
      'Order,Email,Item,Price,Total\n1,a@example.com,Pen,3.50,8.50\n1,a@example.com,Ink,5.00,8.50\n2,b@example.com,Cup,9.50,9.50',
    );
    expect([fields.price, doubt]).toEqual([{ from: 'Price', number: true }, undefined]);
  });
});

test.each([
  ['a product', 'Order,Email,Quantity,Unit price', '1,a@example.com,2,3.50', 'product'],
  ['a price', 'Order,Email,Item,Quantity', '1,a@example.com,Pen,2', 'price'],
])('lines without %s are a doubt', (_, header, row, what) => {
  const { doubt } = linesOf([header, row, row.replace('1,a', '2,b')].join('\n'));
  expect(doubt).toBe(`no column surely has the ${what} of a line`);
});

test('lines without the number of their order are a doubt', () => {
  const { doubt } = linesOf(
    'Email,Item,Quantity,Unit price\na@example.com,Pen,2,3.50\nb@example.com,Ink,1,9.50',
  );
  expect(doubt).toBe('no column surely has the number of an order, so each row is an order of its own');
});

test.each([
  ['Kundennr', 'Rechnungsnr'],
  ['Kundennummer', 'Belegnr'],
  ['Customer number', 'Invoice number'],
])('the number of a customer (%s) joins no orders, and %s is their key', (customer, order) => {
  const rows = ['K0,R0,Pen,1,3.50', 'K0,R0,Ink,1,9.50', 'K0,R1,Cup,1,2.00', 'K1,R2,Cap,1,3.00'];
  const draft = draftFor([`${customer},${order},Item,Quantity,Unit price`, ...rows].join('\n'));
  expect(draft).toMatchObject({ key: order, group: { by: order } });
});

describe('discounts of orders', () => {
  const discountOf = (name: string, cells: readonly string[]) => {
    const rows = cells.map((cell, n) => `${n},Pen,1,30.00,${cell}`);
    const { fields } = draftFor([`Order,Item,Quantity,Unit price,${name}`, ...rows].join('\n'));
    return fields.find(({ field }) => field === 'discount.price')?.rule;
  };

  test('a discount that is written as a negative amount is positive in the store', () => {
    expect(discountOf('Discount', ['-5.00', '0.00', '-1.50'])).toEqual({
      ...{ from: 'Discount', number: true, multiply: -1 },
    });
    expect(discountOf('Discount', ['5.00', '0.00', '1.50'])).toEqual({ from: 'Discount', number: true });
  });

  test('a discount in percent is no amount', () => {
    expect(discountOf('Discount %', ['5', '0', '10'])).toBeUndefined();
    expect(discountOf('Rabatt in Prozent', ['5', '0', '10'])).toBeUndefined();
    expect(discountOf('Discount', ['5%', '0%', '10%'])).toBeUndefined();
  });
});

test('a column Estado is a status if its cells are, and no status if they are parts of a country', () => {
  const statusOf = (cells: readonly string[]) => {
    const rows = cells.map((cell, n) => `${n},Pen,1,30.00,${cell}`);
    const { fields } = draftFor(['Pedido,Producto,Cantidad,Precio unitario,Estado', ...rows].join('\n'));
    return fields.find(({ field }) => field === 'status')?.rule;
  };
  expect(statusOf(['Enviado', 'Pagado', 'Enviado', 'Cancelado'])).toBe('Estado');
  expect(statusOf(['Jalisco', 'Sonora', 'Jalisco', 'Oaxaca'])).toBeUndefined();
});

test.each([
  'Pen x 2; Ink x 1',
  '[{"name":"Pen","quantity":2}]',
  '2 x Pen',
  'Mug (M-1) x2 = $20.00 | Cup x1 = $8.00',
])('a cell such as %s is not the name of a product', (cell) => {
  const quoted = `"${cell.replaceAll('"', '""')}"`;
  const { fields } = draftFor(
    `Order,Email,Line items,Total\n1,a@example.com,${quoted},9\n2,b@example.com,${quoted},8`,
  );
  expect(fields.map(({ field }) => field)).not.toContain('details');
});

test('a row of sums without a word is no line of the last order', () => {
  const rows = [
    '1,a@example.com,Pen,2,7.00',
    '2,b@example.com,Ink,1,9.50',
    '2,,Cup,3,6.00',
    '3,c@example.com,Cap,1,2.00',
  ];
  const { skips } = draftFor(['Order,Email,Item,Quantity,Line total', ...rows, ',,,7,24.50'].join('\n'));
  expect(skips).toMatchObject([{ rows: [6], why: 'its numbers are the sums of rows above' }]);
  const other = draftFor(['Order,Email,Item,Quantity,Line total', ...rows, ',,,7,24.40'].join('\n'));
  expect(other.skips).toBeUndefined();
});
