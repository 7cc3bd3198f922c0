import type { JsonObject } from './operation.ts';
import type { Outcome } from './outcome.ts';
import type { SourceRecord } from './row.ts';

/**
 * What to do for one record. An update's payload holds only the fields to change; `id` is the record it is
 * addressed to.
 */
export type Operation =
  | { readonly kind: 'create'; readonly payload: JsonObject }
  | { readonly kind: 'update'; readonly id: string; readonly payload: JsonObject };

/** A record after planning: either there is something to send, or its outcome is known already. */
export type Planned = {
  readonly record: SourceRecord;
  /** Empty where the record has none. */
  readonly key: string;
} & (
  | { readonly operation: Operation; readonly outcome?: never }
  | { readonly outcome: Outcome; readonly operation?: never }
);

/** A source row as reports give it back: its number and its cells as they were. */
export interface KeptRow {
  readonly row: number;
  readonly cells: readonly string[];
}

/** A record at its end: one line of results.csv and, where it is given back, the rows for errors.csv. */
export interface Settled {
  readonly seq: number;
  /** Number of the lead row. */
  readonly row: number;
  readonly key: string;
  readonly outcome: Outcome;
  /** Present for the outcomes in INCOMPLETE. */
  readonly rows?: readonly KeptRow[];
}

export function keptRows(record: SourceRecord): KeptRow[] {
  return record.rows.map(({ row, cells }) => ({ row, cells }));
}

export function leadRow(record: SourceRecord): number {
  return record.rows[0]?.row ?? 0;
}
