import { describe, expect, test } from 'vitest';
import { columnsOfObjects, draftMapping } from '../../../src/suggest/index.ts';
import { suggestedDraft, suggestedProducts } from '../../support/suggested.ts';

function skipsOf(text: string): [rows: readonly number[], why: string][] {
  return (suggestedDraft('products', text).skips ?? []).map(({ rows, why }) => [rows, why]);
}

const PENS = [
  'SKU,Name,Price,Stock',
  ...Array.from({ length: 8 }, (_, n) => `P-${n},Pen ${n},${n + 1}.90,${n}`),
];

describe('a second table with a title of one cell', () => {
  const suppliers = [
    'Suppliers,,,',
    'Code,Company,City,Phone',
    'S1,Acme,Leeds,0113 1',
    'S2,Bazaar,York,0114 2',
  ];

  test.each([
    ['below a blank row', [',,,', ...suppliers], [11, 12, 13, 14], 'another table begins there'],
    ['without one', suppliers, [10, 11, 12, 13], 'another table begins there; put it into a file of its own'],
  ])('%s is no part of the first', (_, lines, rows, why) => {
    const text = [...PENS, ...lines].join('\n');
    expect(skipsOf(text)).toEqual([[rows, why]]);
    expect(suggestedDraft('products', text).fields).toEqual(
      suggestedDraft('products', PENS.join('\n')).fields,
    );
  });

  test('that has the header of the first again is a part of it', () => {
    const text = [
      ...PENS,
      'Pencils,,,',
      'SKU,Name,Price,Stock',
      'C-1,Pencil,0.90,4',
      'C-2,Brush,1.20,3',
    ].join('\n');
    expect(skipsOf(text)).toEqual([
      [[10], 'it has one cell only'],
      [[11], 'it repeats the header'],
    ]);
  });

  test('names of columns in other places are another header', () => {
    const text = [...PENS, ',,,', 'Name,Stock,Shop,', 'Acme,some,York,', 'Bazaar,none,Hull,'].join('\n');
    expect(skipsOf(text)).toEqual([[[11, 12, 13], 'another table begins there']]);
  });

  test('a title among rows of the same kind ends no table', () => {
    expect(skipsOf([...PENS, 'Pencils,,,', 'C-1,Pencil,0.90,4', 'C-2,Brush,1.20,3'].join('\n'))).toEqual([
      [[10], 'it has one cell only'],
    ]);
  });
});

/** Four chairs, each in these languages. */
function chairs(languages: readonly string[], header = 'SKU,Language,Name,Price'): string {
  const rows = [1, 2, 3, 4].flatMap((n) =>
    languages.map((language) => `C-${n},${language},Chair ${n} ${language},${n}.90`),
  );
  return [header, ...rows].join('\n');
}

test('rows with one cell in a column of their own head a section beside products with names', () => {
  const lines = [
    'Group,SKU,Title,Price',
    'Tools,,,',
    ',T1,Rake,9.90',
    ',T2,Hose,19.90',
    'Plants,,,',
    ',P1,Rose,4.90',
  ];
  expect(skipsOf(lines.join('\n'))).toEqual([[[2, 5], 'it has one cell only']]);
  expect(suggestedProducts(lines.join('\n')).map(({ reference }) => reference)).toEqual(['T1', 'T2', 'P1']);
});

describe('rows that say a product again in another language', () => {
  test.each([[['en', 'de']], [['de-DE', 'fr-FR']], [['English', 'Deutsch']]])(
    'of %j, those of the first language are kept, and the others are left out',
    (languages) => {
      const text = chairs(languages);
      const [first, second] = languages;
      expect(skipsOf(text)).toEqual([[[3, 5, 7, 9], `it is in the language "${second}"`]]);
      const draft = suggestedDraft('products', text);
      expect(draft.fields.map(({ field }) => field)).toEqual(['name', 'reference', 'price.salePrice']);
      expect(suggestedProducts(text).map(({ name }) => name)).toEqual(
        [1, 2, 3, 4].map((n) => `Chair ${n} ${first}`),
      );
    },
  );

  test('a third language is left out as the second is', () => {
    expect(skipsOf(chairs(['en', 'de', 'fr'])).map(([rows]) => rows)).toEqual([
      [3, 6, 9, 12],
      [4, 7, 10, 13],
    ]);
  });

  test('a product that only another language has keeps all rows', () => {
    expect(skipsOf(`${chairs(['en', 'de'])}\nC-5,de,Stuhl 5,5.90`)).toEqual([]);
  });

  test('books in several languages are products of their own', () => {
    const books = [
      'SKU,Language,Name,Price',
      ...[1, 2, 3, 4].map((n) => `B-${n},${n % 2 ? 'en' : 'de'},Book ${n},9.90`),
    ];
    expect(skipsOf(books.join('\n'))).toEqual([]);
  });
});

