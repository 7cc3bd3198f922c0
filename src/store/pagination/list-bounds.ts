import type { Page, Paginate } from './page.ts';

/**
 * How far a list reaches, as its pages tell one after the other: by the numbers that come with them, where there are
 * any, and by what they hold.
 */
export interface Extent {
  /** The last page worth asking for. */
  readonly last: number;
  /** Whether the store says where the list ends. */
  readonly isNamed: boolean;
  /** The same, and no page has held more than that. */
  readonly isKnown: boolean;
  /** Told of every page that is taken. */
  note(page: Page): void;
  /** Whether the page is one of those that all of the store's numbers know of. */
  names(page: number): boolean;
  /** How many items the page should hold; undefined where no number says so. */
  due(page: Page): number | undefined;
  isFull(page: Page): boolean;
  /** Whether the store says how large a page is; otherwise pages are as large as the largest. */
  readonly isStated: boolean;
  /** `per_page` is not what the store grants: pages are as large as they are seen to be. */
  grantsFewer(): void;
  lookBehind(page: Page): void;
}

export function createExtent(pageSize: number): Extent {
  /** `per_page`, as it came with the first page. */
  let stated: number | undefined;
  /** Items on the largest page. */
  let largest = 0;
  /** The latest numbers. */
  let known: Paginate = {};
  let last = 1;
  let isMisled = false;

  /** Items on a full page, as far as that is known. */
  const size = () => stated ?? (largest > 0 ? largest : undefined);

  const endsOf = ({ total, last_page: lastPage }: Paginate): number[] => [
    ...(lastPage === undefined ? [] : [lastPage]),
    ...(total === undefined ? [] : [Math.ceil(total / (size() ?? pageSize))]),
  ];

  function due({ page, paginate }: Page): number | undefined {
    const { total, last_page: lastPage } = hasEnd(paginate) ? paginate : known;
    const full = size();
    // Of a page whose size is not known, one item is as much as can be demanded.
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
    // One that gives more than it says does not keep to pages of that size.
    if (largest === 0 && paginate.per_page && items.length <= paginate.per_page) stated ??= paginate.per_page;
    largest = Math.max(largest, items.length);
    if (hasEnd(paginate)) known = paginate;
    isMisled ||= misleads(page);
    last = Math.max(last, ...endsOf(paginate));
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
    get isNamed() {
      return hasEnd(known);
    },
    get isKnown() {
      return hasEnd(known) && !isMisled;
    },
    note,
    names: (page) => page === 1 || (hasEnd(known) && page <= Math.min(...endsOf(known))),
    due,
    isFull,
    grantsFewer() {
      stated = undefined;
      last = Math.max(last, ...endsOf(known));
    },
    lookBehind,
  };
}

/** Whether the numbers say where the list ends. */
function hasEnd({ total, last_page: lastPage }: Paginate): boolean {
  return total !== undefined || lastPage !== undefined;
}
