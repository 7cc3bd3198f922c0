import { expect, test } from 'vitest';
import { draftMapping } from '../../src/suggest/index.ts';
import { createDictionary } from '../../src/suggest/names/dictionary.ts';
import { LANGUAGES } from '../../src/suggest/words/index.ts';
import { suggestedDraft, suggestedFromObjects, suggestedProducts } from '../support/suggested.ts';

const dictionary = createDictionary(LANGUAGES);

function fieldsOf(text: string): Record<string, readonly string[]> {
  return Object.fromEntries(
    suggestedDraft('products', text).fields.map(({ field, columns }) => [field, columns]),
  );
}

function stockOf(text: string) {
  return suggestedProducts(text).map(({ quantity }) => quantity?.instock);
}

test('a product that cannot be bought has no stock, whatever its number', () => {
  const text = 'SKU,Name,Stock,In stock?\nA,Pen,12,1\nB,Ink,3,0\nC,Cap,,0\n';
  expect(stockOf(text)).toEqual([12, 0, 0]);
});

test('a column of ones and zeros is a stock if its name does not ask a question', () => {
  const text = 'SKU,Name,In stock\nA,Pen,1\nB,Ink,0\n';
  expect(fieldsOf(text)['quantity.instock']).toEqual(['In stock']);
});

const VARIANTS = 'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Inventory Qty\n';

test('an oversold variant takes nothing from the stock of the others', () => {
  const text = `${VARIANTS}tee,Tee,Size,S,T-S,19,4\ntee,,,M,T-M,19,-3\ncap,Cap,Size,S,C-S,9,2\n`;
  expect(stockOf(text)).toEqual([4, 2]);
});

test('a product without options has no variants', () => {
  const text = `${VARIANTS}tee,Tee,Size,S,T-S,19,4\ntee,,,M,T-M,19,3\ncap,Cap,Title,Default Title,C-1,9,2\n`;
  const codes = suggestedProducts(text).map(({ variants }) => variants?.map(({ reference }) => reference));
  expect(codes).toEqual([['T-S', 'T-M'], undefined]);
});

test('variants without a price cost what their product does', () => {
  const text =
    'id,type,name,price,option name,option value,sku\n1,Product,Tee,19,Size,S;M,\n1,Variant,,,,S,T-S\n1,Variant,,,,M,T-M\n' +
    '2,Product,Cap,9,Size,S;M,\n2,Variant,,,,S,C-S\n2,Variant,,,,M,C-M\n';
  const prices = suggestedProducts(text).map(({ variants }) =>
    variants?.map(({ price }) => price?.salePrice),
  );
  expect(prices).toEqual([
    [19, 19],
    [9, 9],
  ]);
});

test.each(['Mapped', 'Related', 'Verknüpfter', 'Produit associé:'])(
  'a column %s Name is not the name of the row, however it is filled',
  (word) => {
    const text = `SKU,${word} Item Name,Composite Item Name,Price\nA,Nib,Fountain pen,3\nB,Cap,Blue ink,4\n`;
    const { fields, leftOut } = suggestedDraft('products', text);
    expect(fields.find(({ field }) => field === 'name')?.columns ?? []).toEqual([]);
    const offered = leftOut.filter(({ field, rule }) => field === 'name' && rule !== undefined);
    expect(offered.map(({ column }) => column)).toEqual(['Composite Item Name']);
  },
);

function doubtOfName(text: string) {
  return suggestedDraft('products', text).fields.find(({ field }) => field === 'name')?.doubt;
}

test('a table without prices, stock and codes may be no list of products', () => {
  const text =
    'id,name,parent,description,slug\n1,Pens,,All pens,pens\n2,Fountain pens,1,With ink,fountain-pens\n';
  expect(doubtOfName(text)).toMatch(/^no column is a price, a stock or an article number/);
});

