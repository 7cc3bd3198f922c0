import { describe, expect, test } from 'vitest';
import { isNative, nativeMapping } from '../../../src/map/presets/native.ts';
import { type Json, valueReader } from '../../../src/model/index.ts';
import { customers } from '../../../src/resources/customers.ts';
import { resourceNamed } from '../../../src/resources/index.ts';
import { products } from '../../../src/resources/products.ts';
import { requiredFields } from '../../../src/validate/index.ts';

import { issuesOf, mapRecord, refusal, tableOf } from '../../support/map-rows.ts';

/** One row of a file in the native form of products: column → cell. */
function read(cells: Record<string, string>) {
  const header = Object.keys(cells);
  return mapRecord(nativeMapping(tableOf(...header), products), header, Object.values(cells));
}

describe('a native cell is parsed by the type of its field', () => {
  test.each([
    ['reference', '0017', '0017'],
    ['name', '{not json}', '{not json}'],
    ['name', ' [x]\n', ' [x]\n'],
    ['reference', ' 0017\t', '0017'],
    ['price.salePrice', ' 12 ', 12],
    ['status', ' DRAFT', 'DRAFT'],
    ['outStock', ' {}', {}],
    ['price.salePrice', '12.50', 12.5],
    ['quantity.instock', '-3', -3],
    ['seo.hide', 'TRUE', true],
    ['seo.hide', 'no', false],
    ['status', 'DRAFT', 'DRAFT'],
    ['tags', 'tea', ['tea']],
    ['tags', 'tea| iron |tea||', ['tea', 'iron']],
    ['tags', '["a|b", "", "a|b"]', ['a|b', '', 'a|b']],
    ['tags', '[]', []],
    ['images', '[{"src":"https://x.example/a.png"}]', [{ src: 'https://x.example/a.png' }]],
    ['price', '{"salePrice":5}', { salePrice: 5 }],
    ['outStock', '{"hide":true}', { hide: true }],
    ['collections', '["c1",{"_id":"c2"}]', ['c1', { _id: 'c2' }]],
    ['collections', 'c1|c2', ['c1', 'c2']],
    ['files', 'f1', ['f1']],
    ['outStock.note', 'plain', 'plain'],
    ['outStock.note', '17', '17'],
    ['outStock.note', '{"a":1}', { a: 1 }],
    ['outStock.note', '[1]', [1]],
    ['variants.0.price', '["x"]', ['x']],
    ['bookingProps.guest.max', '4', 4],
  ] as [string, string, Json][])('%s: %j becomes %j', (path, text, value) => {
    const { payload, issues } = read({ [path]: text });
    expect(issues).toEqual([]);
    const isListItem = path === 'variants.0.price';
    expect(isListItem ? payload : valueReader(path)(payload)).toEqual(
      isListItem ? { variants: [{ price: value }] } : value,
    );
  });

  test.each([
    ['price.salePrice', '1,5', 'not-a-number'],
    ['seo.hide', 'maybe', 'not-yes-or-no'],
    ['images', 'https://x.example/a.png', 'not-json'],
    ['price', '5,', 'not-json'],
    ['tags', '[tea]', 'not-json'],
    ['outStock.note', '{a}', 'not-json'],
    ['images', '[{"__proto__":{}}]', 'not-json'],
  ])('%s: %j is an issue', (path, text, code) => {
    expect(issuesOf(read({ [path]: text }).issues)).toEqual([[code, path, path, 2]]);
  });

  test.each([
    'name',
    'price.salePrice',
    'seo.hide',
    'tags',
    'images',
    'price',
    'outStock.note',
    'images.0.src',
  ])('an empty cell of %s is absent', (path) => {
    expect(read({ [path]: '', source: ' ' }).payload).toEqual({});
  });
});

