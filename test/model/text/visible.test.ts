import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutLongWords, listedNames } from '../../../src/model/index.ts';

test('a message lists the first twelve names of a header, each cut to 80 characters', () => {
  const names = ['code', 'x'.repeat(1_000_000), ...Array.from({ length: 11 }, (_, n) => `c${n}`)];
  expect(listedNames(names)).toBe(`code, ${'x'.repeat(79)}…, c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, …`);
  expect(listedNames(['code', 'type'])).toBe('code, type');
});

test.each([
  ['a word', '['.repeat(1_000_000), `${'['.repeat(199)}…`],
  ['a quote with blanks', `"${'a '.repeat(500_000)}"`, `"${'a '.repeat(99)}…"`],
])('%s of a million characters is cut to 200 in a text for people', (_what, long, cut) => {
  expect(cutLongWords(`Not used: ${long} and "Price".\nTo do: no more.`)).toBe(
    `Not used: ${cut} and "Price".\nTo do: no more.`,
  );
});

test('texts without a word or quote of more than 5,000 characters stay as they are', () => {
  const word = fc.string({ maxLength: 4_900, unit: fc.constantFrom('a', '"', ' ', '\n', "'", '/') });
  fc.assert(
    fc.property(word, (text) => {
      expect(cutLongWords(text)).toBe(text);
    }),
  );
});
