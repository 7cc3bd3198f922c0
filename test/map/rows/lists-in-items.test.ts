import { describe, expect, test } from 'vitest';
import { bind, columnsIn, type Mapped } from '../../../src/map/index.ts';
import type { JsonObject, Table } from '../../../src/model/index.ts';
import { productMapping } from '../../support/map-rows.ts';

function tableWith(...items: JsonObject[]): Table {
  return { file: 'shop.json', header: ['json'], items };
}

/** Maps one record of these objects. */
function mapItems(fields: object, more: object, ...items: JsonObject[]): Mapped {
  const table = tableWith(...items);
  const rows = items.map((value, index) => ({ table, row: index + 1, line: 1, cells: [''], value }));
  return bind(productMapping(fields, more), table, []).map({ seq: 0, rows });
}

function payloadOf(fields: object, ...items: JsonObject[]): JsonObject {
  const { payload, issues } = mapItems(fields, {}, ...items);
  expect(issues).toEqual([]);
  return payload;
}

function stockOf(value: object, item: JsonObject): unknown {
  return (payloadOf({ 'quantity.instock': value }, item).quantity as JsonObject | undefined)?.instock;
}

const TEE: JsonObject = {
  sku: 'A',
  name: 'Tee',
  state: 'live',
  v: [
    { size: 'S', qty: 1, prices: [{ cur: 'usd', amount: 5 }] },
    {
      size: 'M',
      qty: 2,
      prices: [
        { cur: 'usd', amount: 6 },
        { cur: 'eur', amount: 7 },
      ],
    },
    { size: 'M', qty: 4, prices: [{ cur: 'eur', amount: 9 }] },
  ],
};

describe('a value from a list in JSON', () => {
  test.each<[string, object, unknown]>([
    ['the items that match rows', { rows: { 'v[].size': 'M' }, across: 'sum' }, 6],
    ['the item that matches row', { row: { 'v[].size': 'M' } }, 2],
    [
      'the item of the next condition if none matches the first',
      { row: [{ 'v[].size': 'L' }, { 'v[].qty': '4' }] },
      4,
    ],
    ['the items that match when', { when: { 'v[].size': 'M' }, across: 'sum' }, 6],
    [
      'the items that match both rows and when',
      { rows: { 'v[].size': 'M' }, when: { 'v[].qty': { above: 3 } } },
      4,
    ],
    ['all items of an object that matches rows', { rows: { name: 'Tee' }, across: 'sum' }, 7],
    ['no item of an object that does not match rows', { rows: { name: 'zzz' }, across: 'sum' }, undefined],
    ['else if no item matches when', { when: { 'v[].size': 'L' }, else: 0 }, 0],
    ['the default if no item matches rows', { rows: { 'v[].size': 'L' }, default: 8 }, 8],
  ])('is read from %s', (_what, conditions, expected) => {
    expect(stockOf({ from: 'v[].qty', ...conditions }, TEE)).toBe(expected);
  });

  test('is its default if the list is empty and the object fulfils the condition', () => {
    const value = { from: 'v[].qty', when: { state: 'live' }, default: 3, else: 0 };
    expect(stockOf(value, { state: 'live', v: [] })).toBe(3);
    expect(stockOf(value, { state: 'gone', v: [] })).toBe(0);
  });

  test('is read through nested lists, with the fields of each enclosing item', () => {
    const sum = (rows?: object) => stockOf({ from: 'v[].prices[].amount', across: 'sum', rows }, TEE);
    expect(sum()).toBe(27);
    expect(sum({ 'v[].prices[].cur': 'eur' })).toBe(16);
    expect(sum({ 'v[].prices[].cur': 'eur', 'v[].size': 'M', 'v[].qty': { below: 3 }, state: 'live' })).toBe(
      7,
    );
  });

  test('can be used beside the parts of a list', () => {
    const fields = {
      name: ['{part}', 'name'],
      model: { from: ['v[].label', '{part}'], when: { '{part}': 'b' } },
    };
    expect(
      payloadOf(
        { variants: { each: { part: { from: 'tags', split: ',' } }, fields } },
        { ...TEE, tags: 'a,b' },
      ),
    ).toEqual({ variants: [{ name: 'a' }, { name: 'b', model: 'b' }] });
  });

  test('is read through the lists of all objects of a record', () => {
    const fields = { 'quantity.instock': { from: 'v[].qty', across: 'sum' } };
    const { payload } = mapItems(fields, { group: { by: 'sku' } }, TEE, { sku: 'A', v: [{ qty: 10 }] });
    expect(payload).toEqual({ quantity: { instock: 17 } });
  });

  test('may be an alternative source, in templates and in conditions: the first that is filled is used', () => {
    const fields = {
      name: ['label', 'v[].size'],
      model: { from: ['v[].label', 'name'] },
      description: { template: '{name} {v[].size}', across: 'join' },
      type: { const: 'variable', when: 'v[].size', else: 'simple' },
    };
    expect(payloadOf(fields, TEE)).toEqual({
      name: 'S',
      model: 'Tee',
      description: 'Tee S, Tee M, Tee M',
      type: 'variable',
    });
    expect(payloadOf({ type: fields.type }, { v: [] })).toEqual({ type: 'simple' });
  });
});

