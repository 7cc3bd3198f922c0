import { describe, expect, test } from 'vitest';
import { suggested, suggestedDraft, suggestedProducts } from '../support/suggested.ts';

/** A file of eight products with these columns beside code and name; a row may have fewer cells. */
function shop(header: string, ...rows: readonly string[]): string {
  const lines = Array.from({ length: 8 }, (_, n) => `A-${n},Thing ${n},${rows[n % rows.length]}`);
  return [`SKU,Name,${header}`, ...lines].join('\n');
}

function pricesOf(text: string): (number | undefined)[] {
  return suggestedProducts(text).map(({ price }) => price?.salePrice);
}

function doubtOf(text: string, field = 'price.salePrice'): string | undefined {
  return suggestedDraft('products', text).fields.find((each) => each.field === field)?.doubt;
}

function leftOutOf(text: string): [column: string, why: string, field?: string][] {
  return suggestedDraft('products', text).leftOut.map(({ column, why, field }) => [column, why, field ?? '']);
}

describe('a column that says how many pieces a price is for', () => {
  test.each(['Preiseinheit', 'PE', 'Price Unit', 'Unité de prix', 'Prisenhed', 'per', 'Jednostka ceny'])(
    '%s with 1 and 100: the prices of 100 are left out and counted',
    (name) => {
      const text = shop(`Price,${name}`, '12.50,100', '24.90,1', '9.90,', '4.20,1000');
      expect(pricesOf(text).slice(0, 4)).toEqual([undefined, 24.9, 9.9, undefined]);
      const rule = JSON.stringify(
        suggestedDraft('products', text).fields.find(({ field }) => /sale/.test(field))?.rule,
      );
      expect(rule).toContain(`\\"Price\\" is left out: \\"${name}\\" says that it is not the price of one.`);
    },
  );

  test('words for one piece change nothing, a dozen and 100 g are left out, and a kilogram is a doubt', () => {
    const text = shop('Price,Per', '2.50,kg', '3.90,each', '3.20,dozen', '1.90,100g', '5.00,1 kg');
    expect(pricesOf(text).slice(0, 5)).toEqual([2.5, 3.9, undefined, undefined, 5]);
    expect(doubtOf(text)).toBe('Per says what it is for, such as "kg"');
    expect(doubtOf(shop('Price,Per', '2.50,each', '3.90,pcs', '3.10,1'))).toBeUndefined();
  });

  test('a unit that no row of the sample has is left out too', () => {
    const draft = suggestedDraft('products', shop('Price,Per', '2.50,each', '3.20,dozen'));
    expect(JSON.stringify(draft.fields)).toContain('"when":{"Per":["each",""]}');
  });

  test('the price of a unit is a price', () => {
    const text = shop('Unit price', '12.50', '24.90');
    expect(pricesOf(text).slice(0, 2)).toEqual([12.5, 24.9]);
  });

  test('variants whose prices are for 100 have none', () => {
    const rows = ['P1,Screw,,12.50,100', 'P1,Screw,M4,12.50,100', 'P1,Screw,M6,18.90,1'];
    const more = ['P2,Nail,,2.50,1', 'P2,Nail,Short,2.50,1', 'P2,Nail,Long,3.50,1'];
    const text = ['Handle,Name,Size,Price,Price unit', ...rows, ...more].join('\n');
    const variants = suggestedProducts(text).map((each) =>
      each.variants?.map(({ price }) => price?.salePrice),
    );
    expect(variants).toEqual([
      [undefined, 18.9],
      [2.5, 3.5],
    ]);
  });
});

describe('dates beside a sale price', () => {
  const rows = ['250,200,2026-12-31', '290,,', '390,350,2020-10-01', '190,,'];

  test('below a name that says nothing, they leave the sale price out', () => {
    const text = shop('Price,Sale price,Zzz', ...rows);
    expect(pricesOf(text).slice(0, 3)).toEqual([250, 290, 390]);
    expect(leftOutOf(text)).toContainEqual([
      'Sale price',
      'Zzz has dates in the same rows, and its name does not say if the sale begins or ends there',
      'price.salePrice',
    ]);
    expect(doubtOf(text)).toMatch(/^Sale price is left out, since Zzz has dates in the same rows/);
  });

  test.each(['Акція до', 'Promocja do', 'Promotion until'])('below %s, they end the sale', (name) => {
    const text = shop(`Price,Sale price,${name}`, '250,200,2020-12-31', '290,,', '390,350,', '190,,');
    expect(pricesOf(text).slice(0, 3)).toEqual([250, 290, 350]);
  });

  test('dates of all rows say nothing about the sale', () => {
    const text = shop('Price,Sale price,Zzz', '250,200,2026-12-31', '290,,2026-01-01', '390,350,2020-10-01');
    expect(pricesOf(text).slice(0, 3)).toEqual([200, 290, 350]);
  });
});

describe('a price whose name does not say it', () => {
  test('standard_price alone is offered as the price, and is no cost', () => {
    const text = shop('standard_price', '2.50', '3.90');
    const draft = suggestedDraft('products', text);
    expect(draft.fields.map(({ field }) => field)).toEqual(['name', 'reference']);
    expect(draft.leftOut).toMatchObject([
      { column: 'standard_price', field: 'price.salePrice', rule: { from: 'standard_price', number: true } },
    ]);
  });

  test('standard_price beside a list price is the cost', () => {
    const draft = suggestedDraft('products', shop('standard_price,list_price', '2.50,3.90', '3.50,4.90'));
    expect(draft.fields).toMatchObject([
      {},
      {},
      { field: 'price.salePrice', columns: ['list_price'] },
      { field: 'price.buyingPrice', columns: ['standard_price'] },
    ]);
  });

  test('amounts below a name that nobody knows are offered, and not used', () => {
    const draft = suggestedDraft('products', shop('Zzz,Stock', '2.50,4', '3.90,5'));
    expect(draft.fields.map(({ field }) => field)).not.toContain('price.salePrice');
    expect(draft.leftOut).toMatchObject([
      {
        ...{ column: 'Zzz', field: 'price.salePrice', rule: { from: 'Zzz', number: true } },
        why: 'it has amounts, but its name does not say that they are the price',
      },
    ]);
  });

  test('beside a price, such amounts are not offered', () => {
    expect(leftOutOf(shop('Zzz,Price', '2.50,4.50', '3.90,5.50'))).toEqual([]);
  });
});

