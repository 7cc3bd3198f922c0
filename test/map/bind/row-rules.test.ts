import { describe, expect, test } from 'vitest';
import { bind } from '../../../src/map/index.ts';
import {
  damage,
  issuesOf,
  mapRecord,
  payloadOf,
  productMapping,
  rowsOf,
  tableOf,
} from '../../support/map-rows.ts';

const FIELDS = { name: 'Name', reference: 'SKU' };

/** Rules of a mapping, bound to rows with these cells. */
function boundTo(more: object, header: readonly string[], ...cells: (readonly string[])[]) {
  const table = tableOf(...header);
  return { binding: bind(productMapping(FIELDS, more), table, []), rows: rowsOf(table, ...cells) };
}

describe('links of a row', () => {
  const group = {
    name: ['SKU', { template: 'id:{ID}' }],
    parent: 'Parent',
    parts: { from: 'Variations', split: '|', replace: { match: '^sku=([^,]*).*', with: '$1' } },
  };
  const header = ['ID', 'SKU', 'Parent', 'Variations'];

  test.each([
    [['7', ' A ', '', ''], { names: ['A', 'id:7'], parent: undefined, parts: [] }],
    [['', '', '', ''], { names: [], parent: undefined, parts: [] }],
    [
      ['8', 'A-1', 'id:7', ''],
      { names: ['A-1', 'id:8'], parent: { name: 'id:7', column: 'Parent' }, parts: [] },
    ],
    [
      ['', 'A', '', 'sku=A-1,size=S|sku=A-2,size=M'],
      {
        names: ['A'],
        parent: undefined,
        parts: [
          { name: 'A-1', column: 'Variations' },
          { name: 'A-2', column: 'Variations' },
        ],
      },
    ],
    // Names that look the same are the same, whichever way Unicode writes them.
    [['', 'Cafe\u0301', '', ''], { names: ['Caf\u00e9'], parent: undefined, parts: [] }],
  ])('%j', (cells, expected) => {
    const { binding, rows } = boundTo({ group }, header, cells);
    expect(binding.isUnordered).toBe(true);
    expect(binding.linksOf?.(rows[0] as never)).toEqual({ ...expected, issues: [] });
  });

  test('may depend on a condition', () => {
    const byView = { name: 'SKU', parent: { from: 'SKU', when: 'View' } };
    const { binding, rows } = boundTo({ group: byView }, ['SKU', 'View'], ['A', ''], ['A', 'fr']);
    expect(rows.map((row) => binding.linksOf?.(row).parent)).toEqual([
      undefined,
      { name: 'A', column: 'SKU' },
    ]);
  });

  test('with a wrong cell have an issue at its place', () => {
    const wrong = { name: 'SKU', parent: { from: 'Parent', map: { p: 'P' } } };
    const { binding, rows } = boundTo({ group: wrong }, ['SKU', 'Parent'], ['A', 'q']);
    const links = binding.linksOf?.(rows[0] as never);
    expect(issuesOf(links?.issues ?? [])).toEqual([['unknown-word', 'parent', 'Parent', 2]]);
  });

  test('count their columns as used', () => {
    expect(boundTo({ group }, [...header, 'Name', 'Colour']).binding.unused).toEqual(['Colour']);
  });
});

describe('rules for single rows', () => {
  test('select the lead row, and rows to skip, by a condition', () => {
    const { binding, rows } = boundTo(
      { group: { by: 'Name', order: 'any', lead: { Type: 'variable' } }, skip: { when: { Type: 'total' } } },
      ['Name', 'Type'],
      ['a', 'Variable'],
      ['a', 'variation'],
      ['', 'Total'],
    );
    expect(binding.isUnordered).toBe(true);
    expect(rows.map((row) => binding.isLead?.(row))).toEqual([true, false, false]);
    expect(rows.map((row) => binding.isSkipped?.(row))).toEqual([false, false, true]);
  });

  test('never skip rows that could not be parsed, since their cells are unknown', () => {
    const { binding, rows } = boundTo({ skip: { when: { Type: 'total' } } }, ['Type'], ['total']);
    expect(rows.map((row) => binding.isSkipped?.(damage(row)))).toEqual([false]);
  });

  test('let rows without a key continue the row above, but not the lead row of a record', () => {
    const { binding, rows } = boundTo(
      { group: { by: 'Name', empty: 'continues' } },
      ['Name', 'SKU'],
      ['a', '1'],
      [' ', '2'],
    );
    expect(rows.map((row) => binding.continuesAbove?.(row))).toEqual([false, true]);
    expect(binding.map({ seq: 0, rows }).issues).toEqual([]);
    expect(issuesOf(binding.map({ seq: 0, rows: rows.slice(1) }).issues)).toEqual([
      ['required', undefined, 'Name', 3],
    ]);
  });

  test('are absent if the mapping has none', () => {
    const { binding, rows } = boundTo({ group: { by: 'Name' } }, ['Name'], ['a']);
    expect(binding.isUnordered).toBe(false);
    expect(rows.map((row) => binding.groupKeyOf?.(row))).toEqual(['a']);
    expect([binding.isLead, binding.isSkipped, binding.linksOf, binding.continuesAbove]).toEqual(
      Array(4).fill(undefined),
    );
  });
});