describe('in a list over the objects of a list', () => {
  const variants = (fields: object) => payloadOf({ variants: { each: { in: 'v' }, fields } }, TEE).variants;

  test('across, row and rows use these objects', () => {
    const fields = {
      size: 'size',
      all: { from: 'qty', number: true, across: 'sum' },
      m: { from: 'qty', number: true, rows: { size: 'M' }, across: 'sum' },
      first: { from: '$.name', row: { size: 'M' } },
    };
    const same = { all: 7, m: 6, first: 'Tee' };
    expect(variants(fields)).toEqual([
      { size: 'S', ...same },
      { size: 'M', ...same },
      { size: 'M', ...same },
    ]);
  });

  test('values from nested lists select among the nested items, beside fields of the item', () => {
    const price = { from: 'prices[].amount', number: true, rows: { 'prices[].cur': 'eur', size: 'M' } };
    expect(variants({ size: 'size', price, sum: { ...price, rows: 'size', across: 'sum' } })).toEqual([
      { size: 'S', sum: 5 },
      { size: 'M', price: 7, sum: 13 },
      { size: 'M', price: 9, sum: 9 },
    ]);
  });

  test('numbers of a family are replaced', () => {
    const fields = {
      options: {
        each: { n: [1, 2] },
        fields: {
          name: { from: 'v[].o{n}', row: { 'v[].is{n}': 'yes' } },
          values: { each: { in: 'v' }, fields: { value1: 'o{n}' } },
        },
      },
    };
    const item = {
      v: [
        { o1: 'Red', is1: 'no' },
        { o1: 'Blue', is1: 'yes', o2: 'Wood', is2: 'yes' },
      ],
    };
    expect(payloadOf(fields, item)).toEqual({
      options: [
        { name: 'Blue', values: [{ value1: 'Red' }, { value1: 'Blue' }] },
        { name: 'Wood', values: [{ value1: 'Wood' }] },
      ],
    });
  });
});

describe('an expression about JSON objects', () => {
  test('reads fields by path and by alias, in backticks, with their JSON values', () => {
    const fields = {
      name: { expression: '`v.1.size`' },
      model: { expression: 'Code & `v.0.qty`' },
      tags: { expression: '`v[].size`' },
      'quantity.instock': { expression: '$sum(`v[].qty`) + `v.0.qty`' },
      'price.salePrice': { expression: "v[1].prices[cur='eur'].amount" },
      'price.comparePrice': { expression: '$max(`v[].prices[].amount`)' },
    };
    const { payload, issues } = mapItems(fields, { columns: { Code: ['sku'] } }, TEE);
    expect(issues).toEqual([]);
    expect(payload).toEqual({
      name: 'M',
      model: 'A1',
      tags: ['S', 'M', 'M'],
      quantity: { instock: 8 },
      price: { salePrice: 7, comparePrice: 9 },
    });
  });

  test('reads the whole object in a list as elsewhere, and all items as $rows', () => {
    const fields = {
      variants: {
        each: { in: 'v' },
        when: { qty: 4 },
        fields: { name: { expression: '`$.name` & size & `prices.0.cur` & $sum($rows.qty)' } },
      },
      images: { each: { in: 'i' }, fields: { src: { expression: '`.` & `$.name`' } } },
    };
    expect(payloadOf(fields, { ...TEE, i: ['x'] })).toEqual({
      variants: [{ name: 'TeeMeur7' }],
      images: [{ src: 'xTee' }],
    });
  });

  test('uses the default if no row matches', () => {
    const fields = { name: { expression: 'name', rows: { name: 'zzz' }, default: 'none' } };
    expect(payloadOf(fields, TEE)).toEqual({ name: 'none' });
  });
});

