import { describe, expect, test } from 'vitest';
import { bind, parseMapping } from '../../src/map/index.ts';
import { columnsOfObjects, draftMapping, writeYaml } from '../../src/suggest/index.ts';
import { recordOf, rowsOf, tableOf } from '../support/map-rows.ts';
import {
  type SuggestedProduct,
  suggestedDraft,
  suggestedFromObjects,
  suggestedProducts,
} from '../support/suggested.ts';

/** Codes of variants with their options, such as `T-S: Size S, Color Red`. */
function variantsIn(products: readonly SuggestedProduct[]): string[][] {
  return products.map(({ variants = [] }) =>
    variants.map((variant) => {
      const options = [1, 2, 3].flatMap((number) => {
        const option = variant[`option${number}`] as { name?: string; value1?: string } | undefined;
        return option ? [[option.name, option.value1].filter((each) => each !== undefined).join(' ')] : [];
      });
      return [variant.reference, options.join(', ')].filter((each) => each !== '').join(': ');
    }),
  );
}

function variantsOf(text: string): string[][] {
  return variantsIn(suggestedProducts(text));
}

test.each([
  ['Handle', 'Option1 Name,Option1 Value,Option2 Name,Option2 Value'],
  ['Product ID', 'Attribute 1 name,Attribute 1 value,Attribute 2 name,Attribute 2 value'],
  ['Parent SKU', 'Option 1 Name,Option 1 Wert,Option 2 Name,Option 2 Wert'],
])('variants of a product that fills the second option only are kept: %s, %s', (key, options) => {
  const text =
    `${key},Title,${options},Variant SKU,Price\n` +
    'tee,Tee,Size,S,Color,Red,T-S,10\ntee,Tee,Size,M,Color,Red,T-M,10\n' +
    'cap,Cap,,,Color,Blue,C-B,8\ncap,Cap,,,Color,Green,C-G,9\npen,Pen,,,,,PEN,3\n';
  expect(variantsOf(text)).toEqual([
    ['T-S: Size S, Color Red', 'T-M: Size M, Color Red'],
    ['C-B: Color Blue', 'C-G: Color Green'],
    [],
  ]);
  expect(suggestedProducts(text).map(({ type }) => type)).toEqual(['variable', 'variable', 'simple']);
});

/** Columns that are left out, by name. */
function leftOutOf(text: string): Record<string, string> {
  return Object.fromEntries(suggestedDraft('products', text).leftOut.map(({ column, why }) => [column, why]));
}

describe('a product whose rows have different options', () => {
  test.each([
    'Product ID,Product Name,Option Name,Option Value,SKU,Price,Stock',
    'Artikel-ID,Bezeichnung,Attributname,Attributwert,Artikelnummer,Preis,Bestand',
    'id,nombre,opción,valor,referencia,precio,existencias',
  ])(
    'rows of a product with different options are no variants, and their columns are left out: %s',
    (header) => {
      const text =
        `${header}\n1,Box,Wrapping,Paper,B-P,10,5\n1,Box,Wrapping,Foil,B-F,12,4\n1,Box,Size,Large,B-L,18,3\n` +
        '2,Mug,Color,Red,M-R,8,7\n2,Mug,Color,Blue,M-B,8,2\n2,Mug,Print,Logo,M-L,11,2\n';
      const [, , name = '', value = '', sku = '', , stock = ''] = header.split(',');
      expect(suggestedProducts(text)).toEqual([
        { name: 'Box', reference: '1', price: { salePrice: 10 } },
        { name: 'Mug', reference: '2', price: { salePrice: 8 } },
      ]);
      const left = leftOutOf(text);
      expect(left[name]).toMatch(/^the rows of one product have different options/);
      expect(left[value]).toBe(left[name]);
      expect(left[sku]).toMatch(/not variants$/);
      expect(left[stock]).toMatch(/^it is the stock of values of different options/);
    },
  );

  test('a stock that all rows of different options repeat is counted once', () => {
    const text =
      'id,name,option name,option value,price,stock\n1,Box,Wrapping,Paper,10,5\n1,Box,Size,Large,18,5\n' +
      '2,Mug,Color,Red,8,7\n2,Mug,Print,Logo,11,7\n';
    expect(suggestedProducts(text).map(({ quantity }) => quantity?.instock)).toEqual([5, 7]);
  });
});

