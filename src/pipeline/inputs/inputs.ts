import type { CheckedImages } from '../../images/index.ts';
import type { Checkpoint, LedgerSource, SourceFile } from '../../ledger/index.ts';
import type { FileBinding, Mapping, MissedColumns } from '../../map/index.ts';
import type { Issue, Row, Table } from '../../model/index.ts';
import type { Mode } from '../../plan/index.ts';
import type { FormatOptions, Source } from '../../read/index.ts';
import type { Resource } from '../../resources/index.ts';
import type { Suspect, Suspicions } from '../../suspect/index.ts';
import type { FileLook } from '../look/look.ts';
import type { EmptyRowCount } from './empty-rows.ts';
import type { LookupTables } from './lookups.ts';
import type { MappingWarnings } from './mapping-warnings.ts';
import type { EarlierChoice } from './reimported-json.ts';
import type { SkippedRows } from './skip-rows.ts';

/** A source file with the mapping that reads it. */
export interface InputFile {
  readonly source: Source;
  /** Reads its rows again from the first; undefined if it can be read only once. Their table is another object. */
  readonly again?: (() => AsyncIterable<readonly Row[]>) | undefined;
  readonly binding: FileBinding;
  /** Counts the rows that the mapping leaves out. */
  readonly skipped: SkippedRows;
  readonly emptyRows: EmptyRowCount;
  /** Inspects a row for damage. Findings are kept in `suspicions`. */
  readonly inspect: (row: Row) => readonly Suspect[];
  readonly suspicions: Suspicions;
  /** Warnings of the mapping about its records. */
  readonly mappingWarnings: MappingWarnings;
  /** Figures of its valid records. */
  readonly look: FileLook;
  /** Columns of data that a shop would miss, and that the preset leaves out. */
  readonly missed?: readonly MissedColumns[];
}

/** The options that choose the mapping and say how it is applied. */
export interface MappingChoice {
  readonly resource: Resource;
  /** Preset or file; left out, the header decides. */
  readonly mapping?: string | undefined;
  /** Text of the mapping, if it is not in its file yet: `mapping` is then the path that it is meant for. */
  readonly mappingText?: string | undefined;
  readonly mode: Mode;
  readonly constants: Readonly<Record<string, string>>;
  /** Web address of the folder of images that have a path only. */
  readonly imageBase?: string | undefined;
  /** Code of the country of phone numbers in records that name none; ISO 3166-1. */
  readonly country?: string | undefined;
  /** Folders in which the mapping may look things up, besides its own. */
  readonly lookupFolders?: readonly string[] | undefined;
}

/** The options that choose source files and their mapping. */
export interface SourceOptions extends MappingChoice {
  readonly files: readonly string[];
  readonly read: FormatOptions;
  /** Opens what is read for the file name `-`. It can be read once. */
  readonly stdin?: (() => NodeJS.ReadableStream) | undefined;
  /** Its name in messages and reports. Default: `-`. */
  readonly stdinName?: string | undefined;
}

export interface BindOptions extends MappingChoice {
  /** True if earlier runs know records of this resource. Updates need no more fields than they change. */
  readonly hasHistory?: boolean | undefined;
  /** The mapping that the options name, if it was parsed before. */
  readonly named?: Mapping | undefined;
  /** For JSON objects that are imported again. */
  readonly earlierChoice?: EarlierChoice | undefined;
  /** Suggests options for the reader if no mapping fits the files. Each is a sentence. */
  readonly suggestions?: (() => readonly string[]) | undefined;
}

/** State of the files from a command or an earlier execution of the run. */
export interface InputsState {
  /** Names for messages, if they are not the paths: a resumed run uses the names that the user wrote. */
  readonly names?: readonly string[] | undefined;
  readonly hasHistory?: boolean | undefined;
  readonly interrupted?: AbortSignal | undefined;
  /** The place to read on from. Files before it are not read at all. */
  readonly from?: Checkpoint | undefined;
  /** Counts and notices about each file from the earlier executions, which this one adds to. */
  readonly counted?: readonly SourceFile[] | undefined;
  /** True if columns matter that the mapping does not use. */
  readonly keepColumns?: boolean;
  /** Folder of the ledger, which knows the decisions about re-imported objects. */
  readonly home?: string | undefined;
  /** The ledger, if it is not the one under `home`. */
  readonly ledger?: LedgerSource | undefined;
}

export interface OpenInputsOptions extends SourceOptions, InputsState {
  readonly onWarning: (warning: Issue) => void;
}

/** The mapping of a run, with everything that it needs besides the files. */
export interface ResolvedMapping {
  readonly mapping: Mapping;
  /** Columns of all tables, since one errors.csv must be able to hold the rows of each. */
  readonly header: readonly string[];
  /** Files that the mapping uses for lookups. */
  readonly lookups: LookupTables;
  /** Images that were found to be wrong; undefined if none was, or if they were not checked. */
  readonly images?: CheckedImages | undefined;
  /** Fields that settings fill in before sending. */
  readonly suppliedLater: readonly string[];
  /** Rows with an identifier in the column `_id` update that record. */
  readonly updatesById: boolean;
}

/** A mapping bound to tables that have the same columns. */
export interface BoundMapping extends ResolvedMapping {
  /** Each has the columns of all. */
  readonly tables: readonly Table[];
  /** One for each table. */
  readonly bindings: readonly FileBinding[];
}

/** The opened files of one run, with the mapping that they share. */
export interface ImportInputs extends ResolvedMapping {
  readonly files: readonly InputFile[];
}

/** Callbacks about the files of a run. */
export interface InputsWatcher {
  /** Called when all files are open and the mapping is known; nothing was sent. */
  opened(inputs: ImportInputs): void;
  /** Called with each warning about a file: about its header before the first record, about its rows after the last. */
  warned(message: string): void;
}
