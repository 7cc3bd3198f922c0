import { describe, expect, test } from 'vitest';
import { bind, type Mapped, parseMapping, recogniseMapping } from '../../../src/map/index.ts';
import type { JsonObject, SourceRecord, Table } from '../../../src/model/index.ts';
import { customers } from '../../../src/resources/customers.ts';
import { products } from '../../../src/resources/products.ts';
import { issuesOf, productMapping, refusal, tableOf } from '../../support/map-rows.ts';

/** A JSON file that begins with these objects, as the reader gives it. */
function tableWith(...items: JsonObject[]): Table {
  return { file: 'shop.json', header: ['json'], items };
}

function recordWith(table: Table, value: JsonObject): SourceRecord {
  return { seq: 0, rows: [{ table, row: 3, line: 17, cells: [JSON.stringify(value)], value }] };
}

/** Maps one object; `known` are the first objects of the file, if it is not one of them. */
function mapItem(fields: object, item: JsonObject, ...known: JsonObject[]): Mapped {
  const table = tableWith(...(known.length > 0 ? known : [item]));
  return bind(productMapping(fields), table, []).map(recordWith(table, item));
}

const SHIRT: JsonObject = {
  title: ' Shirt ',
  handle: 'shirt',
  seo: { title: "'=1", hidden: false },
  tags: ['summer', 'cotton, soft', 'summer'],
  variants: [
    { sku: 'S-1', price: '19.50', stock: 4, option: { size: 'S' } },
    { sku: 'S-2', price: '21.00', stock: 3, option: { size: 'M' } },
  ],
  images: ['https://a.example/1.png', 'https://a.example/2.png'],
};