test('a column called option beside one called value has the names of options', () => {
  const text =
    'id,name,attribute,value,sku,price\n1,Pen,Nib,F,P-F,9\n1,Pen,Nib,M,P-M,9\n2,Ink,Color,Red,I-R,4\n2,Ink,Color,Blue,I-B,4\n';
  expect(variantsOf(text)).toEqual([
    ['P-F: Nib F', 'P-M: Nib M'],
    ['I-R: Color Red', 'I-B: Color Blue'],
  ]);
  const numbered =
    'id,name,Option 1,Value 1,Option 2,Value 2,sku\n1,Tee,Size,S,Color,Red,T-S\n1,Tee,Size,M,Color,Red,T-M\n';
  expect(variantsOf(numbered)).toEqual([['T-S: Size S, Color Red', 'T-M: Size M, Color Red']]);
});

describe('variants that are equal in all known options', () => {
  const rows =
    'T,Table,S,Oak,Matt,T-1,10\nT,Table,S,Oak,Gloss,T-2,12\nT,Table,L,Oak,Matt,T-3,20\nT,Table,L,Ash,Gloss,T-4,22\n' +
    'C,Chair,S,Ash,Matt,C-1,5\nC,Chair,S,Ash,Gloss,C-2,6\n';

  test.each(['Finish', 'Oberfläche', '仕上げ'])(
    'the only other column that differs between equal variants is an option: %s',
    (finish) => {
      const text = `Product ID,Name,Size,Color,${finish},SKU,Price\n${rows}`;
      const [table, chair] = variantsOf(text);
      expect(table?.[0]).toMatch(/^T-1: .*S, .*Oak, .* Matt$|^T-1: .*Oak, .*S, .* Matt$/);
      expect(new Set(table?.map((each) => each.slice(4))).size).toBe(4);
      expect(chair?.[1]).toContain('Gloss');
      const doubt = suggestedDraft('products', text).fields.find(({ field }) => field === 'options')?.doubt;
      expect(doubt).toBe(`${finish} is used, since nothing else tells the rows of one product apart`);
    },
  );

  test('a length that distinguishes variants is an option, and not a measure of the product', () => {
    const text =
      'Product ID,Name,Größe,Länge,SKU,Price\nJ,Jeans,30,32,J-1,10\nJ,Jeans,30,34,J-2,10\nJ,Jeans,32,32,J-3,10\nK,Kord,30,32,K-1,10\nK,Kord,30,34,K-2,10\n';
    expect(variantsOf(text)[0]).toEqual([
      'J-1: Größe 30, Länge 32',
      'J-2: Größe 30, Länge 34',
      'J-3: Größe 32, Länge 32',
    ]);
    expect(suggestedProducts(text)[0]).not.toHaveProperty('sizes');
  });

  test('two columns that distinguish variants only together are both options', () => {
    const text =
      'id,title,waist,inseam,color,sku\n1,Chino,30,30,Beige,C-1\n1,Chino,30,32,Beige,C-2\n1,Chino,32,30,Beige,C-3\n1,Chino,32,32,Beige,C-4\n2,Cord,30,30,Navy,D-1\n2,Cord,30,32,Beige,D-2\n';
    expect(variantsOf(text)[0]?.[3]).toBe('C-4: Color Beige, Waist 32, Inseam 32');
  });

  test('no option is used if either of two columns could be the one that is missing', () => {
    const text = `Product ID,Name,Size,Color,Finish,Shade,SKU,Price\n${rows.replaceAll(/(Matt|Gloss)/g, (all) => `${all},${all === 'Matt' ? 'dim' : 'bright'}`)}`;
    expect(variantsOf(text)[1]).toEqual(['C-1', 'C-2']);
    expect(leftOutOf(text).Size).toBe(
      'rows of one product have the same value in it and different codes, so another option is missing, perhaps Finish or Shade',
    );
  });

  test.each([
    ['Shelf', (n: number) => `A-0${n}`],
    ['Edited', (n: number) => `2024-01-0${(n % 3) + 1}`],
    ['Supplier', (n: number) => `Mill ${n % 2}`],
    ['Row', (n: number) => `${(n % 4) + 1}.50`],
  ])('a column called %s is not the option that is missing', (name, cell) => {
    const lines = rows
      .trim()
      .split('\n')
      .map((row, n) => row.replace(/Matt|Gloss/, cell(n)));
    const text = `Product ID,Name,Size,Color,${name},SKU,Price\n${lines.join('\n')}\n`;
    expect(variantsOf(text)[1]).toEqual(['C-1', 'C-2']);
    expect(leftOutOf(text)).toHaveProperty('Color');
  });

  test('one product in twenty with equal variants decides nothing', () => {
    const many = Array.from(
      { length: 30 },
      (_, n) => `P${n},Pen ${n},S,X,P${n}-S,1\nP${n},Pen ${n},M,X,P${n}-M,1\n`,
    ).join('');
    const text = `Product ID,Name,Size,Grade,SKU,Price\n${many}P30,Pen,S,Y,P30-1,1\nP30,Pen,S,X,P30-2,1\n`;
    expect(variantsOf(text)[0]).toEqual(['P0-S: Size S', 'P0-M: Size M']);
  });
});

