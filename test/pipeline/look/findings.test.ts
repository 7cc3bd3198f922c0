import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, SourceRecord } from '../../../src/model/index.ts';
import { findingsIn } from '../../../src/pipeline/look/findings.ts';
import { createLook, noteRecord, openLook } from '../../../src/pipeline/look/look.ts';
import { scaledRuns } from '../../support/property-tests.ts';

type Products = readonly JsonObject[];

/** A catalogue in which nothing is to be found. */
function catalogue(size: number): JsonObject[] {
  return Array.from({ length: size }, (_, at) => ({
    name: `Product ${at}`,
    reference: `P-${at}`,
    price: { salePrice: 10 + (at % 17), buyingPrice: 5, comparePrice: 40 },
    quantity: { instock: at % 5 },
    images: [{ src: `https://example.com/${at}.jpg` }],
    brand: { name: 'Acme' },
  }));
}

function lookAt(products: Products, resource = 'products') {
  const look = createLook(resource);
  for (const [seq, payload] of products.entries()) noteRecord(look, checkedRecord(payload, seq));
  return look;
}

function checkedRecord(payload: JsonObject, seq: number) {
  const table = { file: 'shop.csv', header: ['a'] };
  const record: SourceRecord = { seq, rows: [{ table, row: seq + 2, line: seq + 2, cells: [''] }] };
  return { record, payload, issues: [] };
}

function findingsOf(products: Products, accepted: readonly string[] = []) {
  return findingsIn([{ file: 'shop.csv', look: openLook(lookAt(products)) }], accepted);
}

/** A fault for one product, the code that finds it, and its field. */
const FAULTS: readonly [code: string, field: string, plant: (product: JsonObject) => JsonObject][] = [
  ['no-price', 'price.salePrice', ({ price: _, ...rest }) => rest],
  ['no-price', 'price.salePrice', (product) => ({ ...product, price: { salePrice: 0 } })],
  [
    'price-below-cost',
    'price.salePrice',
    (product) => ({ ...product, price: { salePrice: 10, buyingPrice: 11 } }),
  ],
  [
    'sale-above-compare',
    'price.comparePrice',
    (product) => ({ ...product, price: { salePrice: 10, comparePrice: 9 } }),
  ],
  ['outlier', 'price.salePrice', (product) => ({ ...product, price: { salePrice: 150_000 } })],
  ['outlier', 'price.salePrice', (product) => ({ ...product, price: { salePrice: 0.015 } })],
  ['fractional-stock', 'quantity.instock', (product) => ({ ...product, quantity: { instock: 1.2 } })],
  ['negative-stock', 'quantity.instock', (product) => ({ ...product, quantity: { instock: -3 } })],
  [
    'variant-price',
    'variants',
    (product) => ({
      ...product,
      variants: [12, 14, 1300, 13].map((salePrice) => ({ price: { salePrice } })),
    }),
  ],
  ['no-picture', 'images', ({ images: _, ...rest }) => rest],
  [
    'lone-option',
    'variants',
    (product) => ({
      ...product,
      variants: [
        { option1: { name: 'Size', value1: 'S' }, option2: { name: 'Colour', value1: 'Red' } },
        { option1: { name: 'Size', value1: 'M' } },
      ],
    }),
  ],
];

function currenciesFound(
  header: string,
  codes: readonly string[],
  payloadOf: (code: string) => JsonObject,
  resource = 'products',
) {
  const look = createLook(resource);
  const table = { file: 'shop.csv', header: ['a', header] };
  for (const [seq, code] of codes.entries()) {
    const record: SourceRecord = { seq, rows: [{ table, row: seq + 2, line: seq + 2, cells: ['', code] }] };
    noteRecord(look, { record, payload: payloadOf(code), issues: [] });
  }
  return findingsIn([{ file: 'shop.csv', look: openLook(look) }]).filter(
    ({ code }) => code === 'several-currencies',
  );
}

describe('amounts in several currencies', () => {
  const codes = ['USD', 'EUR', 'usd', '', 'USD', 'GBP'];
  const product = () => ({ name: 'Tea', price: { salePrice: 4 } });
  const order = () => ({ details: [{ price: 4 }] });

  test.each([
    ['Currency', 'products', product],
    ['Währung', 'products', product],
    ['currency_code', 'orders', order],
  ])('a column %s shows the rows of other currencies than most (%s)', (header, resource, payloadOf) => {
    expect(currenciesFound(header, codes, payloadOf, resource)).toMatchObject([
      {
        ...{ count: 2, rows: [3, 7] },
        message: 'The amounts are of several currencies, and the store has one: 3 × USD, 1 × EUR, 1 × GBP.',
      },
    ]);
  });

  test('one currency, amounts that were left out, and another column are no finding', () => {
    expect(currenciesFound('Currency', ['USD', 'USD', ''], product)).toEqual([]);
    expect(currenciesFound('Country', codes, product)).toEqual([]);
    expect(
      currenciesFound('Currency', codes, (code) => (code === 'USD' ? product() : { name: 'Tea' })),
    ).toEqual([]);
  });
});