describe('fields of JSON objects', () => {
  test('are named like columns, with dots into objects', () => {
    const fields = {
      name: 'title',
      reference: 'handle',
      'seo.title': 'seo.title',
      'seo.hide': 'seo.hidden',
      brand: { const: { name: 'A' } },
      description: { template: '{title}, {nothing}{handle}' },
    };
    const { payload, issues } = mapItem(fields, SHIRT);
    expect(issues).toEqual([]);
    expect(payload).toEqual({
      name: 'Shirt',
      reference: 'shirt',
      // JSON is never opened in a spreadsheet, so nothing was defused.
      seo: { title: "'=1", hide: false },
      brand: { name: 'A' },
      description: 'Shirt, shirt',
    });
  });

  test('may be lists of words already, or text to be split', () => {
    const tags = { from: 'tags', split: ',' };
    expect(mapItem({ tags }, SHIRT).payload).toEqual({ tags: ['summer', 'cotton, soft'] });
    expect(mapItem({ tags }, { tags: 'summer, cotton' }).payload).toEqual({ tags: ['summer', 'cotton'] });
    expect(mapItem({ tags }, { tags: '[new], cotton' }).payload).toEqual({ tags: ['[new]', 'cotton'] });
    expect(mapItem({ tags }, { tags: [] }).payload).toEqual({});
  });

  test('that are null or missing are empty', () => {
    const fields = { name: { from: ['a', 'b'], default: 'none' }, model: 'c.d' };
    expect(mapItem(fields, { a: null, c: 'text' }).payload).toEqual({ name: 'none' });
    expect(mapItem(fields, { a: null, b: 0 }).payload).toEqual({ name: '0' });
  });

  test('in all items of a list are combined like rows', () => {
    const fields = {
      model: 'variants[].sku',
      description: { from: 'variants[].sku', across: 'join' },
      'quantity.instock': { from: 'variants[].stock', across: 'sum' },
      'price.salePrice': { from: 'variants[].price', across: 'min' },
    };
    expect(mapItem(fields, SHIRT).payload).toEqual({
      model: 'S-1',
      description: 'S-1, S-2',
      quantity: { instock: 7 },
      price: { salePrice: 19.5 },
    });
    expect(mapItem(fields, { variants: [] }).payload).toEqual({});
    expect(mapItem(fields, { variants: 'none' }).payload).toEqual({});
  });

  test('make lists of objects and of plain values', () => {
    const fields = {
      variants: {
        each: { in: 'variants' },
        when: { sku: { is: 'S-2' } },
        fields: {
          name: { template: '{$.title} {option.size}' },
          'price.salePrice': { from: 'price', number: true },
        },
      },
      images: { each: { in: 'images' }, unique: 'src', fields: { src: '.' } },
    };
    expect(mapItem(fields, SHIRT).payload).toEqual({
      variants: [{ name: 'Shirt M', price: { salePrice: 21 } }],
      images: [{ src: 'https://a.example/1.png' }, { src: 'https://a.example/2.png' }],
    });
  });

  test('may be in nested lists', () => {
    const fields = {
      options: {
        each: { in: 'options' },
        fields: { name: 'name', values: { each: { in: 'values' }, fields: { value1: '.' } } },
      },
    };
    const item = {
      options: [
        { name: 'Size', values: ['S', 'M'] },
        { name: 'Colour', values: [] },
      ],
    };
    expect(mapItem(fields, item).payload).toEqual({
      options: [{ name: 'Size', values: [{ value1: 'S' }, { value1: 'M' }] }, { name: 'Colour' }],
    });
  });

  test('have issues with the field and the place of the object', () => {
    const fields = {
      'price.salePrice': 'price',
      variants: { each: { in: 'variants' }, fields: { stock: { from: 'stock', number: true } } },
    };
    const { issues } = mapItem(fields, { price: 'cheap', variants: [{ stock: 1 }, { stock: 'few' }] });
    expect(issuesOf(issues)).toEqual([
      ['not-a-number', 'price.salePrice', 'price', 3],
      ['not-a-number', 'variants.1.stock', 'variants[].stock', 3],
    ]);
  });

  test('are read from the text of a row that the ledger has kept', () => {
    const table = tableWith(SHIRT);
    const [row] = recordWith(table, SHIRT).rows;
    const { value: _, ...kept } = row!;
    const binding = bind(productMapping({ name: 'title' }), table, []);
    expect(binding.map({ seq: 0, rows: [kept] }).payload).toEqual({ name: 'Shirt' });
  });

  test('are reported as unused or missing by the first objects', () => {
    const fields = {
      name: { from: ['title', 'label'] },
      model: 'gtin',
      'seo.title': 'seo.title',
      variants: { each: { in: 'variants' }, fields: { reference: 'sku', size: 'option.size' } },
      'price.salePrice': { from: 'title', when: 'variants.0.price' },
    };
    const { unused, missing } = bind(productMapping(fields), tableWith(SHIRT), []);
    expect(unused).toEqual(['handle', 'seo.hidden', 'tags', 'variants[].stock', 'images']);
    expect(missing).toEqual(['gtin']);
  });

  test('have aliases, and the first that the objects have is used', () => {
    const mapping = productMapping({ name: 'Title' }, { columns: { Title: ['title', 'name'] } });
    const table = tableWith(SHIRT);
    expect(bind(mapping, table, []).map(recordWith(table, SHIRT)).payload).toEqual({ name: 'Shirt' });
  });

  test('may have another alias in each object, even if none of the first objects has it', () => {
    const mapping = productMapping({ name: 'Title' }, { columns: { Title: ['title', 'name'] } });
    const table = tableWith({ sku: 'a' });
    const { map } = bind(mapping, table, []);
    const named = (item: JsonObject) => map(recordWith(table, item)).payload.name;
    expect([{ name: 'A' }, { title: 'B' }, { title: 'B', name: 'A' }].map(named)).toEqual(['A', 'B', 'B']);
    // A second alias in the same object is not read.
    const both = tableWith({ name: 'A' }, { name: 'A', title: 'B' });
    expect(bind(mapping, tableWith({ name: 'A' }), []).unused).toEqual([]);
    expect(bind(mapping, both, []).unused).toEqual(['name']);
  });

  test('are not reported as missing in a report, which has only some of the objects', () => {
    const table = { ...tableWith(SHIRT), header: ['json', 'storeport_run', 'storeport_row'] };
    expect(bind(productMapping({ name: 'nothing' }), table, []).missing).toEqual([]);
  });

  test.each([
    [
      'column that the mapping names is required in each object, whatever the first objects have',
      { key: 'no' },
      ['required'],
      0,
    ],
    ['column _key is used if present', {}, [], undefined],
  ])('as keys: the %s', (_what, more, codes, column) => {
    const fields = { 'customer.email': 'email' };
    const mapping = parseMapping('mine', JSON.stringify({ resource: 'orders', ...more, fields }));
    const table = tableWith({ email: 'a@example.com' });
    const { map, keyColumn } = bind(mapping, table, []);
    const keyed = map(recordWith(table, { email: 'a@example.com', no: 7, _key: 7 }));
    expect([keyed.key, keyed.issues]).toEqual(['7', []]);
    const bare = map(recordWith(table, { email: 'a@example.com' }));
    expect([bare.key, bare.issues.map(({ code }) => code)]).toEqual([undefined, codes]);
    expect(typeof keyColumn).toBe(typeof column);
  });

  test('group objects into records, even if one of them is broken', () => {
    const table = tableWith({ h: 'a' });
    const { groupKeyOf } = bind(productMapping({ name: 't' }, { group: { by: 'h' } }), table, []);
    const [sound] = recordWith(table, { h: 12345 }).rows;
    const issue = { code: 'bad-json', message: 'this item is not JSON' };
    const broken = { table, row: 4, line: 18, cells: ['{"h": '], issues: [issue] };
    expect([sound!, broken].map((row) => groupKeyOf?.(row))).toEqual(['12345', '']);
  });

  test('are not looked for in rows of cells', () => {
    const mapping = productMapping({ images: { each: { in: 'images' }, fields: { src: '.' } } });
    const { message } = refusal(() => bind(mapping, tableOf('images'), []));
    expect(message).toBe(
      'shop.csv has rows of cells, and the mapping mine looks for the list images inside JSON objects.',
    );
  });
});

