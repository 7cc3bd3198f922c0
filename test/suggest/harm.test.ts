import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { draftMapping, writeYaml } from '../../src/suggest/index.ts';
import { createDictionary } from '../../src/suggest/names/dictionary.ts';
import { LANGUAGES } from '../../src/suggest/words/index.ts';
import { valueRules } from '../support/value-rules.ts';

const dictionary = createDictionary(LANGUAGES);

function draftFor(text: string) {
  const [header = [], ...rows] = parse(text, {
    relax_column_count: true,
    skip_empty_lines: true,
    info: false,
  }) as string[][];
  const lines = text.split('\n');
  const numbers = lines.flatMap((line, n) => (line === '' || n === 0 ? [] : [n + 1]));
  const columns = header.map((name, index) => ({ name, cells: rows.map((row) => row[index] ?? '') }));
  return draftMapping('products', { columns, numbers }, dictionary).draft;
}

/** The rule of each field. */
function rulesOf(text: string): Record<string, unknown> {
  return Object.fromEntries(draftFor(text).fields.map(({ field, rule }) => [field, valueRules(rule)]));
}

/** A file of pens with `count` rows. */
function pens(count: number, lines: readonly string[] = []): string {
  const rows = Array.from({ length: count }, (_, n) => `PEN-${n},Pen ${n},Writing,${n + 1}.90,${n}`);
  return ['SKU,Name,Category,Price,Stock', ...rows, ...lines].join('\n');
}

describe('rows that are no records', () => {
  test.each(['TOTAL', 'Sub-total', 'Summe', 'Gesamt:', 'Somme', 'Razem', 'Итого', '合計', 'Toplam'])(
    'a row that says %s is left out, and named',
    (word) => {
      const { skips, fields } = draftFor(pens(12, [`${word},,,99.10,66`]));
      expect(skips).toEqual([
        {
          ...{ when: { SKU: word }, why: `it says ${JSON.stringify(word)}`, rows: [14] },
          lacks: ['Name', 'Category'],
        },
      ]);
      expect(fields).toEqual(draftFor(pens(12)).fields);
    },
  );

  test('a product whose name says total is a product', () => {
    expect(draftFor(pens(12, ['PEN-T,Total,Writing,2.00,1'])).skips).toBeUndefined();
  });

  test('a header that repeats and a line of a footer are left out', () => {
    const text = pens(12, ['SKU,Name,Category,Price,Stock', 'PEN-X,Pen X,Writing,3.00,1', 'Page 1 of 1,,,,']);
    expect(draftFor(text).skips).toEqual([
      { when: { SKU: 'SKU' }, why: 'it repeats the header', rows: [14] },
      {
        when: { Name: '', Category: '', Price: '', Stock: '' },
        why: 'it has one cell only',
        lacks: ['Name', 'Category', 'Price', 'Stock'],
        rows: [16],
      },
    ]);
    expect(draftFor(text).fields).toEqual(draftFor(pens(12)).fields);
  });

  test('a second table below a blank row decides nothing', () => {
    const text = pens(3, ['', 'SKU,Supplier,City', 'PEN-1,Acme,Leeds', 'PEN-2,Bazaar,York']);
    expect(draftFor(text).fields).toEqual(draftFor(pens(3)).fields);
    expect(draftFor(text).skips).toMatchObject([{ rows: [6, 7, 8] }]);
  });
});

describe('one row in twenty decides nothing', () => {
  test.each([0, 11, 24])('a name that was forgotten makes no variant of row %i', (row) => {
    const text = pens(25).replace(`PEN-${row},Pen ${row},`, `PEN-${row},,`);
    expect(draftFor(text).group).toBeUndefined();
    expect(rulesOf(text)).toEqual(rulesOf(pens(25)));
  });

  test.each([8, 25])('of %i codes, one that is missing or repeats is an issue of its record', (count) => {
    for (const code of ['', 'PEN-2']) {
      const text = pens(count).replace('PEN-1,Pen 1,', `${code},Pen 1,`);
      expect(rulesOf(text)).toEqual(rulesOf(pens(count)));
    }
  });

  test.each(['#N/A', 'auf Anfrage', 'POA'])('a price of %s takes no price away from the others', (word) => {
    expect(rulesOf(pens(8).replace('3.90', word))['price.salePrice']).toEqual({
      from: 'Price',
      number: true,
    });
  });

  test('numbers that can be read in two ways are read as those of other columns', () => {
    const rows = (weight: string) =>
      `SKU;Name;Price;Weight\n1;Mug;1.200;${weight}\n2;Bowl;1.300;${weight}\n`.replaceAll(';', '\t');
    const read = (weight: string) =>
      rulesOf(
        rows(weight)
          .replaceAll(/([^\t\n]*,[^\t\n]*)/g, '"$1"')
          .replaceAll('\t', ','),
      )['price.salePrice'];
    expect(read('0,5')).toEqual({ from: 'Price', number: 'german' });
    expect(read('0.5')).toEqual({ from: 'Price', number: 'english' });
    expect(read('0,5 kg')).toEqual({ from: 'Price', number: 'german' });
    expect(read('5')).toBeUndefined();
  });

  test('a single cell does not decide how all numbers are read', () => {
    const cells = [...Array.from({ length: 30 }, (_, n) => `1.${200 + n}`), '12,50'];
    const text = ['SKU;Name;Price', ...cells.map((cell, n) => `P${n};Pen ${n};${cell}`)]
      .join('\n')
      .replaceAll(/;(?=.*)/g, ';');
    expect(
      rulesOf(
        text
          .replaceAll(',', '·')
          .replaceAll(';', ',')
          .replaceAll(/(\d+)·(\d+)/g, '"$1,$2"'),
      )['price.salePrice'],
    ).toBeUndefined();
  });
});

