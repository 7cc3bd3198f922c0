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

  test.each([1, 64, 65, 66, 100_000])('is found in %d nested lists', (depth) => {
    expect(innermost(parseItem(nested('9007199254740993', depth)))).toBe('9007199254740993');
  });
});

test.each(['9007199254740991', '-9007199254740992', '9007199254740994', '1e300', '0.1234567890123456789'])(
  'a number that a double represents stays a number: %s',
  (number) => {
    expect(parseItem(`[${number}]`)).toEqual([Number(number)]);
  },
);

test('a value with very deep nesting is parsed', () => {
  expect(innermost(parseItem(nested('{"a": 1}', 100_000)))).toEqual({ a: 1 });
});
