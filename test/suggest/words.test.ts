import { describe, expect, test } from 'vitest';
import { CONCEPTS } from '../../src/suggest/words/concepts.ts';
import { LANGUAGES } from '../../src/suggest/words/index.ts';

/** Concepts that headers of every language name. */
const COMMON = new Set(
  (
    'product variant option value customer supplier order discount company name title description short text note ' +
    'category type brand color code number sku barcode image file price sale tax currency total stock quantity ' +
    'available weight length width height size status active date created start end language first last email ' +
    'phone password group address street city zip state country billing shipping default payment'
  ).split(' '),
);

/** Concepts that keep a column from being read as another one: a cost is no price, and a minimum is no stock. */
const GUARDS = new Set(
  'cost net gross old regular minimum maximum low parent related seo thumbnail alt unit position tracked backorder'.split(
    ' ',
  ),
);

const lists = Object.entries(LANGUAGES).flatMap(([language, words]) =>
  Object.entries(words).map(([concept, list]) => ({ language, concept, words: list.split(', ') })),
);

describe.each(Object.entries(LANGUAGES))('%s', (_, words) => {
  const missing = CONCEPTS.filter((concept) => words[concept] === undefined);

  test('has words for the concepts of every shop', () =>
    expect(missing.filter((concept) => COMMON.has(concept))).toEqual([]));

  test('has words for what only looks like a price, a stock or an image', () =>
    expect(missing.filter((concept) => GUARDS.has(concept))).toEqual([]));

  test('lists concepts in the order of CONCEPTS', () =>
    expect(Object.keys(words)).toEqual(CONCEPTS.filter((concept) => words[concept] !== undefined)));
});

test('words are separated by a comma and one blank, in lower case, and not empty', () => {
  const isClean = (word: string) => word === word.trim().toLowerCase() && /^[^,\s]+(?: [^,\s]+)*$/.test(word);
  expect(lists.filter(({ words }) => !words.every(isClean))).toEqual([]);
});

test('a word is listed once in its concept', () => {
  const isRepeated = (word: string, at: number, words: readonly string[]) => words.indexOf(word) !== at;
  expect(lists.filter(({ words }) => words.some(isRepeated))).toEqual([]);
});

test('the checks know the names of all their concepts', () => {
  const names: readonly string[] = CONCEPTS;
  expect([...COMMON, ...GUARDS].filter((concept) => !names.includes(concept))).toEqual([]);
});
