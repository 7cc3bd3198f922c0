import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bind } from '../../../src/map/index.ts';
import { gatherExport } from '../../mappings/read-export.ts';
import { payloadOf, productMapping, recordOf, rowsOf, tableOf } from '../../support/map-rows.ts';
import { scaledRuns } from '../../support/property-tests.ts';

const FIELDS = {
  reference: 'H',
  name: 'H',
  options: {
    each: { n: [1, 2] },
    when: 'N{n}',
    fields: {
      name: 'N{n}',
      values: { each: { value: { from: 'V{n}', split: ',' } }, fields: { value1: '{value}' } },
    },
  },
  variants: {
    each: 'row',
    fields: {
      'option1.name': { from: 'N1', across: 'first' },
      'option1.value1': 'O1',
      'option2.value1': 'O2',
    },
  },
};
const HEADER = ['H', 'N1', 'V1', 'N2', 'V2', 'O1', 'O2'];

test('options list the values of the product first, and then each other value of its variants once', () => {
  const word = fc.constantFrom('S', 'M', 'L', 'XL', '');
  const words = fc.uniqueArray(fc.constantFrom('S', 'M', 'L', 'XL'), { minLength: 1 });
  const variants = fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 6 });
  const mapping = productMapping(FIELDS, { group: { by: 'H' } });
  fc.assert(
    fc.property(words, words, variants, (first, second, chosen) => {
      const rows = chosen.map(([a, b], index) =>
        index === 0
          ? ['P', 'Size', first.join(','), 'Fit', second.join(','), a, b]
          : ['P', '', '', '', '', a, b],
      );
      const valuesOf = (listed: readonly string[], own: readonly string[]) =>
        [...new Set([...listed, ...own.filter((each) => each !== '')])].map((value1) => ({ value1 }));
      expect(payloadOf(mapping, HEADER, ...rows).options).toEqual([
        {
          name: 'Size',
          values: valuesOf(
            first,
            chosen.map(([a]) => a),
          ),
        },
        {
          name: 'Fit',
          values: valuesOf(
            second,
            chosen.map(([, b]) => b),
          ),
        },
      ]);
    }),
    { numRuns: scaledRuns(300) },
  );
});

test('options that are payloads already are left as they are', () => {
  const json = { from: 'V1', json: true };
  const mapping = productMapping({ ...FIELDS, options: json }, { group: { by: 'H' } });
  const options = [{ name: 'Size', values: [{ value1: 'S' }] }];
  const payload = payloadOf(mapping, HEADER, ['P', 'Size', JSON.stringify(options), '', '', 'XL', '']);
  expect(payload).toMatchObject({ options, variants: [{ option1: { value1: 'XL' } }] });
});

test('the options of a variant are in the order of the product, whatever their order in its row', () => {
  const colors = fc.constantFrom('Red', 'Blue');
  const sizes = fc.constantFrom('S', 'M', 'XL');
  const rows = fc.array(fc.tuple(colors, sizes, fc.boolean()), { minLength: 1, maxLength: 5 });
  const preset = 'prestashop-products';
  return fc.assert(
    fc.asyncProperty(rows, async (combinations) => {
      const product = {
        'Product ID': '1',
        'Active (0/1)': '1',
        'Name *': 'Shirt',
        'Reference #': 'SH',
        'Price tax excluded': '10',
      };
      const children = combinations.map(([color, size, isTurned], index) => {
        const order = <T>(a: T, b: T) => (isTurned && index > 0 ? [b, a] : [a, b]).join(', ');
        return {
          'Product ID*': '1',
          'Attribute (Name:Type:Position)*': order('Color:color:0', 'Size:select:1'),
          'Value (Value:Position)*': order(`${color}:0`, `${size}:1`),
        };
      });
      const [mapped] = await gatherExport(preset, product, ...children);
      expect(mapped?.payload.variants).toMatchObject(
        combinations.map(([color, size]) => ({
          name: `${color}, ${size}`,
          option1: { name: 'Color', value1: color },
          option2: { name: 'Size', value1: size },
        })),
      );
    }),
    { numRuns: scaledRuns(100) },
  );
});

test('an option of a variant that was put in another place is located at its own cells', () => {
  const mapping = productMapping(
    {
      reference: 'H',
      options: {
        each: { n: [1, 2] },
        when: 'N{n}',
        fields: { name: 'N{n}', values: { each: 'row', unique: 'value1', fields: { value1: 'V{n}' } } },
      },
      variants: {
        each: 'row',
        when: 'A',
        fields: { 'option1.name': 'A', 'option1.value1': 'VA', 'option2.name': 'B', 'option2.value1': 'VB' },
      },
    },
    { group: { by: 'H' } },
  );
  const table = tableOf('H', 'N1', 'V1', 'N2', 'V2', 'A', 'VA', 'B', 'VB');
  const record = recordOf(
    rowsOf(
      table,
      ['P', 'Size', 'S', 'Fit', 'Wide', '', '', '', ''],
      ['P', '', '', '', '', 'Size', 'S', 'Fit', 'Wide'],
      ['P', '', '', '', '', 'Fit', 'Slim', 'Size', 'M'],
    ),
  );
  const { map, locate, cellsOf } = bind(mapping, table, []);
  const { payload } = map(record);
  expect(payload).toMatchObject({ variants: [{}, { option1: { name: 'Size', value1: 'M' } }] });
  const placeOf = (field: string) => [locate(record, field).column, locate(record, field).origin?.row];
  expect([placeOf('variants.0.option1.value1'), placeOf('variants.1.option1.value1')]).toEqual([
    ['VA', 3],
    ['VB', 4],
  ]);
  expect(placeOf('variants.1.option2.value1')).toEqual(['VA', 4]);
  const cells = new Map(cellsOf(record).map(({ path, row, column }) => [path.join('.'), row.cells[column]]));
  expect(cells.get('variants.1.option1.value1')).toBe('M');
  expect(cells.get('variants.1.option2.name')).toBe('Fit');
});
