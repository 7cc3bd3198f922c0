import { describe, expect, test } from 'vitest';
import { parseMapping } from '../../../../src/map/index.ts';
import { payloadOf, refusal } from '../../../support/map-rows.ts';

/** The single mistake in this condition, with its place. */
function mistakeIn(when: string): string {
  const text = ['resource: products', 'fields:', `  name: { from: T, when: ${when} }`].join('\n');
  const { hints } = refusal(() => parseMapping('mine', text));
  expect(hints).toHaveLength(1);
  return hints[0] ?? '';
}

describe('a condition written as a comparison is refused, with the right form', () => {
  test.each([
    ['{ Price: "> 5" }', '{ above: 5 }'],
    ['{ Price: ">5,50" }', '{ above: 5.50 }'],
    ['{ Price: ">= 5" }', '{ at-least: 5 }'],
    ['{ Price: "< 5" }', '{ below: 5 }'],
    ['{ Price: "<=5" }', '{ at-most: 5 }'],
    ['{ Price: "!= x" }', '{ is-not: x }'],
    ['{ Price: "<> x" }', '{ is-not: x }'],
    ['{ Price: "= x" }', '{ is: x }'],
    ['{ Price: "== a/b" }', '{ is: "a/b" }'],
    ['{ Price: ">= 5€" }', '{ at-least: 5 }'],
    ['{ Price: "<$5.50" }', '{ below: 5.50 }'],
    ['{ Price: "> 5 and <= 9" }', '{ above: 5, at-most: 9 }'],
    ['{ Price: ">=5 && <9" }', '{ at-least: 5, below: 9 }'],
    ['{ Price: 5..9 }', '{ at-least: 5, at-most: 9 }'],
    ['{ Price: "*foo*" }', '{ matches: foo }'],
    ['{ Price: "foo*" }', '{ matches: "^foo" }'],
    ['{ Price: "*a/b" }', '{ matches: "a/b$" }'],
    ['{ Price: not empty }', '{ empty: false }'],
    ['{ Price: [x, "> 5"] }', '{ above: 5 }'],
    ['{ Price: { ">": 5 } }', '{ above: 5 }'],
    ['Price > 5', '{ Price: { above: 5 } }'],
    ['"List price >= 19,90"', '{ List price: { at-least: 19.90 } }'],
    [`"State = 'live'"`, "{ State: { is: 'live' } }"],
  ])('%s', (when, meant) => {
    const mistake = mistakeIn(when);
    expect(mistake).toMatch(/^line 3, column \d+: /);
    expect(mistake).toContain(`Write ${meant}${when.includes('{') ? '' : ' instead'}.`);
  });

  test('the place inside the condition is named', () => {
    expect(mistakeIn('{ Price: "> 5" }')).toBe(
      'line 3, column 28: "> 5" is a comparison, and a word here is compared letter by letter. Write { above: 5 }. If the cell holds this very text, write { is: "> 5" }.',
    );
  });

  test.each([
    ['a word in angle brackets', { A: '<none>' }, '<none>'],
    ['a range of ages', { A: '5-9' }, '5-9'],
    ['an asterisk', { A: '*' }, '*'],
    ['a path', { A: 'Home > Tea' }, 'Home > Tea'],
    ['a comparison declared as a word', { A: { is: '> 5' } }, '> 5'],
    ['a number below 0', { A: '-5' }, '-5'],
  ])('%s is an ordinary word', (_what, when, cell) => {
    expect(payloadOf({ name: { const: 'yes', when } }, ['A'], [cell])).toEqual({ name: 'yes' });
  });

  test('a column with an arrow in its name, or with an explicit test, is a column', () => {
    for (const [when, name] of [
      ['Home > Tea', 'Home > Tea'],
      ['Stock (> 5)', 'Stock (> 5)'],
      [{ 'Stock > 5': { empty: false } }, 'Stock > 5'],
    ] as const)
      expect(payloadOf({ name: { const: 'yes', when } }, [name], ['x'])).toEqual({ name: 'yes' });
  });
});

describe('a limit', () => {
  test.each([
    [{ 'at-least': 10 }, { '9.99': false, '10': true, '10,5': true, x: true, '': true }],
    [{ 'at-most': 10 }, { '9.99': true, '10': true, '10,5': false }],
    [
      { 'at-least': 10, 'at-most': 20 },
      { '9': false, '10': true, '20': true, '21': false },
    ],
    [{ above: '10' }, { '9': false, '11': true }],
    [{ below: '9,50' }, { '9.4': true, '9.6': false }],
  ])('%j', (tests, cells) => {
    for (const [cell, holds] of Object.entries(cells))
      expect([cell, payloadOf({ name: { const: 'y', when: { A: tests } } }, ['A'], [cell])]).toEqual([
        cell,
        holds ? { name: 'y' } : {},
      ]);
  });

  test('may be another column, in the same row', () => {
    const fields = { name: { const: 'y', when: { Sale: { 'at-most': 'Price' } } } };
    expect(payloadOf(fields, ['Sale', 'Price'], ['5', '5'])).toEqual({ name: 'y' });
    expect(payloadOf(fields, ['Sale', 'Price'], ['6', '5'])).toEqual({});
  });
});