describe('findings', () => {
  test('a sound catalogue has none', () => {
    expect(findingsOf(catalogue(60))).toEqual([]);
  });

  test.each(FAULTS)('%s (%s) is found wherever one is planted, and nothing else', (code, field, plant) => {
    fc.assert(
      fc.property(fc.integer({ min: 40, max: 80 }), fc.nat(39), (size, place) => {
        const products = catalogue(size);
        products[place] = plant(products[place] as JsonObject);
        expect(findingsOf(products)).toMatchObject([
          { code, field, file: 'shop.csv', count: 1, rows: [place + 2] },
        ]);
      }),
      { numRuns: scaledRuns(20) },
    );
  });

  test('a fault in many records is counted in all of them, and its first rows are named', () => {
    const products = catalogue(60).map((product, at) =>
      at % 4 === 0 ? { ...product, quantity: { instock: 0.5 } } : product,
    );
    expect(findingsOf(products)).toMatchObject([
      { code: 'fractional-stock', count: 15, rows: [2, 6, 10, 14, 18] },
    ]);
  });

  test('one value for all products is found', () => {
    const products = catalogue(20).map((product) => ({ ...product, name: 'Sample' }));
    expect(findingsOf(products)).toMatchObject([
      { code: 'one-value', field: 'name', count: 20, message: 'All of them have "Sample".' },
    ]);
  });

  test('a stock of many thousands for all products is found, and a small one is not', () => {
    const stocked = (instock: number) =>
      catalogue(20).map((product) => ({ ...product, quantity: { instock } }));
    expect(findingsOf(stocked(99_999))).toMatchObject([
      { code: 'one-value', field: 'quantity.instock', message: 'All of them have 99999.' },
    ]);
    expect(findingsOf(stocked(100))).toEqual([]);
  });

  test('prices that are all days of a spreadsheet are found', () => {
    const priced = (salePrice: (at: number) => number) =>
      catalogue(20).map((product, at) => ({ ...product, price: { salePrice: salePrice(at) } }));
    expect(findingsOf(priced((at) => 45_900 + at * 31))).toMatchObject([
      {
        ...{ code: 'date-number', field: 'price.salePrice', count: 20, rows: [2] },
        message: 'All of them are between 45,900 and 46,489, as dates of a spreadsheet are.',
      },
    ]);
    // Dear things have such prices too, but not only.
    expect(findingsOf(priced((at) => 30_000 + at * 1500))).toEqual([]);
    expect(findingsOf(priced((at) => 45_900.5 + at * 31))).toEqual([]);
  });

  test('two prices of 24 that are a hundred times too high are found', () => {
    const products = catalogue(24).map((product, at) =>
      at === 3 || at === 9 ? { ...product, price: { salePrice: 1290 + at } } : product,
    );
    expect(findingsOf(products)).toMatchObject([{ code: 'outlier', count: 2, rows: [5, 11] }]);
  });

  test('variants that cost far less, such as samples, and gift cards of many amounts are usual', () => {
    const withVariants = (prices: readonly number[]) => [
      ...catalogue(20),
      { ...catalogue(1)[0], name: 'Cloth', variants: prices.map((salePrice) => ({ price: { salePrice } })) },
    ];
    expect(findingsOf(withVariants([1, 120, 130]))).toEqual([]);
    expect(findingsOf(withVariants([10, 25, 50, 100, 500]))).toEqual([]);
    expect(findingsOf(withVariants([1, 100]))).toEqual([]);
  });

  test('names that are numbers are found in half of the products', () => {
    const named = (share: number) =>
      catalogue(20).map((product, at) => (at < 20 * share ? { ...product, name: String(at + 1) } : product));
    expect(findingsOf(named(1))).toMatchObject([
      { code: 'name-is-other', field: 'name', count: 20, message: 'The name is a number.' },
    ]);
    expect(findingsOf(named(0.2))).toEqual([]);
  });

  test('two products of 24 may have one name', () => {
    const named = (size: number) =>
      catalogue(size).map((product, at) => (at < 2 ? { ...product, name: 'Tee' } : product));
    expect(findingsOf(named(24))).toEqual([]);
    expect(findingsOf(named(12))).toMatchObject([{ code: 'repeated-name', count: 2 }]);
  });

  test('names that repeat are found, with the most frequent', () => {
    const products = catalogue(40).map((product, at) => (at < 6 ? { ...product, name: 'Tee' } : product));
    expect(findingsOf(products)).toMatchObject([
      {
        code: 'repeated-name',
        field: 'name',
        count: 6,
        rows: [2],
        message: '6 records share their name with others, such as "Tee" (6).',
      },
    ]);
  });

  test('names that repeat in a large file are estimated', () => {
    const products = catalogue(20_000).map((product, at) =>
      at % 4 === 0 ? { ...product, name: `Pair ${Math.floor(at / 8)}` } : product,
    );
    const [found, ...others] = findingsOf(products);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ code: 'repeated-name', field: 'name' });
    expect(found?.count).toBeGreaterThan(130);
    expect(found?.count).toBeLessThan(390);
    expect(found?.message).toMatch(/^About [\d,]+ records of the first 1,000 share /);
  });

  test('a name that is the words of another field is found', () => {
    const products = catalogue(20).map((product) => ({ ...product, name: product.reference as string }));
    expect(findingsOf(products)).toMatchObject([
      { code: 'name-is-other', field: 'name', count: 20, message: 'The name is the same as reference.' },
    ]);
  });

  test('an unused column of prices is found only if no record has a price', () => {
    const missed = [{ kind: 'prices', columns: ['Preis', 'PVP'] }];
    const without = openLook(lookAt(catalogue(10).map(({ price: _, ...rest }) => rest)));
    expect(findingsIn([{ file: 'shop.csv', look: without, missed }])).toMatchObject([
      { code: 'no-price', count: 10, message: 'No product has a price.' },
      {
        code: 'missed-column',
        field: 'price.salePrice',
        message: 'No prices will be imported, and "Preis", "PVP" of the file are not used.',
      },
    ]);
    expect(findingsIn([{ file: 'shop.csv', look: openLook(lookAt(catalogue(10))), missed }])).toEqual([]);
  });

  test('warnings about records are findings', () => {
    const warnings = [
      { message: 'Sales that begin later are left out.', count: 3, last: 9, records: [{ row: 4 }] },
    ];
    expect(findingsIn([{ file: 'shop.csv', warnings }])).toMatchObject([
      { code: 'warning', count: 3, rows: [4], message: 'Sales that begin later are left out.' },
    ]);
  });

  test('each outlier is counted, also if there are more than are listed', () => {
    const products = catalogue(400).map((product, at) =>
      at % 40 === 7 ? { ...product, price: { salePrice: 100_000 + at } } : product,
    );
    expect(findingsOf(products)).toMatchObject([{ code: 'outlier', count: 10 }]);
  });

  test.each([16, 24])('one outlier of %d is found also among equal prices', (count) => {
    const products = catalogue(count).map((product, at) => ({
      ...product,
      price: { salePrice: at === 7 ? 999 : at % 2 === 0 ? 9.99 : 12.5 },
    }));
    expect(findingsOf(products)).toMatchObject([{ code: 'outlier', count: 1, rows: [9] }]);
  });

  test('numbers that are far from the middle in more than one record of twenty are no outliers', () => {
    const products = catalogue(400).map((product, at) =>
      at % 10 === 7 ? { ...product, price: { salePrice: 100_000 + at } } : product,
    );
    expect(findingsOf(products)).toEqual([]);
  });

  test('the ends of prices without a gap are no outliers, and a price beyond a gap is one', () => {
    const products = catalogue(4000).map((product, at) => ({
      ...product,
      price: { salePrice: (at + 1) / 4 },
    }));
    expect(findingsOf(products)).toEqual([]);
    const planted = { ...products[9], price: { salePrice: 0.01 } };
    expect(findingsOf(products.with(9, planted))).toMatchObject([{ code: 'outlier', count: 1, rows: [11] }]);
  });

  test('a small stock beside large ones is no outlier', () => {
    const products = catalogue(60).map((product, at) => ({
      ...product,
      quantity: { instock: at === 9 ? 1 : 300 + at },
    }));
    expect(findingsOf(products)).toEqual([]);
  });

  test('codes that are accepted are left out', () => {
    const products = catalogue(40).map((product) => ({ ...product, quantity: { instock: 0.5 } }));
    expect(findingsOf(products, ['fractional-stock'])).toEqual([]);
  });

  test('a record that is updated needs no price and no picture', () => {
    const look = createLook('products');
    for (const [seq, { reference }] of catalogue(20).entries())
      noteRecord(look, { ...checkedRecord({ reference: reference as string }, seq), id: `id-${seq}` });
    expect(findingsIn([{ file: 'shop.csv', look: openLook(look) }])).toEqual([]);
  });

  test('a record with issues is not looked at, since it is not sent', () => {
    const look = createLook('products');
    noteRecord(look, { ...checkedRecord({ name: 'A' }, 0), issues: [{ code: 'required', message: 'x' }] });
    expect(openLook(look).records).toBe(0);
  });

  test('a look that is continued does not count records twice', () => {
    const products = catalogue(30);
    const half = createLook('products');
    for (const [seq, payload] of products.slice(0, 20).entries())
      noteRecord(half, checkedRecord(payload, seq));
    const rest = createLook('products', JSON.parse(JSON.stringify(openLook(half))));
    for (const [seq, payload] of products.entries()) noteRecord(rest, checkedRecord(payload, seq));
    expect(openLook(rest)).toEqual(openLook(lookAt(products)));
  });
});
