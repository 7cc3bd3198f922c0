import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Delivery, type JsonObject, RunStopped, type StoreRequest } from '../../../src/model/index.ts';
import type { SoundPage } from '../../../src/store/pagination/gap-detection.ts';
import { soundPages } from '../../../src/store/pagination/index.ts';
import { scaledRuns } from '../../support/property-tests.ts';

const ASKED = 10;

/** More than any list of these tests needs. Reading that never ends blocks the event loop, so no timeout would stop it. */
const MOST_REQUESTS = 1_000;

/** A page that has too few items for the first `tries` requests. */
interface Hole {
  readonly page: number;
  readonly tries: number;
  readonly leaves: 'nothing' | 'half';
}

/** A store, and the numbers that it gives of its list: absent, or wrong by this much. */
interface World {
  readonly count: number;
  readonly granted: number;
  readonly perPage?: 'granted' | 'asked' | undefined;
  readonly total?: number | undefined;
  readonly lastPage?: number | undefined;
  readonly currentPage?: boolean | undefined;
  readonly behind?: 'empty' | 'refused' | 'last page' | 'first page' | undefined;
  readonly ignoresPage?: boolean | undefined;
  readonly holes?: readonly Hole[] | undefined;
}

const realLast = ({ count, granted }: World) => Math.max(1, Math.ceil(count / granted));
const saidTotal = ({ count, total }: World) => (total === undefined ? undefined : Math.max(0, count + total));
const saidLast = (world: World) =>
  world.lastPage === undefined ? undefined : Math.max(1, realLast(world) + world.lastPage);
const saidPerPage = ({ perPage, granted }: World) => perPage && (perPage === 'granted' ? granted : ASKED);

function storeOf(world: World) {
  const { count, granted, behind = 'empty' } = world;
  const all = Array.from({ length: count }, (_, n) => ({ _id: `r${n}` }));
  const asked: number[] = [];

  function given(page: number): number | undefined {
    if (world.ignoresPage) return 1;
    if (page <= realLast(world)) return page;
    if (behind === 'refused') return undefined;
    return behind === 'empty' ? page : behind === 'last page' ? realLast(world) : 1;
  }

  return {
    asked,
    all,
    client: {
      async deliver({ path }: StoreRequest): Promise<Delivery> {
        const page = Number(new URL(path, 'http://x').searchParams.get('page'));
        asked.push(page);
        if (asked.length > MOST_REQUESTS) throw new Error('the list is read without end');
        const current = given(page);
        if (current === undefined)
          return { verdict: 'rejected', attempts: 1, durationMs: 1, httpStatus: 404 };
        const items = all.slice((current - 1) * granted, current * granted);
        const hole = world.holes?.find((each) => each.page === page && page === current);
        const isStruck = hole && asked.filter((each) => each === page).length <= hole.tries;
        const left = hole?.leaves === 'half' ? Math.floor(items.length / 2) : 0;
        const numbers = {
          total: saidTotal(world),
          per_page: saidPerPage(world),
          last_page: saidLast(world),
          current_page: world.currentPage ? current : undefined,
        };
        const paginate = Object.fromEntries(Object.entries(numbers).filter(([, n]) => n !== undefined));
        const answer = { results: isStruck ? items.slice(0, left) : items, paginate } as JsonObject;
        return { verdict: 'done', attempts: 1, durationMs: 1, httpStatus: 200, answer };
      },
    },
  };
}

async function read(world: World, { concurrency = 4, hasIds = true } = {}) {
  const { client, all, asked } = storeOf(world);
  const got: SoundPage[] = [];
  const list = { path: '/api/reviews/search', pageSize: ASKED, ...(hasIds && { id: '_id' }) };
  let stopped: RunStopped | undefined;
  try {
    for await (const page of soundPages(client, list, concurrency)) got.push(page);
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error;
    stopped = error;
  }
  return {
    asked,
    stopped,
    all: all.map(({ _id }) => _id),
    ids: got.flatMap(({ items }) => items.map(({ _id }) => _id)),
    isSure: got.every(({ sure }) => sure),
    unsure: got.filter(({ sure }) => !sure).map(({ page }) => page),
    short: got.filter(({ short }) => short).map(({ page }) => page),
  };
}

const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const world: fc.Arbitrary<World> = fc.record({
  count: fc.nat({ max: 60 }),
  granted: fc.oneof(fc.constant(ASKED), fc.integer({ min: 1, max: 15 })),
  perPage: fc.constantFrom(undefined, 'granted', 'asked'),
  total: optional(fc.oneof(fc.constant(0), fc.integer({ min: -20, max: 20 }), fc.constant(1_000_000))),
  lastPage: optional(fc.oneof(fc.constant(0), fc.integer({ min: -3, max: 3 }))),
  currentPage: fc.boolean(),
  behind: fc.constantFrom('empty', 'refused', 'last page', 'first page'),
  ignoresPage: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
  holes: fc.array(
    fc.record({
      page: fc.integer({ min: 1, max: 7 }),
      tries: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant(Number.POSITIVE_INFINITY)),
      leaves: fc.constantFrom('nothing', 'half'),
    }),
    { maxLength: 2 },
  ),
});

