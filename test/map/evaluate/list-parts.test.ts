import { describe, expect, test } from 'vitest';
import { bind, parseMapping } from '../../../src/map/index.ts';
import {
  issuesOf,
  mapRecord,
  payloadOf,
  productMapping,
  recordOf,
  refusal,
  rowsOf,
  tableOf,
} from '../../support/map-rows.ts';

function mistakesIn(...fields: string[]): readonly string[] {
  const lines = ['resource: products', 'fields:', ...fields.map((line) => `  ${line}`)];
  return refusal(() => parseMapping('mine', lines.join('\n'))).hints;
}

describe('parts of a cell in the formats of platforms', () => {
  test('Magento: variations between bars, pairs between commas', () => {
    const variants = {
      each: { variation: { from: 'configurable_variations', split: '|', pairs: true } },
      unique: 'reference',
      fields: {
        reference: '{variation.sku}',
        name: { from: ['{variation.size}', '{variation.color}'], join: ' / ' },
        place: '{variation#}',
      },
    };
    const cell = 'sku=A-XS,size=XS,color=Black|sku=B-S,size=S|sku=A-XS,size=M';
    expect(payloadOf({ variants }, ['configurable_variations'], [cell])).toEqual({
      variants: [
        { reference: 'A-XS', name: 'XS / Black', place: '1' },
        { reference: 'B-S', name: 'S', place: '2' },
      ],
    });
  });

  test('Magento: one of the additional attributes, also with several values', () => {
    const fields = { 'brand.name': { from: 'additional_attributes', pairs: { key: 'manufacturer' } } };
    const attributes = 'manufacturer=Fonte, Sons,material=Cotton|Wool';
    expect(payloadOf(fields, ['additional_attributes'], [attributes])).toEqual({
      brand: { name: 'Fonte, Sons' },
    });
    const materials = {
      each: { material: { from: '{all.material}', split: '|' } },
      fields: { name: '{material}' },
    };
    const collections = {
      each: { all: { from: 'additional_attributes', pairs: true } },
      fields: { materials },
    };
    expect(payloadOf({ collections }, ['additional_attributes'], [attributes])).toEqual({
      collections: [{ materials: [{ name: 'Cotton' }, { name: 'Wool' }] }],
    });
  });

  test('BigCommerce: named options between bars', () => {
    const collections = {
      each: { category: { from: 'Category Details', split: '|', pairs: { between: ', ', equals: ': ' } } },
      fields: { name: '{category.Category Name}', path: '{category.Category Path}' },
    };
    const cell = 'Category Name: Shirts, Category Path: Men/Shirts|Category Name: Sale, Category Path: Sale';
    expect(payloadOf({ collections }, ['Category Details'], [cell])).toEqual({
      collections: [
        { name: 'Shirts', path: 'Men/Shirts' },
        { name: 'Sale', path: 'Sale' },
      ],
    });
  });

  test('WooCommerce: paths between commas, some with a name', () => {
    const collections = {
      each: { category: { from: 'Categories', split: { by: ',', escape: '\\' } } },
      when: { '{category}': { 'is-not': 'Uncategorized' } },
      fields: {
        name: { from: '{category}', replace: { match: '^.*> *' } },
        levels: {
          each: { level: { from: '{category}', split: '>' } },
          fields: { name: '{level}', depth: '{level#}' },
        },
      },
    };
    const cell = 'Clothing > Tshirts, Salt\\, fine, Uncategorized';
    expect(payloadOf({ collections }, ['Categories'], [cell])).toEqual({
      collections: [
        {
          name: 'Tshirts',
          levels: [
            { name: 'Clothing', depth: '1' },
            { name: 'Tshirts', depth: '2' },
          ],
        },
        { name: 'Salt, fine', levels: [{ name: 'Salt, fine', depth: '1' }] },
      ],
    });
  });

  test('Wix: values between semicolons, one option for each numbered column', () => {
    const options = {
      each: { n: [1, 2] },
      fields: {
        name: 'productOptionName{n}',
        values: {
          each: { value: { from: 'productOptionDescription{n}', split: ';' } },
          unique: 'value1',
          fields: { value1: { from: '{value}', replace: { match: '^[^:]+:' } } },
        },
      },
    };
    const header = ['productOptionName1', 'productOptionDescription1', 'productOptionName2'];
    expect(payloadOf({ options }, header, ['Color', '#CC9BD0:Lilac;#FFF:White;#FFE:White', ''])).toEqual({
      options: [{ name: 'Color', values: [{ value1: 'Lilac' }, { value1: 'White' }] }],
    });
  });

  test('a cell of JSON gives its values by path', () => {
    const images = { each: { image: { from: 'Images', json: true } }, fields: { src: '{image.urls.0}' } };
    expect(payloadOf({ images }, ['Images'], ['[{"urls":["a","b"]},{"urls":[]},{}]'])).toEqual({
      images: [{ src: 'a' }],
    });
  });
});

