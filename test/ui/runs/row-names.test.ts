import { expect, test } from 'vitest';
import { withRowNames } from '../../../src/ui/runs/row-names.ts';

const rowOf = (row: number) => (row === 99 ? undefined : row + 10);

test.each([
  ['row 7, column "price": "abc" is not a number', 'row 17, column "price": "abc" is not a number'],
  ['row 7, column "a": "x"; row 8, column "b": "y"', 'row 17, column "a": "x"; row 18, column "b": "y"'],
  ['"Mug" is already in row 4, which is invalid', '"Mug" is already in row 14, which is invalid'],
  ['row 99: an unknown row', 'row 99: an unknown row'],
])('a row of the hidden file gets the number that the user knows: %s', (message, renamed) => {
  expect(withRowNames(message, rowOf)).toBe(renamed);
});

test.each([
  'column "price": "see row 7" is not a number',
  'not sent: the run 20261121-093012-a1b2 has created it already, row 2; if this is another record, clear the cell in storeport_run',
  'not corrected since the run 20261121-093012-a1b2 refused it: row 2, column "a": "x"; row 3, column "b": "y"',
  'arrow 7 and rows 7 to 9',
])('what is not a row of the hidden file stays: %s', (message) => {
  expect(withRowNames(message, rowOf)).toBe(message);
});
