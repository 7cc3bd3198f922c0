import { describe, expect, test } from 'vitest';
import { parseItem } from '../../../src/model/index.ts';

/** `inner` in `depth` nested lists, as text. */
const nested = (inner: string, depth: number) => '['.repeat(depth) + inner + ']'.repeat(depth);

function innermost(value: unknown): unknown {
  let inner = value;
  while (Array.isArray(inner)) [inner] = inner;
  return inner;
}

describe('a number that a double would change', () => {
  test.each(['9007199254740993', '-9007199254740993', '1e999'])('becomes text: %s', (number) => {
    expect(parseItem(number)).toBe(number);
    expect(parseItem(`{"a": {"b": [1, ${number}]}, "c": "${number}"}`)).toEqual({
      a: { b: [1, number] },
      c: number,
    });
  });

  test.each([1, 64, 100])('is found in %d nested lists', (depth) => {
    expect(innermost(parseItem(nested('9007199254740993', depth)))).toBe('9007199254740993');
  });
});

test.each(['9007199254740991', '-9007199254740992', '9007199254740994', '1e300', '0.1234567890123456789'])(
  'a number that a double represents stays a number: %s',
  (number) => {
    expect(parseItem(`[${number}]`)).toEqual([Number(number)]);
  },
);

test.each([
  ['text', (depth: number) => nested('{"a": 1}', depth)],
  ['text with a long number', (depth: number) => `[9007199254740993,${nested('1', depth)}]`],
])('JSON with 100 levels is parsed, and with more it is refused: %s', (_what, text) => {
  expect(parseItem(text(99))).toBeDefined();
  for (const depth of [101, 100_000, 2_000_000])
    expect(() => parseItem(text(depth))).toThrow('more than 100 deep');
});

test('a function for each value does not exceed the stack', () => {
  expect(() => parseItem(nested('1', 100_000), (_, value) => value)).toThrow('more than 100 deep');
});

test('JSON with more than 500,000 values is refused', () => {
  const list = (length: number) => `[${Array.from({ length }, () => '1').join(',')}]`;
  expect(parseItem(list(500_000))).toHaveLength(500_000);
  expect(() => parseItem(list(500_001))).toThrow('more than 500,000 values');
  const text = JSON.stringify(['a\\",[{'.repeat(600_000)]);
  expect(parseItem(text)).toEqual(JSON.parse(text));
});

test('an object with more than 5,000 fields is refused', () => {
  const object = (fields: number) =>
    JSON.stringify([
      [1, 2],
      Object.fromEntries(Array.from({ length: fields }, (_, at) => [`name of a field ${at}`, at])),
    ]);
  expect(parseItem(object(5000))).toHaveLength(2);
  expect(() => parseItem(object(5001))).toThrow('more than 5,000 fields');
});

test('a long number beside a text of megabytes becomes text', () => {
  const text = 'ä\\"'.repeat(1_000_000);
  expect(parseItem(`{"a":${JSON.stringify(text)},"b":9007199254740993}`)).toEqual({
    a: text,
    b: '9007199254740993',
  });
});
