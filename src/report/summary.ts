import type {
  FileFigures,
  ImageCounts,
  LookFinding,
  MappingWarning,
  OutcomeStatus,
  ReadFormat,
  RuleUse,
  StopReason,
  Suspicion,
} from '../model/index.ts';
import type { ReportNames } from './format.ts';

/** The content of `summary.json`, also printed by `--json`. The names are a contract. */
export interface Summary {
  readonly run: string;
  readonly command: 'import' | 'adopt' | 'undo' | 'validate';
  readonly resource: string;
  readonly mode: string;
  /** Records skipped by `--offset`. */
  readonly offset: number;
  /** Base URL; null if no store was contacted. */
  readonly store: string | null;
  readonly files: readonly SummaryFile[];
  readonly mapping: { readonly name: string; readonly sha256: string };
  /** Number of records read: the sum of `outcomes`. */
  readonly records: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** Only of `validate`: what an import would do. */
  readonly plan?: PlanSummary;
  /** Number of records not read because the run stopped; null if they could not be counted. */
  readonly not_read?: number | null;
  /** The reason that the run stopped early. `hints` are ways to mend it; a summary that is written again has none. */
  readonly stopped?: {
    readonly reason: StopReason;
    readonly message: string;
    readonly hints?: readonly string[];
  };
  /** Conditions, maps and lookups of the user's mapping that never applied, if any. */
  readonly never_held?: readonly NeverHeld[];
  /** Properties of valid records that are probably not meant, if any; without the codes of `--accept`. */
  readonly findings?: readonly LookFinding[];
  /** Addresses of images by verdict, if they were checked. */
  readonly images?: ImageCounts;
  /** Problems by shape, the most frequent first. */
  readonly problems: readonly Problem[];
  readonly attempts: number;
  readonly started_at: string;
  readonly finished_at: string;
  readonly duration_ms: number;
  readonly records_per_second: number;
  readonly versions: { readonly storeport: string; readonly node: string };
  /** Folder of the reports. */
  readonly out: string;
  /** Names of the reports in it. */
  readonly reports: ReportNames;
  readonly exit_code: number;
}

/** A source file in `summary.json`. */
export interface SummaryFile extends Partial<ShownFormat> {
  readonly file: string;
  /** Null if the file was not read to its end. */
  readonly sha256: string | null;
  /** Number of rows with nothing but delimiters and blanks, if any. They are not records. */
  readonly empty_rows?: number;
  /** Number of rows that the mapping leaves out, if any. */
  readonly skipped_rows?: number;
  /** Number of rows that `--rows`, `--skip-rows` or `--until-blank-row` leaves out, if one is given. */
  readonly left_out_rows?: number;
  /** Columns (or fields of the first objects) that the mapping does not use, if any. */
  readonly unused_columns?: readonly string[];
  /** The unused columns that a shop would miss, by kind, if any. */
  readonly missed_columns?: readonly { readonly kind: string; readonly columns: readonly string[] }[];
  /** Cells that look damaged, if any. They were used unchanged. */
  readonly suspicious?: readonly Suspicion[];
  /** Warnings of the mapping about records, if any. */
  readonly warnings?: readonly MappingWarning[];
  /** Figures of its valid records, if there are any. */
  readonly figures?: FileFigures;
}

/** How a file was read. */
export interface ShownFormat
  extends Omit<ReadFormat, 'otherSheets' | 'skippedLines' | 'noHeader' | 'paddedRows'> {
  /** Lines above the header, if some were left out. */
  readonly skipped_lines?: number;
  /** True if the file has no header. */
  readonly no_header?: true;
  /** True if cells that are missing at the end of a row were read as empty. */
  readonly padded_rows?: true;
}

/** Problems of one shape: equal outcome, code and field, and messages that differ only in names and numbers. */
export interface Problem {
  readonly outcome: OutcomeStatus;
  readonly code: string;
  /** With `*` for list indexes that differ; '' if it concerns no field. */
  readonly field: string;
  /** Number of records that have it. */
  readonly count: number;
  /** Number of issues: a record may have several. */
  readonly issues: number;
  /** Status of the store's first answer, if it refused an update. */
  readonly http_status?: number;
  /** Row and message of the first record. */
  readonly example_row: number;
  readonly example: string;
}

/** The plan for the records of a check, as in summary.json: the names are a contract. */
export interface PlanSummary {
  /** Records by action: `create`, `update`, or the outcome of records that are not sent. */
  readonly actions: Readonly<Record<string, number>>;
  /** Requests that the import would send. */
  readonly requests: number;
  /** Requests a second that the store took in an earlier run; left out if none is known. */
  readonly rate?: number;
  /** Seconds that the requests take at that rate. */
  readonly seconds?: number;
  /** Columns that the mapping does not use, each with a cell; left out if it uses all. */
  readonly unused?: readonly UnusedColumn[];
}

/** A column that the mapping does not use, with one of its cells. */
export interface UnusedColumn {
  readonly column: string;
  /** Undefined if the column is empty in the rows that were looked at. */
  readonly sample?: string | undefined;
}

/** A rule of the user's mapping that was evaluated in a run and applied to no record. */
export type NeverHeld = Omit<RuleUse, 'use'>;
