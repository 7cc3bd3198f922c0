import { expect, test } from 'vitest';
import { rowFrom, tableFrom } from '../../src/read/index.ts';

test('kept rows of items get their values back', () => {
  const table = tableFrom('shop.json', ['json', 'storeport_run']);
  expect(table.items).toEqual([]);
  expect(rowFrom(table, { row: 7, cells: ['{"a":1}', 'r'] })).toEqual({
    ...{ table, row: 7, line: 7, cells: ['{"a":1}', 'r'] },
    value: { a: 1 },
  });
  expect(rowFrom(table, { row: 7, cells: ['{'] })).toMatchObject({
    issues: [{ code: 'bad-json', origin: { file: 'shop.json', row: 7, line: 7 } }],
  });
});

test('other kept rows are unchanged', () => {
  const table = tableFrom('shop.csv', ['json', 'name']);
  expect(table).toEqual({ file: 'shop.csv', header: ['json', 'name'] });
  expect(rowFrom(table, { row: 7, cells: ['{}'] })).toEqual({ table, row: 7, line: 7, cells: ['{}'] });
});