describe('parts of a list', () => {
  test('can be used with steps, templates, defaults and columns', () => {
    const variants = {
      each: { size: { from: 'Sizes', split: ',' } },
      fields: {
        name: { template: '{Title} {size}' },
        reference: { template: '{SKU}-{size#}' },
        code: { from: '{size}', case: 'lower', replace: { match: 'L', with: 'Large' } },
        stock: { from: '{size}', map: { S: 4 }, else: 0 },
        weight: { from: ['{size.weight}', 'Weight'], number: true },
      },
    };
    expect(payloadOf({ variants }, ['Title', 'SKU', 'Sizes', 'Weight'], ['Tee', 'T', 'S,L', '2'])).toEqual({
      variants: [
        { name: 'Tee S', reference: 'T-1', code: 's', stock: 4, weight: 2 },
        { name: 'Tee L', reference: 'T-2', code: 'large', stock: 0, weight: 2 },
      ],
    });
  });

  test('have issues at their cell, also for fields that the payload lacks', () => {
    const variants = {
      each: { part: { from: 'V', split: ',', pairs: true } },
      fields: { price: { from: '{part.price}', number: true } },
    };
    const { issues } = mapRecord({ name: 'N', variants }, ['N', 'V'], ['', ''], ['', 'price=1,price=x']);
    expect(issuesOf(issues)).toEqual([['not-a-number', 'variants.1.price', 'V', 3]]);
  });

  test('are split in each row of a list over rows', () => {
    const variants = {
      each: 'row',
      fields: { tags: { each: { tag: { from: 'Tags', split: ',' } }, fields: { name: '{tag}' } } },
    };
    expect(payloadOf({ variants }, ['Tags'], ['a,b'], ['c'])).toEqual({
      variants: [{ tags: [{ name: 'a' }, { name: 'b' }] }, { tags: [{ name: 'c' }] }],
    });
  });

  test('are absent if the cell is empty, and their columns count as used', () => {
    const variants = { each: { part: { from: 'V', split: ',' } }, fields: { name: '{part}' } };
    expect(payloadOf({ variants }, ['V'], [' '])).toEqual({});
    const binding = bind(productMapping({ variants }), tableOf('V', 'W'), []);
    expect(binding).toMatchObject({ missing: [], unused: ['W'] });
    expect(bind(productMapping({ variants }), tableOf('W'), [])).toMatchObject({
      missing: ['V'],
      fillablePaths: [],
    });
  });

  test('have no inherited keys', () => {
    const variants = {
      each: { part: { from: 'V', pairs: true } },
      fields: { a: '{part.a}', b: '{part.constructor}', c: '{part.a.length}' },
    };
    expect(payloadOf({ variants }, ['V'], ['a=1'])).toEqual({ variants: [{ a: '1' }] });
  });

  test.each([
    [
      'variants: { each: { part: { from: V, split: "," } }, fields: { name: "{prat}" } }',
      "line 3, column 66: {prat} means nothing here: braces are for the parts of a list with each, for the text in the gap of a column's name, {row number} and {file name}.",
    ],
    ['name: "{part}"', 'line 3, column 3: {part} means nothing here'],
    [
      'variants: { each: { a: [x, y] }, fields: { name: "{foo.{a}}" } }',
      'line 3, column 46: {foo.{a}} has braces inside braces, which mean nothing. A part of a list has a fixed key, such as {part.key}; for a key that varies, use an expression.',
    ],
    [
      'variants: { each: { a: [x, y] }, fields: { name: { from: T, when: "{foo.{a}}" } } }',
      '{foo.{a}} has braces inside braces',
    ],
    [
      'variants: { each: { foo: { from: V, pairs: true } }, fields: { images: { each: { a: [x] }, fields: { src: { template: "-{foo.{a}}" } } } } }',
      '{foo.{a}} has braces inside braces',
    ],
    [
      'variants: { each: { part: { from: V, splitt: "," } }, fields: { name: "{part}" } }',
      'line 3, column 40: "splitt" is not known here. Did you mean "split"?',
    ],
    [
      'variants: { each: { row: { from: V, split: "," } }, fields: { name: V } }',
      'line 3, column 23: a part has a name of letters and digits, such as part, and not row, rows or file; found "row".',
    ],
    [
      'variants: { each: { __proto__: { from: V, split: "," } }, fields: { name: V } }',
      'line 3, column 23: a part has a name of letters and digits',
    ],
    [
      'variants: { each: { part: { from: V, split: "," } }, when: "{prat}", fields: { name: V } }',
      'line 3, column 56: {prat} means nothing here',
    ],
    [
      'model: { from: V, pairs: true, case: upper }',
      'line 3, column 34: pairs makes an object, which case cannot work on: say which value is meant, such as pairs: { key: color }.',
    ],
  ])('refuse %s', (field, hint) => {
    expect(mistakesIn(field)[0]).toContain(hint);
  });
});

