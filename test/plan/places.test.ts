import { expect, test } from 'vitest';
import { createPlanner } from '../../src/plan/index.ts';
import { createRecordPlaces } from '../../src/plan/places.ts';
import { products } from '../../src/resources/products.ts';

const record = (file: string, row: number) => ({
  seq: 0,
  rows: [{ table: { file, header: ['Key'] }, row, line: row, cells: [''] }],
});

test('the place of a record is its row if there is one file', () => {
  const { of, words } = createRecordPlaces(['a.csv']);
  expect(words(of(record('a.csv', 200_000_000)))).toBe('row 200000000');
});

test('the place of a record includes the file if there are several', () => {
  const files = Array.from({ length: 70 }, (_, n) => `${n}.csv`);
  const { of, at, words } = createRecordPlaces(files);
  expect(words(of(record('0.csv', 2)))).toBe('"0.csv", row 2');
  expect(words(at(2, '0.csv'))).toBe('"0.csv", row 2');
  expect(words(of(record('62.csv', 60_000_000)))).toBe('"62.csv", row 60000000');
  expect(of(record('62.csv', 60_000_000))).toBeLessThan(2 ** 32);
  // There is room for 63 of them.
  expect(words(of(record('63.csv', 2)))).toBe('row 2');
  expect(words(at(7, undefined))).toBe('row 7');
});

test('messages that name a row name its file if there are several', () => {
  const planner = createPlanner({
    ...{ resource: products, mode: 'upsert', dryRun: true, grouping: 'by-key' },
    files: ['a.csv', 'b.csv'],
  });
  const payload = { reference: 'T' };
  const origin = { file: 'b.csv', row: 7, line: 9 };
  const issues = [{ code: 'required', message: 'the cell is empty', column: 'Price', origin }];
  planner.plan({ record: record('a.csv', 3), payload, issues: [] });
  expect(planner.plan({ record: record('b.csv', 5), payload, issues: [] }).outcome?.message).toBe(
    '"T" is already in "a.csv", row 3; that row was used',
  );
  planner.plan({ record: record('a.csv', 4), payload: {}, issues: [], groupKey: 'g' });
  expect(
    planner.plan({ record: record('b.csv', 6), payload: {}, issues: [], groupKey: 'g' }).outcome?.message,
  ).toBe(
    '"g" began in "a.csv", row 4 and is in "b.csv", row 6 again, with others between: move its rows together',
  );
  expect(planner.plan({ record: record('b.csv', 7), payload, issues }).outcome?.message).toBe(
    '"b.csv", row 7, column "Price": the cell is empty',
  );
});
