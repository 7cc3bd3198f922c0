/** What damage that happened before a file came here is seen by: stable words for summary.json. */
export type SuspectCode =
  | 'decoded-twice'
  | 'lost-letter'
  | 'rounded'
  | 'wrong-check-digit'
  | 'lost-zero'
  | 'formula-error'
  | 'null-word'
  | 'same-sku';

/** Cells of one column that look damaged in the same way. They were taken as they are. */
export interface Suspicion {
  readonly code: SuspectCode;
  /** Name of the column, or path in an object of JSON. */
  readonly column: string;
  readonly count: number;
  /** The first of them: the cell's text, or the part of it that shows the damage. */
  readonly cells: readonly { readonly row: number; readonly text: string }[];
}

/** The same for a run that may be gone on with. */
export interface OpenSuspicion extends Suspicion {
  /** Position in the run of the last record that has such a cell: those up to it were counted. */
  readonly last: number;
}