describe('objects in the native form', () => {
  const EXPORTED: JsonObject = {
    _id: '5a9',
    name: ' A ',
    reference: 'a',
    price: { salePrice: 1.5, comparePrice: null },
    images: [{ _id: 'i1', src: 'https://a.example/1.png', title: null }],
    variants: [{ anything: null }],
    updatedAt: '2026-01-01',
  };

  const binding = (...items: JsonObject[]) => {
    const table = tableWith(...items);
    const mapping = recogniseMapping(table, products, { required: ['name', 'reference'] });
    return { ...bind(mapping, table, ['name', 'reference']), mapping, table };
  };

  test('are payloads already, without fields of the first objects that the API lacks', () => {
    const { map, unused, mapping, table } = binding(EXPORTED);
    expect(mapping.name).toBe('native');
    expect(unused).toEqual(['images._id', 'updatedAt']);
    expect(map(recordWith(table, EXPORTED))).toMatchObject({
      id: '5a9',
      issues: [],
      payload: {
        name: ' A ',
        reference: 'a',
        price: { salePrice: 1.5 },
        images: [{ src: 'https://a.example/1.png' }],
        variants: [{ anything: null }],
      },
    });
  });

  test('keep unknown fields of later objects, so that they are an issue and not lost', () => {
    const { map, table } = binding(EXPORTED);
    const { payload } = map(recordWith(table, { ...EXPORTED, colour: 'red' }));
    expect(payload).toHaveProperty('colour', 'red');
    expect(payload).not.toHaveProperty('updatedAt');
  });

  test('are assumed if no object could be read, so that reading reports the problem', () => {
    const mapping = recogniseMapping(tableWith(), products, { required: ['name', 'reference'] });
    expect(mapping.isNativeJson).toBe(true);
  });

  test('are recognised by required fields; others need another mapping', () => {
    expect(() => binding({ title: 'A', handle: 'a' })).toThrow(/no mapping for products knows/);
    const others = { _id: 'a', name: 'A', reference: 'a' };
    expect(() => binding({ ...others, price: 5 })).toThrow(
      /"price" has another kind of value than in the API/,
    );
    expect(() => binding({ ...others, images: 'a.png' })).toThrow(/"images" has another kind of value/);
    expect(binding({ ...others, price: null, images: [] }).mapping.name).toBe('native');
    const table = tableWith({ firstname: 'A', lastname: 'B' });
    expect(recogniseMapping(table, customers, { required: ['firstname', 'lastname'] }).title).toBe(
      "The API's own objects",
    );
  });
});
