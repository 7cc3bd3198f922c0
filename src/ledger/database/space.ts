import { type Database, inTransaction } from './database.ts';

/** The size of `ledger.db`, in bytes. */
export interface LedgerSpace {
  readonly bytes: number;
  /** Part of it that is free: later runs write there. */
  readonly free: number;
}

/** Free pages from which a prune shrinks the file before it continues: 40 MB. */
const MOST_FREE_PAGES = 10_000;

/**
 * Shrinks the file if many pages are free. Called again and again during a prune, since the time that SQLite needs for
 * each page grows with the number of free ones.
 */
export function shrinkIfLarge(database: Database): void {
  if (numberOf(database, 'freelist_count') >= MOST_FREE_PAGES) shrink(database);
}

export function spaceOf(database: Database): LedgerSpace {
  const pageSize = numberOf(database, 'page_size');
  return {
    bytes: numberOf(database, 'page_count') * pageSize,
    free: numberOf(database, 'freelist_count') * pageSize,
  };
}

/** Pages of one transaction. */
const PAGES_AT_ONCE = 1000;

/**
 * Gives free pages back to the file system: moves pages from the end of the file into free ones, and cuts the file at the
 * next checkpoint. Each transaction moves some pages and has its checksums, as any other.
 */
export function shrink(database: Database): void {
  for (let free = numberOf(database, 'freelist_count'); free > 0; ) {
    inTransaction(database, () => database.exec(`pragma incremental_vacuum(${PAGES_AT_ONCE})`));
    const left = numberOf(database, 'freelist_count');
    if (left >= free) return;
    free = left;
  }
}

function numberOf(database: Database, setting: 'page_size' | 'page_count' | 'freelist_count'): number {
  const [line] = database.pragma(setting) as [Readonly<Record<string, number>>];
  return line[setting] as number;
}
