import { describe, expect, test } from 'vitest';
import type { Delivery, Json, StoreRequest } from '../../../src/model/index.ts';
import type { ListOptions } from '../../../src/store/pagination/page.ts';
import { createPageReader, type TakenPage } from '../../../src/store/pagination/pages.ts';

type Answer = (page: number, limit: number) => Json | Delivery;

const LIST = '/api/reviews/search';
/** More than any list of these tests needs. Reading that never ends blocks the event loop, so no timeout would stop it. */
const MOST_REQUESTS = 100;
const ALL = Array.from({ length: 23 }, (_, index) => ({ _id: `r${index + 1}` }));

/** A client that answers from a function, and records how many pages were requested at once. */
function listClient(answer: Answer) {
  const asked: URLSearchParams[] = [];
  let underWay = 0;
  let most = 0;
  return {
    asked,
    most: () => most,
    async deliver(request: StoreRequest): Promise<Delivery> {
      const { searchParams } = new URL(request.path, 'http://x');
      asked.push(searchParams);
      if (asked.length > MOST_REQUESTS) throw new Error('the list is read without end');
      most = Math.max(most, ++underWay);
      // Later pages are answered first.
      const page = Number(searchParams.get('page'));
      for (let turn = 0; turn < 20 - page; turn++) await new Promise((resolve) => setImmediate(resolve));
      underWay--;
      const got = answer(page, Number(searchParams.get('limit')));
      if (typeof got === 'object' && got !== null && 'verdict' in got) return got as Delivery;
      return { verdict: 'done', attempts: 1, durationMs: 1, httpStatus: 200, answer: got as Json };
    },
  };
}

function paged(items: readonly Json[], most: number): Answer {
  return (page, limit) => {
    const size = Math.min(limit, most);
    return {
      results: items.slice((page - 1) * size, page * size),
      paginate: {
        total: items.length,
        per_page: size,
        current_page: page,
        last_page: Math.ceil(items.length / size),
      },
    };
  };
}

async function read(
  client: ReturnType<typeof listClient>,
  options: Partial<ListOptions> = {},
  concurrency = 4,
) {
  const got: TakenPage[] = [];
  const { pages } = createPageReader(client, { path: LIST, pageSize: 5, ...options });
  for await (const page of pages(concurrency)) got.push(page);
  return got;
}

const ids = (got: readonly TakenPage[]) => got.flatMap(({ items }) => items.map(({ _id }) => _id));

describe('the pages of a list', () => {
  test('are in order, and fetched in parallel once their number is known', async () => {
    const client = listClient(paged(ALL, 100));
    const got = await read(client);
    expect(got.map(({ page }) => page)).toEqual([1, 2, 3, 4, 5]);
    expect(ids(got)).toEqual(ALL.map(({ _id }) => _id));
    expect(client.most()).toBe(4);
    expect(client.asked).toHaveLength(5);
  });

  test('are as large as the store grants, whatever was requested', async () => {
    const client = listClient(paged(ALL, 2));
    const got = await read(client, { pageSize: 100 });
    expect(got).toHaveLength(12);
    expect(ids(got)).toEqual(ALL.map(({ _id }) => _id));
    expect(client.asked[0]?.get('limit')).toBe('100');
  });

  test('are requested with the encoded filters', async () => {
    const client = listClient(paged(ALL.slice(0, 2), 100));
    await read(client, { query: { 'product._id': 'a&b=c' } });
    expect(client.asked[0]?.get('product._id')).toBe('a&b=c');
  });

  test('of an empty list are one empty page', async () => {
    const got = await read(listClient(() => ({ results: [], paginate: { total: 0, last_page: 0 } })));
    expect(got.map(({ items }) => items)).toEqual([[]]);
  });

  test('continue to the new end of a list that grows', async () => {
    const answer: Answer = (page) => ({
      results: page > 5 ? [] : [{ _id: `p${page}` }],
      paginate: { current_page: page, last_page: page >= 3 ? 5 : 3 },
    });
    expect(ids(await read(listClient(answer)))).toEqual(['p1', 'p2', 'p3', 'p4', 'p5']);
  });

  test('end early if a list has shrunk and the store repeats its last page', async () => {
    const answer: Answer = (page) => ({
      results: [{ _id: `p${Math.min(page, 3)}` }],
      paginate: { current_page: Math.min(page, 3), last_page: page === 1 ? 4 : 3 },
    });
    expect(ids(await read(listClient(answer)))).toEqual(['p1', 'p2', 'p3']);
  });

  test('may be a bare list', async () => {
    expect(ids(await read(listClient(() => ALL.slice(0, 3))))).toEqual(['r1', 'r2', 'r3']);
    const twice: Answer = (page) => (page === 1 ? ALL.slice(0, 5) : ALL.slice(5, 7));
    expect(ids(await read(listClient(twice)))).toHaveLength(7);
  });

  test('are counted from total if last_page is absent', async () => {
    const answer: Answer = (page) => ({
      results: ALL.slice(page * 10 - 10, page * 10),
      paginate: { total: 23, per_page: '10' },
    });
    expect(ids(await read(listClient(answer)))).toHaveLength(23);
  });
});

