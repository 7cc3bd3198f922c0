import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defuse } from '../../src/model/index.ts';
import { tableFrom } from '../../src/read/index.ts';
import { type Column, csvHeader, csvLine, csvText } from '../../src/write/index.ts';
import { scaledRuns } from '../support/property-tests.ts';

/** Reads a line as spreadsheets do: a quote has a meaning only where a cell begins. */
function cellsFor(separators: string, text: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let at = 0;
  while (at < text.length) {
    if (cell === '' && text[at] === '"') {
      for (at += 1; at < text.length; at += 1) {
        if (text[at] === '"' && text[at + 1] !== '"') break;
        if (text[at] === '"') at += 1;
        cell += text[at];
      }
      at += 1;
    }
    while (at < text.length && !separators.includes(text[at] as string)) {
      cell += text[at];
      at += 1;
    }
    cells.push(cell);
    cell = '';
    at += 1;
  }
  return cells;
}

const NUMBER = /^[+-]\.?\d[\d.,]*(e[+-]?\d+)?$/i;
const PHONE = /^\+(?=\D*\d)[\d (][\d ().-]*$/;

/** True if a spreadsheet may run a cell of a file with this delimiter. */
function mayRun(cell: string, delimiter: string): boolean {
  const shown = cell.trimEnd().replace(/^[\s\u0000-\u001F\u007F\u200B\u2060\uFEFF]+/, '');
  if (!/^[=+\-@＝＋－＠]/.test(shown)) return false;
  // A reader with another separator sees a line as one cell: `-5,x` cannot be calculated, `-5,0+x` can.
  const end = shown.search(delimiter === '\t' ? /[\t\r\n]/ : new RegExp(delimiter));
  const number = (end < 0 ? shown : shown.slice(0, end)).trim();
  const rest = end < 0 ? '' : shown.slice(end + 1);
  if (!NUMBER.test(shown) && !NUMBER.test(number) && !PHONE.test(number)) return true;
  return delimiter === ',' && /^\d+[^\d.,\s"]/.test(rest);
}

const READERS = [',', ';', '\t', '|', ',;\t', ',;\t|'].map((separators) => `${separators}\r\n`);

const token = fc.constantFrom(
  ...['=1+1', '=', '+', '-', '@x', '\uFF1D1', '-5', '+49 351', '5', '0+cmd', 'x', 'Tea', ' ', '"', '""', "'"],
  ...[',', ';', '\t', '|', '\n', '\r', '\r\n', '\u0000', '\u200B'],
);
const hostile = fc.array(token, { maxLength: 7 }).map((parts) => parts.join(''));

test('no reader of any separator finds a formula, in rows, headers and lines of exports', () => {
  const table = fc
    .integer({ min: 1, max: 4 })
    .chain((width) =>
      fc.array(fc.array(hostile, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 3 }),
    );
  fc.assert(
    fc.property(table, fc.constantFrom(',', ';', '\t'), (rows, delimiter) => {
      const [first = []] = rows;
      const columns = first.map((text, index): Column => ({ name: `${index}`, value: () => text }));
      const texts = [
        csvText(rows, { delimiter }),
        csvText(rows, { delimiter, areCells: true }),
        csvHeader(first, { delimiter }),
        csvLine(columns, {}, { delimiter }),
      ];
      for (const text of texts)
        for (const separators of READERS)
          for (const cell of cellsFor(separators, text))
            if (mayRun(cell, delimiter)) expect.fail(`${JSON.stringify(text)} has ${JSON.stringify(cell)}`);
    }),
    { numRuns: scaledRuns(20_000) },
  );
});

test('an object in a report is parsed without its guards', () => {
  const text = JSON.stringify({ note: 'hi;=1' });
  const cells = [defuse(text)];
  expect(cells[0]).not.toBe(text);
  expect(tableFrom('errors.csv', ['json'], [{ row: 1, cells }]).items).toEqual([{ note: 'hi;=1' }]);
});

test('numbers and phone numbers stay as they are, also in the first column', () => {
  expect(csvText([['-12.50', '+49 351 123', '-5']])).toBe('-12.50,+49 351 123,-5\n');
  expect(csvText([['-12.50', 'Main St 5', 'x']])).toBe('-12.50,Main St 5,x\n');
  expect(csvText([['-5', '0+cmd', 'x']])).toBe("'-5,0+cmd,x\n");
  expect(csvText([['-5', '0+cmd', 'x']], { raw: true })).toBe('-5,0+cmd,x\n');
});