describe('prices', () => {
  test.each(['etwa 3', '3 approx', 'ab 3', 'ca. 3'])('the word of %j is no currency', (cell) => {
    const text = `SKU,Name,Price\nA-1,Pen,"1.234,50"\nA-2,Ink,"7,00"\nA-3,Pad,${cell}\n`;
    expect(rulesOf(text)['price.salePrice']).toEqual({ from: 'Price', number: 'german' });
  });

  test('what the shop pays is no price, and a price with tax comes before one without', () => {
    expect(rulesOf('Ref,Designation,PV TTC,PV HT,PA HT\nR1,Tasse,12.90,10.75,5.00\n')).toMatchObject({
      'price.salePrice': { from: 'PV TTC', number: true },
      'price.buyingPrice': { from: 'PA HT', number: true },
    });
  });

  test('prices of several currencies are left out, with their counts', () => {
    const { fields, leftOut } = draftFor(
      'SKU,Name,Price\n1,Mug,€12.50\n2,Bowl,$13.00\n3,Box,€5.00\n4,Tin,JPY 900\n',
    );
    expect(fields.map(({ field }) => field)).not.toContain('price.salePrice');
    expect(leftOut).toMatchObject([
      {
        column: 'Price',
        field: 'price.salePrice',
        why: 'its cells are of several currencies: 2 × €, 1 × $, 1 × JPY',
      },
    ]);
  });

  test('a column of one currency takes no other, in rows that the sample does not have either', () => {
    expect(rulesOf('SKU,Name,Price\n1,Mug,€12.50\n2,Bowl,€ 13.00\n')['price.salePrice']).toEqual({
      from: 'Price',
      number: { currency: '€' },
    });
    expect(rulesOf('SKU,Name,Price\n1,Mug,"12,50 EUR"\n2,Bowl,"13,00 EUR"\n')['price.salePrice']).toEqual({
      from: 'Price',
      number: { format: 'german', currency: 'EUR' },
    });
  });

  test.each(['RRP', 'UVP', 'RRP GBP', 'Prix barré'])(
    'a column %s alone is no price, and that is said',
    (name) => {
      const { fields, leftOut } = draftFor(`SKU,Name,${name}\nA,Pen,12.50\nB,Cup,8.00\n`);
      expect(fields.map(({ field }) => field)).toEqual(['name', 'reference']);
      expect(leftOut).toContainEqual(
        expect.objectContaining({
          column: name,
          field: 'price.salePrice',
          why: 'it is a former or recommended price, and no column surely has the price itself',
        }),
      );
    },
  );

  test('a price is known beside the code of its currency', () => {
    const rules = rulesOf(
      'SKU,Name,Cena PLN,Purchase price PLN,RRP PLN\nA,Pen,12.50,3.00,14.00\nB,Cup,8.00,2.00,9.00\n',
    );
    expect(rules).toMatchObject({
      'price.salePrice': { from: 'Cena PLN' },
      'price.buyingPrice': { from: 'Purchase price PLN' },
      'price.comparePrice': { from: 'RRP PLN' },
    });
  });

  test('one currency in two spellings is one', () => {
    expect(rulesOf('SKU,Name,Price\n1,Mug,€12.50\n2,Bowl,13.00 EUR\n')['price.salePrice']).toEqual({
      from: 'Price',
      number: { currency: ['€', 'EUR'] },
    });
  });

  test.each(['Price (cents)', 'Preis in Cent', 'Prix en centimes'])('%s is a hundredth', (name) => {
    expect(rulesOf(`SKU,Name,${name}\n1,Mug,1250\n2,Bowl,300\n`)['price.salePrice']).toMatchObject({
      multiply: 0.01,
    });
    expect(rulesOf(`SKU,Name,${name}\n1,Mug,12.50\n2,Bowl,3\n`)['price.salePrice']).not.toHaveProperty(
      'multiply',
    );
  });

  test.each(['Price per 100', 'Preis je 1000', 'Price / 12'])('%s is not the price of one', (name) => {
    expect(rulesOf(`SKU,Name,${name}\n1,Mug,1250\n2,Bowl,300\n`)).not.toHaveProperty('price.salePrice');
  });

  test('a sale that is over, or has an end, is no price', () => {
    const text =
      'SKU,Name,Price,Sale price,Sale from,Sale to\n1,Lamp,12.5,9,2020-01-01,2020-02-01\n2,Rug,3,,,\n';
    expect(rulesOf(text)['price.salePrice']).toMatchObject([
      {
        from: 'Sale price',
        number: true,
        when: {
          'Sale price': { empty: false, above: 0, below: 'Price' },
          'Sale from': { future: false },
          'Sale to': '',
        },
      },
      {
        from: 'Price',
        when: { 'Sale price': { below: 'Price' }, 'Sale from': { future: true } },
        warn: expect.stringContaining('no field for dates'),
      },
      { from: 'Price', when: { 'Sale price': { below: 'Price' }, 'Sale to': { future: true } } },
      { from: 'Price', number: true },
    ]);
  });

  test('a sale that is over is no price of rows without another one either', () => {
    const text = 'SKU,Name,Price,Sale price,Sale to\n1,Lamp,,9,2020-02-01\n2,Rug,3,2,\n';
    const rules = rulesOf(text)['price.salePrice'] as unknown[];
    expect(rules.at(-1)).toMatchObject({ from: 'Sale price', when: { 'Sale to': '' } });
  });

  test('one amount with a point leaves out a price in cents: it is not known which are right', () => {
    const cents = Array.from({ length: 9 }, (_, n) => `${n},Pen ${n},${n + 1}50`);
    const text = ['SKU,Name,Price (cents)', ...cents, '9,Cap,12.50'].join('\n');
    expect(rulesOf(text)).not.toHaveProperty('price.salePrice');
  });
});

