import { type Delivery, type Json, type JsonObject, RunStopped } from '../model/index.ts';
import { isObject } from './answer.ts';
import type { StoreClient } from './client.ts';

export interface PagesOptions {
  /** Path of the list, such as `/api/reviews/search`. */
  readonly path: string;
  /** Items asked for; the store may grant fewer. */
  readonly pageSize: number;
  /** Further query parameters, such as filters. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Where to begin; the first page is 1. */
  readonly firstPage?: number | undefined;
}

/** What the store says of the whole list; numbers that it does not give are absent. */
export interface Paginate {
  readonly total?: number;
  readonly per_page?: number;
  readonly current_page?: number;
  readonly last_page?: number;
}

export interface Page {
  readonly page: number;
  readonly items: JsonObject[];
  readonly paginate: Paginate;
}

/**
 * The pages of a list, in order. Once the first has said how many there are, up to `concurrency` are fetched ahead.
 * The store's own numbers count, not the page size that was asked for; where it gives none, pages are read one by
 * one until one is short. A list that grows while it is read is read to its new end.
 *
 * Throws RunStopped for a page that cannot be had, and for a store that gives the same page whatever is asked.
 */
export async function* pages(
  client: Pick<StoreClient, 'deliver'>,
  options: PagesOptions,
  concurrency: number,
): AsyncGenerator<Page> {
  const firstPage = options.firstPage ?? 1;
  const ahead: Promise<Page>[] = [];
  let next = firstPage;
  let last: number | undefined = firstPage;
  let first: Page | undefined;

  function fetchNext(): void {
    const page = fetchPage(client, options, next++);
    // Its failure is thrown when its turn comes; until then, or if nobody reads on, it must not crash the process.
    page.catch(() => undefined);
    ahead.push(page);
  }

  for (;;) {
    while (ahead.length < Math.max(1, concurrency) && next <= last) fetchNext();
    const turn = ahead.shift();
    if (turn === undefined) return;
    const page = await turn;
    if (first === undefined) first = page;
    else refuseSamePage(first, page, options.path);
    yield page;
    last = Math.max(last, lastPage(page, options.pageSize));
  }
}

/** The last page there is, as far as this one tells. */
export function lastPage({ page, items, paginate }: Page, pageSize: number): number {
  const { total, per_page: perPage, last_page: lastPage } = paginate;
  if (lastPage !== undefined) return lastPage;
  if (total !== undefined && perPage !== undefined && perPage > 0) return Math.ceil(total / perPage);
  // More than was asked for is a list without pages.
  return items.length > 0 && items.length === (perPage ?? pageSize) ? page + 1 : page;
}

/** One page of a list. Throws RunStopped where it cannot be had. */
export async function fetchPage(
  client: Pick<StoreClient, 'deliver'>,
  { path, pageSize, query }: PagesOptions,
  page: number,
): Promise<Page> {
  const parameters = new URLSearchParams({ ...query, page: String(page), limit: String(pageSize) });
  const separator = path.includes('?') ? '&' : '?';
  const delivery = await client.deliver({
    kind: 'read',
    method: 'GET',
    path: `${path}${separator}${parameters}`,
  });
  if (delivery.verdict !== 'done') throw unreadablePage(delivery, path, page);
  const { items, paginate } = readPage(delivery.answer, path);
  const { current_page: current, last_page: last } = paginate;
  // The list has shrunk meanwhile; some stores then give their last page again.
  if (current !== page && last !== undefined && page > last) return { page, items: [], paginate };
  if (current !== undefined && current !== page && items.length > 0) {
    throw new RunStopped(
      'not-the-api',
      `Page ${page} of ${path} was asked for, and the store answered with page ${current}. It cannot be read in pages.`,
    );
  }
  return { page, items, paginate };
}

function readPage(answer: Json | undefined, path: string): { items: JsonObject[]; paginate: Paginate } {
  const whole =
    isObject(answer) && isObject(answer.data) && answer.results === undefined ? answer.data : answer;
  const list = isObject(whole) ? (whole.results ?? whole.data) : whole;
  if (!Array.isArray(list) || !list.every(isObject)) {
    throw new RunStopped(
      'not-the-api',
      `${path} did not answer with a list ({results, paginate}). Is the path right?`,
    );
  }
  const block = isObject(whole) && isObject(whole.paginate) ? whole.paginate : {};
  return { items: list, paginate: readPaginate(block) };
}

function readPaginate(block: JsonObject): Paginate {
  const numbers: { -readonly [name in keyof Paginate]: Paginate[name] } = {};
  const names = ['total', 'per_page', 'current_page', 'last_page'] as const;
  for (const name of names) {
    const value = block[name];
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) numbers[name] = number;
  }
  return numbers;
}

/**
 * A store that ignores `page` gives the first one again, for ever. Judged by whole pages: one item that comes first on
 * every page may be pinned there, and single items may well be equal.
 */
function refuseSamePage(first: Page, page: Page, path: string): void {
  if (page.items.length < 2 || page.items.length !== first.items.length) return;
  // As many as fit on a page were added meanwhile: then it has the items of the one before, and another total.
  if (page.paginate.total !== first.paginate.total) return;
  // The first item that differs ends it, which is nearly always the very first.
  if (!page.items.every((item, index) => JSON.stringify(item) === JSON.stringify(first.items[index]))) return;
  throw new RunStopped(
    'not-the-api',
    `Page ${page.page} of ${path} is the same as page ${first.page}: the store ignores which page is asked for.`,
  );
}

function unreadablePage(delivery: Delivery, path: string, page: number): RunStopped {
  const reason = delivery.verdict === 'rejected' ? 'not-the-api' : 'store-unreachable';
  return new RunStopped(reason, `Page ${page} of ${path} cannot be read. ${delivery.message ?? ''}`.trim());
}
