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