describe('columns of another party', () => {
  test('a prefix that has twins without it is another party', () => {
    const text =
      'id,title,price,seller_id,seller_name,seller_city\n1,Red mug,12.5,77,Acme,Leeds\n2,Blue mug,13,77,Acme,Leeds\n';
    expect(rulesOf(text)).toMatchObject({ name: 'title', reference: 'id' });
  });

  test('a prefix of nearly all columns says nothing', () => {
    const text = 'post_title,post_name,post_content\nMug,mug,A mug for tea\nBowl,bowl,A bowl for soup\n';
    expect(rulesOf(text)).toMatchObject({ name: 'post_title' });
  });
});

describe('units', () => {
  test('each weight has the unit of its cell, and cells without one are left out', () => {
    const rules = rulesOf('SKU,Name,Weight\n1,Mug,350 g\n2,Bowl,1.2 kg\n3,Box,500 g\n4,Tin,7\n');
    expect(rules['sizes.weight.unit']).toMatchObject({ from: 'Weight', map: { g: 'g', kg: 'kg' } });
    expect(rules['sizes.weight.value']).toMatchObject({ when: { Weight: { matches: '\\p{L}' } } });
  });

  test('a weight or a length that nothing gives a unit is sent without one, and that is said', () => {
    const { fields } = draftFor('SKU,Name,Weight,Width,Height (cm)\nA,Pen,12,3,1\nB,Cup,300,9,8\n');
    const doubts = new Map(fields.map(({ field, doubt }) => [field, doubt]));
    const said = 'neither its name nor a cell says its unit, so it is sent without one';
    expect(doubts.get('sizes.weight.value')).toBe(said);
    expect(fields.map(({ field }) => field)).not.toContain('sizes.weight.unit');
    const alone = draftFor('SKU,Name,Width\nA,Pen,3\nB,Cup,9\n').fields;
    expect(alone.find(({ field }) => field === 'sizes.dimensions.width')?.doubt).toBe(said);
    const named = draftFor('SKU,Name,Weight (g)\nA,Pen,12\nB,Cup,300\n').fields;
    expect(named.map(({ doubt }) => doubt).filter((doubt) => doubt === said)).toEqual([]);
  });

  test('lengths of other units are converted to the one that most cells have', () => {
    const rules = rulesOf('SKU,Name,Length,Width\n1,Box,10 cm,5 cm\n2,Tray,100 mm,5 cm\n');
    expect(rules['sizes.dimensions.unit']).toEqual({ const: 'cm', when: 'Length' });
    expect(rules['sizes.dimensions.depth']).toMatchObject([
      { from: 'Length', multiply: 0.1, when: { Length: { matches: '(^|[^\\p{L}])(mm)\\.?$' } } },
      { from: 'Length' },
    ]);
  });

  test('a length without a unit has that of the name, and others keep their own', () => {
    const rules = rulesOf('SKU,Name,Length (mm)\n1,Box,10 cm\n2,Tray,12 cm\n3,Pot,100\n');
    expect(rules['sizes.dimensions.depth']).toMatchObject([
      { multiply: 0.1, when: { 'Length (mm)': { matches: '^[^\\p{L}]*$' } } },
      { from: 'Length (mm)' },
    ]);
  });

  test('a unit in a few lengths is not that of the others', () => {
    const rows = Array.from({ length: 9 }, (_, n) => `${n},Box ${n},${n + 5}`);
    const rules = rulesOf(['SKU,Name,Length', ...rows, '9,Tray,100 mm'].join('\n'));
    expect(rules['sizes.dimensions.depth']).toEqual({ from: 'Length', number: true });
    expect(rules).not.toHaveProperty(['sizes.dimensions.unit']);
  });

  test('the unit of a name is converted too', () => {
    const rules = rulesOf('SKU,Name,Length (mm),Width (cm)\n1,Box,100,5\n2,Tray,200,6\n');
    const unit = (rules['sizes.dimensions.unit'] as { const: string }).const;
    expect(rules[unit === 'cm' ? 'sizes.dimensions.depth' : 'sizes.dimensions.width']).toMatchObject({
      multiply: unit === 'cm' ? 0.1 : 10,
    });
  });
});

