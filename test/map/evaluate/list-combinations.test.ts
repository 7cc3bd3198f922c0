import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import { mapRecord, productMapping } from '../../support/map-rows.ts';

const FIELDS = {
  variants: {
    each: { size: { from: 'Sizes', split: ',' }, colour: { from: 'Colours', split: ',' } },
    fields: { size: '{size}', colour: '{colour}', place: { template: '{size#}-{colour#}' } },
  },
};
const HEADER = ['Sizes', 'Colours'];

function variantsOf(sizes: string, colours: string) {
  const { payload, issues } = mapRecord(productMapping(FIELDS), HEADER, [sizes, colours]);
  return { variants: (payload.variants ?? []) as JsonObject[], issues };
}

describe('a list over the parts of several cells', () => {
  test('has all combinations, those of the last cell change first', () => {
    expect(variantsOf('S,M', 'red,blue').variants).toEqual([
      { size: 'S', colour: 'red', place: '1-1' },
      { size: 'S', colour: 'blue', place: '1-2' },
      { size: 'M', colour: 'red', place: '2-1' },
      { size: 'M', colour: 'blue', place: '2-2' },
    ]);
  });

  test('leaves out a cell without parts, and has no items if all cells are empty', () => {
    expect(variantsOf('', 'red,blue').variants).toMatchObject([{ colour: 'red' }, { colour: 'blue' }]);
    expect(variantsOf('', 'red').variants[0]).not.toHaveProperty('size');
    expect(variantsOf('', '').variants).toEqual([]);
  });

  test('has an issue for too many combinations, and no items', () => {
    const many = Array.from({ length: 60 }, (_, n) => String(n)).join();
    const { variants, issues } = variantsOf(many, many);
    expect(variants).toEqual([]);
    expect(issues).toMatchObject([{ code: 'too-many-items', message: expect.stringContaining('3600') }]);
  });

  test('has the product of the numbers of parts, and each pair once', () => {
    const words = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,4}$/), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(words, words, (sizes, colours) => {
        const { variants } = variantsOf(sizes.join(), colours.join());
        expect(variants.length).toBe(sizes.length * colours.length);
        expect(new Set(variants.map(({ size, colour }) => `${size} ${colour}`)).size).toBe(variants.length);
      }),
    );
  });
});

describe('a list over columns whose names have a part in common', () => {
  const fields = {
    options: {
      each: { name: { columns: 'Attribute: {name}' } },
      fields: { name: { const: '{name}' }, values: { each: 'row', fields: { value1: 'Attribute: {name}' } } },
    },
  };

  test('has an item for each such column that is filled, in the order of the file', () => {
    const header = ['Attribute: size', 'Other', 'attribute:  Colour', 'Attribute: form'];
    const { payload } = mapRecord(
      productMapping({ ...fields, options: { ...fields.options, when: 'Attribute: {name}' } }),
      header,
      ['S', 'x', 'red', ''],
    );
    expect(payload.options).toEqual([
      { name: 'size', values: [{ value1: 'S' }] },
      { name: 'Colour', values: [{ value1: 'red' }] },
    ]);
  });

  test('uses these columns, and is empty in a file without them', () => {
    const mapping = productMapping(fields);
    expect(mapRecord(mapping, ['Attribute: size'], ['S']).payload).toHaveProperty('options');
    expect(mapRecord(mapping, ['Size'], ['S']).payload).toEqual({});
  });
});
