/** Kinds of texts that a shop can only use if they have a certain form. */
export type TextMeaning = 'phone-number' | 'postcode' | 'country-code' | 'currency-code';

/** Signs of damage from before the import. The codes in summary.json are stable. */
export type SuspectCode =
  | 'decoded-twice'
  | 'lost-letter'
  | 'rounded'
  | 'wrong-check-digit'
  | 'lost-zero'
  | 'formula-error'
  | 'null-word'
  | 'same-sku'
  | 'not-a-phone-number'
  | 'not-a-postcode'
  | 'not-a-country-code'
  | 'not-a-currency-code'
  | 'same-options'
  | 'no-such-option';

/** Cells of one column that look damaged in the same way. They are imported unchanged. */
export interface Suspicion {
  readonly code: SuspectCode;
  /** Name of the column, or path in a JSON object. */
  readonly column: string;
  readonly count: number;
  /** The first cells: their text, or the part that shows the damage. */
  readonly cells: readonly { readonly row: number; readonly text: string }[];
}

/** Suspect cells of a run that may be resumed. */
export interface OpenSuspicion extends Suspicion {
  /** Position in the run of the last record with such a cell. Records up to it are already counted. */
  readonly last: number;
}