describe('cells of an option that are merged over several rows', () => {
  const merged =
    'Product name,Color,Size,SKU,Price\nTee,Red,S,T-1,10\n,,M,T-2,10\n,Blue,S,T-3,11\n,,M,T-4,11\nCap,Black,M,C-1,8\n,,L,C-2,8\n';

  test.each([
    ['Product name,Color,Size,SKU,Price', 'Product name,Color'],
    ['Nazwa,Kolor,Rozmiar,Kod,Cena', 'Nazwa,Kolor'],
    ['商品名,カラー,サイズ,SKU,価格', '商品名,カラー'],
  ])('merged cells of an option are carried down: %s', (header, carried) => {
    const draft = suggestedDraft('products', merged.replace(/^.*/, header));
    expect(draft.carry?.join(',')).toBe(carried);
    expect(draft.group).toEqual({ by: header.split(',')[0] });
  });

  test('merged cells of an option are carried down below a key that each row has', () => {
    const text = merged
      .replace(/^/, 'Product ID,')
      .replaceAll(/\n(?=(Tee|,))/g, '\n1,')
      .replaceAll(/\n(?=Cap)|\n1,(?=,,L)/g, '\n2,');
    expect(suggestedDraft('products', text).carry).toEqual(['Product ID', 'Color']);
  });

  test('options that are lists beside one another are not carried down', () => {
    const text =
      'Product name,Color,Size,SKU,Price\nTee,Red,S,T-1,10\n,Blue,M,T-2,10\n,,L,T-3,11\nCap,Black,S,C-1,8\n,White,M,C-2,8\n,,L,C-3,8\n';
    expect(suggestedDraft('products', text).carry ?? []).toEqual([]);
  });

  test('an option is not carried down if nothing else distinguishes the rows', () => {
    const text = 'Product name,Color,SKU,Price\nTee,Red,T-1,10\n,,T-2,10\n,Blue,T-3,11\n,,T-4,11\n';
    expect(suggestedDraft('products', text).carry ?? []).toEqual([]);
  });
});

test.each([
  ['Bestand', ['S', 'M', 'L', 'XL', '2XL']],
  ['Stock', ['XS', 'S', 'M', 'L']],
  ['Qty', ['M', 'L']],
])('the stock of one size is not the stock of the product: %s %j', (word, sizes) => {
  const cells = (n: number) => sizes.map((_, size) => n + size).join(',');
  const text = `SKU,Name,Price,${sizes.map((size) => `${word} ${size}`).join(',')}\nT1,Tee,9,${cells(1)}\nT2,Polo,9,${cells(0)}\n`;
  const sum = sizes.reduce((total, _, size) => total + size, 0);
  expect(suggestedProducts(text).map(({ quantity }) => quantity?.instock)).toEqual([sum + sizes.length, sum]);
  const stock = suggestedDraft('products', text).fields.find(({ field }) => field === 'quantity.instock');
  expect(stock?.doubt).toBe(
    `it is the sum of ${sizes.length} columns, as if each had the stock of another size`,
  );
});

