import { describe, expect, test } from 'vitest';
import { parseExportMapping } from '../../../src/map/index.ts';
import { cellText, type JsonObject } from '../../../src/model/index.ts';
import { tableColumns } from '../../../src/pipeline/export/columns.ts';
import { checkouts } from '../../../src/resources/checkouts.ts';
import type { Resource } from '../../../src/resources/index.ts';
import { reviews } from '../../../src/resources/reviews.ts';

const ITEMS: JsonObject[] = [
  { _id: 'r1', rating: 5, content: 'Lovely', images: [], likes: 3 },
  { _id: 'r2', rating: 2, content: 'So\n so', customer: { firstname: 'Ann', lastname: 'Leigh' } },
  { _id: 'r3', rating: 1 },
];

/** The columns of this mapping, with their values for the items. */
function mapped(columns: object, items: readonly JsonObject[] = ITEMS, resource: Resource = reviews) {
  const mapping = parseExportMapping('mine', JSON.stringify({ resource: resource.name, export: columns }));
  const table = tableColumns({ resource, format: 'csv', mapping });
  const rows = table.rowsOf(items);
  return { table, rows, cells: rows.map((row) => table.columns.map(({ value }) => cellText(value(row)))) };
}

describe('columns of a mapping', () => {
  test('have values in JSON, and their texts in CSV', () => {
    const { table, rows, cells } = mapped({
      Stars: 'rating',
      Photos: 'images',
      Author: '{customer.firstname}',
    });
    expect(table.columns.map(({ name }) => name)).toEqual(['Stars', 'Photos', 'Author']);
    expect(table.header).toEqual(['Stars', 'Photos', 'Author']);
    expect(rows).toEqual([
      { Stars: 5, Photos: [], Author: null },
      { Stars: 2, Photos: null, Author: 'Ann' },
      { Stars: 1, Photos: null, Author: null },
    ]);
    expect(cells).toEqual([
      ['5', '[]', ''],
      ['2', '', 'Ann'],
      ['1', '', ''],
    ]);
  });

  test('may have any name', () => {
    const { rows, cells } = mapped(JSON.parse('{"__proto__": "rating", "a.b": "_id", "a": "content"}'));
    expect(JSON.stringify(rows[0])).toBe('{"__proto__":5,"a.b":"r1","a":"Lovely"}');
    expect(cells[0]).toEqual(['5', 'r1', 'Lovely']);
  });

  test('show with * all fields that no other column shows, as one object', () => {
    const { table, rows, cells } = mapped({ Id: '_id', Rest: '*', Name: '{customer.firstname}: {content}' });
    expect(rows.map(({ Rest }) => Rest)).toEqual([
      { rating: 5, images: [], likes: 3 },
      { rating: 2, 'customer.lastname': 'Leigh' },
      { rating: 1 },
    ]);
    expect(cells[2]?.[1]).toBe('{"rating":1}');
    expect(table.counts().not_in_columns).toEqual({});
  });

  test('leave out other fields, and count them', () => {
    const { table } = mapped({ Id: '_id', Stars: { from: 'rating', when: 'content' } });
    expect(table.counts().not_in_columns).toEqual({ content: 2, images: 1, likes: 1, customer: 1 });
  });

  test('keep values that cannot be converted, count them, and name one of them on one line', () => {
    const { table, rows } = mapped({
      Stars: { from: 'rating', map: { 5: 'all' } },
      Text: { from: 'content', map: { lovely: 'good' } },
      Id: { from: '_id', map: { r1: 1 }, else: 0 },
    });
    expect(rows).toEqual([
      { Stars: 'all', Text: 'good', Id: 1 },
      { Stars: 2, Text: 'So\n so', Id: 0 },
      { Stars: 1, Text: null, Id: 0 },
    ]);
    expect(table.counts().not_converted).toEqual({ Stars: 2, Text: 1 });
    expect(table.warnings()).toEqual([
      'column "Stars" could not be converted in 2 items, where it holds what the store gave; for example review r2: "2" is not known here; use one of: 5.',
      'column "Text" could not be converted in 1 item, where it holds what the store gave; for example review r2: "So so" is not known here; use one of: lovely.',
    ]);
  });

  test('count items that have no id', () => {
    const items = [{ customerNote: '1' }, { customerNote: 'two' }];
    const { table } = mapped({ Note: { from: 'customerNote', number: true } }, items, checkouts);
    expect(table.warnings()[0]).toContain('checkout no. 2: "two" is not a number');
  });
});

describe('columns without a mapping', () => {
  test('are the native ones or those that were named; * shows the rest', () => {
    const native = tableColumns({ resource: reviews, format: 'csv' });
    expect(native.columns.map(({ name }) => name)).toEqual(reviews.columns);
    expect(native.header).toEqual(reviews.columns);
    expect(tableColumns({ resource: reviews, format: 'ndjson' }).header).toBeNull();
    const named = tableColumns({ resource: reviews, format: 'csv', columns: 'rating,*' });
    expect(named.columns.map(({ value }) => cellText(value({ rating: 5, likes: 3 })))).toEqual([
      '5',
      '{"likes":3}',
    ]);
    expect(() => tableColumns({ resource: reviews, format: 'csv', columns: 'stars' })).toThrow(/no "stars"/);
  });

  test.each([
    ['csv', undefined, { likes: 1 }],
    ['csv', '_id,content', { rating: 3, images: 1, likes: 1, customer: 1 }],
    ['csv', '_id,*', {}],
    ['json', undefined, {}],
    ['ndjson', '_id', {}],
  ] as const)('%s with --columns %s leaves items as they are, and counts %j', (format, columns, counted) => {
    const table = tableColumns({ resource: reviews, format, columns });
    expect(table.rowsOf(ITEMS)).toEqual(ITEMS);
    expect(table.counts()).toEqual({ not_in_columns: counted, not_converted: {} });
    expect(table.warnings()).toEqual([]);
  });
});
