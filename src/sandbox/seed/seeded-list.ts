import type { Filter } from '../lists.ts';

export interface SeedingOptions {
  readonly storeId: string;
  /** Start of the random numbers. */
  readonly seed: number;
  /** Number of items. */
  readonly count: number;
}

/** Describes a list that can only be read: its paths, and the items that it is seeded with. */
export interface SeededList {
  /** Several paths serve the same list. */
  readonly paths: readonly string[];
  /** Items on a page if the request has no `limit`. */
  readonly defaultLimit: number;
  items(options: SeedingOptions): {
    /** Makes the item at a position, as JSON text. Positions past `count` have items too: the list can grow. */
    textAt(position: number): string;
    readonly filters?: readonly Filter[];
  };
}