test('the stock of several sizes is not summed if one of them cannot be read', () => {
  const text = 'SKU,Name,Price,Stock S,Stock M,Stock L\nT1,Tee,9,1,2,a few\nT2,Polo,9,1,2,3\n';
  expect(suggestedProducts(text).map(({ quantity }) => quantity?.instock)).toEqual([undefined, undefined]);
});

describe('options of variants in JSON', () => {
  test.each([
    ['size', 'material', 'Size', 'Material'],
    ['größe', 'farbe', 'Größe', 'Farbe'],
    ['attributes.size', 'attributes.color', 'Size', 'Color'],
  ])('fields of variants called %s and %s are options', (one, other, first, second) => {
    const variant = (sku: string, ...values: string[]) => {
      const [a = '', b = ''] = [one, other].map((path) => path.split('.').at(-1) ?? '');
      const own = { [a]: values[0] ?? '', [b]: values[1] ?? '' };
      return { sku, price: 10, ...(one.includes('.') ? { attributes: own } : own) };
    };
    const found = suggestedFromObjects([
      { id: 1, title: 'Tee', variants: [variant('T-1', 'S', 'X'), variant('T-2', 'M', 'X')] },
      { id: 2, title: 'Cap', variants: [variant('C-1', 'L', 'X'), variant('C-2', 'L', 'Y')] },
    ]);
    expect(variantsIn(found).map((all) => all.map((each) => each.split(/: |, /).sort()))).toEqual([
      [[`${first} S`, `${second} X`, 'T-1'].sort(), [`${first} M`, `${second} X`, 'T-2'].sort()],
      [[`${first} L`, `${second} X`, 'C-1'].sort(), [`${first} L`, `${second} Y`, 'C-2'].sort()],
    ]);
    expect(found[1]?.options?.map(({ name, values }) => `${name} ${values.length}`).sort()).toEqual(
      [`${first} 1`, `${second} 2`].sort(),
    );
    expect(found.map(({ type }) => type)).toEqual(['variable', 'variable']);
  });

  test('numbered values of variants have the names that the product lists', () => {
    const found = suggestedFromObjects([
      {
        handle: 'tee',
        title: 'Tee',
        variants: [
          { option1: 'S', option2: 'Red', sku: 'T-1' },
          { option1: 'M', option2: 'Red', sku: 'T-2' },
        ],
        options: [
          { name: 'Size', values: ['S', 'M'] },
          { name: 'Color', values: ['Red'] },
        ],
      },
      {
        handle: 'mug',
        title: 'Mug',
        variants: [{ option1: 'Default Title', option2: null, sku: 'M-1' }],
        options: [{ name: 'Title', values: ['Default Title'] }],
      },
    ]);
    expect(variantsIn(found)).toEqual([['T-1: Size S, Color Red', 'T-2: Size M, Color Red'], []]);
    expect(found.map(({ options = [], type }) => [type, options.length])).toEqual([
      ['variable', 2],
      ['simple', 0],
    ]);
  });

  test.each(['options', 'attributes', 'selectedOptions'])(
    'pairs in the list %s of each variant are options',
    (name) => {
      const found = suggestedFromObjects([
        {
          sku: 'T',
          name: 'Tee',
          variants: [
            {
              sku: 'T-1',
              [name]: [
                { name: 'Size', value: 'S' },
                { name: 'Color', value: 'Red' },
              ],
            },
            {
              sku: 'T-2',
              [name]: [
                { name: 'Size', value: 'M' },
                { name: 'Color', value: 'Red' },
              ],
            },
          ],
        },
        { sku: 'C', name: 'Cap', variants: [{ sku: 'C-1', [name]: [{ name: 'Print', value: 'Logo' }] }] },
      ]);
      expect(variantsIn(found)).toEqual([
        ['T-1: Size S, Color Red', 'T-2: Size M, Color Red'],
        ['C-1: Print Logo'],
      ]);
      expect(found.map(({ options }) => options?.map((each) => each.name))).toEqual([
        ['Size', 'Color'],
        ['Print'],
      ]);
    },
  );

  test('variants that are equal in their known options are distinguished as rows are', () => {
    const variants = (code: string, shade: string) =>
      ['Matt', 'Gloss', 'Matt'].map((finish, n) => ({
        ...{ sku: `${code}-${n}`, size: n < 2 ? 'S' : 'L', finish },
        ...(shade === '' ? {} : { shade: `${shade} ${finish}` }),
      }));
    const productsWith = (shade: string) => [
      { id: 'T', name: 'Table', variants: variants('T', shade) },
      { id: 'C', name: 'Chair', variants: variants('C', shade) },
    ];
    expect(variantsIn(suggestedFromObjects(productsWith('')))[1]).toEqual([
      'C-0: Size S, Finish Matt',
      'C-1: Size S, Finish Gloss',
      'C-2: Size L, Finish Matt',
    ]);
    expect(variantsIn(suggestedFromObjects(productsWith('as')))[1]).toEqual(['C-0', 'C-1', 'C-2']);
    const { leftOut } = draftMapping('products', columnsOfObjects(productsWith('as'))).draft;
    expect(leftOut).toMatchObject([
      { column: 'variants[].size', field: 'options', why: expect.stringMatching(/perhaps finish or shade$/) },
    ]);
  });

  test('fields of lists that are not used are named', () => {
    const { draft } = draftMapping(
      'products',
      columnsOfObjects([
        { id: 'T', name: 'Tee', parts: [{ a: 1 }], variants: [{ sku: 'T-1', price: 12.5, bin: 'A-1' }] },
      ]),
    );
    expect(draft.notUsed).toEqual(['parts', 'variants[].bin']);
  });
});

