import type { SeveralCurrencies } from './profile/currencies.ts';
import type { StraySkip } from './structure/stray-skip.ts';

/** Something that rules depend on and that no file says. A yes takes the side that is not safe by itself. */
export interface Choice {
  readonly id: string;
  /** The column that shows why it is asked, with one of its cells and the index of its row. */
  readonly column: string;
  readonly cell: string;
  readonly row: number;
  /** A question about what follows from it. */
  readonly asks: string;
}

/** A mapping as it is being made. Rules are written as in a mapping file. */
export interface MappingDraft {
  readonly resource: string;
  readonly group?: Readonly<Record<string, unknown>> | undefined;
  /** Columns whose empty cells have the value above them, the widest first; undefined or empty if there are none. */
  readonly carry?: readonly string[] | undefined;
  readonly key?: string | undefined;
  /** Rows that are left out; undefined if there are none. */
  readonly skips?: readonly StraySkip[] | undefined;
  readonly fields: readonly DraftField[];
  /** The total that orders are compared with, and the tax in it. */
  readonly check?: Readonly<Record<string, unknown>> | undefined;
  /** Choices that are not made yet; undefined if there are none. */
  readonly choices?: readonly Choice[] | undefined;
  /** Several currencies, if a person must choose the store's; undefined if there is one. */
  readonly currencies?: SeveralCurrencies | undefined;
  /** Columns that were left out, with what they may be. */
  readonly leftOut: readonly LeftOut[];
  /** Filled columns that nothing names: none of the known fields is called so. */
  readonly notUsed?: readonly string[] | undefined;
}

export interface DraftField {
  /** Path of the field, such as `price.salePrice`. */
  readonly field: string;
  readonly rule: unknown;
  /** Columns that the rule reads. */
  readonly columns: readonly string[];
  /** How certain it is, 0 to 1. */
  readonly score: number;
  /** Why a person should look at it; undefined if it is certain. */
  readonly doubt?: string | undefined;
  /** True if a person chose how its cells are read: the others are issues, however many. */
  readonly isChosen?: boolean | undefined;
  /** Cells that its rule cannot read and that are words, with the rule that takes them for empty. */
  readonly words?: WordCells | undefined;
}

export interface WordCells {
  /** The words, each as one of its cells has it. */
  readonly cells: readonly string[];
  /** Numbers of their rows. */
  readonly rows: readonly number[];
  readonly rule: unknown;
}

export interface LeftOut {
  readonly column: string;
  /** Field that it may be meant for; undefined if there is none. */
  readonly field?: string | undefined;
  readonly why: string;
  /** The rule that it would have; undefined if none can be written. */
  readonly rule?: unknown;
  /** How certain it is, 0 to 1; undefined if there is no rule. */
  readonly score?: number | undefined;
  /** A cell of it. */
  readonly sample: string;
  /** Harm that records may do without it, said also if another column has its field: `it may decide what is public`. */
  readonly risk?: string | undefined;
}
