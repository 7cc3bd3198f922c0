import { beforeAll, describe, expect, test } from 'vitest';
import { createList, type Filter } from '../../../src/sandbox/lists/lists.ts';
import { pageHabits } from '../../../src/sandbox/misbehave/pages.ts';
import {
  type OpenSandbox,
  openSandbox,
  refusedFields,
  sandboxOfFile,
} from '../../support/sandbox/open-sandbox.ts';
import { LISTED } from '../api-document/read-only.ts';

interface Item {
  readonly [field: string]: unknown;
}

const empty = sandboxOfFile();
const filled = sandboxOfFile({ seed: 60 });
const large = sandboxOfFile({ seed: 2000 });
const withReviews = sandboxOfFile({ seed: { reviews: 1500 } });
const withCheckouts = sandboxOfFile({ seed: { checkouts: 300 } });

beforeAll(async () => {
  for (let n = 0; n < 60; n += 1)
    await filled().post('/api/products/create', { name: `P${n}`, reference: `${n}` });
});

/** All pages, by the numbers in `paginate`. */
async function walk(sandbox: OpenSandbox, path: string, limit: number): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const { json } = await sandbox.get(`${path}${path.includes('?') ? '&' : '?'}page=${page}&limit=${limit}`);
    items.push(...json.results);
    last = json.paginate.last_page;
  }
  return items;
}

/** Items on a page if the request has no `limit`: as the API document says, else ten. */
const LISTS = [
  ...LISTED.flatMap(({ schema, endpoints }) =>
    endpoints.map(({ path, section, parameters }) => ({
      path,
      section,
      schema: `${schema}Page`,
      defaultLimit: Number(parameters.find(({ name }) => name === 'limit')?.default ?? 10),
    })),
  ),
  { path: '/api/products', section: 'Endpoints', schema: 'ProductPage', defaultLimit: 10 },
];

describe.each(LISTS)('listing $path (API document: $section)', ({ path, schema, defaultLimit }) => {
  test('answers the first page of the default size, and the pagination block', async () => {
    const sandbox = filled();
    const { status, json } = await sandbox.get(path);
    expect(status).toBe(200);
    await sandbox.expectToBe(schema, json);
    expect(json.results.length).toBe(defaultLimit);
    expect(json.paginate).toMatchObject({ per_page: defaultLimit, current_page: 1 });
    expect(json.paginate.last_page).toBe(Math.ceil(json.paginate.total / defaultLimit));
  });

  test.each([1, 7, 1000])('pages of %i have every item once, in the same order', async (limit) => {
    const sandbox = filled();
    const whole = (await sandbox.get(`${path}?limit=1000`)).json;
    expect(await walk(sandbox, path, limit)).toEqual(whole.results);
    expect(whole.results.length).toBe(whole.paginate.total);
  });

  test('a page after the end has no results and gives the number of items', async () => {
    const sandbox = filled();
    const { status, json } = await sandbox.get(`${path}?page=999999999999`);
    expect([status, json.results]).toEqual([200, []]);
    expect(json.paginate.current_page).toBe(999_999_999_999);
    expect(json.paginate.total).toBeGreaterThan(0);
  });

  test('an empty list has one page', async () => {
    const { json } = await empty().get(path);
    expect(json).toEqual({
      results: [],
      paginate: { total: 0, per_page: defaultLimit, current_page: 1, last_page: 1 },
    });
  });

  test('grants at most 1000 items a page, and per_page is the granted number', async () => {
    const { paginate, results } = (await large().get(`${path}?limit=5000`)).json;
    expect(paginate.per_page).toBe(1000);
    expect(results.length).toBe(Math.min(1000, paginate.total));
  });

  test.each([
    ['page', '0'],
    ['page', '-1'],
    ['page', 'two'],
    ['page', '1.5'],
    ['page', ''],
    ['limit', '0'],
    ['limit', 'all'],
    ['limit', '1e2'],
  ])('%s=%s is 400 and named', async (name, value) => {
    const answer = await empty().get(`${path}?${name}=${value}`);
    expect([answer.status, answer.json.code]).toEqual([400, 'BAD_QUERY']);
    expect(refusedFields(answer)).toEqual({ [name]: 'must be a whole number of 1 or more' });
  });

  test('an unknown parameter is refused, so that a misspelt filter does not return everything', async () => {
    const answer = await empty().get(`${path}?status=pending`);
    expect(answer.status).toBe(400);
    expect(refusedFields(answer)).toEqual({ status: 'is not a parameter of this endpoint' });
  });

  test('a repeated parameter is refused', async () => {
    const answer = await empty().get(`${path}?page=1&page=2`);
    expect(refusedFields(answer)).toEqual({ page: 'is given twice' });
  });
});

