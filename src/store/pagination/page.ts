import { type Delivery, isObject, type Json, type JsonObject, RunStopped } from '../../model/index.ts';
import type { StoreClient } from '../client-types.ts';

export interface ListOptions {
  /** Path of the list, such as `/api/reviews/search`. */
  readonly path: string;
  /** Items asked for; the store may grant fewer. */
  readonly pageSize: number;
  /** Further query parameters, such as filters. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Field that identifies items; absent if they have none. */
  readonly id?: string | undefined;
}

/** The store's numbers about the whole list; those that it does not give are absent. */
export interface Paginate {
  readonly total?: number;
  readonly per_page?: number;
  readonly current_page?: number;
  readonly last_page?: number;
}

export interface Page {
  /** The requested number; the first page is 1. */
  readonly page: number;
  readonly items: JsonObject[];
  readonly paginate: Paginate;
  /** Length of the answer; undefined if the page does not exist. */
  readonly bytes?: number | undefined;
}

/**
 * Fetches one page of a list. If the store refuses it with a status for which `isNoPage` is true, it is a page without
 * items. Throws RunStopped if it cannot be read.
 */
export async function fetchPage(
  client: Pick<StoreClient, 'deliver'>,
  { path, pageSize, query }: ListOptions,
  { page, isNoPage }: { readonly page: number; readonly isNoPage: (status: number) => boolean },
): Promise<Page> {
  const parameters = new URLSearchParams({ ...query, page: String(page), limit: String(pageSize) });
  const separator = path.includes('?') ? '&' : '?';
  const delivery = await client.deliver({
    kind: 'read',
    method: 'GET',
    path: `${path}${separator}${parameters}`,
  });
  if (delivery.verdict === 'rejected' && isNoPage(delivery.httpStatus ?? 0))
    return { page, items: [], paginate: {} };
  if (delivery.verdict !== 'done') throw unreadablePage(delivery, path, page);
  const { items, paginate } = readPage(delivery.answer, path);
  const { last_page: last } = paginate;
  // After the end some stores return their last page again.
  const isBehind = isOtherPage({ page, items, paginate }) && last !== undefined && page > last;
  return { page, items: isBehind ? [] : items, paginate, bytes: delivery.answerBytes };
}

/** True if the store itself states that this is not the requested page. */
export function isOtherPage({ page, items, paginate: { current_page: current } }: Page): boolean {
  return current !== undefined && current !== page && items.length > 0;
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

function unreadablePage(delivery: Delivery, path: string, page: number): RunStopped {
  const reason = delivery.verdict === 'rejected' ? 'not-the-api' : 'store-unreachable';
  return new RunStopped(reason, `Page ${page} of ${path} cannot be read. ${delivery.message ?? ''}`.trim());
}
