import { RunStopped } from '../../model/index.ts';
import type { StoreClient } from '../client-types.ts';
import { createExtent, type Extent } from './list-bounds.ts';
import { fetchPage, type ListOptions, type Page } from './page.ts';
import { createLead } from './prefetch-window.ts';
import { createRepeats } from './repeated-pages.ts';

/** A page after checks: one with too few items was read again. */
export interface TakenPage extends Page {
  /** True if items are missing here or before, by the store's own numbers or by other pages. */
  readonly short: boolean;
}

export interface PageReader {
  /** All pages in order. Up to `concurrency` are prefetched, as far as the store states how many there are. */
  pages(concurrency: number): AsyncGenerator<TakenPage>;
  /** Reads one of them again. If it shows a new end, a running `pages` uses it. */
  readAgain(page: number): Promise<TakenPage>;
}

/** Most times that a page with too few items is read again. */
const MOST_TRIES = 3;

/** Pages in a row for which that did not help, after which one repetition is enough. */
const MOST_IN_VAIN = 3;

/** Empty pages in a row that end the list, whatever the store states. */
const MOST_EMPTY = 3;

/**
 * Bytes of pages that have arrived before their turn. A page beyond them is dropped, and fetched again at its turn: parsed,
 * a page may take ten times its bytes.
 */
const MAX_AHEAD_BYTES = 4 * 1024 * 1024;

/** Statuses for a page that does not exist, from stores that do not state the last page. */
const NO_SUCH_PAGE: ReadonlySet<number> = new Set([400, 404, 410, 416, 422]);

/**
 * Reads the pages of a list to its end, even if the store states a wrong one.
 *
 * The store's numbers are believed as far as its pages agree. If the last page by these numbers is full, the next one
 * is read too. Without numbers, or if a page has more items than they state, pages are read until several are empty. A
 * refusal after the stated end is the end as well.
 *
 * A page is short if it has fewer items than its own numbers state, which covers a list that shrinks, or if it is not
 * full and items follow it. It is then read again, and marked if it stays short. If the first page stays short, the
 * store may grant fewer than its `per_page`: then that size counts as full, and the total is checked at the end of the list.
 *
 * Throws RunStopped for a page that cannot be read, for a store that returns the same page for every number, and for a list that
 * is far longer than the store states.
 */
