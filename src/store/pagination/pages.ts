import type { StoreClient } from '../client-types.ts';
import { createExtent } from './list-bounds.ts';
import { fetchPage, type ListOptions, type Page } from './page.ts';
import { createLead } from './prefetch-window.ts';
import { createRepeats } from './repeated-pages.ts';

/** A page as it is taken: one that held too few items was read again. */
export interface TakenPage extends Page {
  /** Here, or before, items are missing that should be there by the store's own numbers or by other pages. */
  readonly short: boolean;
}

export interface PageReader {
  /** All pages in order, up to `concurrency` of them fetched ahead as far as the store says how many there are. */
  pages(concurrency: number): AsyncGenerator<TakenPage>;
  /** One of them once more. What it tells of a new end counts while `pages` goes on. */
  readAgain(page: number): Promise<TakenPage>;
}

/** A page that holds too few items is read again so often at most. */
const MOST_TRIES = 3;

/** After that was of no use for so many one after the other, once is enough. */
const MOST_IN_VAIN = 3;

/** So many pages in a row without items are the end, whatever the store says of it. */
const MOST_EMPTY = 3;

/** What stores answer with that know no such page, where they do not say which is the last one. */
const NO_SUCH_PAGE: ReadonlySet<number> = new Set([400, 404, 410, 416, 422]);

/**
 * The pages of a list to its end, wherever the store says that it is.
 *
 * Its numbers are believed as far as its pages bear them out. Where the last page that they know of is full, the next
 * one is looked at; where there are none, or a page has held more than they say, pages are read until several are
 * empty. A refusal behind the end that was named is the end as well.
 *
 * A page is short if it holds fewer items than its own numbers say, which takes care of a list that shrinks, or if it
 * is not full and has items behind it. Then it is read again, and if it stays so, says so. Where the first page stays
 * short, the store may grant fewer than its `per_page`: then pages as large as that one add up to the total in the end.
 *
 * Throws RunStopped for a page that cannot be had, and for a store that gives the same page whatever is asked.
 */
export function createPageReader(client: Pick<StoreClient, 'deliver'>, options: ListOptions): PageReader {
  const extent = createExtent(options.pageSize);
  const repeats = createRepeats(options);
  let inVain = 0;

  const fetch = (page: number) => fetchPage(client, options, page, (status) => isNoPage(page, status));

  function isNoPage(page: number, status: number): boolean {
    if (extent.names(page)) return false;
    return extent.isNamed ? status < 300 || status >= 400 : NO_SUCH_PAGE.has(status);
  }

  const isAgain = (page: Page) => repeats.has(page, (extent.due(page) ?? 0) > 0);

  async function again(number: number): Promise<Page> {
    const page = await fetch(number);
    const fresh = isAgain(page) ? { ...page, items: [] } : page;
    extent.note(fresh);
    return fresh;
  }

  /** The page, read again until it is not short any more. */
  async function mended(page: Page, isShort: (page: Page) => boolean): Promise<TakenPage> {
    const most = inVain < MOST_IN_VAIN ? MOST_TRIES : 1;
    let best = page;
    for (let tries = 0; isShort(best) && tries < most; tries++) {
      const next = await again(page.page);
      if (!isShort(next) || next.items.length > best.items.length) best = next;
    }
    const short = isShort(best);
    inVain = short ? inVain + 1 : 0;
    return { ...best, short };
  }

  const lacks = (page: Page) => page.items.length < (extent.due(page) ?? 0);

  async function taken(page: Page): Promise<TakenPage> {
    extent.note(page);
    if (!lacks(page)) return { ...page, short: false };
    const whole = await mended(page, lacks);
    if (page.page > 1 || !whole.short || whole.items.length === 0) return whole;
    extent.grantsFewer();
    return { ...whole, short: whole.paginate.total === undefined };
  }

  /** A page that was not full, now that there are items behind it. */
  async function settled(page: TakenPage): Promise<TakenPage> {
    if (page.short) return page;
    const whole = await mended(page, (each) => !extent.isFull(each));
    if (whole.short && page.page === 1) extent.grantsFewer();
    return whole;
  }

  async function* pages(concurrency: number): AsyncGenerator<TakenPage> {
    const ahead: Promise<Page>[] = [];
    const lead = createLead(Math.max(1, concurrency));
    /** Those that may be the last ones. */
    const held: TakenPage[] = [];
    let next = 1;
    let empty = 0;
    let isOver = false;
    let largest = 0;

    /** Where a page holds more than those before it, which were taken for full, they were not. */
    function measured(page: TakenPage): TakenPage {
      const { length } = page.items;
      const short = page.short || (!extent.isStated && largest > 0 && length > largest);
      largest = Math.max(largest, length);
      return { ...page, short };
    }

    function fetchNext(): void {
      const page = fetch(next++);
      // Its failure is thrown when its turn comes; until then, or if nobody reads on, it must not crash the process.
      page.catch(() => undefined);
      ahead.push(page);
    }

    for (;;) {
      while (!isOver && ahead.length < lead.size && next <= extent.last) fetchNext();
      lead.note();
      const turn = isOver ? undefined : ahead.shift();
      if (turn === undefined) {
        const page = held.shift();
        if (page === undefined) return;
        yield measured(page);
        // Who takes it may have learnt of a new end meanwhile.
        continue;
      }
      const read = await turn;
      const isRepeat = isAgain(read);
      if (isRepeat && repeats.isAll(read)) {
        isOver = true;
        continue;
      }
      const page = await taken(isRepeat ? { ...read, items: [] } : read);
      if (page.items.length > 0) {
        for (const each of held.splice(0)) {
          const whole = await settled(each);
          repeats.show(whole);
          yield measured(whole);
        }
        repeats.show(page);
        empty = 0;
      } else if (++empty >= MOST_EMPTY) isOver = true;
      else if (page.short || !extent.isKnown) extent.lookBehind(page);
      if (extent.isFull(page)) yield measured(page);
      else held.push(page);
    }
  }

  return { pages, readAgain: async (page) => mended(await again(page), lacks) };
}
