import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentDigest, defuse, defuseLive, restore } from '../../../src/model/index.ts';
import { anyText } from '../../support/any-text.ts';
import { scaledRuns } from '../../support/property-tests.ts';

test.each([
  '=1+1',
  '=HYPERLINK("http://evil.example","click")',
  '+SUM(A1:A9)',
  '-2+3+cmd|calc',
  '@SUM(1)',
  '\tx',
  '\u0000=1',
  ' =1',
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
  '"-5" is below zero',
  "it's",
  "'quoted'",
  'Straße',
  '日本',
])('%j is unchanged', (text) => {
  expect(defuse(text)).toBe(text);
});

test.each([
  ['hi;=1;x', "'hi;'=1;x"],
  ['a|-b', "'a|'-b"],
  ['a;\u0000@x', "'a;'\u0000@x"],
  ['a; "+x"', '\'a;\' "+x"'],
  ['\t=1', "'\t'=1"],
  ['- one\r\n- two', "'- one\r\n'- two"],
  ["it's;'=1;=2", "'it's;''=1;'=2"],
  ['-5;=x', "'-5;'=x"],
])('each part of %j that a spreadsheet may run is guarded', (text, cell) => {
  expect(defuse(text)).toBe(cell);
  expect(restore(cell)).toBe(text);
});

test('parts behind the delimiter of the file are left, since readers of that delimiter know the quotes', () => {
  expect(defuse('so, - well')).toBe('so, - well');
  expect(defuse('[1,-5]', ',')).toBe('[1,-5]');
  expect(defuse('so, - well', ';')).toBe("'so,' - well");
  expect(defuse('so; - well', ';')).toBe('so; - well');
});

test('parts of a cell that another program guarded at its beginning alone stay as they are', () => {
  expect(restore("'- one\n- two")).toBe('- one\n- two');
  expect(restore("'-x;'-y;-z")).toBe("-x;'-y;-z");
  expect(restore("a,'-b")).toBe("a,'-b");
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

test.each(["'tis the season", "'n Abend", "'s-Hertogenbosch", "'90s Tee", "'68", "'68-72", "'", "''"])(
  'the apostrophe of %j is part of the text',
  (text) => {
    expect(restore(text)).toBe(text);
    expect(restore(defuse(text))).toBe(text);
  },
);

const DELIMITERS = fc.constantFrom(',', ';', '\t', '|');

test('restore returns exactly the input of defuse, for every text and delimiter', () => {
  fc.assert(
    fc.property(hostileText(), DELIMITERS, (text, delimiter) => restore(defuse(text, delimiter)) === text),
    { numRuns: scaledRuns(20_000) },
  );
});

test('a copied cell is read as the cell is, and is harmless', () => {
  fc.assert(
    fc.property(hostileText(), DELIMITERS, (cell, delimiter) => {
      const copy = defuseLive(cell, delimiter);
      expect(restore(copy)).toBe(restore(cell));
      expect(defuseLive(copy, delimiter)).toBe(copy);
      expect(contentDigest(['name'], [copy])).toBe(contentDigest(['name'], [cell]));
    }),
    { numRuns: scaledRuns(20_000) },
  );
});

function hostileText() {
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
    ...[',', ';', '|', '"', '\u0000', '\u00A0', 'x', 'e'],
  );
  const parts = fc.array(start, { maxLength: 8 });
  return fc.tuple(parts, anyText()).map(([some, rest]) => some.join('') + rest);
}

test('a defused cell does not begin with a sign that starts a formula, unless it is exempt', () => {
  fc.assert(
    fc.property(anyText(), fc.constantFrom('=', '@', '＝', '\t'), (rest, sign) =>
      defuse(sign + rest).startsWith("'"),
    ),
  );
});

test('a long run of blanks is passed once: by its square it would take minutes', () => {
  const text = `+5${' '.repeat(1_000_000)}~`;
  expect(defuse(text)).toBe(`'${text}`);
});