test.each(['sku,PEN', 'price,3', 'stock,4'])('a table with %s may be products', (column) => {
  const [name, cell = ''] = column.split(',');
  const text = `id,name,slug,${name}\n1,Pen,pen,${cell}1\n2,Ink,ink,${cell}2\n`;
  expect(doubtOfName(text)).toBeUndefined();
});

test('a column with the pictures of another one is left out', () => {
  const text =
    'SKU,Name,Image,Image small\nA,Pen,https://shop.example.com/a.jpg,https://shop.example.com/a.jpg\n' +
    'B,Ink,https://shop.example.com/b.jpg,https://shop.example.com/b.jpg\n';
  expect(fieldsOf(text).images).toEqual(['Image']);
});

test('the type of a discount is found by its cells if its name says nothing', () => {
  const columns = [
    { name: 'code', cells: ['A', 'B', 'C'] },
    { name: 'frob', cells: ['by_percent', 'cart_fixed', 'buy_x_get_y'] },
    { name: 'amount', cells: ['10', '5', '1'] },
  ];
  const { fields } = draftMapping('discounts', { columns }, dictionary).draft;
  expect(fields.map(({ field, columns: used }) => [field, ...used])).toEqual(
    expect.arrayContaining([
      ['type', 'frob'],
      ['percentage', 'amount'],
      ['value', 'amount'],
    ]),
  );
});

test.each([
  ['Stock Berlin', 'Stock Hamburg'],
  ['Lager 1', 'Lager 2'],
])('the columns %s and %s are summed, with a doubt', (one, other) => {
  const text = `SKU,Name,Price,${one},${other}\nA,Pen,3,4,5\nB,Ink,4,,7\nC,Cap,2,,\nD,Nib,1,0,0\n`;
  expect(stockOf(text)).toEqual([9, 7, undefined, 0]);
  const { fields, leftOut } = suggestedDraft('products', text);
  const stock = fields.find(({ field }) => field === 'quantity.instock');
  expect(stock?.columns).toEqual([one, other]);
  expect(stock?.doubt).toBe('it is the sum of 2 columns, as if each had the stock of another place');
  expect(leftOut).toEqual([]);
});

test('the stock of all places is used alone', () => {
  const text = 'SKU,Name,Stock Berlin,Stock,Stock Hamburg\nA,Pen,4,9,5\nB,Ink,0,7,7\n';
  expect(fieldsOf(text)['quantity.instock']).toEqual(['Stock']);
});

test('the stock of several places and rows is summed, and each variant has its own', () => {
  const text =
    'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Stock Kiel,Stock York\n' +
    'tee,Tee,Size,S,T-S,1,2\ntee,,,M,T-M,,4\ncap,Cap,Size,S,C-S,5,\ncap,,,M,C-M,0,1\n';
  expect(stockOf(text)).toEqual([7, 6]);
  const variants = suggestedProducts(text).map((each) =>
    each.variants?.map(({ quantity }) => quantity?.instock),
  );
  expect(variants).toEqual([
    [3, 4],
    [5, 1],
  ]);
});

test.each([
  ['Stock reserved', 'Stock sold'],
  ['Out of stock', 'Depends on stock'],
  ['Berlin stock', 'Stock Hamburg'],
])('the columns %s and %s are not summed', (one, other) => {
  const text = `SKU,Name,Price,${one},${other}\nA,Pen,3,4,5\nB,Ink,4,2,7\n`;
  expect(fieldsOf(text)['quantity.instock']).toBeUndefined();
});

test.each(['Part Number', 'Part No', 'Article', 'Item No.', 'Stock Code', 'No.', 'Αρ. είδους'])(
  '%s with codes is the key and never the name, and a description beside it is offered as the name',
  (name) => {
    const text = `${name},Description,Price\nB-1,Coffee,24.00\nB-2,Tea,48.00\nB-3,Mug,9.00`;
    const { fields, leftOut } = suggestedDraft('products', text);
    expect(fields.find(({ field }) => field === 'reference')?.columns).toEqual([name]);
    expect(fields.find(({ field }) => field === 'name')).toBeUndefined();
    expect(leftOut.find(({ field }) => field === 'name')?.column).toBe('Description');
  },
);