describe('row and rows', () => {
  const header = ['Name', 'Kind', 'Default', 'City', 'Zip'];
  const home = ['', 'address', '', 'Whitby', 'YO21'];
  const work = ['', 'address', '1', 'Hull', ''];
  const person = ['Ann', '', '', '', ''];
  const rule = (from: string) => ({ from, row: [{ Default: '1' }, { Kind: 'address' }] });
  const mapping = { name: 'Name', 'brand.city': rule('City'), 'brand.zip': rule('Zip') };

  test.each([
    // All fields come from one address: a zip of one beside the city of another is no address.
    ['the first row that matches', [person, home, work], { city: 'Hull' }],
    ['the next condition if no row matches', [person, home], { city: 'Whitby', zip: 'YO21' }],
    ['nothing if no condition matches', [person], undefined],
  ])('row uses %s', (_what, cells, brand) => {
    expect(payloadOf(mapping, header, ...cells).brand).toEqual(brand);
  });

  test('row limits the condition of the value too, and the default applies if no row matches', () => {
    const of = (more: object) => ({
      name: 'Name',
      'brand.zip': { from: 'Zip', row: { Kind: 'address' }, ...more },
    });
    expect(payloadOf(of({ when: 'Default' }), header, person, home, work).brand).toBeUndefined();
    expect(payloadOf(of({ when: { City: 'Whitby' } }), header, person, home, work).brand).toEqual({
      zip: 'YO21',
    });
    expect(payloadOf(of({ default: 'none' }), header, person).brand).toEqual({ zip: 'none' });
  });

  test('rows limits a value to some rows', () => {
    const sum = { from: 'Zip', across: 'sum' };
    const cells = [
      ['Ann', '', '', '', '100'],
      ['', 'part', '', '', '1'],
      ['', 'part', '', '', '2'],
    ];
    const take = (rule: object) =>
      payloadOf({ name: 'Name', 'quantity.instock': rule }, header, ...cells).quantity;
    expect(take(sum)).toEqual({ instock: 103 });
    expect(take({ ...sum, rows: { Kind: 'part' } })).toEqual({ instock: 3 });
    expect(take({ ...sum, rows: [{ Kind: 'piece' }, 'Name'] })).toEqual({ instock: 100 });
    expect(take({ ...sum, rows: { Kind: 'piece' } })).toBeUndefined();
  });

  test('each: child makes no item of the lead row', () => {
    const images = { each: 'child', fields: { src: 'Name' } };
    expect(payloadOf({ images }, header, ['a'], ['b'], ['c']).images).toEqual([{ src: 'b' }, { src: 'c' }]);
    expect(payloadOf({ images }, header, ['a']).images).toBeUndefined();
  });

  test('row in a list over rows searches all rows of the record, then returns to the row of the item', () => {
    const images = {
      each: 'row',
      fields: { src: 'Name', title: { from: 'City', row: { Default: '1' } } },
    };
    expect(payloadOf({ images }, header, ['a', '', '', '', ''], ['b', '', '1', 'Hull', '']).images).toEqual([
      { src: 'a', title: 'Hull' },
      { src: 'b', title: 'Hull' },
    ]);
  });

  test('issues name the row that was used', () => {
    const mapped = mapRecord(
      { name: 'Name', 'price.salePrice': { from: 'Zip', number: true, row: { Kind: 'address' } } },
      header,
      person,
      home,
    );
    expect(issuesOf(mapped.issues)).toEqual([['not-a-number', 'price.salePrice', 'Zip', 3]]);
  });
});
