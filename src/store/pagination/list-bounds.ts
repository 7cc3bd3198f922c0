import type { Page, Paginate } from './page.ts';

/**
 * Tracks the end of a list from its pages: by the numbers that come with them, if any, and by their items.
 */
export interface Extent {
  /** The last page worth asking for. */
  readonly last: number;
  /** True if the store states the end of the list. */
  readonly hasStatedEnd: boolean;
  /** True if the store states the end and no page has held more than that. */
  readonly isKnown: boolean;
  /** Called with every page that is read. */
  note(page: Page): void;
  /** True if the page exists according to all of the store's numbers. */
  isWithinStatedEnd(page: number): boolean;
  /** Number of items that the page should have; undefined if no number states it. */
  due(page: Page): number | undefined;
  isFull(page: Page): boolean;
  /** True if the store states the size of a page; otherwise the largest page counts as full. */
  readonly isStated: boolean;
  /** Called if the store grants less than `per_page`: from then on the size of a page is measured. */
  grantsFewer(): void;
  lookBehind(page: Page): void;
  /** The last page that a list with an end can have. A list with items behind it is endless. */
  readonly most: number;
  /** Number of pages that the store stated first; undefined if it states none. */
  readonly statedFirst: number | undefined;
}

/** Limits for the length of a list in relation to the first stated end: lists grow, and stated ends may be wrong. */
const MAX_TIMES = 10;
const MAX_MORE_PAGES = 1000;
/** Limit for a list without numbers: ten million items. */
const MAX_PAGES = 100_000;

export function createExtent(pageSize: number): Extent {
  /** `per_page`, as it came with the first page. */
  let stated: number | undefined;
  /** Items on the largest page. */
  let largest = 0;
  /** The latest numbers. */
  let known: Paginate = {};
  let last = 1;
  let isMisled = false;
  let statedFirst: number | undefined;

  /** Items on a full page, if known. */
  const size = () => stated ?? (largest > 0 ? largest : undefined);

  const endsOf = ({ total, last_page: lastPage }: Paginate): number[] => [
    ...(lastPage === undefined ? [] : [lastPage]),
    ...(total === undefined ? [] : [Math.ceil(total / (size() ?? pageSize))]),
  ];

  function due({ page, paginate }: Page): number | undefined {
    const { total, last_page: lastPage } = hasEnd(paginate) ? paginate : known;
    const full = size();
    // If the size of a page is not known, only one item can be expected.
    if (total !== undefined) return Math.min(Math.max(total - (page - 1) * (full ?? pageSize), 0), full ?? 1);
    if (lastPage === undefined) return undefined;
    if (page < lastPage) return full ?? 1;
    return page === lastPage && page > 1 ? 1 : 0;
  }

  function misleads({ page, items, paginate: { total = known.total } }: Page): boolean {
    return (
      total !== undefined && items.length > 0 && total < (page - 1) * (size() ?? pageSize) + items.length
    );
  }

  const isFull = ({ items }: Page) => items.length > 0 && items.length >= (size() ?? 1);

  function note(page: Page): void {
    const { items, paginate } = page;
    // A store that gives more than it states does not keep to pages of that size.
    if (largest === 0 && paginate.per_page && items.length <= paginate.per_page) stated ??= paginate.per_page;
    largest = Math.max(largest, items.length);
    if (hasEnd(paginate)) known = paginate;
    isMisled ||= misleads(page);
    const ends = endsOf(paginate);
    if (ends.length > 0) statedFirst ??= Math.max(...ends);
    last = Math.max(last, ...ends);
    if (isFull(page) || (items.length > 0 && (isMisled || !hasEnd(known)))) lookBehind(page);
  }

  function lookBehind({ page }: Page): void {
    last = Math.max(last, page + 1);
  }

  return {
    get last() {
      return last;
    },
    get isStated() {
      return stated !== undefined;
    },
    get hasStatedEnd() {
      return hasEnd(known);
    },
    get isKnown() {
      return hasEnd(known) && !isMisled;
    },
    note,
    isWithinStatedEnd: (page) => page === 1 || (hasEnd(known) && page <= Math.min(...endsOf(known))),
    due,
    isFull,
    grantsFewer() {
      stated = undefined;
      last = Math.max(last, ...endsOf(known));
    },
    lookBehind,
    get most() {
      return statedFirst === undefined ? MAX_PAGES : statedFirst * MAX_TIMES + MAX_MORE_PAGES;
    },
    get statedFirst() {
      return statedFirst;
    },
  };
}

/** True if the numbers state the end of the list. */
function hasEnd({ total, last_page: lastPage }: Paginate): boolean {
  return total !== undefined || lastPage !== undefined;
}
