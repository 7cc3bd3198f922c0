import { expect, test } from 'vitest';
import { rowRangesIn } from '../../src/model/index.ts';

test.each([
  ['4-63', [{ from: 4, to: 63 }]],
  ['4-', [{ from: 4, to: Number.POSITIVE_INFINITY }]],
  ['-63', [{ from: 1, to: 63 }]],
  ['7', [{ from: 7, to: 7 }]],
  [
    ' 2 - 3 , 9',
    [
      { from: 2, to: 3 },
      { from: 9, to: 9 },
    ],
  ],
])('%j is a list of ranges', (text, ranges) => {
  expect(rowRangesIn(text)).toEqual(ranges);
});

test.each(['', '-', '4-3', '0', '1,', '4:6', 'x', '1-2-3', '1.5', '99999999999'])('%j is not', (text) => {
  expect(rowRangesIn(text)).toBeUndefined();
});
