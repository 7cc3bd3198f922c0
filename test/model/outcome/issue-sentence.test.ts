import { expect, test } from 'vitest';
import { cellsIn, type Issue, issueSentence, SENTENCE_END } from '../../../src/model/index.ts';

const issue = (row: number, column: string, message: string, cell?: string): Issue => ({
  ...{ code: 'required', message, column, origin: { file: 'a "b".csv', row, line: row } },
  ...(cell === undefined ? {} : { cell }),
});

test('the cells of a message are those of its issues, also with hostile names of columns', () => {
  const header = ['Price', 'Price": x', 'a; row 9, column "b', 'Name (new)', 'Name', ''];
  const issues = [
    issue(3, 'Price', '"1,200" is not a number; write it like 1234.50'),
    issue(4, 'Price": x', 'is missing'),
    issue(4, 'Name (new)', 'is missing', 'D4'),
    issue(5, 'Name', 'is too long', 'E5'),
  ];
  const message = issues.map((each) => issueSentence(each, false)).join(SENTENCE_END);
  expect(cellsIn(message, header)).toEqual([
    { row: 3, column: 0, says: '"1,200" is not a number; write it like 1234.50' },
    { row: 4, column: 1, says: 'is missing' },
    { row: 4, column: 3, says: 'is missing' },
    { row: 5, column: 4, says: 'is too long' },
  ]);
});

test('a message names no cell if it has no row, no column, or a column that the header lacks', () => {
  const header = ['Price'];
  expect(cellsIn('name is missing', header)).toEqual([]);
  expect(cellsIn('row 3: the row has 2 cells', header)).toEqual([]);
  expect(cellsIn('row 3, column "Cost": is missing', header)).toEqual([]);
});

test('the count of further issues is not part of the last sentence', () => {
  const message = 'row 3, column "Price": is missing; and 12 more: 12 × required (price)';
  expect(cellsIn(message, ['Price'])).toEqual([{ row: 3, column: 0, says: 'is missing' }]);
});

test('a sentence names the file if there are several', () => {
  const text = issueSentence(
    { ...issue(3, 'Price', 'is missing'), origin: { file: 'b.csv', row: 3, line: 3 } },
    true,
  );
  expect(text).toBe('"b.csv", row 3, column "Price": is missing');
  expect(cellsIn(text, ['Price'])).toEqual([{ row: 3, column: 0, says: 'is missing' }]);
});
