import { describe, expect, test } from 'vitest';
import { bind, type Mapping, parseMapping } from '../../../src/map/index.ts';
import { nativeMapping } from '../../../src/map/presets/native.ts';
import { products } from '../../../src/resources/products.ts';
import { productMapping, recordOf, rowsOf, tableOf } from '../../support/map-rows.ts';

/** `[column, row]` of a field of one record. */
function place(mapping: Mapping, header: readonly string[], cells: readonly string[][], field: string) {
  const table = tableOf(...header);
  const { column, origin } = bind(mapping, table, []).locate(recordOf(rowsOf(table, ...cells)), field);
  return [column, origin?.row];
}

describe('locating the value of a field', () => {
  const mapping = productMapping({
    name: 'Title',
    reference: { from: ['SKU', 'Barcode'] },
    model: [{ from: 'A', when: 'Use A' }, { from: 'B' }],
    status: { const: 'DRAFT' },
    images: [
      { each: 'row', when: 'Image', unique: 'src', fields: { src: 'Image', title: 'Alt' } },
      { each: 'row', unique: 'src', fields: { src: 'Variant Image' } },
    ],
    options: {
      each: { n: [1, 2] },
      when: 'O{n}',
      fields: { name: 'O{n}', values: { each: 'row', fields: { value1: 'V{n}' } } },
    },
    variants: { from: 'Variants', json: true },
  });

  test('a bad image in the third row of a product names that row and the column as written', () => {
    const header = ['Title', 'IMAGE '];
    const cells = [
      ['Tea', 'https://a'],
      ['', ''],
      ['', 'ftp://b'],
    ];
    expect(place(mapping, header, cells, 'images.1.src')).toEqual(['IMAGE ', 4]);
    expect(place(mapping, header, cells, 'images.0.src')).toEqual(['IMAGE ', 2]);
  });

  test('items that were left out or duplicated do not shift the others', () => {
    const header = ['Image', 'Alt', 'Variant Image'];
    const cells = [
      ['a', '', 'c'],
      ['a', '', ''],
      ['b', '', 'a'],
      ['', 'x', 'd'],
    ];
    const at = (index: number) => place(mapping, header, cells, `images.${index}.src`);
    expect([0, 1, 2, 3].map(at)).toEqual([
      ['Image', 2],
      ['Image', 4],
      ['Variant Image', 2],
      ['Variant Image', 5],
    ]);
  });

  test('a field of an item without a value is located at the row of the item', () => {
    const header = ['Title', 'Image', 'Alt'];
    expect(
      place(
        mapping,
        header,
        [
          ['Tea', 'a', 'A'],
          ['', 'b', ''],
        ],
        'images.1.title',
      ),
    ).toEqual(['Alt', 3]);
  });

  test('a value from a later row is located there', () => {
    const cells = [
      ['', '1'],
      ['Tea', '2'],
    ];
    expect(place(mapping, ['Title', 'SKU'], cells, 'name')).toEqual(['Title', 3]);
  });

  test('a value is located in the alternative column that was used', () => {
    expect(place(mapping, ['SKU', 'Barcode'], [['', '1']], 'reference')).toEqual(['Barcode', 2]);
    expect(place(mapping, ['A', 'Use A', 'B'], [['1', '', '2']], 'model')).toEqual(['B', 2]);
    expect(place(mapping, ['A', 'Use A', 'B'], [['1', 'x', '2']], 'model')).toEqual(['A', 2]);
  });

  test('a value of a family of columns is located in the column with its number, and in its row', () => {
    const header = ['O1', 'O2', 'V1', 'V2'];
    const cells = [
      ['', 'Size', '', 'S'],
      ['', '', '', ''],
      ['', '', '', 'M'],
    ];
    expect(place(mapping, header, cells, 'options.0.name')).toEqual(['O2', 2]);
    expect(place(mapping, header, cells, 'options.0.values.1.value1')).toEqual(['V2', 4]);
  });

  test('a value deep in a cell of JSON is located at that cell', () => {
    expect(place(mapping, ['Variants'], [[''], ['[{"a":[1]}]']], 'variants.0.a.0')).toEqual(['Variants', 3]);
  });

  test('a missing value is located in the first column that the file has, in the lead row', () => {
    expect(place(mapping, ['Barcode'], [[''], ['']], 'reference')).toEqual(['Barcode', 2]);
    expect(place(mapping, ['Title', 'SKU', 'Barcode'], [['', '', '']], 'reference')).toEqual(['SKU', 2]);
  });

  test('a missing object is located in the first column that fills a part of it', () => {
    const order = parseMapping(
      'mine',
      JSON.stringify({
        resource: 'orders',
        fields: {
          'customer.firstname': 'First name',
          'customer.email': 'Mail',
          details: { each: 'row', fields: { 'product.name': 'Article' } },
        },
      }),
    );
    expect(place(order, ['Mail', 'Article'], [['', '']], 'customer')).toEqual(['Mail', 2]);
    expect(place(order, ['Mail', 'Article'], [['', '']], 'details')).toEqual(['Article', 2]);
    expect(place(order, ['Article'], [['']], 'customer')).toEqual([undefined, 2]);
  });

  test.each(['reference', 'status', 'html', '', 'price.salePrice', '__proto__', 'constructor'])(
    '%j has no column if none is mapped or the file lacks it',
    (field) => {
      expect(place(mapping, ['Title'], [['Tea']], field)).toEqual([undefined, 2]);
    },
  );

  test('another record is located anew', () => {
    const table = tableOf('Title');
    const binding = bind(mapping, table, []);
    const [first, second] = rowsOf(table, ['a'], ['b']);
    expect(binding.locate(recordOf([first!]), 'name').origin?.row).toBe(2);
    expect(binding.locate(recordOf([second!]), 'name').origin).toEqual({
      file: 'shop.csv',
      row: 3,
      line: 103,
    });
  });
});

test('in the native form, items after a gap are located in their own columns', () => {
  const header = ['images.10.src', 'images.2.src', 'images.0.src', 'tags.5', 'tags.1'];
  const mapping = nativeMapping(tableOf(...header), products);
  const cells = [['z', '', 'a', 'five', '']];
  expect(place(mapping, header, cells, 'images.0.src')).toEqual(['images.0.src', 2]);
  expect(place(mapping, header, cells, 'images.1.src')).toEqual(['images.10.src', 2]);
  expect(place(mapping, header, cells, 'tags.0')).toEqual(['tags.5', 2]);
});