describe('filtering reviews (API document: GET /api/reviews/search)', () => {
  // biome-ignore lint/suspicious/noExplicitAny: reviews as they come over the wire.
  type Review = any;
  const FILTERS: readonly [string, (review: Review, product: string) => boolean][] = [
    ['rating=5', (review) => review.rating === 5],
    ['rating=1', (review) => review.rating === 1],
    ['published=true', (review) => review.published],
    ['published=false', (review) => !review.published],
    ['product=PRODUCT', (review, product) => review.product._id === product],
    ['product._id=PRODUCT', (review, product) => review.product._id === product],
    [
      'product=PRODUCT&published=true&rating=4',
      (review, product) => review.product._id === product && review.published && review.rating === 4,
    ],
  ];

  test.each(FILTERS)('%s returns all matching reviews, and only these', async (filter, admits) => {
    const sandbox = withReviews();
    const all = sandbox.records('reviews') as Review[];
    const product: string = all[0].product._id;
    const expected = all.filter((review) => admits(review, product));
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(all.length);
    expect(await walk(sandbox, `/api/reviews/search?${filter.replace('PRODUCT', product)}`, 13)).toEqual(
      expected,
    );
  });

  test.each(['rating=9', 'product=nobody'])('%s returns nothing', async (filter) => {
    const { json } = await withReviews().get(`/api/reviews/search?${filter}`);
    expect(json).toEqual({
      results: [],
      paginate: { total: 0, per_page: 10, current_page: 1, last_page: 1 },
    });
  });

  test.each([
    ['rating', 'abc', 'must be a whole number'],
    ['rating', '4.5', 'must be a whole number'],
    ['published', '1', 'must be true or false'],
    ['product', '', 'must not be empty'],
  ])('%s=%s is 400 and named', async (name, value, reason) => {
    const answer = await empty().get(`/api/reviews/search?${name}=${value}`);
    expect(answer.status).toBe(400);
    expect(refusedFields(answer)).toEqual({ [name]: reason });
  });
});

describe('filtering checkouts (API document: GET /api/datasets/unfulfillment)', () => {
  test('without field3 only pending checkouts are returned', async () => {
    const sandbox = withCheckouts();
    const path = '/api/datasets/unfulfillment';
    const byDefault = await walk(sandbox, path, 50);
    expect(byDefault).toEqual(await walk(sandbox, `${path}?field3=pending`, 50));
    expect(byDefault.length).toBeGreaterThan(0);
    expect(byDefault.length).toBeLessThan(sandbox.count('checkouts'));
  });

  test('every checkout has one status', async () => {
    const sandbox = withCheckouts();
    const found: Item[] = [];
    for (const status of ['pending', 'abandoned', 'recovered']) {
      const items = await walk(sandbox, `/api/datasets/unfulfillment?field3=${status}`, 100);
      expect(items.length).toBeGreaterThan(0);
      found.push(...items);
    }
    const sorted = (items: unknown[]) => items.map((item) => JSON.stringify(item)).sort();
    expect(sorted(found)).toEqual(sorted(sandbox.records('checkouts')));
  });

  test('a status that no checkout has returns nothing', async () => {
    expect((await withCheckouts().get('/api/datasets/unfulfillment?field3=lost')).json.paginate.total).toBe(
      0,
    );
  });

  test('an item has only checkout data: no _id and no status (API document: Unfulfilled checkout)', async () => {
    const fields = ['customer', 'customerNote', 'details', 'discount', 'method', 'shipping'];
    for (const item of withCheckouts().records('checkouts'))
      expect(Object.keys(item as object).sort()).toEqual(fields);
  });
});

test('the product list has products in order of creation, in their current version', async () => {
  const sandbox = await openSandbox();
  for (const name of ['A', 'B', 'C']) await sandbox.post('/api/products/create', { name, reference: name });
  const before = (await sandbox.get('/api/products')).json.results;
  await sandbox.put(`/api/products/update?id=${before[1]._id}`, { name: 'Changed' });
  const { json } = await sandbox.get('/api/products');
  expect(json.results.map((product: Item) => product.name)).toEqual(['A', 'Changed', 'C']);
  expect(json.results).toEqual(sandbox.records('products'));
});

describe('the cost of a filter', () => {
  function countingList() {
    const texts = ['"a1"', '"b1"', '"a2"'];
    let tested = 0;
    const filter: Filter = {
      name: 'letter',
      type: 'text',
      admits: (letter) => (position) => {
        tested += 1;
        return (texts[position] as string)[1] === letter;
      },
    };
    const shelf = { count: () => texts.length, textAt: (position: number) => texts[position] as string };
    const list = createList({ name: 'letters', shelf, defaultLimit: 10, filters: [filter] });
    const results = (values: object) =>
      JSON.parse(list.page({ page: 1, limit: 10, ...values }, pageHabits({}))).results;
    return { texts, results, tested: () => tested };
  }

  test('a filter is applied once for all pages of a list', () => {
    const { results, tested } = countingList();
    expect(results({ letter: 'a', limit: 1 })).toEqual(['a1']);
    expect(results({ letter: 'a', limit: 1, page: 2 })).toEqual(['a2']);
    expect(tested()).toBe(3);
  });

  test('a filter is applied again after the data has changed', () => {
    const { texts, results } = countingList();
    results({ letter: 'a' });
    texts.push('"a3"');
    expect(results({ letter: 'a' })).toEqual(['a1', 'a2', 'a3']);
  });

  test('many filters do not mix up their results', () => {
    const { results } = countingList();
    for (let n = 0; n < 100; n += 1) expect(results({ letter: `${n}` })).toEqual([]);
    expect(results({ letter: 'b' })).toEqual(['b1']);
    expect(results({ letter: 'a' })).toEqual(['a1', 'a2']);
  });
});
