import { itemIdentifier, type JsonObject } from '../../model/index.ts';
import type { SoundPage } from '../../store/index.ts';

/** How far an export is, and what it met on its way through the list. */
export interface Walk extends Mutable<Omit<ListDrift, 'repeated'>> {
  /** Without those that were read again. */
  pages: number;
  /** Items that the store gave, and those of them that were written. */
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

/** `id`: field that identifies an item, where there is one. */
export function note(
  walk: Walk,
  page: SoundPage,
  written: readonly JsonObject[],
  id: string | undefined,
): void {
  // A page behind the end may come without.
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
  /** What the store said the list holds, at the beginning and at the end. */
  readonly total_at_start: number | null;
  readonly total: number | null;
  /** Items that came more than once since the list shifted while it was paged; written once. */
  readonly repeated: number;
  /** Pages that were read once more, since something may have moved onto them. */
  readonly read_again: number;
  /** Pages on which, or before which, something may be missing, or come twice if it has no identifier. */
  readonly unsure: number;
  /** Those of them that held too few items whenever they were read; with the others the list changed. */
  readonly short: number;
}
