import { describe, expect, test } from 'vitest';
import { filterQuery } from '../../src/export/index.ts';
import { type ListEndpoint, overridden, resourceNamed } from '../../src/resources/index.ts';
import { refusal } from '../map/rows.ts';

const reviews = resourceNamed('reviews');
const images = resourceNamed('images');

describe('filters', () => {
  test('are sent under the names that the list gives them', () => {
    const list = { ...(reviews.list as ListEndpoint), filters: { product: 'product._id', rating: 'rating' } };
    expect(filterQuery(reviews, list, ['product=p=1', 'rating='])).toEqual({
      'product._id': 'p=1',
      rating: '',
    });
  });

  test.each(['stars=5', 'product', '=5', 'constructor=5', '__proto__=5'])('%s is none', (filter) => {
    expect(refusal(() => filterQuery(reviews, reviews.list as ListEndpoint, [filter]))).toEqual({
      message: `--filter ${filter}: reviews can be filtered by product, rating, published.`,
      hints: ['For example --filter product=…'],
    });
  });

  test('that overrides add are known', () => {
    const { list } = overridden(images, { list: { filters: { owner: 'user._id' } } });
    expect(filterQuery(images, list as ListEndpoint, ['owner=u1'])).toEqual({ 'user._id': 'u1' });
    expect(refusal(() => filterQuery(images, images.list as ListEndpoint, ['owner=u1'])).message).toBe(
      '--filter owner=u1: the API cannot filter images.',
    );
  });
});
