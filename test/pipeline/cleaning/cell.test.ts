import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanCell } from '../../../src/pipeline/cleaning/cell.ts';
import { changeOf } from '../../../src/pipeline/cleaning/change-kind.ts';
import { createChanges } from '../../../src/pipeline/cleaning/changes.ts';
import { anyText } from '../../support/any-text.ts';
import { scaledRuns } from '../../support/property-tests.ts';

function cleaned(cell: string): { text: string; kinds: string[] } {
  const kinds: string[] = [];
  const text = cleanCell(cell, (kind) => kinds.push(kind));
  return { text, kinds };
}

describe('cleaning a cell', () => {
  test.each([
    ['plain', 'Lamp, 40 W', 'Lamp, 40 W', []],
    ['empty', '', '', []],
    ['with blanks around it', '\u00a0 Lamp\u3000\n', 'Lamp', ['blanks']],
    ['with line ends of other systems', 'a\r\nb\rc\nd', 'a\nb\nc\nd', ['line-ends']],
    ['with invisible characters', '\uFEFFLa\u200Bmp\u00ad\u0000', 'Lamp', ['invisible']],
    ['with a letter of two code points', 'Cafe\u0301', 'Café', ['unicode']],
    ['with all of these', '\u200B Cafe\u0301\r\n', 'Café', ['invisible', 'line-ends', 'unicode', 'blanks']],
    ['with a joined emoji', '👩\u200D🌾', '👩\u200D🌾', []],
    ['written from right to left', '\u200Fمرحبا', '\u200Fمرحبا', []],
    ['with blanks inside', 'a  b\u00a0c', 'a  b\u00a0c', []],
  ])('gives the clean text and the kinds of changes: %s', (_, cell, text, kinds) => {
    expect(cleaned(cell)).toEqual({ text, kinds });
  });

  test('is idempotent', () => {
    const odd = fc.constantFrom(' ', '\r', '\n', '\u200B', '\u0301', 'e', '\u00a0', '\uFEFF', '\u0000');
    const cell = fc.oneof(
      anyText(),
      fc.array(odd).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(cell, (text) => {
        const once = cleaned(text);
        expect(cleaned(once.text)).toEqual({ text: once.text, kinds: [] });
        expect(once.kinds.length === 0).toBe(once.text === text);
      }),
      { numRuns: scaledRuns(2000) },
    );
  });
});

test.each([
  ['19.50', 19.5, { kind: 'number', after: '19.5' }],
  ['19.5', 19.5, undefined],
  ['12', 33, { kind: 'reckoned', after: '33' }],
  ['1.299', 1299, { kind: 'number', after: '1299' }],
  ['oui', true, { kind: 'yes-or-no', after: 'true' }],
  ['a, b', ['a', 'b'], { kind: 'list', after: 'a|b' }],
  ['{"a": 1}', { a: 1 }, { kind: 'json', after: '{"a":1}' }],
  ["'0017", '0017', { kind: 'guard', after: '0017' }],
  ["'=1", '=1', { kind: 'guard', after: '=1' }],
  ['live', 'PUBLISH', { kind: 'text', after: 'PUBLISH' }],
  ['Lamp', 'Lamp', undefined],
])('a cell %j with the value %j has the right kind of change', (before, value, reading) => {
  expect(changeOf(before, value)).toEqual(reading);
});

test('changes are counted by kind, each with its first cell, in the order of their application', () => {
  const changes = createChanges();
  changes.add('number', { file: 'a.csv', row: 2, column: 'Price', before: '1,5', after: '1.5' });
  changes.add('blanks', { file: 'a.csv', row: 3, column: 'Name', before: ' a', after: 'a' });
  changes.add('blanks', { file: 'a.csv', row: 4, column: 'Name', before: ' b', after: 'b' });
  expect(changes.all()).toMatchObject([
    { kind: 'blanks', count: 2, example: { row: 3, column: 'Name', before: ' a', after: 'a' } },
    { kind: 'number', count: 1, example: { row: 2, column: 'Price', before: '1,5', after: '1.5' } },
  ]);
});
