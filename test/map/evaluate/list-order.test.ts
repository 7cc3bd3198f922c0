import fc from 'fast-check';
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

const images = { each: 'row', fields: { src: 'Image', title: 'Alt' } };

function sources(list: object, header: readonly string[], ...rows: string[][]): unknown[] {
  const found = payloadOf({ images: list }, header, ...rows).images as { src: string }[] | undefined;
  return (found ?? []).map(({ src }) => src);
}

describe('sort', () => {
  test('gives the order of the items by a column that is no part of them', () => {
    const rows = [
      ['c', '10'],
      ['b', '9'],
      ['a', '1'],
    ];
    expect(sources({ ...images, sort: 'Position' }, ['Image', 'Position'], ...rows)).toEqual(['a', 'b', 'c']);
  });

  test('has numbers before texts, items without a value last, and equal ones as in the file', () => {
    const rows = [
      ['none', ''],
      ['text', 'x2'],
      ['other', 'x10'],
      ['ten', '10'],
      ['nine', '9'],
      ['again', '9'],
      ['minus', '-1.5'],
      ['nothing', ''],
    ];
    expect(sources({ ...images, sort: 'Position' }, ['Image', 'Position'], ...rows)).toEqual([
      'minus',
      'nine',
      'again',
      'ten',
      'other',
      'text',
      'none',
      'nothing',
    ]);
  });

  test('keeps every item, in ascending order, for any numbers', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1 }), (numbers) => {
        const items = numbers.map((number, index) => ({ number, index, src: `${number}:${index}` }));
        const rows = items.map(({ src, number }) => [src, String(number)]);
        const sorted = sources({ ...images, sort: 'Position' }, ['Image', 'Position'], ...rows);
        const expected = [...items]
          .sort((a, b) => a.number - b.number || a.index - b.index)
          .map(({ src }) => src);
        expect(sorted).toEqual(expected);
      }),
    );
  });

  test('takes any value: steps, alternatives, constants, parts of a cell, fields of objects', () => {
    const rows = [
      ['b', '1.500,00', 'no'],
      ['a', '900,00', 'YES'],
      ['c', '', 'no'],
    ];
    const header = ['Image', 'Price', 'Cover'];
    const price = { from: 'Price', number: 'german', multiply: -1 };
    expect(sources({ ...images, sort: price }, header, ...rows)).toEqual(['b', 'a', 'c']);
    const cover = { from: 'Cover', map: { yes: 0 }, else: 1 };
    expect(sources({ ...images, sort: cover }, header, ...rows)).toEqual(['a', 'b', 'c']);
    expect(
      sources({ ...images, sort: [{ const: 0, when: { Image: 'c' } }, price] }, header, ...rows),
    ).toEqual(['b', 'a', 'c']);
    const parts = {
      each: { image: { from: 'All', split: ',' } },
      sort: '{image}',
      fields: { src: '{image}' },
    };
    expect(sources(parts, ['All'], ['z,b,10,9'])).toEqual(['9', '10', 'b', 'z']);
    const numbered = { each: { n: [1, 2] }, sort: 'Place {n}', fields: { src: 'Image {n}' } };
    expect(sources(numbered, ['Image 1', 'Place 1', 'Image 2', 'Place 2'], ['a', '2', 'b', '1'])).toEqual([
      'b',
      'a',
    ]);
  });

  test('is for all lists of a field together', () => {
    const lists = [
      { ...images, sort: 'Position' },
      { each: 'row', fields: { src: 'More' } },
    ];
    const header = ['Image', 'Position', 'More'];
    expect(sources(lists as unknown as object, header, ['b', '2', 'x'], ['a', '1', 'y'])).toEqual([
      'a',
      'b',
      'x',
      'y',
    ]);
  });

  test('counts its column as used', () => {
    const mapping = productMapping({ images: { ...images, sort: 'Position' } });
    expect(bind(mapping, tableOf('Image', 'Alt', 'Position'), []).unused).toEqual([]);
    expect(bind(mapping, tableOf('Image', 'Alt'), []).missing).toEqual(['Position']);
  });

  test('keeps the places of values, and of issues, with the items', () => {
    const variants = {
      each: 'row',
      sort: 'Position',
      fields: { name: 'Size', price: { from: 'Price', number: true } },
    };
    const mapping = productMapping({ variants });
    const table = tableOf('Size', 'Price', 'Position');
    const rows = rowsOf(table, ['L', 'dear', '3'], ['M', '2', '2'], ['S', '1', '1']);
    const binding = bind(mapping, table, []);
    const { payload, issues } = binding.map(recordOf(rows));
    expect(payload).toMatchObject({ variants: [{ name: 'S' }, { name: 'M' }, { name: 'L' }] });
    expect(issuesOf(issues)).toEqual([['not-a-number', 'variants.2.price', 'Price', 2]]);
    expect(binding.locate(recordOf(rows), 'variants.0.name')).toMatchObject({
      column: 'Size',
      origin: { row: 4 },
    });
    expect(
      binding.cellsOf(recordOf(rows)).map(({ path, row, column }) => [path.join('.'), row.row, column]),
    ).toContainEqual(['variants.0.price', 4, 1]);
  });

  test('reports a value that cannot be read', () => {
    const list = { ...images, sort: { from: 'Position', number: true } };
    const { issues } = mapRecord({ images: list }, ['Image', 'Position'], ['a', 'first']);
    expect(issuesOf(issues)).toEqual([['not-a-number', 'images.0.sort', 'Position', 2]]);
  });
});

