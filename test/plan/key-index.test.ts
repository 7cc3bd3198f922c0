import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createKeyIndex } from '../../src/plan/index.ts';
import { anyText } from '../support/any-text.ts';

const hex = (number: number) => number.toString(16).padStart(8, '0');

describe('the index of keys', () => {
  test('gives the same results as a map', () => {
    // Few letters, so that keys repeat; any text; and some that are too long for the buffer.
    const short = fc.stringMatching(/^[ab]{0,4}$/);
    const long = fc
      .tuple(short, fc.constantFrom(3000, 40_000), short)
      .map(([a, n, b]) => a + '-'.repeat(n) + b);
    // Identifiers of 24 hexadecimal digits, and others that are nearly ones.
    const word = fc.constantFrom(
      '00000000',
      '00000001',
      '80000000',
      'ffffffff',
      '5a9d0b06',
      '5A9D0B06',
      '5a9d0b0g',
    );
    const identifier = fc.tuple(word, word, word).map((words) => words.join(''));
    const key = fc.oneof(
      { arbitrary: short, weight: 8 },
      { arbitrary: anyText(), weight: 8 },
      { arbitrary: fc.constantFrom('\ud800', '\ud801', '\udc00', '\ufffd'), weight: 2 },
      { arbitrary: long, weight: 1 },
      { arbitrary: identifier, weight: 4 },
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(key, fc.integer({ min: 1, max: 0xffff_ffff })), { maxLength: 300 }),
        (claims) => {
          const index = createKeyIndex();
          const model = new Map<string, number>();
          const expected = claims.map(([text, row]) => {
            const first = model.get(text);
            if (first === undefined) model.set(text, row);
            return first;
          });
          expect(claims.map(([text, row]) => index.claim(text, row))).toEqual(expected);
        },
      ),
    );
  });

  // The places of these do not depend on how they look: they are hashed. One of them is enough to show growth.
  const hashed: readonly (readonly [number, string, (n: number) => string])[] = [
    [200_000, 'numbered', (n) => `SKU-${n}`],
    [20_000, 'with leading zeros', (n) => String(n).padStart(12, '0')],
    [20_000, 'with the difference in front', (n) => `${n}-a-long-and-otherwise-equal-end-of-a-key`],
    [20_000, 'of two characters', (n) => String.fromCharCode(n % 500, Math.floor(n / 500))],
    [
      20_000,
      'of one letter, more and more often',
      (n) => 'a'.repeat(n % 100) + String.fromCharCode(1000 + Math.floor(n / 100)),
    ],
  ];
  const unhashed: readonly (readonly [number, string, (n: number) => string])[] = [
    [200_000, 'with hexadecimal digits, numbered at the end', (n) => `5a9d0b065a9d0b06${hex(n)}`],
    [200_000, 'with hexadecimal digits, numbered in the middle', (n) => `5a9d0b06${hex(n)}5a9d0b06`],
    [200_000, 'with hexadecimal digits, numbered in front', (n) => `${hex(n)}5a9d0b065a9d0b06`],
    [200_000, 'with hexadecimal digits, in steps', (n) => `${hex(n * 1024)}${hex(n)}${hex(n * 4096)}`],
  ];
  test.each([...hashed, ...unhashed])(
    'grows to %d keys, %s, without a false duplicate, and knows all of them',
    (count, _what, keyOf) => {
      const index = createKeyIndex();
      const claimAll = (expected: (row: number) => number | undefined) => {
        let wrong = 0;
        for (let n = 0; n < count; n++) if (index.claim(keyOf(n), n + 2) !== expected(n + 2)) wrong++;
        return wrong;
      };
      expect(claimAll(() => undefined)).toBe(0);
      expect(claimAll((row) => row)).toBe(0);
    },
  );

  test('keeps the first row of a key', () => {
    const index = createKeyIndex();
    expect([index.claim('a', 2), index.claim('a', 3), index.claim('a', 4)]).toEqual([undefined, 2, 2]);
  });

  test('distinguishes keys that look alike', () => {
    const index = createKeyIndex();
    for (const key of ['', 'a', 'A', 'a ', 'aa', '\0', '\0\0', 'é', 'e\u0301', '__proto__'])
      expect(index.claim(key, 2)).toBeUndefined();
  });

  test.each([0, 1, 7, 2048, 32_764, 40_000, 100_000])(
    'compares keys of %i characters to the last one',
    (length) => {
      const index = createKeyIndex();
      const keys = Array.from({ length: 7 }, (_, n) => '-'.repeat(length) + n);
      for (const [n, key] of keys.entries()) expect(index.claim(key, n + 2)).toBeUndefined();
      for (const [n, key] of keys.entries()) {
        const others = [`${key.slice(0, -1)}x`, `x${key.slice(1)}`, key.slice(1)];
        expect([key, ...others].map(index.find)).toEqual([n + 2, undefined, undefined, undefined]);
      }
    },
  );

  test('distinguishes identifiers with a last word of zeros, and by the case of their digits', () => {
    const index = createKeyIndex();
    const words = ['00000000', '00000001', 'ffffffff', '5a9d0b06', '5A9D0B06'];
    const keys = words.flatMap((first) => words.map((last) => `${first}00000000${last}`));
    for (const [n, key] of keys.entries()) expect(index.claim(key, n + 2)).toBeUndefined();
    expect(keys.map(index.find)).toEqual(keys.map((_, n) => n + 2));
  });

  test('keeps halves of surrogate pairs apart', () => {
    const index = createKeyIndex();
    index.claim('a\ud800', 2);
    const rows = ['a\ud800', 'a\ud801', 'a\ufffd', 'a?', 'a'].map(index.find);
    expect(rows).toEqual([2, undefined, undefined, undefined, undefined]);
  });

  test('keeps any row that fits into 32 bits', () => {
    const index = createKeyIndex();
    for (const row of [0, 1, 0xffff_ffff]) index.claim(`key ${row}`, row);
    expect([0, 1, 0xffff_ffff].map((row) => index.find(`key ${row}`))).toEqual([0, 1, 0xffff_ffff]);
  });

  test('finds a key without claiming it', () => {
    const index = createKeyIndex();
    expect([index.find('a'), index.find('a'), index.claim('a', 2), index.find('a')]).toEqual([
      ...[undefined, undefined, undefined, 2],
    ]);
  });

  test('takes at most 24 bytes a key', () => {
    const before = process.memoryUsage().arrayBuffers;
    const index = createKeyIndex();
    // Each of its tables has just grown.
    const count = 300_000;
    for (let n = 0; n < count; n++) index.claim(`SKU-${n}`, n + 2);
    expect((process.memoryUsage().arrayBuffers - before) / count).toBeLessThan(24);
    expect(index.find('SKU-7')).toBe(9);
  });
});
