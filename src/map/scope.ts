import type { Issue, Json, Row } from '../model/index.ts';

/**
 * What the takers of one record share while its payload is built. One object a record, changed in place: a
 * closure or a copy a cell would cost more than the mapping itself.
 */
export interface Scope {
  readonly rows: readonly Row[];
  /** The row of the list item that is being built; else the lead row. */
  row: Row;
  /** Path of the list item that is being built, such as `variants.3.`; else empty. */
  prefix: string;
  /** Where the text that is being worked on was read. */
  at: { row: Row; column: number };
  readonly issues: Issue[];
}

/** Takes one value out of a record. Undefined means absent, never empty text. */
export type Take = (scope: Scope) => Json | undefined;

/** Finds the position of a column, with the numbers of an enclosing family filled in. */
export type FindColumn = (name: string) => number | undefined;
