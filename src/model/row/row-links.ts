import type { Issue } from './row.ts';

/**
 * References between rows of one record that do not share a key: a variation names its product, or a product its
 * variations.
 */
export interface RowLinks {
  /** Names by which other rows refer to this one. */
  readonly names: readonly string[];
  /** The row that this row is part of. */
  readonly parent?: RowLink | undefined;
  /** Rows that are part of this row. */
  readonly parts: readonly RowLink[];
  /** Issues of the cells that contain the references. */
  readonly issues: readonly Issue[];
}

export interface RowLink {
  readonly name: string;
  /** Column that contains the name. */
  readonly column?: string | undefined;
}