describe('names of variants', () => {
  test.each([
    ['S / Red', 'M / Red', 'S / Blue', 'S', 'Red'],
    ['S|Red', 'M|Red', 'S|Blue', 'S', 'Red'],
    ['S, Red', 'M, Red', 'S, Blue', 'S', 'Red'],
    ['T-Shirt - Red', 'Polo - Red', 'T-Shirt - Blue', 'T-Shirt', 'Red'],
  ])('%s is split into options if all names have as many parts', (a, b, c, first, second) => {
    const text = `Product ID,Name,Variant,SKU\n1,Tee,"${a}",T-1\n1,Tee,"${b}",T-2\n1,Tee,"${c}",T-3\n`;
    const [tee] = suggestedProducts(text);
    expect(variantsOf(text)[0]?.[0]).toBe(`T-1: Option 1 ${first}, Option 2 ${second}`);
    expect(tee?.variants?.map(({ name }) => name)).toEqual([a, b, c]);
    expect(tee?.options?.map(({ name, values }) => [name, values.length])).toEqual([
      ['Option 1', 2],
      ['Option 2', 2],
    ]);
  });

  test('with the names of options in them are split into these options', () => {
    const text =
      'id_produit,nom,déclinaison,référence,prix\n1,Tee,"Taille : S, Couleur : Rouge",T-1,10\n1,Tee,"Taille : M, Couleur : Rouge",T-2,10\n';
    expect(variantsOf(text)).toEqual([['T-1: Taille S, Couleur Rouge', 'T-2: Taille M, Couleur Rouge']]);
  });

  test.each([
    ['with another number of parts', ['S, Red', 'M', 'One size, Red, new']],
    ['with one text in two places', ['Red / White', 'White / Red', 'Blue / Red']],
    ['whose parts do not repeat', ['S / Red', 'M / Blue', 'L / White']],
    ['of one part', ['Red', 'Blue', 'White']],
  ])('%s are kept whole', (_, names) => {
    const rows = names.map((name, n) => `1,Tee,"${name}",T-${n}`).join('\n');
    const [tee] = suggestedProducts(`Product ID,Name,Variant,SKU\n${rows}\n`);
    expect(tee?.variants?.map(({ name }) => name)).toEqual(names);
    expect(tee).not.toHaveProperty('options');
  });

  test('a name beyond the sample with more parts has no options', () => {
    const header = ['Product ID', 'Name', 'Variant', 'SKU'];
    const text = `${header.join(',')}\n1,Tee,S - Red,T-1\n1,Tee,M - Red,T-2\n`;
    const binding = bind(
      parseMapping('suggested', writeYaml(suggestedDraft('products', text), 'shop.csv')),
      tableOf(...header),
      [],
    );
    const rows = rowsOf(tableOf(...header), ['2', 'Cap', 'S - Red - new', 'C-1']);
    const { payload } = binding.map(recordOf(rows));
    expect(payload.variants).toEqual([{ name: 'S - Red - new', reference: 'C-1' }]);
  });

  test('an option whose column also says variant is read as an option', () => {
    const text =
      'handle,sku,name,variant_option_one_name,variant_option_one_value,variant_option_two_name,variant_option_two_value\n' +
      'tee,T-1,Tee,Size,S,Color,Red\ntee,T-2,Tee,Size,M,Color,Red\n';
    expect(variantsOf(text)).toEqual([['T-1: Size S', 'T-2: Size M']]);
  });
});

