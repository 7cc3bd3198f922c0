import { describe, expect, test } from 'vitest';
import { chosenColumns } from '../../../src/pipeline/export/columns.ts';
import { unseenFields, unseenReader } from '../../../src/pipeline/export/unseen-fields.ts';
import { checkouts } from '../../../src/resources/checkouts.ts';
import { nativeColumns, overridden } from '../../../src/resources/index.ts';
import { products } from '../../../src/resources/products.ts';
import { reviews } from '../../../src/resources/reviews.ts';
import { suppliers } from '../../../src/resources/suppliers.ts';

describe('unseenFields', () => {
  test('counts fields that no column shows, also below columns that are objects', () => {
    const unseen = unseenFields(['_id', 'product._id', 'images']);
    unseen.look({ _id: '1', product: { _id: 'p', name: 'n' }, images: [{ a: 1 }], extra: 1 });
    unseen.look({ _id: '2', product: { _id: 'p' }, extra: { deep: true }, gone: null });
    unseen.look({ _id: '3', product: 'not an object' });
    expect(Object.fromEntries(unseen.counts)).toEqual({ 'product.name': 1, extra: 2, product: 1 });
  });

  test('counts fields beyond a thousand together', () => {
    const unseen = unseenFields(['_id']);
    for (let item = 0; item < 3; item++)
      unseen.look(Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`${item}-${at}`, at])));
    expect(unseen.counts.size).toBe(1001);
    expect(unseen.counts.get('0-999')).toBe(1);
    expect(unseen.counts.get('(other fields)')).toBe(2000);
  });

  test('counts nothing if the columns show the whole item', () => {
    const unseen = unseenFields(reviews.columns);
    unseen.look({ _id: '1', product: { _id: 'p', name: 'n', image: 'i' }, rating: 5, images: [] });
    expect(unseen.counts.size).toBe(0);
  });
});

describe('unseenReader', () => {
  test('reads all fields that no column shows, by path', () => {
    const rest = unseenReader(['_id', 'product._id', '*']);
    expect(
      rest({ _id: '1', product: { _id: 'p', name: 'n', deep: { a: [1] } }, extra: false, none: null }),
    ).toEqual({ 'product.name': 'n', 'product.deep': { a: [1] }, extra: false });
    expect(rest({ _id: '1', product: { _id: 'p' } })).toBeUndefined();
  });

  test.each([[['product', 'product.name']], [['product.name', 'product']]])(
    'leaves nothing of an object that is shown whole: %j',
    (columns) => {
      const rest = unseenReader(columns);
      expect(rest({ product: { name: 'n', _id: 'p' }, name: 'other' })).toEqual({ name: 'other' });
    },
  );

  test('recognises a field whose own name has dots', () => {
    expect(unseenReader(['a.b'])({ 'a.b': 1, a: { b: 2, c: 3 } })).toEqual({ 'a.c': 3 });
  });
});

describe('chosenColumns', () => {
  test('accepts columns, parts of them and their parents', () => {
    expect(chosenColumns(reviews, ' _id , product, images.0, * ')).toEqual([
      '_id',
      'product',
      'images.0',
      '*',
    ]);
    expect(chosenColumns(reviews, undefined)).toBe(reviews.columns);
  });

  test('begin with the identifier, so that an export can be imported as an update', () => {
    expect(chosenColumns(products, undefined)).toEqual(['_id', ...products.columns]);
    expect(chosenColumns(products, '_id,name')).toEqual(['_id', 'name']);
    const list = { path: '/s', pageSize: 5 };
    expect(nativeColumns(overridden(suppliers, { list }))).toEqual(['_id', ...suppliers.columns]);
    const byName = overridden(suppliers, { list: { ...list, id: 'name' } });
    expect(nativeColumns(byName)).toBe(suppliers.columns);
    expect(nativeColumns(checkouts)).toBe(checkouts.columns);
  });

  test.each(['stars', '', ',', 'productname'])('refuses "%s"', (names) => {
    expect(() => chosenColumns(reviews, names)).toThrow(/reviews have no/);
  });
});