describe('the stock of several places', () => {
  test.each([
    ['stock_de', 'stock_pl'],
    ['Estoque São Paulo', 'Estoque Rio'],
    ['Stock Lisboa', 'Stock Porto'],
  ])('%s and %s are added', (first, second) => {
    const text = [
      `SKU,Name,Price,${first},${second}`,
      'A,Pen,1.90,3,4',
      'B,Cup,2.90,,2',
      'C,Hat,3.90,1,0',
    ].join('\n');
    expect(suggestedProducts(text).map(({ quantity }) => quantity?.instock)).toEqual([7, 2, 1]);
  });

  test.each(['Available', 'verfügbar', 'Dostępne', 'Available stock'])(
    'of the goods on hand, those below %s can be sold',
    (name) => {
      const text = [`SKU,Name,Price,Stock,${name},Reserved`, 'A,Pen,1.90,5,3,2', 'B,Cup,2.90,4,4,0'].join(
        '\n',
      );
      expect(suggestedProducts(text).map(({ quantity }) => quantity?.instock)).toEqual([3, 4]);
    },
  );

  test.each([
    ['Наличие', '+', '-'],
    ['In stock?', 'yes', 'no'],
    ['Availability', 'in stock', 'out of stock'],
    ['Verfügbar', 'ja', 'nein'],
  ])('without quantities, %s is named, since goods that are sold out have no stock', (name, yes, no) => {
    const text = [
      `SKU,Name,Price,${name}`,
      `A,Pen,1.90,${yes}`,
      `B,Cup,2.90,${no}`,
      `C,Hat,3.90,${yes}`,
    ].join('\n');
    expect(suggestedDraft('products', text).leftOut).toMatchObject([
      {
        ...{ column: name, field: 'quantity.instock' },
        why: 'it says only which goods are sold out, and not how many there are',
      },
    ]);
  });

  test('a flag of availability is no stock', () => {
    const text = [
      'SKU,Name,Price,Stock,Available',
      'A,Pen,1.90,5,1',
      'B,Cup,2.90,4,0',
      'C,Hat,3.90,2,1',
    ].join('\n');
    expect(suggestedProducts(text).map(({ quantity }) => quantity?.instock)).toEqual([5, 0, 2]);
  });
});

describe('rows with one cell between products', () => {
  test.each([
    [
      'in the column of names',
      'Name,SKU,Price,Stock',
      'KITCHEN,,,',
      'Mug,A-1,9.90,3',
      'Plate,A-2,19.90,4',
      'BATH,,,',
      'Towel,B-1,14.90,4',
    ],
    [
      'below a blank row',
      'Артикул,Наименование,Цена,Остаток',
      'Категория: Чай,,,',
      '101,Чай,120,12',
      '102,Улун,150,8',
      ',,,',
      'Категория: Кофе,,,',
      '201,Кофе,450,5',
    ],
  ])('%s head a section, and each is left out and counted', (_, ...lines) => {
    const skips = suggestedDraft('products', lines.join('\n')).skips ?? [];
    expect(skips).toMatchObject([{ why: 'it has one cell only' }]);
    expect(skips[0]?.rows).toHaveLength(2);
    expect(suggestedProducts(lines.join('\n'))).toHaveLength(3);
  });

  test('rows with one cell between products are records with issues if a third of the rows have one cell and no record follows', () => {
    const lines = ['Name,SKU,Price', 'Mug,A-1,9.90', 'Plate,A-2,19.90', 'Bowl,A-3,5.90', 'Pot,,', 'Pan,,'];
    expect(skipsOf(lines.join('\n'))).toEqual([]);
  });

  test.each([2, 4])(
    'rows with one cell between products name the product of the %d rows below if these have no name',
    (count) => {
      const sizes = ['S', 'M', 'L', 'XL'].slice(0, count);
      const lines = ['Tee', 'Cap'].flatMap((name) => [
        `${name},,,`,
        ...sizes.map((size) => `,${name[0]}-${size},${size},19`),
      ]);
      const products = suggestedProducts(['Name,SKU,Size,Price', ...lines].join('\n'));
      expect(products.map(({ name, variants }) => [name, variants?.length])).toEqual([
        ['Tee', count],
        ['Cap', count],
      ]);
    },
  );
});

describe('rows that say a product again in another language', () => {
  test('rows that say a product again in another language are left out by the view of a shop, whose name is a code of a language', () => {
    const rows = ['A', 'B', 'C'].flatMap((sku) => [
      `${sku},default,Mug ${sku},9.90`,
      `${sku},fr_CA,Tasse ${sku},9.90`,
    ]);
    const text = ['SKU,Store View,Name,Price', ...rows].join('\n');
    expect(skipsOf(text)).toEqual([[[3, 5, 7], 'it is in the language "fr_CA"']]);
    expect(suggestedProducts(text).map(({ name }) => name)).toEqual(['Mug A', 'Mug B', 'Mug C']);
  });

  test('rows that say a product again in another language are left out in JSON too, by the numbers of the objects', () => {
    const objects = ['A', 'B', 'C'].flatMap((sku) => [
      { sku, lang: 'de', name: `Tasse ${sku}`, price: 9.9 },
      { sku, lang: 'en', name: `Mug ${sku}`, price: 9.9 },
    ]);
    const { skips } = draftMapping('products', columnsOfObjects(objects)).draft;
    expect(skips).toMatchObject([{ when: { lang: 'en' }, rows: [2, 4, 6] }]);
  });

  test('rows that say a product again in another language stay if the views are shops whose names are no languages', () => {
    const rows = ['A', 'B', 'C'].flatMap((sku) => [
      `${sku},North,Mug ${sku},9.90`,
      `${sku},South,Cup ${sku},8.90`,
    ]);
    expect(skipsOf(['SKU,Store View,Name,Price', ...rows].join('\n'))).toEqual([]);
  });
});