/** True if all answers are those of a smaller list, so that no client can notice. */
function isPerfectLie(world: World): boolean {
  const { count, granted, ignoresPage, holes = [], currentPage } = world;
  const [total, last, perPage] = [saidTotal(world), saidLast(world), saidPerPage(world)];
  const isLong = count > granted;
  // The first page is not full by `per_page`, and complete by the other numbers.
  const isAllSaid = total === undefined ? last === 1 : total === granted && (last ?? 1) === 1;
  if (isLong && isAllSaid && perPage !== undefined && perPage > granted) return true;
  if (ignoresPage && holes.length > 0) return true;
  if (isLong && ignoresPage) {
    if (total === granted) return true;
    if (last === 1 && (total === undefined || (currentPage && total <= granted))) return true;
    return total === undefined && last === undefined && granted !== (perPage ?? ASKED);
  }
  const isCountedRight = total !== undefined && total >= count;
  if (isCountedRight || holes.length === 0) return false;
  // The numbers end before the hole, or the hole is where a list may end.
  const isShorter = total !== undefined || (last !== undefined && last < realLast(world));
  return (
    isShorter ||
    holes.some(({ page, leaves }) => page >= realLast(world) || (page === 1 && leaves === 'half'))
  );
}

const concurrency = fc.integer({ min: 1, max: 6 });
const way = fc.record({ concurrency, hasIds: fc.boolean() });

/** Single items without identifiers may be equal, so a repeated page of one item cannot be recognised. */
const tellsPages = ({ count, granted }: World) => granted > 1 && count % granted !== 1;