export function createPageReader(client: Pick<StoreClient, 'deliver'>, options: ListOptions): PageReader {
  const extent = createExtent(options.pageSize);
  const repeats = createRepeats(options);
  let failedRereads = 0;

  const fetch = (page: number) =>
    fetchPage(client, options, { page, isNoPage: (status) => isNoPage(page, status) });

  function isNoPage(page: number, status: number): boolean {
    if (extent.isWithinStatedEnd(page)) return false;
    return extent.hasStatedEnd ? status < 300 || status >= 400 : NO_SUCH_PAGE.has(status);
  }

  const isAgain = (page: Page) => repeats.has(page, (extent.due(page) ?? 0) > 0);

  async function reread(number: number): Promise<Page> {
    const page = await fetch(number);
    const fresh = isAgain(page) ? { ...page, items: [] } : page;
    extent.note(fresh);
    return fresh;
  }

  /** Reads the page again until it is not short any more. */
  async function rereadWhileShort(page: Page, isShort: (page: Page) => boolean): Promise<TakenPage> {
    const most = failedRereads < MOST_IN_VAIN ? MOST_TRIES : 1;
    let best = page;
    for (let tries = 0; isShort(best) && tries < most; tries++) {
      const next = await reread(page.page);
      if (!isShort(next) || next.items.length > best.items.length) best = next;
    }
    const short = isShort(best);
    failedRereads = short ? failedRereads + 1 : 0;
    return { ...best, short };
  }

  const isBelowStatedCount = (page: Page) => page.items.length < (extent.due(page) ?? 0);

  async function withStatedCount(page: Page): Promise<TakenPage> {
    extent.note(page);
    if (!isBelowStatedCount(page)) return { ...page, short: false };
    const whole = await rereadWhileShort(page, isBelowStatedCount);
    if (page.page > 1 || !whole.short || whole.items.length === 0) return whole;
    extent.grantsFewer();
    return { ...whole, short: whole.paginate.total === undefined };
  }

  /** Reads a page again that was not full, since items follow it. */
  async function rereadIfNotFull(page: TakenPage): Promise<TakenPage> {
    if (page.short) return page;
    const whole = await rereadWhileShort(page, (each) => !extent.isFull(each));
    if (whole.short && page.page === 1) extent.grantsFewer();
    return whole;
  }

  async function* pages(concurrency: number): AsyncGenerator<TakenPage> {
    const ahead: Promise<Page | undefined>[] = [];
    let aheadBytes = 0;
    let largestBytes = 0;
    /** Number of the page whose turn it is. */
    let turnOf = 0;
    const lead = createLead(Math.max(1, concurrency));
    /** Pages that may be the last ones. */
    const held: TakenPage[] = [];
    let next = 1;
    let empty = 0;
    let isOver = false;
    let largest = 0;

    /** If a page has more items than those before it, which counted as full, those were not. */
    function withLargestCount(page: TakenPage): TakenPage {
      const { length } = page.items;
      const short = page.short || (!extent.isStated && largest > 0 && length > largest);
      largest = Math.max(largest, length);
      return { ...page, short };
    }

    /** Pages to have in flight: fewer if they are large. */
    const size = () =>
      Math.max(1, Math.min(lead.size, Math.floor(MAX_AHEAD_BYTES / Math.max(1, largestBytes))));

    /** Fetches a page ahead; undefined if there is no room for it. */
    async function fetchAhead(number: number): Promise<Page | undefined> {
      const page = await fetch(number);
      const { bytes = 0 } = page;
      largestBytes = Math.max(largestBytes, bytes);
      if (number !== turnOf && aheadBytes + bytes > MAX_AHEAD_BYTES) return undefined;
      aheadBytes += bytes;
      return page;
    }

    function fetchNext(): void {
      const page = fetchAhead(next++);
      // Its failure is thrown when its turn comes; until then, or if nobody reads on, it must not crash the process.
      page.catch(() => undefined);
      ahead.push(page);
    }

    for (;;) {
      while (!isOver && ahead.length < size() && next <= extent.last) fetchNext();
      lead.note();
      const turn = isOver ? undefined : ahead.shift();
      if (turn === undefined) {
        const page = held.shift();
        if (page === undefined) return;
        yield withLargestCount(page);
        // The consumer may have found a new end meanwhile.
        continue;
      }
      turnOf++;
      const arrived = await turn;
      aheadBytes -= arrived?.bytes ?? 0;
      const read = arrived ?? (await fetch(turnOf));
      const isRepeat = isAgain(read);
      if (isRepeat && repeats.isAll(read)) {
        isOver = true;
        continue;
      }
      const page = await withStatedCount(isRepeat ? { ...read, items: [] } : read);
      if (page.items.length > 0 && page.page > extent.most) throw endless(options.path, page, extent);
      if (page.items.length > 0) {
        for (const each of held.splice(0)) {
          const whole = await rereadIfNotFull(each);
          repeats.show(whole);
          yield withLargestCount(whole);
        }
        repeats.show(page);
        empty = 0;
      } else if (++empty >= MOST_EMPTY) isOver = true;
      else if (page.short || !extent.isKnown) extent.lookBehind(page);
      if (extent.isFull(page)) yield withLargestCount(page);
      else held.push(page);
    }
  }

  return { pages, readAgain: async (page) => rereadWhileShort(await reread(page), isBelowStatedCount) };
}

/** The error for a list that has new items far behind its stated end. */
function endless(path: string, { page }: Page, { statedFirst }: Extent): RunStopped {
  const stated =
    statedFirst === undefined
      ? 'which states no end'
      : `which states ${statedFirst} ${statedFirst === 1 ? 'page' : 'pages'}`;
  return new RunStopped(
    'not-the-api',
    `The list ${path.replace(/\?.*$/s, '')}, ${stated}, still has items on page ${page}: it does not end, so it was not read any further.`,
    [
      'Look at what the store returns for such a page: it may invent items, or count pages in another way.',
      'With --limit N, an export takes the first N items.',
    ],
  );
}
