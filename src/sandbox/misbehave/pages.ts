import type { Faults } from './faults.ts';
import { saltOf, striking } from './when.ts';

/** What is wrong with the pages of lists. */
export interface PageHabits {
  /** Most items that a page is given. */
  readonly limit: number | undefined;
  /** Added to `total`, or `absent`. */
  readonly total: number | 'absent';
  readonly ignorePage: boolean;
  /** Whether this page comes without items. Must be asked once for each page. */
  isEmpty(): boolean;
  /** How a list, by its name, has changed since the faults were set; undefined where lists stay as they are. */
  drift(list: string): PageDrift | undefined;
}

/** A list that changes while it is paged. Items are positions of the shelf; new ones come from behind its end. */
export interface PageDrift {
  /** New items by their distance behind the end of the shelf, as they stand in front of it. */
  readonly front: readonly number[];
  readonly back: readonly number[];
  /** Positions before this one are gone. */
  readonly gone: number;
  served(page: ServedPage): void;
}

/** A page that was given, and the view of the list that it was a page of. */
export interface ServedPage {
  readonly isLast: boolean;
  /** Position of the view's first item; undefined when it has none. */
  readonly first: number | undefined;
  /** Whether the view shows the item so far behind the end of the shelf. */
  readonly shows: (extra: number) => boolean;
}

/** How many items are looked at for one that a filter shows; a filter that admits none must not hold up the store. */
const MOST_LOOKED_AT = 10_000;

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

    /** The next new item that the client who pages will see: one that its filter hides would shift nothing. */
    function invent(shows: (extra: number) => boolean): number[] {
      for (let extra = next; extra < next + MOST_LOOKED_AT; extra += 1) {
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
