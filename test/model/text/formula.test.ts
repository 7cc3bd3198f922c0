import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defuse, restore } from '../../../src/model/index.ts';
import { scaledRuns } from '../../support/property-tests.ts';

test.each([
  '=1+1',
  '=HYPERLINK("http://evil.example","click")',
  '+SUM(A1:A9)',
  '-2+3+cmd|calc',
  '@SUM(1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '＝1',
  '＋1',
  '－1',
  '＠x',
  '-',
  '+',
  '-1-1',
  '+44 20 ext=1',
])('an apostrophe goes before %j', (text) => {
  expect(defuse(text)).toBe(`'${text}`);
});

test.each([
  '',
  '5',
  '-5',
  '+3.2',
  '-1.5e3',
  '-.5',
  '-5.',
  '-1.234,50',
  '+44 20 7946 0958',
  '+1 (555) 010-9999',
  '+33.1.23.45',
  'a=b',
  ' =1',
  "it's",
  "'quoted'",
  'Straße',
  '日本',
])('%j is unchanged', (text) => {
  expect(defuse(text)).toBe(text);
});

test.each(["'=1", "'-5", "'+44 20 7946 0958", "'0017"])(
  '%j looks guarded, so it gets one more apostrophe and is restored exactly',
  (text) => {
    expect(defuse(text)).toBe(`'${text}`);
    expect(restore(`'${text}`)).toBe(text);
  },
);

test.each([
  ["'-5", '-5'],
  ["'-12.50", '-12.50'],
  ["'+44 20 7946 0958", '+44 20 7946 0958'],
  ["'@home", '@home'],
  ["'\tTea", '\tTea'],
  ["'0017", '0017'],
  ["'7", '7'],
  ["'621 00", '621 00'],
  ["'12.50", '12.50'],
  ["'94103-1234", '94103-1234'],
])('an apostrophe that other programs write before %j is removed', (cell, text) => {
  expect(restore(cell)).toBe(text);
});

test.each([
  "'tis the season",
  "'n Abend",
  "'s-Hertogenbosch",
  "'90s Tee",
  "'68",
  "'68-72",
  "'",
  "''",
  "' -5'",
])('the apostrophe of %j is part of the text', (text) => {
  expect(restore(text)).toBe(text);
  expect(restore(defuse(text))).toBe(text);
});

test('restore returns exactly the input of defuse, for every text', () => {
  const start = fc.constantFrom(
    '',
    "'",
    "''",
    '=',
    '+',
    '-',
    '@',
    '\t',
    '\r',
    '\n',
    '＝',
    '＋',
    '－',
    '＠',
    '5',
    '68',
    '017',
    '.',
    '(',
    ' ',
  );
  const text = fc.tuple(start, start, start, fc.string({ unit: 'binary' })).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (x) => restore(defuse(x)) === x),
    { numRuns: scaledRuns(5000) },
  );
});

test('a defused cell does not begin with a sign that starts a formula, unless it is exempt', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('=', '@', '＝', '\t'), (rest, sign) =>
      defuse(sign + rest).startsWith("'"),
    ),
  );
});
