import { itemIdentifier, type JsonObject } from '../../model/index.ts';
import { findResumePlace } from './overlap.ts';
import type { Page } from './page.ts';
import type { TakenPage } from './pages.ts';

/** A page of the gapless list. */
export interface SoundPage extends TakenPage {
  /** True if it was read before, and again now, since something may have moved onto it. */
  readonly again: boolean;
  /**
   * False if something may be missing: on a short page, or between a page and the one before if the store's totals kept
   * changing.
   */
  readonly sure: boolean;
}

export interface SeamOptions {
  readonly readAgain: (page: number) => Promise<TakenPage>;
  /** The field that identifies items; callers use it to drop duplicates. */
  readonly id: string | undefined;
}

/** Readings of two pages after which a list that keeps changing is no longer waited for. */
const MOST_TRIES = 5;

/**
 * Pages without gaps between them, however the list shifts while they are read.
 *
 * An item is lost where one page was read before it moved there, and the next one after it had left: when something was
 * removed in front after the first was read, or when the second was read first and something was added meanwhile. In
 * both cases the total that came with the second page is the smaller one. So two neighbours whose total falls are read
 * again, the first one first, until it does not. Where it rises, items come twice at most.
 *
 * Items without identifiers may be equal, so that one that came twice looks like two. So neighbours with different
 * totals are read again, until both are of one state of the list. Then `findResumePlace` finds the items that
 * were not returned yet.
 *
 * A store that gives no totals is believed; an item that is added while another is removed, between two pages, is not
 * noticed.
 */
export async function* withoutGaps(
  pages: AsyncIterable<TakenPage>,
  { readAgain, id }: SeamOptions,
): AsyncGenerator<SoundPage> {
  let before: TakenPage | undefined;
  for await (const page of pages) {
    if (before === undefined) {
      yield* taken(page, page.items, true);
      before = page;
    } else {
      const join = [before, page].every((each) => isIdentified(each, id)) ? joinById : joinByContent;
      before = yield* join(before, page, readAgain);
    }
  }
}

/** Returns the page as read last. */
type Join = (
  known: TakenPage,
  read: TakenPage,
  readAgain: SeamOptions['readAgain'],
) => AsyncGenerator<SoundPage, TakenPage>;

const joinById: Join = async function* (known, read, readAgain) {
  let page = read;
  let last = known;
  let leapt = false;
  for (let tries = 0; grownBy(last, page) < 0 && tries < MOST_TRIES; tries++) {
    const again = await readAgain(last.page);
    leapt ||= hasLeapt(again, last);
    last = again;
    yield { ...last, again: true, sure: !last.short };
    // If a list shrinks, the later reading of the page before is enough.
    if (grownBy(last, page) < 0) page = await readAgain(page.page);
  }
  yield* taken(page, page.items, !leapt && grownBy(last, page) >= 0);
  return page;
};

const joinByContent: Join = async function* (known, read, readAgain) {
  let page = read;
  let last = known;
  const states: Page[] = [known];
  for (let tries = 0; grownBy(last, page) !== 0 && tries < MOST_TRIES; tries++) {
    last = await readAgain(last.page);
    states.push(last);
    if (grownBy(last, page) === 0) break;
    page = await readAgain(page.page);
    states.push(page);
  }
  if (states.length === 1) {
    yield* taken(page, page.items, true);
    return page;
  }
  const { at, isCertain: sure } = findResumePlace({
    shown: marksOf(known),
    now: [...marksOf(last), ...marksOf(page)],
    grown: grownBy(known, last),
    mixed: isMixed(states),
  });
  yield { ...last, items: last.items.slice(at), again: true, sure: !last.short };
  const left = page.items.slice(Math.max(0, at - last.items.length));
  yield* taken(page, left, sure && grownBy(last, page) === 0);
  return page;
};

/** The page to yield; nothing if it is empty, since it was only read to find the end. */
function* taken(page: TakenPage, items: JsonObject[], joins: boolean): Generator<SoundPage> {
  const sure = joins && !page.short;
  if (page.page === 1 || page.items.length > 0 || !sure) yield { ...page, items, again: false, sure };
}

function grownBy({ paginate: { total: before } }: Page, { paginate: { total } }: Page): number {
  return before === undefined || total === undefined ? 0 : total - before;
}

/** True if more than a whole page has moved past. */
function hasLeapt(before: Page, page: Page): boolean {
  const size = page.paginate.per_page ?? Math.max(before.items.length, page.items.length);
  return grownBy(before, page) >= Math.max(1, size);
}

/** True if the list has both grown and shrunk between these states of it, which follow each other. */
function isMixed(states: readonly Page[]): boolean {
  const steps = states.slice(1).map((state, index) => Math.sign(grownBy(states[index] as Page, state)));
  return steps.includes(1) && steps.includes(-1);
}

function isIdentified({ items }: Page, id: string | undefined): boolean {
  return items.every((item) => itemIdentifier(item, id) !== undefined);
}

function marksOf({ items }: Page): string[] {
  return items.map((item) => JSON.stringify(item));
}