describe('limit', () => {
  const header = ['Image', 'Position'];
  const rows = [
    ['c', '3'],
    ['b', '2'],
    ['b', '2'],
    ['a', '1'],
  ];

  test('keeps the first items, after unique and sort', () => {
    expect(sources({ ...images, limit: 2 }, header, ...rows)).toEqual(['c', 'b']);
    expect(sources({ ...images, unique: 'src', limit: 3 }, header, ...rows)).toEqual(['c', 'b', 'a']);
    expect(sources({ ...images, unique: 'src', sort: 'Position', limit: 2 }, header, ...rows)).toEqual([
      'a',
      'b',
    ]);
    expect(sources({ ...images, limit: 9 }, header, ...rows)).toHaveLength(4);
  });

  test('is for all lists of a field together', () => {
    const lists = [images, { each: 'row', limit: 5, fields: { src: 'More' } }] as unknown as object;
    const both = ['Image', 'Position', 'More'];
    expect(sources(lists, both, ...rows.map((row) => [...row, 'x']))).toEqual(['c', 'b', 'b', 'a', 'x']);
  });
});

describe('unique over several fields', () => {
  const list = (unique: string[]) => ({
    variants: { each: 'row', unique, fields: { size: 'Size', colour: 'Colour', reference: 'SKU' } },
  });
  const header = ['Size', 'Colour', 'SKU'];

  test('leaves out items that are equal in all of them, and compares no item without any', () => {
    const rows = [
      ['S', 'red', '1'],
      ['S', 'blue', '2'],
      ['S', 'red', '3'],
      ['', 'red', '4'],
      ['', 'red', '5'],
      ['', '', '6'],
      ['', '', '7'],
    ];
    const { variants } = payloadOf(list(['size', 'colour']), header, ...rows) as {
      variants: { reference: string }[];
    };
    expect(variants.map(({ reference }) => reference)).toEqual(['1', '2', '4', '6', '7']);
  });

  test('is the same as unique for one field', () => {
    const rows = [
      ['S', 'red', '1'],
      ['S', 'blue', '2'],
      ['', 'red', '3'],
    ];
    const one = payloadOf({ variants: { ...list([]).variants, unique: 'size' } }, header, ...rows);
    expect(payloadOf(list(['size']), header, ...rows)).toEqual(one);
    expect(one.variants).toHaveLength(2);
  });
});

test.each([
  ['sort: { each: row, fields: { src: Image } }', /^line 6, column 5: sort takes one value/],
  ['sort: 3', /^line 6, column 5: sort needs a column/],
  ['sort: { from: P, splitt: "," }', /^line 6, column 22: "splitt" is not known here\. Did you mean "split"/],
  ['limit: 0', /^line 6, column 5: limit takes the number of items/],
  ['limit: "3"', /^line 6, column 5: limit takes the number of items/],
  [
    'unique: [src, titel]',
    /^line 6, column 5: unique names no field of this list: "titel"\. Did you mean "title"/,
  ],
  ['unique: []', /^line 6, column 5: This takes a field/],
  ['needs: [src, title]', /^line 6, column 5: needs names no field of this list/],
])('%s is refused', (line, message) => {
  const text = `resource: products\nfields:\n  images:\n    each: row\n    fields: { src: Image, title: Alt }\n    ${line}\n`;
  expect(refusal(() => parseMapping('mine', text)).hints).toEqual([expect.stringMatching(message)]);
});

test('two lists of one field have one limit', () => {
  const list = '{ each: row, limit: 1, fields: { src: Image } }';
  const text = `resource: products\nfields:\n  images: [${list}, ${list}]\n`;
  expect(refusal(() => parseMapping('mine', text)).hints).toEqual([
    'line 3, column 3: limit is for all lists of a field together: give it once.',
  ]);
});
