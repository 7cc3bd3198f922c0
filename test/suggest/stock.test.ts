import { describe, expect, test } from 'vitest';
import { suggestedDraft, suggestedProducts } from '../support/suggested.ts';

const stockColumns = (text: string) =>
  suggestedDraft('products', text).fields.find(({ field }) => field === 'quantity.instock');

function shop(header: string, ...rows: readonly string[]): string {
  return [`SKU,Name,Price,${header}`, ...rows.map((row, n) => `A-${n},Thing ${n},${n + 1}.90,${row}`)].join(
    '\n',
  );
}

describe('columns with a stock each', () => {
  test('the Swedish word saldo is a stock and no sale price, and what is available comes before it', () => {
    const text =
      'Artikelnr,Namn,Pris,Saldo,Disponibelt\nA-1,Kopp,129,12,10\nA-2,Fat,199,5,5\nA-3,Skål,89,30,26';
    const products = suggestedProducts(text);
    expect(products.map(({ price }) => price?.salePrice)).toEqual([129, 199, 89]);
    expect(products.map(({ quantity }) => quantity?.instock)).toEqual([10, 5, 26]);
  });

  test.each([
    ['stock_webshop', 'stock_london,stock_leeds', 'stock_london, stock_leeds'],
    ['Stok Toko', 'Stok Gudang Jakarta,Stok Gudang Surabaya', 'Stok Gudang Jakarta, Stok Gudang Surabaya'],
  ])('if %s alone is known as one, the doubt names the others', (own, others, named) => {
    const text = shop(`${own},${others}`, '1,10,4', '2,3,0', '0,8,8', '7,20,10');
    expect(stockColumns(text)).toMatchObject({
      columns: [own],
      doubt: `the stock of other places is not added: ${named}`,
    });
  });

  test('a quantity of another place is named, and the reserve price of an auction is not stock', () => {
    const text = shop('qty_main,qty_outlet,reserve price', '3,1,20', '4,0,30', '9,2,40');
    expect(stockColumns(text)?.doubt).toBe('the stock of other places is not added: qty_outlet');
    expect(stockColumns(shop('Stock,reserve price', '3,20', '4,30', '9,40'))?.doubt).toBeUndefined();
  });

  test.each(['IsCommited', 'Reserved', 'Reserviert', 'Zarezerwowane'])(
    'goods that %s counts are not taken off, and the doubt says so',
    (name) => {
      expect(stockColumns(shop(`OnHand,${name}`, '12,3', '4,1', '40,0'))?.doubt).toBe(
        `goods that are promised are not taken off: ${name}`,
      );
      expect(stockColumns(shop(`Available,${name}`, '12,3', '4,1', '40,0'))?.doubt).toBeUndefined();
    },
  );
});

describe('whole numbers below a name that says nothing', () => {
  const offers = (text: string) =>
    suggestedDraft('products', text).leftOut.filter(({ field }) => field === 'quantity.instock');

  test('whole numbers below a name that says nothing in one column are offered as the stock', () => {
    expect(offers(shop('Regal', '12', '4', '40'))).toMatchObject([
      { column: 'Regal', rule: { from: 'Regal', number: true }, score: 0.5 },
    ]);
  });

  test('whole numbers below a name that says nothing in several columns are named and not offered, since they may be places', () => {
    const found = offers(shop('Main Warehouse,Shop Floor', '12,3', '4,5', '40,0'));
    expect(found.map(({ column, rule }) => [column, rule])).toEqual([
      ['Main Warehouse', undefined],
      ['Shop Floor', undefined],
    ]);
  });

  test('whole numbers are named below a name that says more than a stock', () => {
    expect(offers(shop('Current Quantity Main Street', '12', '4', '40'))).toMatchObject([
      { column: 'Current Quantity Main Street', why: 'its name says more than that it is the stock' },
    ]);
    expect(offers(shop('Minimum Order Quantity Main Street', '12', '4', '40'))).toEqual([]);
  });

  test.each([
    ['that only count the rows', '1', '2', '3'],
    ['that are codes', '4006381', '4006382', '4006380'],
    ['that say yes or no', '1', '0', '1'],
    ['that are zero', '0', '0', '0'],
    ['that are one for all', '7', '7', '7'],
  ])('%s are not the stock', (_, ...cells) => {
    expect(offers(shop('Xyzzy', ...cells))).toEqual([]);
  });

  test('whole numbers are not offered below the name of another party', () => {
    const text =
      'id,title,our_price,seller_id,seller_name\n1,Mug,9.90,31,Ann\n2,Cup,8.90,44,Bob\n3,Pot,7.90,31,Ann';
    expect(offers(text)).toEqual([]);
  });

  test('whole numbers below a name that says nothing are not offered in a file that has nothing of products', () => {
    expect(offers('name,age\nAnn,31\nBob,44\nCid,31')).toEqual([]);
  });

  test('whole numbers below a name that says nothing are not the stock beside a column that is', () => {
    expect(offers(shop('Stock,Xyzzy', '12,3', '4,5', '40,0'))).toEqual([]);
  });
});
