import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fingerprint } from '../../src/model/index.ts';
import { createKeyIndex } from '../../src/plan/index.ts';
import { temporaryFolder } from '../support/run.ts';

/** Has only eight different fingerprints, in two parts of the index. */
function crude(text: string): [number, number] {
  const [a, b] = fingerprint(text);
  return [(a & 0x8000_0001) >>> 0, b & 0x8000_0000 ? 0xffff_ffff : 0];
}

describe('the index of keys', () => {
  test.each([
    ['', fingerprint],
    [', also where fingerprints hardly tell keys apart', crude],
  ])('gives the same results as a map%s', (_what, fingerprintOf) => {
    const folder = temporaryFolder();
    // Few letters, so that keys repeat; any text; and some that are too long for the buffer.
    const short = fc.stringMatching(/^[ab]{0,4}$/);
    const long = fc
      .tuple(short, fc.constantFrom(3000, 40_000), short)
      .map(([a, n, b]) => a + '-'.repeat(n) + b);
    const key = fc.oneof(
      { arbitrary: short, weight: 8 },
      { arbitrary: fc.string({ unit: 'binary' }), weight: 8 },
      { arbitrary: fc.constantFrom('\ud800', '\ud801', '\udc00', '\ufffd'), weight: 2 },
      { arbitrary: long, weight: 1 },
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(key, fc.integer({ min: 1, max: 0xffff_ffff })), { maxLength: 300 }),
        (claims) => {
          const index = createKeyIndex(folder, fingerprintOf);
          try {
            const model = new Map<string, number>();
            for (const [text, row] of claims) {
              expect(index.claim(text, row)).toBe(model.get(text));
              if (!model.has(text)) model.set(text, row);
            }
          } finally {
            index.close();
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
      (n: number) => 'a'.repeat(n % 100) + String.fromCharCode(1000 + Math.floor(n / 100)),
    ],
  ])('grows to 200,000 keys, %s, without a false duplicate, and knows all of them', (_what, keyOf) => {
    const index = openIndex();
    const claimAll = (expected: (row: number) => number | undefined) => {
      let wrong = 0;
      for (let n = 0; n < 200_000; n++) if (index.claim(keyOf(n), n + 2) !== expected(n + 2)) wrong++;
      return wrong;
    };
    expect(claimAll(() => undefined)).toBe(0);
    expect(claimAll((row) => row)).toBe(0);
  });

  test('keeps the first row of a key', () => {
    const index = openIndex();
    expect([index.claim('a', 2), index.claim('a', 3), index.claim('a', 4)]).toEqual([undefined, 2, 2]);
  });

  test('distinguishes keys that look alike', () => {
    const index = openIndex();
    for (const key of ['', 'a', 'A', 'a ', 'aa', '\0', '\0\0', 'é', 'e\u0301', '__proto__'])
      expect(index.claim(key, 2)).toBeUndefined();
  });

  test('finds the first row of each of many keys with one fingerprint, while it grows', () => {
    const index = openIndex(() => [7, 7]);
    for (let n = 0; n < 500; n++) expect(index.claim(`SKU-${n}`, n + 2)).toBeUndefined();
    for (let n = 0; n < 500; n++) expect(index.claim(`SKU-${n}`, 1000)).toBe(n + 2);
  });
});

function openIndex(fingerprintOf?: (text: string) => [number, number]) {
  const index = createKeyIndex(temporaryFolder(), fingerprintOf);
  onTestFinished(index.close);
  return index;
}