describe('used and missing fields of JSON objects', () => {
  const bound = (fields: object, ...items: JsonObject[]) =>
    bind(productMapping(fields), tableWith(...items), []);

  test.each<[string, object, string[]]>([
    ['by its number', { name: 'v.0.size' }, ['v[].qty', 'v[].prices']],
    ['in a list and by its number', { name: 'v.0.size', model: 'v[].qty' }, ['v[].prices']],
    ['in a list of a list', { name: 'v[].prices[].cur' }, ['v[].size', 'v[].qty', 'v[].prices[].amount']],
    ['in a condition', { name: { const: 'x', when: 'v[].size' } }, ['v[].qty', 'v[].prices']],
    ['in a backticked path', { name: { expression: '`v.0.size`' } }, ['v[].qty', 'v[].prices']],
  ])('a field read %s is used, and others beside it are not', (_what, fields, unused) => {
    expect(bound({ ...fields, reference: ['sku', 'name', 'state'] }, TEE).unused).toEqual(unused);
  });

  test('a list inside an object, or inside an item with a fixed number, is used', () => {
    const src = { src: 'url' };
    const edges = [{ url: 'a', alt: 'b' }];
    const item = { sku: 'A', images: { edges, total: 1 }, sets: [{ files: edges, kind: 'x' }] };
    const fields = {
      reference: 'sku',
      images: [
        { each: { in: 'images.edges' }, fields: src },
        { each: { in: 'sets.0.files' }, fields: { ...src, title: 'alt' } },
      ],
    };
    expect(bound(fields, item).unused).toEqual(['images.edges[].alt', 'images.total', 'sets[].kind']);
  });

  test('plain values that are read by number, and fields that a list reads of the whole object, are used', () => {
    const fields = {
      name: 'i.0',
      images: { each: { in: 'j' }, fields: { src: '.', title: '$.title' } },
    };
    expect(bound(fields, { i: ['a', 'b'], j: ['c'], title: 'T' }).unused).toEqual([]);
  });

  test('all fields that a mapping reads are named from outside of lists', () => {
    const values = { each: { in: 'values' }, fields: { value1: '.' } };
    const options = { each: { in: 'options' }, fields: { name: '$.title', style: 'kind', values } };
    expect(columnsIn(productMapping({ options }).fields)).toEqual([
      'options',
      'title',
      'options[].kind',
      'options[].values',
    ]);
  });

  test('a field similar to a missing one is searched for in the same object', () => {
    const fields = { name: 'nombre', variants: { each: { in: 'v' }, fields: { name: 'syze', alt: 'nam' } } };
    expect([...bound(fields, TEE).similarUnused]).toEqual([['v[].syze', 'v[].size']]);
  });

  test.each<[string, object, string[]]>([
    ['a list', { variants: { each: { in: 'w' }, fields: { name: 'size', sku: 'sku' } } }, ['w']],
    ['a field of its items', { variants: { each: { in: 'v' }, fields: { name: 'syze' } } }, ['v[].syze']],
    ['a list of its items', { variants: { each: { in: 'v' }, fields: { name: 'p[].x' } } }, ['v[].p']],
    [
      'a field of the whole object',
      { variants: { each: { in: 'v' }, fields: { name: '$.nome' } } },
      ['nome'],
    ],
    ['the source of a value', { name: 'v[].syze' }, ['v[].syze']],
    ['nothing', { variants: { each: { in: 'v' }, fields: { name: '.', sku: '$.sku' } } }, []],
    ['no field of an empty list', { images: { each: { in: 'e' }, fields: { src: 'src' } } }, []],
  ])('%s that the first objects lack is missing', (_what, fields, missing) => {
    expect(bound(fields, { ...TEE, e: [] }).missing).toEqual(missing);
  });
});