describe('a list without readable pages', () => {
  const cases: readonly [string, Answer, string, RegExp][] = [
    [
      'current_page is another number',
      () => ({ results: ALL, paginate: { current_page: 1, last_page: 3 } }),
      'not-the-api',
      /Page 2 .* answered with page 1/,
    ],
    [
      'current_page is another number, and the items always differ',
      (() => {
        let seen = 0;
        return () => ({
          results: ALL.slice(0, 5).map((item) => ({ ...item, seen: seen++ })),
          paginate: { current_page: 1 },
        });
      })(),
      'not-the-api',
      /Page 2 .* answered with page 1/,
    ],
    [
      'all pages are equal',
      () => ({ results: ALL, paginate: { last_page: 3 } }),
      'not-the-api',
      /same as page 1/,
    ],
    ['the answer has no list', () => ({ hello: 1 }), 'not-the-api', /did not answer with a list/],
    ['the items are not objects', () => ({ results: [1] }), 'not-the-api', /did not answer with a list/],
    [
      'the store refuses',
      () => ({ verdict: 'rejected', attempts: 1, durationMs: 1, message: 'Why.' }),
      'not-the-api',
      /Page 1 of .* cannot be read\. Why\./,
    ],
    [
      'a page fails',
      () => ({ verdict: 'failed', attempts: 6, durationMs: 1, message: 'Why.' }),
      'store-unreachable',
      /cannot be read\. Why\./,
    ],
  ];
  for (const [what, answer, reason, message] of cases) {
    test(`stops the run if ${what}`, async () => {
      await expect(read(listClient(answer))).rejects.toMatchObject({
        reason,
        message: expect.stringMatching(message),
      });
    });
  }

  test('is not assumed from equal single items', async () => {
    const answer: Answer = (page) => ({
      results: page > 3 ? [] : [{ total: 5 }],
      paginate: { current_page: page, last_page: 3 },
    });
    expect((await read(listClient(answer))).flatMap(({ items }) => items)).toHaveLength(3);
  });

  test('is not assumed from a shorter page with the items of the page before', async () => {
    const [x, y] = [{ note: 'x' }, { note: 'y' }];
    const got = await read(listClient(paged([x, x, y, y, x, x, x], 100)));
    expect(got.flatMap(({ items }) => items)).toEqual([x, x, y, y, x, x, x]);
  });

  test('is not assumed from a page that is read again', async () => {
    const reader = createPageReader(listClient(paged(ALL, 100)), { path: LIST, pageSize: 5, id: '_id' });
    for await (const _ of reader.pages(1));
    for (const page of [1, 5]) expect((await reader.readAgain(page)).items).toHaveLength(page === 1 ? 5 : 3);
  });

  test('causes no error by prefetched pages that are never consumed', async () => {
    const list = paged(ALL, 5);
    const failed: Delivery = { verdict: 'failed', attempts: 6, durationMs: 1 };
    const client = listClient((page, limit) => (page > 1 ? failed : list(page, limit)));
    const { pages } = createPageReader(client, { path: LIST, pageSize: 5 });
    for await (const page of pages(4)) {
      if (page.page === 1) break;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  });
});

describe('a list without an end', () => {
  /** A store with new items on every page, and these numbers. */
  const endless = (paginate: (page: number) => Json) => {
    let asked = 0;
    const deliver = async ({ path }: StoreRequest): Promise<Delivery> => {
      // Reading that never ends blocks the event loop, so no timeout would stop it.
      if (++asked > 200_000) throw new Error('the list is read without end');
      const page = Number(new URL(path, 'http://x').searchParams.get('page'));
      const results = Array.from({ length: 2 }, (_, n) => ({ _id: `p${page}-${n}` }));
      const answer = { results, paginate: paginate(page) } as Json;
      return { verdict: 'done', attempts: 1, durationMs: 1, httpStatus: 200, answer };
    };
    return { deliver };
  };

  test.each<[string, number, (page: number) => Json]>([
    ['a total', 1200, () => ({ total: 40 })],
    ['a last page', 1030, (page) => ({ current_page: page, last_page: 3 })],
    ['a last page that moves', 1020, (page) => ({ current_page: page, last_page: page + 1 })],
    ['no number', 100_000, () => ({})],
  ])('is not read for ever: %s', async (_, most, paginate) => {
    const { pages } = createPageReader(endless(paginate), { path: `${LIST}?x=1`, pageSize: 2 });
    let last = 0;
    const reading = (async () => {
      for await (const { page } of pages(4)) last = page;
    })();
    await expect(reading).rejects.toMatchObject({
      reason: 'not-the-api',
      message: expect.stringMatching(
        /^The list \/api\/reviews\/search, which states .* still has items on page/,
      ),
    });
    expect(last).toBe(most);
  });
});

test('large pages that arrive before their turn are dropped and fetched again', async () => {
  const list = paged(ALL, 2);
  const large: Answer = (page, limit) => {
    const answer = list(page, limit) as Json;
    // The first page does not show how large the others are.
    const answerBytes = page === 1 ? 100 : 3 * 1024 * 1024;
    return { verdict: 'done', attempts: 1, durationMs: 1, httpStatus: 200, answer, answerBytes };
  };
  const client = listClient(large);
  const pages = await read(client, { pageSize: 2 }, 16);
  expect(pages.flatMap(({ items }) => items)).toEqual(ALL);
  const asked = client.asked.map((parameters) => parameters.get('page'));
  // Two of those in flight at once are kept at most, and after that one is in flight at a time.
  expect(asked.length).toBeGreaterThan(pages.length + 5);
  expect(new Set(asked).size).toBe(pages.length);
});