describe('a list', () => {
  test('is complete, marked as unsure, or stops the run, whatever numbers the store gives', async () => {
    await fc.assert(
      fc.asyncProperty(
        world.filter((each) => !isPerfectLie(each)),
        way,
        async (each, { concurrency, hasIds }) => {
          const how = { concurrency, hasIds: hasIds || !tellsPages(each) };
          const { asked, stopped, isSure, ids, all } = await read(each, how);
          if (stopped === undefined && isSure) expect(ids).toEqual(all);
          else expect(all).toEqual(expect.arrayContaining(ids));
          expect(asked.length).toBeLessThanOrEqual(8 * (realLast(each) + 4) + concurrency);
        },
      ),
      { numRuns: scaledRuns(3_000) },
    );
  });

  test('is complete and sure if the given numbers are right, or too small', async () => {
    const fair = world.map(
      (each): World => ({
        ...each,
        total: each.total === undefined ? undefined : Math.min(0, each.total),
        lastPage: each.lastPage === undefined ? undefined : Math.min(0, each.lastPage),
        // Without a total nothing shows that a store grants fewer than its `per_page`.
        perPage: each.total === 0 || each.perPage === undefined ? each.perPage : 'granted',
        behind: each.behind === 'first page' ? 'last page' : each.behind,
        ignoresPage: false,
        holes: [],
      }),
    );
    await fc.assert(
      fc.asyncProperty(
        // A store that repeats the whole list after its end may be one that ignores the page number.
        fair.filter((each) => each.behind !== 'last page' || realLast(each) > 1),
        way,
        async (each, how) => {
          const { stopped, unsure, ids, all } = await read(each, how);
          expect({ stopped, unsure, ids }).toEqual({ unsure: [], ids: all });
        },
      ),
      { numRuns: scaledRuns(2_000) },
    );
  });

  test('is complete if short pages are complete when they are read again', async () => {
    const healing = fc.array(
      fc.record({
        page: fc.integer({ min: 1, max: 5 }),
        tries: fc.integer({ min: 1, max: 3 }),
        leaves: fc.constantFrom('nothing' as const, 'half' as const),
      }),
      { maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(healing, way, async (holes, how) => {
        const { unsure, ids, all } = await read(
          { count: 50, granted: 10, total: 0, perPage: 'granted', holes },
          how,
        );
        expect({ unsure, ids }).toEqual({ unsure: [], ids: all });
      }),
      { numRuns: scaledRuns(300) },
    );
  });
});

const forEver = (page: number): Hole => ({ page, tries: Number.POSITIVE_INFINITY, leaves: 'nothing' });

describe('finding the end of a list costs', () => {
  const numbers = { perPage: 'granted', total: 0, lastPage: 0 } as const;
  const cases: readonly [string, World, number][] = [
    ['no request if its last page is short', { count: 25, granted: 10, ...numbers }, 3],
    ['one request more if its last page is full', { count: 30, granted: 10, ...numbers }, 4],
    [
      'one request more if the store refuses a page after the end',
      { count: 30, granted: 10, ...numbers, behind: 'refused' },
      4,
    ],
    ['no request if the list is empty', { count: 0, granted: 10, ...numbers }, 1],
    ['one request more if the page size is unknown', { count: 25, granted: 10, total: 0 }, 3],
    ['a request for each empty page if the store gives no numbers', { count: 25, granted: 10 }, 6],
    [
      'a few requests more if the store grants fewer than it says, and gives no other number',
      { count: 45, granted: 5, perPage: 'asked' },
      9 + 3 + 3,
    ],
    [
      'three empty pages, read again, if the total is far too large',
      { count: 25, granted: 10, total: 1_000_000, perPage: 'granted' },
      3 + 3 + 4 + 4 + 2,
    ],
  ];
  test.each(cases)('%s', async (_, each, requests) => {
    const { asked, ids, all, stopped } = await read(each, { concurrency: 1 });
    expect({ requests: asked.length, ids, stopped }).toEqual({ requests, ids: all });
  });
});

describe('missing items are reported', () => {
  test('for a page that stays empty, and for no other page', async () => {
    const numbers = [{ total: 0, perPage: 'granted' }, { lastPage: 0, perPage: 'granted' }, {}] as const;
    for (const each of numbers) {
      const { short, unsure, ids, all, asked } = await read({
        count: 50,
        granted: 10,
        ...each,
        holes: [forEver(2)],
      });
      expect(asked.filter((page) => page === 2)).toHaveLength(4);
      expect({ short, unsure, ids }).toEqual({
        short: [2],
        unsure: [2],
        ids: all.filter((_, n) => n < 10 || n >= 20),
      });
    }
  });

  test('for an empty first page, though the page size is unknown', async () => {
    const { short, ids, all } = await read({ count: 8, granted: 4, total: 0, holes: [forEver(1)] });
    expect({ short, ids }).toEqual({ short: [1], ids: all.slice(4) });
  });

  test('for a first page that is half full, if no total shows that all items came', async () => {
    const half = { page: 1, tries: Number.POSITIVE_INFINITY, leaves: 'half' } as const;
    const { short } = await read({ count: 12, granted: 10, perPage: 'granted', lastPage: 0, holes: [half] });
    expect(short).toEqual([1]);
  });

  test('if the store refuses a page that its total includes, and its last page does not', async () => {
    const { short, ids, all, stopped } = await read({
      count: 25,
      granted: 10,
      perPage: 'granted',
      total: 20,
      lastPage: 0,
      behind: 'refused',
    });
    expect({ short, ids, stopped }).toEqual({ short: [3, 4, 5], ids: all, stopped: undefined });
  });

  test('never if the first page came late, and is repeated after the end', async () => {
    const { unsure, ids, all } = await read({
      count: 12,
      granted: 6,
      behind: 'first page',
      holes: [{ page: 1, tries: 1, leaves: 'nothing' }],
    });
    expect({ unsure, ids }).toEqual({ unsure: [], ids: all });
  });

  test('for the end only if the total is larger than the number of items', async () => {
    const { short, ids, all } = await read({ count: 45, granted: 10, perPage: 'granted', total: 3 });
    expect({ short, ids }).toEqual({ short: [5], ids: all });
    const filtered = await read({ count: 45, granted: 10, perPage: 'granted', total: 500, lastPage: 0 });
    expect(filtered).toMatchObject({ short: [5, 6, 7, 8], ids: filtered.all });
  });

  test('never if the store grants fewer than it says, and all add up to the total', async () => {
    const { short, ids, all } = await read({ count: 45, granted: 5, perPage: 'asked', total: 0 });
    expect({ short, ids }).toEqual({ short: [], ids: all });
  });

  test('as a stopped run if the store refuses a page that it announced', async () => {
    const world = { count: 25, granted: 10, perPage: 'granted', lastPage: 1, behind: 'refused' } as const;
    expect((await read(world)).stopped?.message).toContain('Page 4 of /api/reviews/search cannot be read.');
  });

  test('as a stopped run if the store ignores the page number, unless the list has one page', async () => {
    const whole = { count: 7, granted: 7, ignoresPage: true };
    for (const each of [whole, { ...whole, total: 0 }, { ...whole, count: 12, granted: 12 }]) {
      const { ids, all, stopped, unsure } = await read(each);
      expect({ ids, stopped, unsure }).toEqual({ ids: all, stopped: undefined, unsure: [] });
    }
    for (const each of [
      { ...whole, count: 10, granted: 10 },
      { ...whole, count: 25, total: 0 },
    ])
      expect((await read(each)).stopped?.message).toContain('ignores which page is asked for');
  });
});
