import type { Faults } from './faults.ts';
import { striking } from './when.ts';

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
  drift(list: string): Drift | undefined;
}

/** A list that changes while it is paged. Items are positions of the shelf; new ones come from behind its end. */
export interface Drift {
  /** How many new items there are; `extra(0)` is the oldest. */
  readonly front: readonly number[];
  readonly back: readonly number[];
  /** How many items are gone, from the first on. */
  readonly removed: number;
  /** Told of each page that was given. */
  served(isLast: boolean): void;
}

/** Salt that keeps the pages without items apart from the other faults. */
const EMPTY_PAGE = 901;

export function pageHabits(faults: Faults): PageHabits {
  const { seed = 1, shift, 'last-page-grows': grows = 0 } = faults;
  const empties = striking(faults['empty-page'] ?? [], seed, EMPTY_PAGE);
  const drifts = new Map<string, Drift>();

  function createDrift(): Drift {
    const front: number[] = [];
    const back: number[] = [];
    let removed = 0;
    let pages = 0;
    return {
      front,
      back,
      get removed() {
        return removed;
      },
      served(isLast) {
        pages += 1;
        if (shift !== undefined && pages % shift.every === 0) {
          if (shift.how === 'insert') front.unshift(front.length + back.length);
          else removed += 1;
        }
        if (isLast && back.length < grows) back.push(front.length + back.length);
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
