import { unseenDamage } from './damage-mark.ts';
import type { JsonObject } from './operation.ts';
import type { Outcome } from './outcome.ts';
import type { Row, SourceRecord } from './row.ts';

/**
 * What to do for one record. An update's payload holds only the fields to change; `id` is the record it is
 * addressed to.
 */
export type Operation =
  | { readonly kind: 'create'; readonly payload: JsonObject }
  | { readonly kind: 'update'; readonly id: string; readonly payload: JsonObject };

/** What is remembered of a payload. One text each, since there are as many of these as records. */
export interface FieldDigests {
  /** Top-level fields with commas between. */
  readonly fields: string;
  /** 8 characters for each of them, one behind the other. */
  readonly digests: string;
}

/** A record in the ledger: the number of its run there, and its place in that run. */
export type RecordRef = readonly [run: number, seq: number];

/** What earlier runs know of a key at a store. */
export interface PriorState {
  /** The run that said so last, and the row there. */
  readonly run: string;
  readonly row: number;
  /** `_id` in the store; absent while only the store knows whether the record is there. */
  readonly id?: string;
  /** Why it is in doubt. */
  readonly code?: string;
  /** The record that says so. */
  readonly ref: RecordRef;
  /** Of what the store was given; absent where that is not known. */
  readonly digests?: FieldDigests;
}

/** A record that an undo put into the trash, and that no import has brought back since. */
export interface Trashed {
  /** The undo. */
  readonly run: string;
  /** False: its request was sent and not answered, so it may have happened. */
  readonly sure: boolean;
}

/** A record after planning: either there is something to send, or its outcome is known already. */
export type PlannedRecord = {
  readonly record: SourceRecord;
  /** Empty where the record has none. */
  readonly key: string;
  /** Of what the store has once the operation is done. */
  readonly digests?: FieldDigests | undefined;
  /** Records of earlier runs that come back in this one. */
  readonly comesFrom?: readonly RecordRef[] | undefined;
  /** The record of an earlier run that is in doubt: what is found out about that holds for this one. */
  readonly follows?: RecordRef | undefined;
} & (
  | { readonly operation: Operation; readonly outcome?: never }
  | { readonly outcome: Outcome; readonly operation?: never }
);

/** A source row as reports give it back: its number and its cells as they were. */
export interface KeptRow {
  readonly row: number;
  readonly cells: readonly string[];
  /** It is in several records; see `Row.shared`. */
  readonly shared?: true;
  /** See `unseenDamage`. */
  readonly damage?: string;
}

/** A record at its end: one line of results.csv and, where it is given back, the rows for errors.csv. */
export interface RecordResult {
  readonly seq: number;
  /** Number of the lead row. */
  readonly row: number;
  /** Its file, where the run has several. */
  readonly file?: string | undefined;
  readonly key: string;
  readonly outcome: Outcome;
  /** Present for the outcomes in INCOMPLETE. */
  readonly rows?: readonly KeptRow[] | undefined;
  /** Of what the store has now, or may have. */
  readonly digests?: FieldDigests | undefined;
  /** Records of earlier runs for which this one speaks from now on. */
  readonly comesFrom?: readonly RecordRef[] | undefined;
  /** The record of an earlier run that speaks for this one. */
  readonly follows?: RecordRef | undefined;
  /** The record came back in a later run, and this is what became of it there. */
  readonly cameBack?: { readonly run: string; readonly ref: RecordRef } | undefined;
}

/** Of a settled record only what a run that goes on must know: cheap to read where there are a million of them. */
export interface RecordResultStub extends Pick<RecordResult, 'seq' | 'row' | 'file' | 'key' | 'cameBack'> {
  /** `id` is absent where the record was created: no other can be addressed to it within its run. */
  readonly outcome: Pick<Outcome, 'outcome' | 'id' | 'code'>;
}

/** `cells`: others than those of the row. */
export function keptRow(row: Row, cells = row.cells): KeptRow {
  const { row: number, shared } = row;
  if (!shared && !row.issues) return { row: number, cells };
  const damage = unseenDamage(row);
  return { row: number, cells, ...(shared ? { shared } : {}), ...(damage === undefined ? {} : { damage }) };
}

export function keptRows(record: SourceRecord): KeptRow[] {
  return record.rows.map((row) => keptRow(row));
}

/** How messages name a row: `row 7`; where there are several files, `"b.csv", row 7`. */
export function placeWords({
  row,
  file,
}: {
  readonly row: number;
  readonly file?: string | undefined;
}): string {
  return file === undefined ? `row ${row}` : `"${file}", row ${row}`;
}

export function leadFile(record: SourceRecord): string | undefined {
  return record.rows[0]?.table.file;
}

export function leadRow(record: SourceRecord): number {
  return record.rows[0]?.row ?? 0;
}