describe('words that end a sale', () => {
  test.each(['Hidden', 'Inactive', 'Discontinued', 'Archived', 'Versteckt', 'Masqué', 'Oculto', 'Скрыт'])(
    'a yes in %s is a draft, and so is a word that is not known',
    (name) => {
      expect(rulesOf(`SKU,Name,${name}\n1,Old,Y\n2,New,N\n`).status).toEqual([
        { const: 'DRAFT', when: { [name]: { 'is-not': ['n', ''] } } },
        { const: 'PUBLISH' },
      ]);
    },
  );

  test('products are drafts if the words of their status are not known', () => {
    const { fields } = draftFor('SKU,Name,Status\n1,Old,wobbly\n2,New,active\n');
    expect(fields.find(({ field }) => field === 'status')).toMatchObject({
      rule: { map: { active: 'PUBLISH' }, else: 'DRAFT' },
      doubt: expect.stringContaining('wobbly'),
    });
  });
});

describe('variants', () => {
  test('products of one file may differ in other options', () => {
    const text =
      'Parent SKU,SKU,Name,Colour,Size,Price\nTEE,T-R,Tee,Red,S,10\nTEE,T-B,Tee,Blue,M,10\nBAG,B-S,Bag,,S,7\nBAG,B-L,Bag,,L,8\nCAP,CAP,Cap,,,5\n';
    expect(rulesOf(text).variants).toMatchObject([
      { when: 'Colour', fields: { 'option1.value1': 'Colour', 'option2.value1': 'Size' } },
      { when: { Colour: '', Size: { empty: false } }, fields: { 'option1.value1': 'Size' } },
    ]);
  });

  test('rows with further values of a product are no variants', () => {
    const text =
      'sku,_category,color,name,price,qty\nP-1,Oil,Yellow,One,30,5\n,Prints,Green,,,\n,,Brown,,,\nP-2,Oil,Red,Two,40,2\n,,White,,,\n';
    expect(rulesOf(text)).not.toHaveProperty('variants');
    expect(rulesOf(text)).not.toHaveProperty('options');
    expect(rulesOf(text).collections).toEqual({ from: '_category', split: ',', across: 'join' });
    expect(rulesOf(text).reference).toBe('sku');
  });

  test('products of one group are products, whatever the group is called', () => {
    const text =
      'Code,Product name,Price,Group name,Group ID\nA-1,Lamp,100,Light,777\nA-2,Torch,200,Light,777\nA-3,Desk,300,Room,888\n';
    expect(draftFor(text).group).toBeUndefined();
    expect(rulesOf(text)).toMatchObject({ reference: 'Code', name: 'Product name' });
  });

  test('the name and the values of an option come from columns that belong together', () => {
    const text =
      'Parent SKU,SKU,Name,option_one_name,option_one_value,option_two_name,option_two_value,Price\n' +
      'T,T-1,Tee,Size,S,Colour,Red,9\nT,T-2,Tee,Size,M,Colour,Blue,9\nC,C-1,Cap,Size,S,Colour,Red,5\n';
    expect(rulesOf(text).options).toMatchObject([
      { fields: { name: 'option_one_name', values: { fields: { value1: 'option_one_value' } } } },
      { fields: { name: 'option_two_name', values: { fields: { value1: 'option_two_value' } } } },
    ]);
  });

  test.each(['Name', 'Product'])('products of one %s that differ in a size are asked about', (column) => {
    const { fields } = draftFor(`SKU,${column},Size,Price\nT-S,Tee,S,10\nT-M,Tee,M,10\nM-1,Mug,,5\n`);
    expect(fields.find(({ field }) => field === 'name')?.doubt).toBe(
      `2 records share their name with another and differ in Size; if they are variants of one product, add group: { by: ${column} }`,
    );
  });

  test('sizes of one style are variants of it', () => {
    const text =
      'Style,SKU,Name,Size,Price\nTEE,T-S,T-shirt,S,10\nTEE,T-M,T-shirt,M,10\nTEE,T-L,T-shirt,L,10\nMUG,M-1,Mug,,5\n';
    expect(draftFor(text).group).toEqual({ by: 'Style' });
  });
});

