import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cellPlaces,
  cellsOfText,
  cornersOf,
  type GridPlace,
  type GridSize,
  isTooLarge,
  moved,
  pastedCells,
  textOfCells,
} from '../../../src/page/grid/selection.ts';

const KEYS = [
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'PageUp',
  'PageDown',
  'Home',
  'End',
] as const;
const place = (row: number, column: number): GridPlace => ({ row, column });

/** A grid and a place in it. */
const inGrid = fc
  .record({ rows: fc.integer({ min: 1, max: 200_000 }), columns: fc.integer({ min: 1, max: 10_000 }) })
  .chain((size) =>
    fc.record({
      size: fc.constant<GridSize>(size),
      at: fc.record({
        row: fc.integer({ min: 0, max: size.rows - 1 }),
        column: fc.integer({ min: 0, max: size.columns - 1 }),
      }),
    }),
  );

describe('keys', () => {
  const size = { rows: 10, columns: 4 };
  test.each([
    ['ArrowDown', false, place(6, 2)],
    ['ArrowUp', false, place(4, 2)],
    ['ArrowLeft', false, place(5, 1)],
    ['ArrowRight', false, place(5, 3)],
    ['ArrowDown', true, place(9, 2)],
    ['ArrowRight', true, place(5, 3)],
    ['Home', false, place(5, 0)],
    ['End', false, place(5, 3)],
    ['Home', true, place(0, 0)],
    ['End', true, place(9, 3)],
    ['PageDown', false, place(8, 2)],
    ['PageUp', false, place(2, 2)],
  ])('%s, with Ctrl: %s', (key, isFar, to) => {
    expect(moved(place(5, 2), key, size, { isFar, page: 3 })).toEqual(to);
  });

  test('that do not move lead nowhere', () => {
    for (const key of ['Enter', 'a', 'toString', 'constructor', 'F2'])
      expect(moved(place(0, 0), key, size, { isFar: false, page: 3 })).toBeUndefined();
  });

  test('never lead out of the grid', () => {
    const steps = fc.array(
      fc.record({
        key: fc.constantFrom(...KEYS),
        isFar: fc.boolean(),
        page: fc.integer({ min: 1, max: 60 }),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(inGrid, steps, ({ size: { rows, columns }, at }, keys) => {
        let now: GridPlace | undefined = at;
        for (const { key, ...how } of keys) {
          now = moved(now as GridPlace, key, { rows, columns }, how);
          if (!now || now.row < 0 || now.row >= rows || now.column < 0 || now.column >= columns) return false;
        }
        return true;
      }),
    );
  });
});

describe('ranges', () => {
  const corner = fc.record({ row: fc.integer({ min: 0, max: 60 }), column: fc.integer({ min: 0, max: 60 }) });

  test('have each of their cells once, row by row, whichever corner came first', () => {
    fc.assert(
      fc.property(corner, corner, (anchor, head) => {
        const { top, bottom, left, right } = cornersOf({ anchor, head });
        const expected: GridPlace[] = [];
        for (let row = top; row <= bottom; row++)
          for (let column = left; column <= right; column++) expected.push({ row, column });
        expect(cellPlaces({ anchor, head })).toEqual(expected);
        expect(cellPlaces({ anchor: head, head: anchor })).toEqual(expected);
      }),
    );
  });

  test('are too large above 5,000 rows or 50,000 cells', () => {
    const until = (row: number, column: number) =>
      isTooLarge({ anchor: place(0, 0), head: place(row, column) });
    expect([until(4999, 0), until(5000, 0), until(4999, 9), until(4999, 10)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });
});

describe('text of a spreadsheet', () => {
  test('is read back as the same cells', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', '\r', ' ', 'é', '""', '😀') });
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }),
      )
      // A line that is empty at the end is the end of the line before.
      .filter((rows) => !(rows.length > 1 && rows.at(-1)?.join('') === '' && rows.at(-1)?.length === 1))
      // A cell that is quoted in the sheet itself comes with quotes around it that are no part of the format.
      .filter((rows) => rows.flat().every((text) => !/^".*"$/s.test(text) || /[\t\r\n"]/.test(text)));
    fc.assert(
      fc.property(table, (rows) => {
        expect(cellsOfText(textOfCells(rows))).toEqual(rows);
      }),
    );
  });

  test('fills a range with one cell, and begins at its first corner with several, within the grid', () => {
    const size = { rows: 3, columns: 3 };
    const range = { anchor: place(2, 1), head: place(1, 1) };
    expect(pastedCells('x', range, size)).toEqual([
      { ...place(1, 1), text: 'x' },
      { ...place(2, 1), text: 'x' },
    ]);
    expect(pastedCells('a\tb\tc\r\nd\te\tf\r\ng\r\n', range, size)).toEqual([
      { ...place(1, 1), text: 'a' },
      { ...place(1, 2), text: 'b' },
      { ...place(2, 1), text: 'd' },
      { ...place(2, 2), text: 'e' },
    ]);
    expect(pastedCells('', range, size)).toEqual([]);
  });
});