describe('native columns', () => {
  test('may be inside list items: their numbers give the order, and gaps are closed', () => {
    const cells = {
      'images.10.src': 'k',
      'images.2.src': 'c',
      'images.2.title': 'C',
      'images.9.title': '',
      'images.0.src': 'a',
    };
    expect(read(cells).payload).toEqual({ images: [{ src: 'a' }, { src: 'c', title: 'C' }, { src: 'k' }] });
    expect(read({ 'tags.1': 'b', 'tags.0': 'a' }).payload).toEqual({ tags: ['a', 'b'] });
    expect(
      read({
        'translates.0.language': 'fr',
        'translates.0.properties.0.name': 'name',
        'translates.0.properties.0.value': 'Thé',
      }).payload,
    ).toEqual({ translates: [{ language: 'fr', properties: [{ name: 'name', value: 'Thé' }] }] });
  });

  test('inside list items have issues with the number as written', () => {
    expect(issuesOf(read({ 'bookingProps.extraInfo.3.Number': 'x', 'variants.7.a': '{' }).issues)).toEqual([
      ['not-json', 'variants.7.a', 'variants.7.a', 2],
    ]);
  });

  test.each([
    ['images', 'images.0.src'],
    ['price', 'price.salePrice'],
    ['outStock', 'outStock.a.b'],
    ['variants.0', 'variants.0.name'],
  ])('%s and %s are refused together', (outer, inner) => {
    for (const header of [
      [outer, inner],
      ['name', inner, outer],
    ])
      expect(refusal(() => nativeMapping(tableOf(...header), products))).toEqual({
        message: `shop.csv has both the column "${outer}" and the column "${inner}" inside it.`,
        hints: ['Keep one of the two.'],
      });
  });

  test('that are not fields are ignored, as are the identifier and columns of the tool', () => {
    const cells = {
      name: 'Tea',
      Name: 'x',
      nme: 'x',
      _id: '66f0',
      storeport_row: '5',
      'price.sale': '1',
      '': 'x',
      'tags.a': 'x',
    };
    const header = Object.keys(cells).filter((name) => name !== 'Name');
    const mapped = mapRecord(nativeMapping(tableOf(...header), products), header, [
      'Tea',
      'x',
      '66f0',
      '5',
      '1',
      'x',
      'x',
    ]);
    expect(mapped).toMatchObject({ payload: { name: 'Tea' }, issues: [], id: '66f0' });
  });

  test('may have blanks around their names', () => {
    expect(read({ ' name ': 'Tea', '\tprice.salePrice': '1' }).payload).toEqual({
      name: 'Tea',
      price: { salePrice: 1 },
    });
  });

  test.each([
    '__proto__',
    '__proto__.polluted',
    'outStock.__proto__',
    'outStock.__proto__.polluted',
    'constructor',
    'constructor.prototype.polluted',
    'variants.0.__proto__.polluted',
  ])('called %s are ignored, and change no prototype', (path) => {
    expect(read({ name: 'Tea', [path]: 'yes', x: '' }).payload).toEqual({ name: 'Tea' });
    expect({}).not.toHaveProperty('polluted');
  });

  test('called constructor below an open object are ignored', () => {
    const { payload } = read({ 'outStock.constructor.prototype.polluted': 'yes', 'outStock.a': 'b' });
    expect(payload).toEqual({ outStock: { a: 'b' } });
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('recognising a native header', () => {
  const required = ['name', 'reference'];
  test.each([
    ['has all required fields', ['name', 'reference'], required, true],
    ['may have other columns too, in any order', ['x', ' reference', 'name ', 'tags'], required, true],
    ['has all required fields, not a part of them', ['name', 'tags'], required, false],
    ['does not have other words', ['Name', 'Reference'], required, false],
    ['may have an identifier and a field', ['_id', 'price.salePrice'], required, true],
    ['does not have an identifier alone', ['_id', 'Title'], required, false],
    ['has an identifier for updates, where no field is required', ['name', 'tags'], [], false],
    ['may have an identifier and a field for updates', ['_id', 'tags'], [], true],
    ['is not empty', [], required, false],
  ])('%s', (_what, header, needed, native) => {
    expect(isNative(tableOf(...header), products, { required: needed })).toBe(native);
  });

  test('the header of another resource is not native', () => {
    expect(isNative(tableOf('firstname', 'lastname', 'email'), products, { required })).toBe(false);
    expect(
      isNative(tableOf('firstname', 'lastname', 'email'), customers, { required: ['firstname', 'lastname'] }),
    ).toBe(true);
  });
});

describe('a header is native for the resource whose required fields it has, whole or in parts', () => {
  test.each([
    ['suppliers', ['name', 'address1', 'company'], true],
    ['suppliers', ['name', 'company'], false],
    ['discounts', ['code', 'type', 'percentage'], true],
    ['discounts', ['code', 'percentage'], false],
    ['orders', ['customer', 'details'], true],
    ['orders', ['_key', 'customer.email', 'details.0.price'], true],
    ['orders', ['customer.email', 'status'], false],
    ['orders', ['customers.email', 'details'], false],
  ] as const)('%s: %j, %s', (name, header, native) => {
    const resource = resourceNamed(name);
    // Values from the settings, such as the id of the store, need no column.
    const needed = requiredFields(resource, { partial: false, suppliedLater: resource.fromSettings ?? [] });
    expect(isNative(tableOf(...header), resource, { required: needed })).toBe(native);
  });
});

test('the digest differs between headers', () => {
  const digest = (...header: string[]) => nativeMapping(tableOf(...header), products).digest;
  expect(digest('name', 'tags')).toBe(digest('_key', 'name', 'tags', '_id'));
  expect(digest('name', 'tags')).not.toBe(digest('tags', 'name'));
});
