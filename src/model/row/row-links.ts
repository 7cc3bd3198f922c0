import type { Issue } from './row.ts';

/**
 * What a row says of itself and of others, where rows that are one record do not share a key but name each other: a
 * variation its product, or a product its variations.
 */
export interface RowLinks {
  /** By which other rows name this one. */
  readonly names: readonly string[];
  /** The row that this one is part of. */
  readonly parent?: RowLink | undefined;
  /** Rows that are part of this one. */
  readonly parts: readonly RowLink[];
  /** What is wrong with the cells that say so. */
  readonly issues: readonly Issue[];
}

export interface RowLink {
  readonly name: string;
  /** Where the name was read. */
  readonly column?: string | undefined;
}
