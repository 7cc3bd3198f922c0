import type { Faults } from './faults.ts';
import { saltOf, striking } from './when.ts';

/** Faults of the pages of lists. */
export interface PageHabits {
  /** Maximum number of items on a page. */
  readonly limit: number | undefined;
  /** Added to `total`, or `absent`. */
  readonly total: number | 'absent';
  readonly ignorePage: boolean;
  /** Returns true if this page has no items. Call it exactly once for each page. */
  isEmpty(): boolean;
  /** Returns the changes of a list, by its name, since the faults were set. Undefined: lists do not change. */
  drift(list: string): PageDrift | undefined;
}

/** Changes of a list while it is paged. Items are positions of the shelf; new items have positions beyond its end. */
export interface PageDrift {
  /** New items at the front of the list, each as its distance beyond the end of the shelf. */
  readonly front: readonly number[];
  /** The same for new items at the end of the list. */
  readonly back: readonly number[];
  /** Items before this position are removed. */
  readonly gone: number;
  /** Called with each page that was answered. */
  served(page: ServedPage): void;
}

/** A page that was answered, and the filtered list that it belongs to. */
export interface ServedPage {
  readonly isLast: boolean;
  /** Position of the first item of the filtered list; undefined if it is empty. */
  readonly first: number | undefined;
  /** Returns true if the filter admits the item at this distance beyond the end of the shelf. */
  readonly shows: (extra: number) => boolean;
}

/** Maximum number of items to try against a filter. A filter that admits none must not block the store. */
const MAX_TRIES = 10_000;

export function pageHabits(faults: Faults): PageHabits {
  const { seed = 1, shift, 'last-page-grows': grows = 0 } = faults;
  const empties = striking(faults['empty-page'] ?? [], seed, saltOf('empty-page'));
  const drifts = new Map<string, PageDrift>();

  function createDrift(): PageDrift {
    const front: number[] = [];
    const back: number[] = [];
    let gone = 0;
    let pages = 0;
    let next = 0;

    /** Returns the next new item that the filter of the client admits: a hidden item would shift nothing. */
    function invent(shows: (extra: number) => boolean): number[] {
      for (let extra = next; extra < next + MAX_TRIES; extra += 1) {
        if (!shows(extra)) continue;
        next = extra + 1;
        return [extra];
      }
      return [];
    }

    return {
      front,
      back,
      get gone() {
        return gone;
      },
      served({ isLast, first, shows }) {
        pages += 1;
        if (shift !== undefined && pages % shift.every === 0) {
          if (shift.how === 'insert') front.unshift(...invent(shows));
          else if (first !== undefined) gone = Math.max(gone, first + 1);
        }
        if (isLast && back.length < grows) back.push(...invent(shows));
      },
    };
  }

  return {
    limit: faults['page-limit'],
    total: faults.total ?? 0,
    ignorePage: faults['ignore-page'] !== undefined,
    isEmpty: () => empties('list'),
    drift(list) {
      if (shift === undefined && grows === 0) return undefined;
      let drift = drifts.get(list);
      if (!drift) {
        drift = createDrift();
        drifts.set(list, drift);
      }
      return drift;
    },
  };
}
