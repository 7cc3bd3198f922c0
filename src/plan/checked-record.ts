import type { Issue, JsonObject, PriorState, RecordRef, SourceRecord, Trashed } from '../model/index.ts';

/** The places of a record's key; see `keyFor` (`plan.ts`). */
export interface RecordKeys {
  readonly payload: JsonObject;
  /** The key in the payload in E.164, if it is a phone number without the code of its country and the country is known. */
  readonly phoneKey?: string | undefined;
  /** The group's key as in the file, if rows were grouped. */
  readonly groupKey?: string | undefined;
  /** The key from the column that the mapping names, for resources whose payload has no key. */
  readonly namedKey?: string | undefined;
}

/** A record with its payload and every issue that mapping and validation found. */
export interface CheckedRecord extends RecordKeys {
  readonly record: SourceRecord;
  readonly issues: readonly Issue[];
  /** `_id` from the file: the identifier of the record to update. */
  readonly id?: string | undefined;
  /** Knowledge of earlier runs about its key at this store. */
  readonly known?: PriorState | undefined;
  /** Set if the record that it would update is in the trash since an undo. */
  readonly trashed?: Trashed | undefined;
  /** True if the rules of the program leave it out: nothing is sent for it. */
  readonly isLeftOut?: boolean | undefined;
  /** Set if it is re-imported from an earlier run. */
  readonly reimport?: Reimport | undefined;
}

/** The earlier records that a re-imported record consists of: from the ledger, or from the file if that has no such run. */
export interface Reimport {
  /** Earlier records that are still open. They get the outcome of this one. */
  readonly refs: readonly RecordRef[];
  /** True if all rows are re-imported: none was added by hand. */
  readonly isWhole: boolean;
  /** Their current outcome, and the run that has it. */
  readonly current: {
    readonly run: string;
    /** Undefined if only the file has the outcome. */
    readonly ref?: RecordRef;
    readonly row?: number;
    readonly outcome: string;
    readonly code: string;
  };
  /** Issues of their rows that were not corrected. */
  readonly issues: readonly Issue[];
}
