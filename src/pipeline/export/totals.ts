import { itemIdentifier, type JsonObject } from '../../model/index.ts';
import type { SoundPage } from '../../store/index.ts';

/** Progress of an export through the list, and the drift of the list so far. */
export interface Walk extends Mutable<Omit<ListDrift, 'repeated'>> {
  /** Pages, without those that were read again. */
  pages: number;
  /** Items from the store, and the number of them that were written. */
  read: number;
  items: number;
  firstId: string | null;
  lastId: string | null;
}

type Mutable<T> = { -readonly [name in keyof T]: T[name] };

export function newWalk(): Walk {
  return {
    ...{ pages: 0, read: 0, items: 0, firstId: null, lastId: null },
    ...{ total_at_start: null, total: null, read_again: 0, unsure: 0, short: 0 },
  };
}

/** `id`: field that identifies an item; undefined if there is none. */
export function note(
  walk: Walk,
  page: SoundPage,
  written: readonly JsonObject[],
  id: string | undefined,
): void {
  // A page behind the end may have no total.
  const total = page.paginate.total ?? walk.total;
  if (walk.pages === 0) walk.total_at_start = total;
  walk.total = total;
  if (page.again) walk.read_again++;
  else {
    walk.pages++;
    walk.read += page.items.length;
  }
  if (!page.sure) walk.unsure++;
  if (page.short) walk.short++;
  walk.items += written.length;
  const [first, last] = [written[0], written.at(-1)];
  if (id === undefined || first === undefined || last === undefined) return;
  walk.firstId ??= itemIdentifier(first, id) ?? null;
  walk.lastId = itemIdentifier(last, id) ?? null;
}

export interface ListDrift {
  /** Size of the list according to the store, at the beginning and at the end. */
  readonly total_at_start: number | null;
  readonly total: number | null;
  /** Items that were read more than once, since the list shifted while it was paged. They were written once. */
  readonly repeated: number;
  /** Pages that were read again, since items may have moved onto them. */
  readonly read_again: number;
  /** Pages on which, or before which, items may be missing, or repeated if they have no identifier. */
  readonly unsure: number;
  /** Unsure pages that had too few items at every read. At the others the list changed. */
  readonly short: number;
}