describe('lists in the row of a product', () => {
  test.each(['|', ';', ', '])('sizes with %j between them are options without variants', (mark) => {
    const cell = (...sizes: string[]) => `"${sizes.join(mark)}"`;
    const text = `SKU,Name,Größen,Price,Stock\nT1,Tee,${cell('S', 'M', 'L')},9,12\nT2,Polo,${cell('M', 'L', 'XL')},9,8\nT3,Cap,L,9,1\n`;
    const found = suggestedProducts(text);
    expect(
      found.map(({ options }) => options?.map(({ values }) => values.map(({ value1 }) => value1))),
    ).toEqual([[['S', 'M', 'L']], [['M', 'L', 'XL']], [['L']]]);
    expect(found[0]).not.toHaveProperty('variants');
    expect(found.map(({ quantity }) => quantity?.instock)).toEqual([12, 8, 1]);
  });

  test.each([
    ['Size', ['10 x 20, 5 x 8', '10 x 20, 3 x 4'], 'options'],
    ['Size', ['36,5', '37,5'], 'options'],
    ['Size', ['S/M/L', 'M/L'], 'options'],
    ['Colour', ['Red, Blue', 'Blue, Green'], 'options'],
    ['Material', ['80% cotton, 20% wool', '80% cotton, 20% silk'], 'options'],
    ['Sizes', ['S:4|M:2', 'S:1|M:0'], 'variants'],
    ['Tamanhos e estoque', ['Tam=P:4|Tam=M:2', 'Tam=P:1|Tam=M:2'], 'variants'],
  ])('cells of %s such as %j are left out with the reason', (name, [one, other], field) => {
    const text = `SKU,Name,${name},Price\nT1,Tee,"${one}",9.50\nT2,Polo,"${other}",8.50\n`;
    expect(suggestedProducts(text)).toEqual([
      { name: 'Tee', reference: 'T1', price: { salePrice: 9.5 } },
      { name: 'Polo', reference: 'T2', price: { salePrice: 8.5 } },
    ]);
    expect(suggestedDraft('products', text).leftOut).toMatchObject([
      { column: name, field, why: expect.stringMatching(/^its cells list several values/) },
    ]);
  });

  test.each(['XS,S,M,L', '36,37,38,39'])('the columns %s are left out as sizes of variants', (sizes) => {
    const text = `SKU,Name,Price,${sizes}\nT1,Tee,9.50,1,2,3,4\nT2,Polo,8.50,0,2,,1\n`;
    expect(suggestedProducts(text).map((each) => each.quantity)).toEqual([undefined, undefined]);
    const left = leftOutOf(text);
    for (const size of sizes.split(',')) expect(left[size]).toMatch(/^its name is a size/);
  });
});