test('a list called skus has variants, with the options that each lists', () => {
  const [tee] = suggestedFromObjects(
    ['S', 'M'].map((cut) => ({
      id: cut,
      title: `Tee ${cut}`,
      skus: ['Red', 'Blue'].map((color) => ({
        ...{ sku: `T-${cut}-${color}`, price: 19.9, qty: 3 },
        option_values: [{ name: 'Color', value: color }],
      })),
    })),
  );
  expect(tee?.options).toEqual([{ name: 'Color', values: [{ value1: 'Red' }, { value1: 'Blue' }] }]);
  expect(tee?.variants?.map(({ reference }) => reference)).toEqual(['T-S-Red', 'T-S-Blue']);
});

test('numbered pairs such as opt1_name and opt1_value are options, and no name of the product', () => {
  const [tee] = suggestedProducts(
    'handle,title,opt1_name,opt1_value,sku,price\ntee,Tee,Size,S,T-S,19\ntee,Tee,Size,M,T-M,19\ncap,Cap,Size,One,C,9\nmug,Mug,Size,One,M,9',
  );
  expect(tee?.name).toBe('Tee');
  expect(tee?.options).toMatchObject([{ name: 'Size', values: [{ value1: 'S' }, { value1: 'M' }] }]);
});

test('numbers of rows below No. are no key', () => {
  const text = 'No.,Name,Price\n1,Coffee,24.00\n2,Tea,48.00\n3,Mug,9.00';
  expect(fieldsOf(text).reference).toEqual(['Name']);
});

test('cells with measures are no text of a page, whatever their column is called', () => {
  const text = 'Code,Naam,Inhoud,Prijs\nW-1,Wijn,"0,75 L","12,50"\nW-2,Rosé,"1,5 L","9,95"';
  expect(Object.keys(fieldsOf(text))).not.toContain('html');
});

test('of two codes, the one that differs between the rows of a product is that of its variants', () => {
  const text =
    'Item number,Title,Variation details,Custom label (SKU),Price\n1101,Lamp,,L-1,45\n1102,Poster,[Size=A3],P-A3,12\n1102,Poster,[Size=A2],P-A2,18\n1103,Rug,,R-1,99';
  const { fields } = suggestedDraft('products', text);
  expect(fields.find(({ field }) => field === 'variants')).toMatchObject({
    rule: { fields: { reference: 'Custom label (SKU)' } },
    doubt: 'no column says in which option they differ, so only Custom label (SKU) tells them apart',
  });
});

test('figures that differ in two rows of one product are no option', () => {
  const text =
    'Handle,Title,SKU,Sold quantity,Price\na,Lamp,L-1,0,45\nb,Poster,P-A3,4,12\nb,Poster,P-A2,1,18\nc,Rug,R-1,0,99';
  expect(Object.keys(fieldsOf(text))).not.toContain('options');
});

test('products whose parent is named by their variants and is no row itself are grouped by it', () => {
  const rows = ['KAOS,KAOS-S,Kaos', 'KAOS,KAOS-M,Kaos', 'TOPI,TOPI,Topi', 'TAS,TAS,Tas'];
  const text = [
    'Parent SKU,SKU,Name,Variation Name,Price',
    ...rows.map((row, n) => `${row},${n < 2 ? `Size ${n}` : ''},9`),
  ].join('\n');
  expect(suggestedDraft('products', text).group).toEqual({ by: 'Parent SKU' });
  expect(suggestedProducts(text).map(({ reference }) => reference)).toEqual(['KAOS', 'TOPI', 'TAS']);
});

test('the name of a style is that of its product', () => {
  const text =
    'Style No,Style Name,Size,EAN,Price\n1001,Anna Dress,36,5701,9\n1001,Anna Dress,38,5702,9\n1002,Bea Top,S,5703,9';
  expect(suggestedProducts(text).map(({ name }) => name)).toEqual(['Anna Dress', 'Bea Top']);
});
