import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import type { Page } from '../../../src/store/pagination/page.ts';
import { createRepeats } from '../../../src/store/pagination/repeated-pages.ts';

const PATH = '/api/reviews/search';
const pageOf = (page: number, words: string, key: string): Page => ({
  page,
  items: [...words].map((word): JsonObject => ({ [key]: word })),
  paginate: {},
});

describe.each([
  ['with identifiers', { path: PATH, pageSize: 4, id: '_id' }, '_id'],
  ['without identifiers', { path: PATH, pageSize: 4 }, 'word'],
] as const)('a page of items %s', (_, options, key) => {
  /** True if the third page counts as a repeated one after these two. */
  function isRepeated(first: string, second: string, third: string): boolean {
    const repeats = createRepeats(options);
    repeats.show(pageOf(1, first, key));
    repeats.show(pageOf(2, second, key));
    return repeats.has(pageOf(3, third, key), true);
  }

  test('is a repeated one if it equals the first page or the one before', () => {
    expect(isRepeated('abcd', 'efgh', 'abcd')).toBe(true);
    expect(isRepeated('abcd', 'efgh', 'efgh')).toBe(true);
  });

  test('is not a repeated one if its first item is new, or only its first item is repeated', () => {
    expect(isRepeated('abcd', 'efgh', 'ijkl')).toBe(false);
    expect(isRepeated('abcd', 'efgh', 'xbcd')).toBe(false);
    expect(isRepeated('abcd', 'efgh', 'ajkl')).toBe(false);
  });

  test('is a repeated one if it has a single item, only if that has an identifier', () => {
    expect(isRepeated('a', 'b', 'b')).toBe(key === '_id');
    expect(isRepeated('a', 'b', 'c')).toBe(false);
  });

  test('is a repeated one in another order only if identifiers tell the items apart', () => {
    expect(isRepeated('abcd', 'efgh', 'hgfe')).toBe(key === '_id');
  });
});

test('a page that differs in its first item costs no comparison of the others', () => {
  let compared = 0;
  const itemOf = (word: string) =>
    Object.defineProperty({} as JsonObject, 'word', {
      enumerable: true,
      get: () => {
        compared++;
        return word;
      },
    });
  const repeats = createRepeats({ path: PATH, pageSize: 4 });
  repeats.show({ page: 1, items: [...'abcd'].map(itemOf), paginate: {} });
  expect(repeats.has({ page: 2, items: [...'efgh'].map(itemOf), paginate: {} }, true)).toBe(false);
  // The first item of each page; the page is the first one and the one before.
  expect(compared).toBe(4);
});
