import { describe, expect, test } from 'vitest';
import { type OpenSandbox, sandboxOfFile } from '../../support/sandbox/open-sandbox.ts';
import { LISTED } from './read-only.ts';

const sandbox = sandboxOfFile({ seed: { reviews: 21, images: 21, checkouts: 60 }, journal: false });

/** A page, and the number of items of the list. */
async function page(opened: OpenSandbox, path: string, query: string) {
  const { status, json } = await opened.get(`${path}${query}`);
  expect(status).toBe(200);
  expect(Object.keys(json)).toEqual(['results', 'paginate']);
  return json;
}

describe('Pagination block', () => {
  test.each([
    { limit: 1, number: 1, items: 1, lastPage: 21 },
    { limit: 1, number: 21, items: 1, lastPage: 21 },
    { limit: 7, number: 3, items: 7, lastPage: 3 },
    { limit: 7, number: 4, items: 0, lastPage: 3 },
    { limit: 10, number: 3, items: 1, lastPage: 3 },
    { limit: 20, number: 1, items: 20, lastPage: 2 },
    { limit: 20, number: 2, items: 1, lastPage: 2 },
    { limit: 21, number: 1, items: 21, lastPage: 1 },
    { limit: 21, number: 2, items: 0, lastPage: 1 },
    { limit: 22, number: 1, items: 21, lastPage: 1 },
  ])('21 items: page $number of $limit has $items, of $lastPage pages', async (given) => {
    const { limit, number, items, lastPage } = given;
    for (const path of ['/api/reviews/search', '/api/images', '/api/images/search']) {
      const { results, paginate } = await page(sandbox(), path, `?page=${number}&limit=${limit}`);
      expect(paginate).toEqual({ total: 21, per_page: limit, current_page: number, last_page: lastPage });
      expect(results.length).toBe(items);
    }
  });

  test.each(LISTED.flatMap(({ endpoints }) => endpoints.map(({ path }) => path)))(
    '%s: all pages together have every item once',
    async (path) => {
      const whole = await page(sandbox(), path, '?limit=1000');
      const items = [];
      for (let number = 1; number <= Math.ceil(whole.paginate.total / 4); number += 1)
        items.push(...(await page(sandbox(), path, `?limit=4&page=${number}`)).results);
      expect(items).toEqual(whole.results);
    },
  );
});

describe('GET /api/datasets/unfulfillment', () => {
  test.each([
    ['page 1', '', '?page=1'],
    ['limit 20', '', '?limit=20'],
    ['field3 pending', '?limit=9', '?limit=9&field3=pending'],
  ])('its default is %s', async (_what, without, written) => {
    const path = '/api/datasets/unfulfillment';
    const found = await page(sandbox(), path, without);
    expect(found).toEqual(await page(sandbox(), path, written));
    expect(found.results.length).toBe(found.paginate.per_page);
  });
});
