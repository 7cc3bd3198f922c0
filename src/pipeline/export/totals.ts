import { itemIdentifier, type JsonObject } from '../../model/index.ts';
import type { SoundPage } from '../../store/index.ts';

/** Totals of an export so far, and the drift of the list. */
export interface ExportTotals {
  /** Pages, without those that were read again. */
  readonly pages: number;
  /** Items from the store, and the number of them that were written. */
  readonly read: number;
  readonly items: number;
  readonly firstId: string | null;
  readonly lastId: string | null;
  readonly drift: StoreDrift;
}

/** Counts the pages and items of an export. */
export interface TotalsCounter {
  /** Called with each page, and its items that were written. */
  note(page: SoundPage, written: readonly JsonObject[]): void;
  /** Updated by `note`. */
  readonly totals: ExportTotals;
}

type Mutable<T> = { -readonly [name in keyof T]: T[name] };

/** `id`: field that identifies an item; undefined if there is none. */
export function countTotals(id: string | undefined): TotalsCounter {
  const drift: Mutable<StoreDrift> = {
    ...{ total_at_start: null, total: null, read_again: 0, unsure: 0, short: 0 },
  };
  const totals: Mutable<ExportTotals> = {
    ...{ pages: 0, read: 0, items: 0, firstId: null, lastId: null, drift },
  };
  return {
    totals,
    note(page, written) {
      // A page behind the end may have no total.
      const total = page.paginate.total ?? drift.total;
      if (totals.pages === 0) drift.total_at_start = total;
      drift.total = total;
      if (page.again) drift.read_again++;
      else {
        totals.pages++;
        totals.read += page.items.length;
      }
      if (!page.sure) drift.unsure++;
      if (page.short) drift.short++;
      totals.items += written.length;
      const [first, last] = [written[0], written.at(-1)];
      if (id === undefined || first === undefined || last === undefined) return;
      totals.firstId ??= itemIdentifier(first, id) ?? null;
      totals.lastId = itemIdentifier(last, id) ?? null;
    },
  };
}

/** Changes of the list that its pages show. */
export interface StoreDrift {
  /** Size of the list according to the store, at the beginning and at the end. */
  readonly total_at_start: number | null;
  readonly total: number | null;
  /** Pages that were read again, since items may have moved onto them. */
  readonly read_again: number;
  /** Pages on which, or before which, items may be missing, or repeated if they have no identifier. */
  readonly unsure: number;
  /** Unsure pages that had too few items at every read. At the others the list changed. */
  readonly short: number;
}

export interface ListDrift extends StoreDrift {
  /** Items that were read more than once, since the list shifted while it was paged. They were written once. */
  readonly repeated: number;
}

/** The part of a summary that tells how the list was read. */
export interface ListSummary extends ListDrift {
  readonly pages: number;
  /** Items that this export wrote. */
  readonly items: number;
  /** Items that were left out: those of an earlier export, and those from before `--since`. */
  readonly known: number;
  readonly early: number;
  /** Items that were left out, since they do not match `--filter` although the store sent them. */
  readonly mismatched: number;
  /** Items that were written although they have no value to compare with `--filter`. */
  readonly unchecked: number;
  /** Items that were written although their date is missing or unreadable for `--since`. */
  readonly undated: number;
}
