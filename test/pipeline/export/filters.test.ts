import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import { readFilters } from '../../../src/pipeline/export/filters.ts';
import { type ListEndpoint, overridden, resourceNamed } from '../../../src/resources/index.ts';
import { refusal } from '../../support/map-rows.ts';

const reviews = resourceNamed('reviews');
const images = resourceNamed('images');
const checkouts = resourceNamed('checkouts');

const reviewFilters = (...given: string[]) => readFilters(reviews, reviews.list as ListEndpoint, given);

describe('filters', () => {
  test('are sent under the names that the list gives them', () => {
    const { list } = overridden(reviews, { list: { filters: { product: 'product._id' } } });
    expect(readFilters(reviews, list as ListEndpoint, ['product=p=1', 'rating=5']).query).toEqual({
      'product._id': 'p=1',
      rating: '5',
    });
  });

  test.each(['stars=5', 'product', '=5', 'constructor=5', '__proto__=5'])('do not include %s', (filter) => {
    expect(refusal(() => reviewFilters(filter))).toEqual({
      message: `--filter ${filter}: reviews can be filtered by product, rating, published.`,
      hints: ['For example --filter product=…'],
    });
  });

  test('include those that overrides add', () => {
    const { list } = overridden(images, { list: { filters: { owner: 'user._id' } } });
    const { query, matchOf } = readFilters(images, list as ListEndpoint, ['owner=u1']);
    expect(query).toEqual({ 'user._id': 'u1' });
    expect(matchOf({ owner: 'u2' })).toBe('unchecked');
    expect(refusal(() => readFilters(images, images.list as ListEndpoint, ['owner=u1'])).message).toBe(
      '--filter owner=u1: the API cannot filter images.',
    );
  });

  test('take values of their type only', () => {
    const wrong: readonly (readonly [string, string])[] = [
      ['rating=abc', 'a whole number'],
      ['rating=', 'a whole number'],
      ['rating=4.5', 'a whole number'],
      ['rating=99999999999999999999', 'a whole number'],
      ['published=maybe', 'true or false'],
      ['published=constructor', 'true or false'],
      ['product= ', 'a text'],
    ];
    for (const [filter, takes] of wrong)
      expect(refusal(() => reviewFilters(filter)).message).toBe(
        `--filter ${filter}: ${filter.split('=')[0]} takes ${takes}.`,
      );
  });

  test('are sent with values as in the API document', () => {
    expect(reviewFilters('rating=05', 'published=Yes').query).toEqual({ rating: '5', published: 'true' });
  });

  test('are refused if given twice, since the store would use one of them', () => {
    expect(refusal(() => reviewFilters('rating=5', 'rating=4')).message).toBe(
      '--filter rating=4: rating is given twice.',
    );
  });
});

describe('comparing an item with filters', () => {
  const cases: readonly (readonly [string, JsonObject, string])[] = [
    ['rating=5', { rating: 5 }, 'match'],
    ['rating=5', { rating: '5' }, 'match'],
    ['rating=5', { rating: 4 }, 'mismatch'],
    ['rating=5', { rating: 4.5 }, 'mismatch'],
    ['rating=5', {}, 'unchecked'],
    ['rating=5', { rating: null }, 'unchecked'],
    ['rating=5', { rating: 'good' }, 'unchecked'],
    ['published=true', { published: true }, 'match'],
    ['published=true', { published: 1 }, 'match'],
    ['published=true', { published: false }, 'mismatch'],
    ['published=true', { published: {} }, 'unchecked'],
    ['product=66C0FFEE', { product: { _id: '66c0ffee', name: 'Lamp' } }, 'match'],
    ['product=66c0ffee', { product: { _id: '66c0ffef' } }, 'mismatch'],
    ['product=66c0ffee', { product: '66c0ffef' }, 'unchecked'],
    ['product=7', { product: { _id: 7 } }, 'match'],
  ];
  test.each(cases)('%s: %j is a %s', (filter, item, match) => {
    expect(reviewFilters(filter).matchOf(item)).toBe(match);
  });

  test('gives a match only if all filters match', () => {
    const { matchOf } = reviewFilters('rating=5', 'published=true');
    expect(matchOf({ rating: 5, published: true })).toBe('match');
    expect(matchOf({ rating: 5 })).toBe('unchecked');
    expect(matchOf({ published: false })).toBe('mismatch');
  });

  test('gives a match without filters, and unchecked for the status of a checkout, which shows none', () => {
    expect(reviewFilters().matchOf({ rating: 1 })).toBe('match');
    const { query, matchOf } = readFilters(checkouts, checkouts.list as ListEndpoint, ['status=abandoned']);
    expect(query).toEqual({ field3: 'abandoned' });
    expect(matchOf({ customerNote: 'x' })).toBe('unchecked');
  });
});

test('each filter that can be checked is one of the list', () => {
  for (const { list } of [reviews, images, checkouts])
    expect(Object.keys(list?.filters ?? {})).toEqual(
      expect.arrayContaining(Object.keys(list?.filterFields ?? {})),
    );
});
