import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createKeyIndex } from '../../src/plan/index.ts';

describe('the index of keys', () => {
  test('answers like a map would', () => {
    // Few letters, so that keys come back; and any text.
    const key = fc.oneof(fc.stringMatching(/^[ab]{0,4}$/), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(key, fc.integer({ min: 1, max: 0xffff_ffff })), { maxLength: 300 }),
        (claims) => {
          const index = createKeyIndex();
          const model = new Map<string, number>();
          for (const [text, row] of claims) {
            expect(index.claim(text, row)).toBe(model.get(text));
            if (!model.has(text)) model.set(text, row);
          }
        },
      ),
    );
  });

  test.each([
    ['numbered', (n: number) => `SKU-${n}`],
    ['with leading zeros', (n: number) => String(n).padStart(12, '0')],
    ['with the difference in front', (n: number) => `${n}-a-long-and-otherwise-equal-end-of-a-key`],
    ['of two characters', (n: number) => String.fromCharCode(n % 500, Math.floor(n / 500))],
    [
      'of one letter, more and more often',
      (n: number) => 'a'.repeat(n % 1000) + String.fromCharCode(1000 + Math.floor(n / 1000)),
    ],
  ])('grows to 200,000 keys, %s, without a false duplicate, and knows all of them', (_what, keyOf) => {
    const index = createKeyIndex();
    const claimAll = (expected: (row: number) => number | undefined) => {
      let wrong = 0;
      for (let n = 0; n < 200_000; n++) if (index.claim(keyOf(n), n + 2) !== expected(n + 2)) wrong++;
      return wrong;
    };
    expect(claimAll(() => undefined)).toBe(0);
    expect(claimAll((row) => row)).toBe(0);
  });

  test('keeps the first row of a key', () => {
    const index = createKeyIndex();
    expect([index.claim('a', 2), index.claim('a', 3), index.claim('a', 4)]).toEqual([undefined, 2, 2]);
  });

  test('tells apart what looks alike', () => {
    const index = createKeyIndex();
    for (const key of ['', 'a', 'A', 'a ', 'aa', '\0', '\0\0', 'é', 'e\u0301', '__proto__'])
      expect(index.claim(key, 2)).toBeUndefined();
  });
});
