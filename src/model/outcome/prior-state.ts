/** Digests of a payload's fields. Two strings rather than a list, since there is one of these for each record. */
export interface FieldDigests {
  /** Top-level fields, separated by commas; then the watched numbers, as `=price`. */
  readonly fields: string;
  /** 8 characters for each, concatenated: a digest, or the first 48 bits of a watched number. */
  readonly digests: string;
}

/** A record in the ledger: the number of its run, and its position in that run. */
export type RecordRef = readonly [run: number, seq: number];

/** State of a key at a store, as earlier runs recorded it. */
export interface PriorState {
  /** The last run that recorded the key, and the row there. */
  readonly run: string;
  readonly row: number;
  /** `_id` in the store; undefined while the record is in doubt. */
  readonly id?: string;
  /** Reason for the doubt. */
  readonly code?: string;
  /** The record that recorded this state. */
  readonly ref: RecordRef;
  /** Digests of what was sent to the store; undefined if unknown. */
  readonly digests?: FieldDigests;
}

/** A record that a later run at the same store has settled: sent, or found there with the same values. */
export interface LaterRecord {
  /** Run id. */
  readonly run: string;
  /** Empty if the record has no key. */
  readonly key: string;
  /** `_id` in the store; undefined if unknown. */
  readonly id?: string | undefined;
}

/** A record that an undo put into the trash, and that no import has restored since. */
export interface Trashed {
  /** Run id of the undo. */
  readonly run: string;
  /** False if the request was sent and not answered, so the record may or may not be in the trash. */
  readonly sure: boolean;
}