test('variants below have the price of the first row if no other row has one', () => {
  const text = 'Name,Size,SKU,Price\nTee,S,T-1,10\n,M,T-2,\n,L,T-3,\nCap,M,C-1,8\n,L,C-2,\n';
  const prices = suggestedProducts(text).map(({ variants }) =>
    variants?.map(({ price }) => price?.salePrice),
  );
  expect(prices).toEqual([
    [10, 10, 10],
    [8, 8],
  ]);
});

test('prices that are merged over the same rows as an option are carried down with it', () => {
  const text = 'Product,Color,Size,SKU,Price\nTee,Red,S,T-1,10\n,,M,T-2,\n,Blue,S,T-3,12\n,,M,T-4,\n';
  expect(suggestedDraft('products', text).carry).toEqual(['Product', 'Color', 'Price']);
});

test.each([
  ['Product Code', 'SKU', 'Size'],
  ['商品コード', 'SKU', 'サイズ'],
  ['Код товара', 'Артикул', 'Размер'],
])('rows with one %s and another %s each are variants', (product, sku, size) => {
  const text = `${product},Name,${size},${sku},Price\n1,Tee,S,T-1,10\n1,Tee,M,T-2,10\n2,Cap,S,C-1,8\n`;
  expect(variantsOf(text)).toEqual([[`T-1: ${size} S`, `T-2: ${size} M`], [`C-1: ${size} S`]]);
});

test('one article number in two rows without other codes is a repeated product', () => {
  const text = 'SKU,Name,Size,Price\nT-1,Tee,S,10\nT-1,Tee,M,10\nC-1,Cap,S,8\n';
  expect(suggestedDraft('products', text).group).toBeUndefined();
});

test('one article number in several rows is not the key of a product if its rows do not differ in options', () => {
  const text =
    'MPN,Name,Size,SKU,Price\nM-1,Tee,S,T-1,10\nM-1,Tee,M,T-2,10\nM-2,Cap,,C-1,8\nM-2,Cap,,C-2,9\n';
  expect(suggestedDraft('products', text).group).toBeUndefined();
});

test('a column that lists all variants in each row is not the name of a variant', () => {
  const text =
    'id,Name,Variants,SKU,Price\n1,Tee,"size: S, M | color: red, blue",T-1,10\n1,Tee,"size: S, M | cut: slim, wide",T-2,10\n';
  expect(suggestedProducts(text)[0]?.variants?.map(({ name }) => name)).toEqual([undefined, undefined]);
});

test('rows without a model are variants of the model above them', () => {
  const text =
    'Model,Kolor,Rozmiar,Kod,Cena\nKoszula,Czerwony,S,K-1,99.50\n,,M,K-2,99.50\n,Biały,S,K-3,99.50\n,,M,K-4,99.50\n';
  const draft = suggestedDraft('products', text);
  expect([draft.group, draft.carry]).toEqual([{ by: 'Model' }, ['Model', 'Kolor']]);
  expect(draft.leftOut).toMatchObject([{ column: 'Model', field: 'name', rule: 'Model' }]);
});

test('a product with several option names among many with one keeps the name and the values of each row', () => {
  const many = Array.from(
    { length: 25 },
    (_, n) => `P${n},Pen ${n},Nib,F,P${n}-F,1\nP${n},Pen ${n},Nib,M,P${n}-M,1\n`,
  ).join('');
  const text = `Product ID,Name,Option Name,Option Value,SKU,Price\n${many}B,Box,Wrapping,Paper,B-P,1\nB,Box,Size,Large,B-L,1\n`;
  expect(variantsOf(text).at(-1)).toEqual(['B-P: Wrapping Paper', 'B-L: Size Large']);
  expect(suggestedProducts(text).at(-1)?.options).toEqual([
    { name: 'Wrapping', values: [{ value1: 'Paper' }] },
    { name: 'Size', values: [{ value1: 'Large' }] },
  ]);
});