describe('a product that nobody may buy', () => {
  const rows = Array.from({ length: 12 }, (_, n) => `P${n},Pen ${n},${n}.50,Y,${n % 3 === 0 ? 'N' : 'Y'}`);

  test.each(['Allow Purchases', 'Available for order', 'Purchasable', 'bestellbar', 'Commandable'])(
    'is a draft, as %s says beside the visibility',
    (name) => {
      const { fields } = draftFor([`SKU,Name,Price,Visible,${name}`, ...rows].join('\n'));
      const { rule, columns } = fields.find(({ field }) => field === 'status') ?? {};
      expect(columns).toEqual([name, 'Visible']);
      expect(rule).toEqual([
        { const: 'DRAFT', when: { [name]: { 'is-not': ['y', ''] } } },
        expect.objectContaining({ from: 'Visible' }),
      ]);
    },
  );

  test('is a draft without a column of visibility too', () => {
    const { fields } = draftFor(
      ['SKU,Name,Price,Purchasable', ...rows.map((row) => row.replace(',Y,', ','))].join('\n'),
    );
    expect(fields.find(({ field }) => field === 'status')?.rule).toEqual([
      { const: 'DRAFT', when: { Purchasable: { 'is-not': ['y', ''] } } },
      { const: 'PUBLISH' },
    ]);
  });
});

test.each([
  ['weight_g', 'g'],
  ['Weight g', 'g'],
  ['Gewicht_kg', 'kg'],
  ['length_mm', 'mm'],
])('the unit in the name %s is used', (name, unit) => {
  const rows = Array.from({ length: 12 }, (_, n) => `P${n},Pen ${n},${n}.50,${100 + n}`);
  const { fields } = draftFor([`SKU,Name,Price,${name}`, ...rows].join('\n'));
  const rule = fields.find(({ field }) => /^sizes\..*unit$/.test(field))?.rule;
  expect(rule).toMatchObject({ const: unit });
});

describe('of two columns that say whether a product is shown', () => {
  const statusOf = (text: string) => draftFor(text).fields.find(({ field }) => field === 'status');
  const rows = (first: readonly string[], second: readonly string[]) =>
    Array.from(
      { length: 12 },
      (_, n) => `P${n},Pen ${n},${n}.50,${first[n % first.length]},${second[n % second.length]}`,
    );

  test.each([
    ['Published', ['TRUE', 'FALSE'], ['true', 'false']],
    ['Visibility', ['Catalog and search', 'Not Visible Individually'], ['not visible individually']],
    ['Visibility in catalog', ['visible', 'hidden'], ['visible', 'hidden']],
    ['Sichtbarkeit', ['Katalog', 'Einzeln nicht sichtbar'], ['einzeln nicht sichtbar']],
  ])('one that says no in %s makes a draft, and what is archived stays so', (name, cells, words) => {
    const text = [`SKU,Name,Price,Status,${name}`, ...rows(['active', 'archived', 'active'], cells)].join(
      '\n',
    );
    const status = statusOf(text);
    expect(status?.columns).toEqual([name, 'Status']);
    expect(status?.rule).toEqual([
      {
        const: 'DRAFT',
        when: {
          [name]: expect.toSatisfy((no: string[]) => no.includes(words.at(-1) ?? '')),
          Status: { 'is-not': ['archived'] },
        },
      },
      expect.objectContaining({ from: 'Status', default: 'DRAFT', else: 'DRAFT' }),
    ]);
  });

  test('one with words that say nothing of it is named, and not used', () => {
    const text = ['SKU,Name,Price,Status,Active', ...rows(['active', 'draft'], ['Spring', 'Winter'])].join(
      '\n',
    );
    const { fields, leftOut } = draftFor(text);
    expect(fields.find(({ field }) => field === 'status')?.columns).toEqual(['Status']);
    expect(leftOut.find(({ column }) => column === 'Active')).toMatchObject({
      ...{ field: 'status', why: 'Status is used for it' },
    });
  });
});

