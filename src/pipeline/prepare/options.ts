import type { Checkpoint, StoreHistory } from '../../ledger/index.ts';
import type { FileBinding } from '../../map/index.ts';
import type { JsonObject, RunCommands } from '../../model/index.ts';
import type { CheckedRecord, Mode, NewerImports, Planner } from '../../plan/index.ts';
import type { Resource } from '../../resources/index.ts';
import type { PlannedReferences } from '../inputs/lookups.ts';

/** The options of mapping and validation. */
export interface CheckOptions {
  readonly resource: Resource;
  readonly mode: Mode;
  /** True for `validate`, which only reports what would be done. */
  readonly dryRun: boolean;
  /** Replaces mail addresses and phone numbers with made-up ones. */
  readonly maskContacts: boolean;
  /** Fields from the settings, used if the mapping does not fill them: `{ storeId: … }`. */
  readonly fromSettings: JsonObject;
  /** History of earlier runs with this store; undefined if nothing is known, or nothing is to be remembered. */
  readonly history?: StoreHistory | undefined;
  /** Of a check in a migration: what its earlier steps will create. */
  readonly planned?: PlannedReferences | undefined;
  /** Records that later runs have settled; undefined for a run that is not resumed. */
  readonly newer?: NewerImports | undefined;
  /** The commands that messages name. Default: those of the plain command line. */
  readonly commands?: RunCommands | undefined;
}

/** Functions of a program that uses the library. They get copies, and their results are not trusted. */
export interface OwnRules {
  /** Returns the payload to send. undefined leaves the record out. */
  readonly transform?: ((payload: JsonObject) => unknown) | undefined;
  /** Returns what is wrong with a valid payload: text, `{ message, field }`, or a list of these. */
  readonly check?: ((payload: JsonObject) => unknown) | undefined;
  /** Ends waiting for one of them. */
  readonly interrupted: AbortSignal;
}

/** The options of reading and grouping. */
export interface RecordsOptions {
  /** Folder for temporary files with rows. */
  readonly spillFolder: string;
  /** Called with the share of rows that were emitted (0 to 1), if all rows are grouped on disk first. */
  readonly onDrained?: ((part: number) => void) | undefined;
  /** Called about every thousand records with a place from which the files can be read again. */
  readonly onCheckpoint?: ((checkpoint: Checkpoint) => void) | undefined;
}

export interface PrepareOptions extends RecordsOptions, CheckOptions {
  /** Number of records to skip at the beginning. */
  readonly offset: number;
  /** Maximum number of records. */
  readonly limit?: number | undefined;
  /** Functions of the program that runs the import. They cannot be called from another thread. */
  readonly ownRules?: OwnRules | undefined;
  /** Called with the size of each batch, for progress. */
  readonly onPrepared: (records: number) => void;
  /** Called with the records of each batch after they were validated, for a preview. */
  readonly onChecked?: ((records: readonly CheckedRecord[], binding: FileBinding) => void) | undefined;
  /** Called at the end with warnings: rows that are valid but probably unintended. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** History of earlier runs with the store, for the warnings of a check; undefined if there is nothing to warn of. */
  readonly compareWith?: ComparedHistory | undefined;
  /** State of an earlier execution of the run. */
  readonly resume?: ResumeState | undefined;
}

/** The part of a store's history that warnings compare records with. */
export type ComparedHistory = Pick<StoreHistory, 'lookup' | 'sourcesOf'>;

/** State for resuming a run. */
export interface ResumeState {
  /** Place where reading begins; undefined for the beginning of the first file. */
  readonly from?: Checkpoint | undefined;
  isSettled(seq: number): boolean;
  /** Has the keys of all settled records. The creator of this state closes it. */
  readonly planner: Planner;
}
