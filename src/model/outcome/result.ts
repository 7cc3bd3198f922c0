import type { KeptRow } from '../row/kept-row.ts';
import type { SourceRecord } from '../row/row.ts';
import type { Operation } from './operation.ts';
import type { Outcome } from './outcome.ts';
import type { FieldDigests, RecordRef } from './prior-state.ts';
import type { StoreRequest } from './request.ts';

/** A planned record: it has an operation to send, or its outcome is already known. */
export type PlannedRecord = {
  readonly record: SourceRecord;
  /** Empty if the record has no key. */
  readonly key: string;
  /** Digests of the store's values after the operation. */
  readonly digests?: FieldDigests | undefined;
  /** Records of earlier runs that are imported again as this one. It supersedes them. */
  readonly supersedes?: readonly RecordRef[] | undefined;
  /** The record of an earlier run that is in doubt. Once its outcome is found out, it also counts for this record. */
  readonly sharesOutcomeOf?: RecordRef | undefined;
} & (
  | { readonly operation: Operation; readonly outcome?: never }
  | { readonly outcome: Outcome; readonly operation?: never }
);

/** A record as delivery takes it: with all that is sent and noted, or with its result already. */
export type ReadyRecord = RecordToSend | { readonly result: RecordResult };

/** A record whose request and intent are made, so that sending it does not need its rows. */
export interface RecordToSend {
  readonly seq: number;
  /** Row number of the first row. */
  readonly row: number;
  /** Source file, if the run has several. */
  readonly file?: string | undefined;
  readonly key: string;
  readonly kind: Operation['kind'];
  readonly request: StoreRequest;
  /** Identifier of the record that an update changes. */
  readonly id?: string | undefined;
  /** The intent as the ledger's log has it. */
  readonly intent: Buffer;
}

/** A record with its outcome: a line of results.csv, and its rows for errors.csv if it is incomplete. */
export interface RecordResult {
  readonly seq: number;
  /** Row number of the first row. */
  readonly row: number;
  /** Source file, if the run has several. */
  readonly file?: string | undefined;
  readonly key: string;
  readonly outcome: Outcome;
  /** Defined for the outcomes in INCOMPLETE. */
  readonly rows?: readonly KeptRow[] | undefined;
  /** Digests of what the store has, or may have. */
  readonly digests?: FieldDigests | undefined;
  /** Records of earlier runs that this one supersedes. */
  readonly supersedes?: readonly RecordRef[] | undefined;
  /** The record of an earlier run whose outcome also counts for this one. */
  readonly sharesOutcomeOf?: RecordRef | undefined;
  /** The later run that imported the record again and decided this outcome. */
  readonly supersededBy?: { readonly run: string; readonly ref: RecordRef } | undefined;
}

/** Bytes of an object or a string beside its characters. */
const OBJECT_BYTES = 32;

/** Estimates the memory of a result in bytes, by its rows and its message. */
export function resultBytes({ rows = [], outcome }: Pick<RecordResult, 'rows' | 'outcome'>): number {
  let bytes = OBJECT_BYTES + (outcome.message?.length ?? 0);
  for (const { cells } of rows) for (const cell of cells) bytes += OBJECT_BYTES + cell.length;
  return bytes;
}

/** The part of a result that a resumed run needs. It is cheap to read for a million records. */
export interface RecordResultStub
  extends Pick<RecordResult, 'seq' | 'row' | 'file' | 'key' | 'supersededBy'> {
  /** `id` is undefined for a created record: no other record of its run can update it. */
  readonly outcome: Pick<Outcome, 'outcome' | 'id' | 'code'>;
}
