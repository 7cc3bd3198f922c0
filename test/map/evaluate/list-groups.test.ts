import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bind } from '../../../src/map/index.ts';
import type { JsonObject } from '../../../src/model/index.ts';
import { mapRecord, productMapping, rowsOf, tableOf } from '../../support/map-rows.ts';

const HEADER = ['Handle', 'Size', 'Colour', 'Stock', 'Price', 'Picture'];
const FIELDS = {
  name: 'Handle',
  variants: {
    each: { by: ['Size', 'Colour'] },
    fields: {
      name: { template: '{Size} {Colour}' },
      price: 'Price',
      stock: { from: 'Stock', number: true, across: 'sum' },
      images: { each: 'row', fields: { src: 'Picture' } },
    },
  },
};
const mapping = (fields: object = FIELDS) => productMapping(fields, { group: { by: 'Handle' } });

const variantsOf = (...cells: (readonly string[])[]) =>
  (mapRecord(mapping(), HEADER, ...cells).payload.variants ?? []) as JsonObject[];

describe('a list over groups of rows', () => {
  test('has an item for each group, in the order of the first rows, and an item sees its rows only', () => {
    const variants = variantsOf(
      ['T', 'S', 'red', '1', '', 'a'],
      ['T', 'M', 'red', '2', '8', 'b'],
      ['T', ' S', 'red', '4', '9', 'c'],
    );
    expect(variants).toEqual([
      { name: 'S red', price: '9', stock: 5, images: [{ src: 'a' }, { src: 'c' }] },
      { name: 'M red', price: '8', stock: 2, images: [{ src: 'b' }] },
    ]);
  });

  test('leaves out rows without any of the texts, and has no items if there are none', () => {
    expect(variantsOf(['T', '', '', '1', '', ''], ['T', 'S', '', '2', '', ''])).toEqual([
      { name: 'S', stock: 2 },
    ]);
    expect(variantsOf(['T', '', '', '1', '', ''])).toEqual([]);
  });

  test('does not join texts of several columns to one key', () => {
    expect(variantsOf(['T', 'a', 'b c', '1', '', ''], ['T', 'a b', 'c', '1', '', ''])).toHaveLength(2);
  });

  test('has a when for the first filled cells of a group', () => {
    const fields = {
      variants: { each: { by: 'Size' }, when: { Price: { is: '9' } }, fields: { name: 'Size' } },
    };
    const rows = [
      ['T', 'S', '', '', '', ''],
      ['T', 'S', '', '', '9', ''],
      ['T', 'M', '', '', '8', ''],
    ];
    expect(mapRecord(mapping(fields), HEADER, ...rows).payload.variants).toEqual([{ name: 'S' }]);
  });

  test('has each row once', () => {
    const cell = fc.constantFrom('', 'a', 'b', 'c');
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (pairs) => {
        const rows = pairs.map(([size, colour], n) => ['T', size, colour, '1', '', `p${n}`]);
        const pictures = variantsOf(...rows).flatMap(({ images }) => images as { src: string }[]);
        const expected = pairs.flatMap(([size, colour], n) => (size + colour === '' ? [] : [`p${n}`]));
        expect(pictures.map(({ src }) => src).sort()).toEqual(expected.sort());
      }),
    );
  });

  test('is not there if the file lacks the columns, which are named as missing', () => {
    const table = tableOf('Handle', 'Price');
    const { missing, fillablePaths } = bind(mapping(), table, []);
    expect(missing).toEqual(expect.arrayContaining(['Size', 'Colour']));
    expect(fillablePaths).toEqual([['name']]);
  });
});

describe('rows of a group that contradict each other', () => {
  const lostIn = (fields: object, ...cells: (readonly string[])[]) => {
    const table = tableOf(...HEADER);
    const found = bind(mapping(fields), table, []).findDisagreements?.(rowsOf(table, ...cells)) ?? [];
    return found.map(({ column, field, taken, lost }) => [column, field, taken.row.row, lost.row.row]);
  };

  test('are found, and rows of different groups are not compared', () => {
    const rows = [
      ['T', 'S', '', '1', '9', ''],
      ['T', 'M', '', '2', '8', ''],
      ['T', 'M', '', '2', '7', ''],
    ];
    expect(lostIn(FIELDS, ...rows)).toEqual([['Price', 'variants.price', 3, 4]]);
    expect(lostIn(FIELDS, ...rows.slice(0, 2))).toEqual([]);
  });

  test('are found in rows whose texts differ only in the bytes of an accent', () => {
    const rows = [
      ['T', 'S', 'cr\u00e8me', '1', '9', ''],
      ['T', 'S', 'cre\u0300me', '2', '8', ''],
    ];
    expect(variantsOf(...rows)).toHaveLength(1);
    expect(lostIn(FIELDS, ...rows)).toEqual([['Price', 'variants.price', 2, 3]]);
  });

  test('are found although a field of the record reads the same column', () => {
    const fields = { ...FIELDS, 'price.salePrice': { from: 'Price', number: true } };
    expect(lostIn(fields, ['T', 'S', '', '', '9', ''], ['T', 'M', '', '', '8', ''])).toEqual([]);
    expect(lostIn(fields, ['T', 'S', '', '', '9', ''], ['T', 'S', '', '', '8', ''])).toHaveLength(1);
  });
});

test.each([
  ['nothing', { by: [] }],
  ['a number', { by: [1] }],
  ['a source', { by: [{ from: 'Size' }] }],
])('by with %s is refused', (_what, each) => {
  const fields = { variants: { each, fields: { name: 'Size' } } };
  expect(() => productMapping(fields)).toThrow(/1 mistake/);
});