describe('join', () => {
  test('joins the parts of one cell after the steps', () => {
    const fields = { description: { from: 'T', split: '>', case: 'upper', join: ' / ' } };
    expect(payloadOf(fields, ['T'], ['a > b > a'])).toEqual({ description: 'A / B' });
    const repeated = { description: { from: 'T', split: { by: '>', repeated: true }, join: '/' } };
    expect(payloadOf(repeated, ['T'], ['a>b>a'])).toEqual({ description: 'a/b/a' });
  });

  test('joins several columns before the text is split', () => {
    expect(
      payloadOf({ tags: { from: ['A', 'B'], join: ',', split: ',' } }, ['A', 'B'], ['x,y', 'z']),
    ).toEqual({
      tags: ['x', 'y', 'z'],
    });
  });
});

describe('references to the row', () => {
  test('give its number and its file', () => {
    const fields = {
      model: '{row number}',
      source: { template: '{file name}:{row number}' },
      'quantity.instock': { from: '{row number}' },
    };
    expect(payloadOf(fields, ['T'], ['x'])).toEqual({
      model: '2',
      source: 'shop.csv:2',
      quantity: { instock: 2 },
    });
  });

  test("give the item's own row in a list over rows", () => {
    const variants = { each: 'row', fields: { name: { template: 'row {row number}' } } };
    expect(payloadOf({ variants }, ['T'], ['x'], ['y'])).toEqual({
      variants: [{ name: 'row 2' }, { name: 'row 3' }],
    });
  });
});

describe('braces in templates', () => {
  test('are literal if they are doubled', () => {
    const fields = { name: { template: '{{{Title}}} {{x}} {Title}' } };
    expect(payloadOf(fields, ['Title'], ['Tea'])).toEqual({ name: '{Tea} {x} Tea' });
  });
});

describe('a gap in the name of a column', () => {
  const columns = { Weight: 'Weight ({unit})', Price: ['Price [{store}]', 'Cost'] };
  const fields = {
    'sizes.weight.value': { from: 'Weight', number: true },
    'sizes.weight.unit': { from: '{Weight.unit}', case: 'lower', when: 'Weight' },
    'price.salePrice': 'Price',
    source: { template: 'from {Price.store}' },
  };

  test('gives its text as the file writes it', () => {
    const mapping = productMapping(fields, { columns });
    expect(payloadOf(mapping, ['weight  (KG)', 'Price [Mini Shop]'], ['2', '5'])).toEqual({
      sizes: { weight: { value: 2, unit: 'kg' } },
      price: { salePrice: 5 },
      source: 'from Mini Shop',
    });
    expect(payloadOf(mapping, ['Weight (lbs)', 'Cost'], ['2', '5'])).toEqual({
      sizes: { weight: { value: 2, unit: 'lbs' } },
      price: { salePrice: 5 },
    });
    expect(payloadOf(mapping, ['Weight', 'Cost'], ['2', ''])).toEqual({ sizes: { weight: { value: 2 } } });
    expect(payloadOf(mapping, ['Weight (kg)'], [''])).toEqual({});
  });

  test('must match one column only', () => {
    const bound = () => bind(productMapping(fields, { columns }), tableOf('Weight (kg)', 'Weight (lbs)'), []);
    expect(refusal(bound).message).toBe(
      'shop.csv has the columns "Weight (kg)" and "Weight (lbs)", and the mapping mine needs one of them.',
    );
    const one = bind(productMapping(fields, { columns }), tableOf('Weight', 'Weight (lbs)'), []);
    expect(one.unused).toEqual(['Weight (lbs)']);
  });

  test('that the name has too is a number of a family, whose aliases have it as well', () => {
    const families = { columns: { 'Option {n} name': ['Nom de l’option {n}'] } };
    const options = { each: { n: [1, 2] }, fields: { name: 'Option {n} name' } };
    const mapping = productMapping({ options }, families);
    expect(payloadOf(mapping, ['Nom de l’option 1', 'nom de l’option 2'], ['Taille', 'Couleur'])).toEqual({
      options: [{ name: 'Taille' }, { name: 'Couleur' }],
    });
  });

  test('counts when a format is recognised, and must be in the name', () => {
    const mapping = productMapping(fields, { columns, recognise: ['Weight'] });
    expect(bind(mapping, tableOf('Weight (kg)'), []).missing).toEqual(['Price']);
    expect(refusal(() => productMapping({ model: '{Weight.size}' }, { columns })).hints[0]).toContain(
      '{Weight.size} means nothing here',
    );
  });

  test('leaves other characters of the name literal', () => {
    const mapping = productMapping({ model: 'P' }, { columns: { P: 'Price (a.b) [{x}]?' } });
    expect(payloadOf(mapping, ['Price (a.b) [EUR]?'], ['1'])).toEqual({ model: '1' });
    expect(payloadOf(mapping, ['Price (axb) [EUR]?'], ['1'])).toEqual({});
  });
});

test('a record of another binding does not see the parts of this one', () => {
  const table = tableOf('V');
  const variants = { each: { part: { from: 'V', split: ',' } }, fields: { name: '{part}' } };
  const [one, two] = [1, 2].map(() => bind(productMapping({ variants }), table, []));
  const [row, other] = rowsOf(table, ['a,b'], ['']);
  expect(one?.map(recordOf([row as never])).payload).toEqual({ variants: [{ name: 'a' }, { name: 'b' }] });
  expect(two?.map(recordOf([other as never])).payload).toEqual({});
});