describe('the stock of a row that the shop does not count', () => {
  const stockOf = (name: string, cells: readonly [flag: string, stock: string][]) =>
    draftFor(
      [
        `SKU,Name,Price,${name},Stock`,
        ...Array.from({ length: 12 }, (_, n) => {
          const [flag, stock] = cells[n % cells.length] ?? ['', ''];
          return `P${n},Pen ${n},${n}.50,${flag},${stock}`;
        }),
      ].join('\n'),
    ).fields.find(({ field }) => field === 'quantity.instock');

  test.each(['Track stock', 'Manage stock', 'Product Inventoried', 'trackInventory'])(
    'the stock is left out and counted where %s says no',
    (name) => {
      const stock = stockOf(name, [
        ['Y', '5'],
        ['N', '0'],
      ]);
      expect(valueRules(stock?.rule)).toEqual({
        ...{ from: 'Stock', number: true },
        when: { [name]: { 'is-not': ['n'] } },
      });
      expect(stock?.doubt).toBe(`6 of 12 rows do not count their stock by ${name}, and are left out`);
    },
  );

  test('the flag decides nothing if no row is counted and there are quantities', () => {
    expect(valueRules(stockOf('manage_stock', [['0', '7']])?.rule)).toEqual({ from: 'Stock', number: true });
    expect(valueRules(stockOf('Product Inventoried', [['N', '0']])?.rule)).toHaveProperty('when');
  });
});

describe('a column with the currency of each row', () => {
  const pens = (codes: readonly string[]) =>
    draftFor(
      ['SKU,Name,Price,Currency', ...codes.map((code, n) => `P${n},Pen ${n},${n + 1}.50,${code}`)].join('\n'),
    );

  test('a column of currencies without a usual one leaves out all prices', () => {
    const { fields, leftOut } = pens(['EUR', 'GBP', 'EUR', 'GBP']);
    expect(fields.map(({ field }) => field)).not.toContain('price.salePrice');
    expect(leftOut).toContainEqual(
      expect.objectContaining({ column: 'Price', why: 'Currency has several currencies: 2 × EUR, 2 × GBP' }),
    );
  });

  test('prices of few rows in another currency are left out and counted at each run', () => {
    const codes = Array.from({ length: 20 }, (_, n) => (n === 6 ? 'JPY' : 'EUR'));
    const rule = pens(codes).fields.find(({ field }) => field === 'price.salePrice')?.rule;
    expect(rule).toEqual([
      {
        from: 'Price',
        when: { Currency: { 'is-not': ['EUR'] } },
        'leave-out': '"Price" is left out: "Currency" is not EUR.',
      },
      { from: 'Price', number: true, when: { Currency: ['EUR'] } },
    ]);
  });

  test('a column with one currency changes no rule', () => {
    const rule = pens(['EUR', 'EUR', '']).fields.find(({ field }) => field === 'price.salePrice')?.rule;
    expect(rule).toEqual({ from: 'Price', number: true });
  });
});

test.each([
  ['Sale to', ['2026-11-20', 'TBC', 'open end', '']],
  ['Sale ends', ['Black Friday', '2025-02-02', '', '']],
  ['Sale period', ['01.01.2025 - 31.01.2025', '', '', '']],
  ['Sale end', ['46327', '46346', '', '']],
  ['On sale', ['no', 'yes', 'no', 'no']],
])('a sale price is left out if no condition can read when it counts: %s', (name, cells) => {
  const rows = cells.map((cell, n) => `P${n},Pen ${n},9.50,7.50,${cell}`);
  const { fields, leftOut } = draftFor([`SKU,Name,Price,Sale price,${name}`, ...rows].join('\n'));
  const price = fields.find(({ field }) => field === 'price.salePrice');
  expect(price?.rule).toEqual({ from: 'Price', number: true });
  expect(price?.doubt).toBe(
    `Sale price is left out, since ${name} says when it counts, and no condition can read its cells`,
  );
  expect(leftOut).toContainEqual(
    expect.objectContaining({
      column: 'Sale price',
      why: `${name} says when it counts, and no condition can read its cells`,
    }),
  );
});