describe('three digits behind the decimal sign of a price', () => {
  test.each([
    ['1.200', '8.30', '"1.200"'],
    ['"1,200"', '"8,30"', '"1,200"'],
  ])('%s among prices such as %s is an issue of its row', (odd, usual, shown) => {
    const text = shop('Price', usual, odd, usual, usual, usual, usual, usual, usual);
    const issues = suggested('products', text).issues.map((all) => all.map(({ message }) => message));
    const message = `${shown} has 3 digits behind the decimal sign, and at most 2 are expected`;
    expect(issues).toEqual([[], [message], [], [], [], [], [], []]);
  });

  test('prices with three or four digits in many cells keep them', () => {
    expect(pricesOf(shop('Price', '1.200', '8.305', '4.50')).slice(0, 3)).toEqual([1.2, 8.305, 4.5]);
    expect(pricesOf(shop('Price', '1.2004', '8.305', '4.50', '3.20', '2.10')).slice(0, 2)).toEqual([
      1.2004, 8.305,
    ]);
  });
});

test.each(['Qty per price', 'Quantity per price', 'Cena za', 'price_per'])(
  '%s with 100 says that a price is not of one piece',
  (name) => {
    expect(pricesOf(shop(`Price,${name}`, '12.50,100', '24.90,1'))).toEqual(
      Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? undefined : 24.9)),
    );
  },
);

test('the landing cost is the purchase price before what dealers pay', () => {
  const { fields } = suggestedDraft(
    'products',
    shop('Price,Dealer Price,Landing Cost', '24.00,20.00,15.00', '9.00,8.00,6.00'),
  );
  expect(fields.find(({ field }) => field === 'price.buyingPrice')?.columns).toEqual(['Landing Cost']);
});

test('a deal is a sale price, and counts only if its period can be read', () => {
  const text = shop('Price,Deal Price,Deal Period', '24.00,19.00,1–31 May 2020', '9.00,,');
  expect(pricesOf(text).slice(0, 2)).toEqual([24, 9]);
  expect(leftOutOf(text)).toContainEqual([
    'Deal Price',
    'Deal Period says when it counts, and no condition can read its cells',
    'price.salePrice',
  ]);
});

test.each([
  ['PurchasesUnitPrice', 'SalesUnitPrice'],
  ['Purchase Unit Price', 'Sales Price'],
  ['Purchasing price', 'Unit Price'],
])('%s is the purchase price, and %s the price', (cost, price) => {
  const { fields } = suggestedDraft('products', shop(`${cost},${price}`, '12.00,24.00', '3.00,9.00'));
  const columnsOf = (field: string) => fields.find((each) => each.field === field)?.columns;
  expect(columnsOf('price.buyingPrice')).toEqual([cost]);
  expect(columnsOf('price.salePrice')).toEqual([price]);
});

test('a column whose name says more than a price is offered as the price, if there is no other', () => {
  expect(leftOutOf(shop('Sales Price / Rate', '24.00', '8.00'))).toContainEqual([
    'Sales Price / Rate',
    'its name says more than that it is the price',
    'price.salePrice',
  ]);
});

test('a price in roubles by the name of its column is the price', () => {
  expect(pricesOf(shop('"Цена, руб."', '450', '320')).slice(0, 2)).toEqual([450, 320]);
});

test('of numbered prices the first is the price, and the doubt names the others', () => {
  expect(doubtOf(shop('Price 1,Price 2,Price 3', '2.20,2.00,1.80', '24.00,22.00,20.00'))).toBe(
    'Price 2, Price 3 are prices too, and left out',
  );
  expect(doubtOf(shop('Price,Price USD', '2.20,2.00', '24.00,22.00'))).toBeUndefined();
});

test('Price B is a price too beside Price A, and the doubt names it', () => {
  expect(doubtOf(shop('Price A,Price B', '2.20,2.00', '24.00,22.00'))).toBe(
    'Price B is a price too, and left out',
  );
});

test('a rate at which a shop sells is the price, and the one at which it buys the cost', () => {
  const { fields } = suggestedDraft('products', shop('buying_rate,selling_rate', '12.00,24.00', '3.00,9.00'));
  expect(fields.find(({ field }) => field === 'price.salePrice')?.columns).toEqual(['selling_rate']);
  expect(fields.find(({ field }) => field === 'price.buyingPrice')?.columns).toEqual(['buying_rate']);
});

test('Purchase Price is the cost beside Purchase Account, whose first word another column has too', () => {
  const text = shop(
    'Selling Price,Purchase Price,Purchase Account,Sales Account',
    '24.00,12.00,5000,4000',
    '9.00,3.00,5000,4000',
  );
  const { fields } = suggestedDraft('products', text);
  expect(fields.find(({ field }) => field === 'price.buyingPrice')?.columns).toEqual(['Purchase Price']);
});

test('the price of a warehouse is not that of a product', () => {
  const { fields } = suggestedDraft('products', shop('warehouse_price,Stock', '12.00,3', '9.00,4'));
  expect(fields.find(({ field }) => field === 'price.salePrice')).toBeUndefined();
});
