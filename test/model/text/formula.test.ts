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

test('text that looks defused already gets one more apostrophe, so that restoring it is exact', () => {
  expect(defuse("'=1")).toBe("''=1");
  expect(restore("''=1")).toBe("'=1");
});

test('restore keeps an apostrophe that defuse did not write', () => {
  expect(restore("'tis the season")).toBe("'tis the season");
  expect(restore("'-5")).toBe("'-5");
  expect(restore("'+44 20 7946 0958")).toBe("'+44 20 7946 0958");
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