test.each(['Not for sale', 'Draft', 'Nicht im Shop', 'Auslaufartikel', 'Non vendibile', 'Plus en vente'])(
  'a flag %s makes a draft',
  (name) => {
    const rows = ['A,Pen,3.50,yes', 'B,Cup,4.50,no', 'C,Mug,4.50,no'];
    const { fields } = draftFor([`SKU,Name,Price,${name}`, ...rows].join('\n'));
    const rule = JSON.stringify(fields.find(({ field }) => field === 'status')?.rule);
    expect(rule).toContain(`{"const":"DRAFT","when":{"${name}":`);
  },
);

test('variants of products that differ in other options are all kept, with a parent too', () => {
  const rows = [
    ...[',TEE,Tee,,,9.00', 'TEE,TEE-S,Tee,S,,9.00', 'TEE,TEE-M,Tee,M,,9.00'],
    ...[',BAG,Bag,,,19.00', 'BAG,BAG-R,Bag,,Red,19.00', 'BAG,BAG-B,Bag,,Blue,19.00'],
    ...[',CAP,Cap,,,5.00', 'CAP,CAP-S,Cap,S,Red,5.00', 'CAP,CAP-M,Cap,M,Red,5.00'],
  ];
  const { fields } = draftFor(['Parent SKU,SKU,Name,Size,Colour,Price', ...rows].join('\n'));
  const lists = [fields.find(({ field }) => field === 'variants')?.rule].flat() as { when: unknown }[];
  expect(lists).toHaveLength(2);
});

test('a variant has the unit of weight of its own row', () => {
  const rows = [
    ',TEA,Tea,,4.00,,',
    'TEA,TEA-S,Tea,S,4.00,50,g',
    'TEA,TEA-L,Tea,L,40.00,1,kg',
    ',SALT,Salt,,1.00,1,kg',
  ];
  const { fields } = draftFor(['Parent SKU,SKU,Name,Size,Price,Weight,Weight unit', ...rows].join('\n'));
  expect(fields.find(({ field }) => field === 'variants')?.rule).toMatchObject({
    fields: { 'sizes.weight.unit': { from: 'Weight unit', when: 'Weight' } },
  });
});

test('the address of a customer has its number, and what is behind the street is no street', () => {
  const text = [
    'First name,Last name,E-Mail,Straße,Hausnummer,Adresszusatz,Ort',
    'Ann,Lee,a@example.com,Am Weg,3,Hinterhaus,Bonn',
    'Bo,Hill,b@example.com,Lange Allee,45a,,Ulm',
  ].join('\n');
  const columns = text.split('\n').map((line) => line.split(','));
  const { draft } = draftMapping('customers', {
    columns: (columns[0] ?? []).map((name, at) => ({
      name,
      cells: columns.slice(1).map((row) => row[at] ?? ''),
    })),
  });
  const rules = Object.fromEntries(draft.fields.map(({ field, rule }) => [field, rule]));
  expect(rules).toMatchObject({
    'address.address1': { from: ['Straße', 'Hausnummer'], join: ' ' },
    'address.address2': 'Adresszusatz',
  });
});

test('uses so far are not the limit of a discount', () => {
  const rows = ['SPRING,percentage,10,5,100', 'EASTER,percentage,15,0,50'].map((line) => line.split(','));
  const columns = ['Code', 'Type', 'Value', 'Uses', 'Max uses'].map((name, at) => ({
    name,
    cells: rows.map((row) => row[at] ?? ''),
  }));
  const { draft } = draftMapping('discounts', { columns });
  expect(draft.fields.find(({ field }) => field === 'limits.all')?.columns).toEqual(['Max uses']);
});

