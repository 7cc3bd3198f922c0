import { expect, test } from 'vitest';
import { createSuspicions, type Suspect } from '../../src/suspect/index.ts';

const rounded = (text: string, column = 'SKU'): Suspect => ({ code: 'rounded', column, text });

test('suspect cells are counted by column and code, and the first of them are listed', () => {
  const suspicions = createSuspicions();
  for (let row = 2; row < 30; row++) suspicions.add(row, { row }, [rounded(`${row}E+12`)]);
  suspicions.add(31, { row: 31 }, [rounded('1E+12', 'EAN'), { code: 'lost-zero', column: 'EAN', text: '1' }]);
  expect(suspicions.all()).toMatchObject([
    { code: 'rounded', column: 'SKU', count: 28, last: 29 },
    { code: 'rounded', column: 'EAN', count: 1, cells: [{ row: 31, text: '1E+12' }] },
    { code: 'lost-zero', column: 'EAN', count: 1, last: 31 },
  ]);
  expect(suspicions.all()[0]?.cells.map(({ row }) => row)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

test('rows that are read again are counted once', () => {
  const first = createSuspicions();
  for (const row of [2, 5, 9]) first.add(row, { row }, [rounded('1E+12')]);
  const again = createSuspicions(first.all());
  for (const row of [5, 9, 12]) again.add(row, { row }, [rounded('1E+12')]);
  again.add(5, { row: 5 }, [rounded('2E+12', 'EAN')]);
  expect(again.all()).toMatchObject([
    { column: 'SKU', count: 4, cells: [{ row: 2 }, { row: 5 }, { row: 9 }, { row: 12 }], last: 12 },
    { column: 'EAN', count: 1 },
  ]);
  expect(first.all()[0]?.count).toBe(3);
});

test('a file with any number of paths does not fill the memory', () => {
  const suspicions = createSuspicions();
  for (let row = 2; row < 1000; row++) suspicions.add(row, { row }, [rounded('1E+12', `path${row}`)]);
  expect(suspicions.all()).toHaveLength(200);
});
