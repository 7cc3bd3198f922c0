import { itemIdentifier, type JsonObject, RunStopped } from '../../model/index.ts';
import { isOtherPage, type ListOptions, type Page } from './page.ts';

/** Detects a page that a store returns again in place of another. */
export interface Repeats {
  /** Called with every page with items, in order. */
  show(page: Page): void;
  /**
   * True if the store has returned an earlier page in place of this one. `isDue`: its numbers say that this page
   * exists.
   */
  has(page: Page, isDue: boolean): boolean;
  /**
   * True if a repeated page shows that the list has no pages, and the first is all there is. Throws RunStopped if there
   * may be more. False once a page other than the first has been seen.
   */
  isAll(again: Page): boolean;
}

interface Shown {
  readonly page: Page;
  /** Marks that identify each of its items. */
  marks?: { readonly inOrder: readonly string[]; readonly all: ReadonlySet<string> };
}

export function createRepeats({ id, path, pageSize }: ListOptions): Repeats {
  let first: Shown | undefined;
  let before: Shown | undefined;

  function mark(item: JsonObject): string {
    return itemIdentifier(item, id) ?? JSON.stringify(item);
  }

  function marksOf({ items }: Page): NonNullable<Shown['marks']> {
    const inOrder = items.map(mark);
    return { inOrder, all: new Set(inOrder) };
  }

  /** Compares whole pages: one item that comes first on every page may be pinned there. */
  function isSame({ page, items, paginate }: Page, other: Shown): boolean {
    return (
      page > other.page.page &&
      // If a page of items was added meanwhile, it has the items of the one before, and another total.
      paginate.total === other.page.paginate.total &&
      items.length === other.page.items.length &&
      holds(other, items)
    );
  }

  function holds(other: Shown, items: readonly JsonObject[]): boolean {
    const [first] = items;
    if (first === undefined) return false;
    if (other.marks === undefined && !mayHold(other.page, mark(first))) return false;
    other.marks ??= marksOf(other.page);
    const { inOrder, all } = other.marks;
    // Items without identifiers may be equal, and another page may have the same ones in other numbers: so order
    // counts.
    return items.every((item, index) =>
      id === undefined ? inOrder[index] === mark(item) : all.has(mark(item)),
    );
  }

  /** Looks for the first item alone: nearly every page differs there, and marking all items takes ten times as long. */
  function mayHold({ items }: Page, first: string): boolean {
    return id === undefined
      ? mark(items[0] as JsonObject) === first
      : items.some((item) => mark(item) === first);
  }

  return {
    show(page) {
      before = { page };
      first ??= before;
    },
    has(page, isDue) {
      if (page.items.length === 0) return false;
      if (isOtherPage(page)) return true;
      // Single items may well be equal.
      const isTelling = page.items.length > 1 || id !== undefined || !isDue;
      return isTelling && [first, before].some((other) => other !== undefined && isSame(page, other));
    },
    isAll(again) {
      if (before !== first) return false;
      if (first === undefined || !isWhole(first.page, pageSize)) throw samePage(again, path);
      return true;
    },
  };
}

/** If the store does not state the end, a full page may be followed by others. */
function isWhole({ items, paginate }: Page, pageSize: number): boolean {
  const { total, per_page: perPage, last_page: lastPage } = paginate;
  if (total !== undefined) return total === items.length;
  return lastPage !== undefined ? lastPage <= 1 : items.length !== (perPage ?? pageSize);
}

function samePage(page: Page, path: string): RunStopped {
  const asked = `Page ${page.page} of ${path}`;
  return new RunStopped(
    'not-the-api',
    isOtherPage(page)
      ? `${asked} was asked for, and the store answered with page ${page.paginate.current_page}. It cannot be read in pages.`
      : `${asked} is the same as page 1: the store ignores which page is asked for.`,
  );
}