describe('sums among the rows', () => {
  const ROWS = [
    ...['H-1,Hammer,12.99,14', 'H-2,Pliers,9.99,20', 'H-3,Saw,15.49,6', ',Hand tools,38.47,40'],
    ...['D-1,Drill,79.00,3', 'D-2,Sander,59.00,2', ',Power tools,138.00,5', ',Grand total,176.47,45'],
  ];

  test('sums are left out if several rows have no code, with a word for sums or without one', () => {
    const { key, skips = [], fields } = draftFor(['SKU,Item,Price,Stock', ...ROWS].join('\n'));
    expect(skips.flatMap(({ rows }) => rows).sort()).toEqual([5, 8, 9]);
    expect(key ?? fields.find(({ field }) => field === 'reference')?.rule).toBe('SKU');
  });

  test('a row without a code that is no sum stays', () => {
    const other = ROWS.map((row) => row.replace('38.47', '38.40'));
    const { skips = [] } = draftFor(['SKU,Item,Price,Stock', ...other].join('\n'));
    expect(skips.flatMap(({ rows }) => rows)).not.toContain(5);
  });
});

test('a second table as wide as the first begins at names where all rows above have numbers', () => {
  const rows = ['A1,Red chalk,2.50,10', 'A2,Blue chalk,2.50,8', 'A3,Board,45.00,2', 'A4,Sponge,1.20,30'];
  const below = [
    ',,,',
    'Supplier,Contact,Minimum order,Days',
    'Chalk Ltd,Ann,100,5',
    'Board & Co,Bob,250,10',
  ];
  const { skips } = draftFor(['SKU,Name,Price,Stock', ...rows, ...below].join('\n'));
  expect(skips).toMatchObject([
    { rows: [7, 8, 9], why: expect.stringContaining('another table begins there') },
  ]);
  const words = draftFor(
    ['SKU,Name,Price,Stock', ...rows, ',,,', 'A5,Ink,on request,4', 'A6,Pen,1.50,7'].join('\n'),
  );
  expect(words.skips).toBeUndefined();
});

test('prices by quantity make no variants, and their stock is counted once', () => {
  const rows = [
    'A1,Mug,1,9.90,40',
    'A1,Mug,10,8.90,40',
    'A2,Cup,1,4.90,60',
    'A2,Cup,10,4.50,60',
    'A3,Jug,1,24.90,10',
  ];
  const { fields, leftOut } = draftFor(['Item no,Name,From pieces,Price,Stock', ...rows].join('\n'));
  const rules = Object.fromEntries(fields.map(({ field, rule }) => [field, rule]));
  expect(rules).not.toHaveProperty('variants');
  expect(rules['quantity.instock']).toEqual({ from: 'Stock', number: true });
  expect(leftOut).toContainEqual(expect.objectContaining({ column: 'Price', field: 'variants' }));
});

test('the mapping names the columns that are called like no field', () => {
  const draft = draftFor(
    'SKU,Name,Price,Zorg,Sale price,Sale to,Empty\nA,Pen,3.50,x,2.50,2026-01-31,\nB,Cup,4.50,y,,,\n',
  );
  expect(draft.notUsed).toEqual(['Zorg']);
  expect(writeYaml(draft, 'shop.csv')).toMatch(/\n# Not used, since no field is called so: Zorg\.\n$/);
});

test('a currency of few rows guards the prices of variants in each of their lists', () => {
  const rows = Array.from({ length: 12 }, (_, n) => {
    const own = n % 2 === 0 ? 'S,' : ',Red';
    const other = n % 2 === 0 ? 'M,' : ',Blue';
    const code = n === 5 ? 'JPY' : 'EUR';
    return [`T${n},T${n}-1,Tee ${n},${own},9.00,${code}`, `T${n},T${n}-2,Tee ${n},${other},9.00,${code}`];
  }).flat();
  const { fields } = draftFor(['Style,SKU,Name,Size,Colour,Price,Currency', ...rows].join('\n'));
  const lists = [fields.find(({ field }) => field === 'variants')?.rule].flat() as { fields: object }[];
  expect(lists).toHaveLength(2);
  for (const list of lists)
    expect(list.fields).toMatchObject({
      'price.salePrice': [{ 'leave-out': expect.any(String) }, { when: { Currency: ['EUR', ''] } }],
    });
});

test('the number of a house is not joined with a street that has it', () => {
  const rows = ['Ann,Lee,a@example.com,Am Weg 3,3', 'Bo,Hill,b@example.com,Lange Allee 45a,45a'].map((line) =>
    line.split(','),
  );
  const columns = ['First name', 'Last name', 'E-Mail', 'Street', 'House number'].map((name, at) => ({
    name,
    cells: rows.map((row) => row[at] ?? ''),
  }));
  const { draft } = draftMapping('customers', { columns });
  expect(draft.fields.find(({ field }) => field === 'address.address1')?.rule).toBe('Street');
  expect(draft.leftOut).toContainEqual(
    expect.objectContaining({ column: 'House number', why: 'Street has it' }),
  );
});
