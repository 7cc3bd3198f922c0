import type { JsonObject } from '../model/index.ts';
import type { Page } from './page.ts';
import type { TakenPage } from './pages.ts';

/** A page as it is to be taken. */
export interface SoundPage extends TakenPage {
  /** It was read before, and is again, since something may have moved onto it. */
  readonly again: boolean;
  /**
   * False where something may be missing: on a page that is short, and between one and the page before where the
   * store's totals never came to rest.
   */
  readonly sure: boolean;
}

export interface SeamOptions {
  readonly readAgain: (page: number) => Promise<TakenPage>;
  /** Who takes the pages knows what came twice. */
  readonly hasIds: boolean;
}

/** A list that changes faster than two pages of it can be read is not waited for. */
const MOST_TRIES = 5;

/**
 * Pages without gaps between them, however the list shifts while they are read.
 *
 * An item is lost where one page was read before it moved there, and the next one after it had left: when something was
 * removed in front after the first was read, or when the second was read first and something was added meanwhile. In
 * both cases the total that came with the second page is the smaller one. So two neighbours whose total falls are read
 * again, the first one first, until it does not. Where it rises, items come twice at most.
 *
 * Without identifiers that is left out here: what stands on both sides of a seam where the total has risen, and what a
 * page that is read again has shown already.
 *
 * A store that gives no totals is believed; an item that is added while another is removed, between two pages, is not
 * noticed.
 */
export async function* withoutGaps(
  pages: AsyncIterable<TakenPage>,
  { readAgain, hasIds }: SeamOptions,
): AsyncGenerator<SoundPage> {
  let before: TakenPage | undefined;
  /** The same page, as it was when it reached furthest. */
  let shown: Page | undefined;

  async function* join(read: TakenPage): AsyncGenerator<SoundPage> {
    let page = read;
    let leapt = false;
    for (let tries = 0; before !== undefined && mayHaveLost(before, page) && tries < MOST_TRIES; tries++) {
      const known: TakenPage = before;
      before = await readAgain(known.page);
      if (shown === undefined || grownBy(shown, before) < 0) shown = before;
      leapt ||= hasLeapt(before, known);
      const items = hasIds ? before.items : newIn(before.items, known.items);
      yield { ...before, items, again: true, sure: !before.short };
      // Of a list that shrinks, the later look at the page before is enough.
      if (mayHaveLost(before, page)) page = await readAgain(page.page);
    }
    const isLost =
      before !== undefined &&
      shown !== undefined &&
      (leapt || mayHaveLost(before, page) || (!hasIds && hasLeapt(shown, page)));
    const sure = !isLost && !page.short;
    // Where the end was looked for there is nothing to take.
    if (before === undefined || page.items.length > 0 || !sure)
      yield {
        ...page,
        items: hasIds || shown === undefined ? page.items : withoutOverlap(shown, page),
        again: false,
        sure,
      };
    before = shown = page;
  }

  for await (const page of pages) yield* join(page);
}

function mayHaveLost(before: Page, page: Page): boolean {
  return grownBy(before, page) < 0;
}

function grownBy({ paginate: { total: before } }: Page, { paginate: { total } }: Page): number {
  return before === undefined || total === undefined ? 0 : total - before;
}

/** Whether a whole page and more has moved past. */
function hasLeapt(before: Page, page: Page): boolean {
  const size = page.paginate.per_page ?? Math.max(before.items.length, page.items.length);
  return grownBy(before, page) >= Math.max(1, size);
}

/** What has grown in front of a page has moved the end of the one before onto it. */
function withoutOverlap(before: Page, page: Page): JsonObject[] {
  const moved = Math.max(0, grownBy(before, page));
  return [...newIn(page.items.slice(0, moved), before.items), ...page.items.slice(moved)];
}

/** What stands behind the last item that was there already. */
function newIn(items: readonly JsonObject[], known: readonly JsonObject[]): JsonObject[] {
  for (const last of known.toReversed()) {
    const at = items.findLastIndex((item) => isSame(item, last));
    if (at >= 0) return items.slice(at + 1);
  }
  return [...items];
}

function isSame(one: JsonObject, other: JsonObject | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
