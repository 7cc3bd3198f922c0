import type { Checkpoint } from '../../ledger/index.ts';
import type { FileBinding, Mapping, MissedColumns } from '../../map/index.ts';
import type {
  EmptyRows,
  Issue,
  OpenMappingWarning,
  OpenSuspicion,
  Row,
  RuleUse,
  Table,
} from '../../model/index.ts';
import type { Mode } from '../../plan/index.ts';
import type { ReadOptions, Source } from '../../read/index.ts';
import type { Resource } from '../../resources/index.ts';
import type { Suspect, Suspicions } from '../../suspect/index.ts';
import type { EmptyRowCount } from './empty-rows.ts';
import type { LookupTables } from './lookups.ts';
import type { MappingWarnings } from './mapping-warnings.ts';
import type { Decided } from './reimported-json.ts';
import type { Skipping } from './skip-rows.ts';

/** A source file with the mapping that reads it. */
export interface SourceInput {
  readonly source: Source;
  /** Its rows once more, from the first; undefined for what can be read once only. Their table is another object. */
  readonly again?: (() => AsyncIterable<readonly Row[]>) | undefined;
  readonly binding: FileBinding;
  /** Of the rows that the mapping leaves out. */
  readonly skipped: Skipping;
  readonly emptyRows: EmptyRowCount;
  /** Looks for damage in its rows; what is found is kept in `suspicions`. */
  readonly inspect: (row: Row) => readonly Suspect[];
  readonly suspicions: Suspicions;
  /** What the mapping says about its records. */
  readonly mappingWarnings: MappingWarnings;
  /** Columns of data that a shop would miss, and that the preset leaves out. */
  readonly missed?: readonly MissedColumns[];
}

export interface BindOptions {
  readonly resource: Resource;
  /** Preset or file; left out, the header decides. */
  readonly mapping?: string | undefined;
  readonly mode: Mode;
  readonly constants: Readonly<Record<string, string>>;
  /** Web address of the folder in which images lie that have a path only. */
  readonly imageBase?: string | undefined;
  /** Folders in which the mapping may look things up, beside its own. */
  readonly lookupFolders?: readonly string[] | undefined;
  /** Whether earlier runs know records of this resource: these are updates, which need no more than they change. */
  readonly hasHistory?: boolean | undefined;
  /** About objects that come back from a run. */
  readonly decided?: Decided | undefined;
}

export interface OpenInputsOptions extends BindOptions {
  readonly files: readonly string[];
  /** What these are called in messages, where that is not their path: a run that goes on knows them by what the user wrote. */
  readonly names?: readonly string[] | undefined;
  readonly read: Pick<ReadOptions, 'format' | 'encoding' | 'delimiter' | 'quote'>;
  readonly onWarning: (warning: Issue) => void;
  readonly interrupted?: AbortSignal | undefined;
  /** Where to read on: files before that one are not read at all. */
  readonly from?: Checkpoint | undefined;
  /** What was suspect in each file when an earlier execution of the run read it. */
  readonly suspected?: readonly (readonly OpenSuspicion[] | undefined)[];
  /** The empty rows that it counted in each. */
  readonly emptyBefore?: readonly (EmptyRows | undefined)[];
  /** Which rules applied in each file then; for a file without any, nobody knows. */
  readonly rulesBefore?: readonly (readonly RuleUse[])[];
  /** What the mapping said about each file's records then. */
  readonly warned?: readonly (readonly OpenMappingWarning[] | undefined)[];
  /** Whether columns matter that the mapping does not use. */
  readonly keepColumns?: boolean;
  /** Folder of the ledger, which knows what was decided about objects that come back. */
  readonly home?: string | undefined;
}

/** A mapping tied to tables that have the same columns. */
export interface BoundMapping {
  readonly mapping: Mapping;
  /** With the columns of all of them. */
  readonly tables: readonly Table[];
  /** One for each table. */
  readonly bindings: readonly FileBinding[];
  /** Of all tables: one errors.csv must be able to hold the rows of each. */
  readonly header: readonly string[];
  /** The files that the mapping looks things up in. */
  readonly lookups: LookupTables;
  /** Fields that settings fill in when it comes to sending. */
  readonly suppliedLater: readonly string[];
  /** Rows with an identifier in the column `_id` update that record. */
  readonly updatesById: boolean;
}

/** What the files of one run have in common. */
export interface ImportInputs extends Omit<BoundMapping, 'bindings' | 'tables'> {
  readonly inputs: readonly SourceInput[];
}

/** Hears of the files before a run begins. */
export interface InputsWatcher {
  /** Called when all files are open and the mapping is known; nothing was sent. */
  opened(inputs: ImportInputs): void;
  /** Called with each warning about a file: about its header before the first record, about its rows after the last. */
  warned(message: string): void;
}
