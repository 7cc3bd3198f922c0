import type { KeptRow } from '../row/kept-row.ts';
import type { SourceRecord } from '../row/row.ts';
import type { Operation } from './operation.ts';
import type { Outcome } from './outcome.ts';
import type { FieldDigests, RecordRef } from './prior-state.ts';

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
