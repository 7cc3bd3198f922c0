import { RunStopped } from '../../model/index.ts';
import type { StoreClient } from '../../store/index.ts';
import { soundPages } from '../../store/pagination/index.ts';
import type { ListJob } from './job.ts';
import { type Counts, createSelection, type NewItems } from './selection.ts';
import { countTotals, type ExportTotals, type ListSummary } from './totals.ts';

export interface ReadListOptions {
  /** Maximum number of items. */
  readonly limit?: number | undefined;
  /** Fires when the user interrupts: reading ends with RunStopped after the page at hand. */
  readonly interrupted: AbortSignal;
  /** `read`: items from the store, which may be more than those selected. If the limit is the total, selected items. */
  readonly onProgress: (progress: { read: number; total: number | null }) => void;
  /** True if the keys of the items are wanted, also of those without an identifier. */
  readonly remember: boolean;
}

/** A list as an export reads it. */
export interface ListReading {
  /** Notes the key of an item that an earlier export wrote: it is left out. */
  readonly noteExported: (key: string) => void;
  /** Reads the list in its order, page by page, each item once. To be called once. Throws RunStopped. */
  items(client: Pick<StoreClient, 'deliver'>, concurrency: number): AsyncGenerator<NewItems, void>;
  /** Count what was taken so far. A page counts once the next one is asked for. */
  readonly totals: ExportTotals;
  readonly counts: Counts;
  /** The same as summaries have it. */
  summary(): ListSummary;
}

export function readList(job: ListJob, options: ReadListOptions): ListReading {
  const { list, filters, since } = job;
  const { interrupted, onProgress, remember } = options;
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  const { totals, note } = countTotals(list.id);
  const selection = createSelection({ list, filters, since, remember });
  return {
    totals,
    counts: selection.counts,
    noteExported: selection.noteExported,
    summary: () => summaryOfList(totals, selection.counts),
    async *items(client, concurrency) {
      for await (const page of soundPages(client, { ...list, query: filters.query }, concurrency)) {
        const selected = selection.select(page, limit - totals.items);
        yield selected;
        note(page, selected.items);
        onProgress(
          limit < (totals.drift.total ?? Number.POSITIVE_INFINITY)
            ? { read: totals.items, total: Number.isFinite(limit) ? limit : null }
            : { read: totals.read, total: totals.drift.total },
        );
        if (totals.items >= limit) return;
        if (interrupted.aborted) throw new RunStopped('interrupted', 'The export was interrupted.');
      }
    },
  };
}

function summaryOfList({ pages, items, drift }: ExportTotals, counts: Counts): ListSummary {
  const { total_at_start, total, read_again, unsure, short } = drift;
  const { repeated, known, mismatched, unchecked, early, undated } = counts;
  return {
    ...{ pages, items, known, early, mismatched, unchecked, undated },
    ...{ repeated, read_again, unsure, short, total_at_start, total },
  };
}
