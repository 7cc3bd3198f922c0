import { describe, expect, test } from 'vitest';
import { parseMapping } from '../../../src/map/index.ts';
import { mapRecord, productMapping, refusal } from '../../support/map-rows.ts';

/** Fields with `blank: clear`, such as `description: { from: D, blank: clear }`. */
const FIELDS = {
  name: 'N',
  description: { from: 'D', blank: 'clear' },
  tags: { from: 'T', split: ',', blank: 'clear' },
  'price.salePrice': { from: 'P', blank: 'clear' },
  sizes: { from: 'S', json: true, blank: 'clear' },
  images: { each: 'row', when: 'I', blank: 'clear', fields: { src: 'I' } },
};
const HEADER = ['N', 'D', 'T', 'P', 'S', 'I'];

function blanksOf(fields: object, header: readonly string[], ...cells: (readonly string[])[]) {
  const { blanks = [], payload, issues } = mapRecord(productMapping(fields), header, ...cells);
  expect(issues).toEqual([]);
  return { blanks, payload };
}

describe('blanks of a record', () => {
  test('are listed beside the payload, with the values that clear them', () => {
    expect(blanksOf(FIELDS, HEADER, ['a', '', ' ', '', '', ''])).toEqual({
      payload: { name: 'a' },
      blanks: [
        ['description', ''],
        ['tags', []],
        ['price.salePrice', null],
        ['sizes', null],
        ['images', []],
      ],
    });
  });

  test('exclude filled fields, and fields whose column the file lacks', () => {
    expect(blanksOf(FIELDS, HEADER, ['a', 'd', 't', '0', '{}', 'https://example.com/a.png']).blanks).toEqual(
      [],
    );
    expect(blanksOf(FIELDS, ['N'], ['a']).blanks).toEqual([]);
  });

  test('exclude fields with blank: keep or a default', () => {
    const fields = {
      description: { from: 'D', blank: 'keep' },
      model: { from: 'D', blank: 'clear', default: 'x' },
      html: { from: 'D', blank: 'clear', when: 'N' },
    };
    expect(blanksOf(fields, ['D', 'N'], ['', ''])).toEqual({ payload: { model: 'x' }, blanks: [] });
    expect(blanksOf(fields, ['D', 'N'], ['', 'n']).blanks).toEqual([['html', '']]);
  });

  test('need all alternatives to be empty', () => {
    const fields = { description: [{ from: 'A', blank: 'clear' }, { from: 'B' }] };
    expect(blanksOf(fields, ['A', 'B'], ['', 'b'])).toEqual({ payload: { description: 'b' }, blanks: [] });
    expect(blanksOf(fields, ['A', 'B'], ['', '']).blanks).toEqual([['description', '']]);
  });

  test('exclude cells with issues', () => {
    const fields = { 'price.salePrice': { from: 'P', blank: 'clear' } };
    const { blanks, issues } = mapRecord(productMapping(fields), ['P'], ['x']);
    expect([blanks, issues.length]).toEqual([undefined, 1]);
  });
});

describe('blank: clear', () => {
  const mistake = (field: string, resource = 'products') =>
    refusal(() => parseMapping('mine', `resource: ${resource}\nfields:\n  ${field}`)).hints[0];

  test.each([
    [
      'description: { from: D, blank: clean }',
      'line 3, column 27: blank takes keep or clear. Did you mean "clear"?',
    ],
    [
      'status: { from: D, blank: clear }',
      'line 3, column 22: status cannot be cleared: it is one of a few words, or yes or no.',
    ],
    [
      'seo.hide: { from: D, blank: clear }',
      'line 3, column 24: seo.hide cannot be cleared: it is one of a few words, or yes or no.',
    ],
    [
      'name: { from: D, blank: clear }',
      'line 3, column 20: name cannot be cleared: the store takes no "" there.',
    ],
    [
      'bookingProps.guest.min: { from: D, blank: clear }',
      'line 3, column 38: bookingProps.guest.min cannot be cleared: the store takes no null there.',
    ],
    [
      'images: { each: row, fields: { src: { from: D, blank: clear } } }',
      'line 3, column 50: a list is replaced as a whole: what is blank in it is left out. Say blank for the list.',
    ],
  ])('is refused in %s', (field, hint) => {
    expect(mistake(field)).toBe(hint);
  });

  test('is refused for resources without updates', () => {
    expect(mistake('note: { from: D, blank: clear }', 'customers')).toBe(
      "line 3, column 20: the store's API cannot update customers, so nothing can be cleared.",
    );
  });
});
