import type { MappingWarning, Suspicion } from '../model/index.ts';

/** The part of summary.json that the page of a run shows. The names are those of the contract. */
export interface ReportedRun {
  readonly run: string;
  readonly command: 'import' | 'validate' | 'adopt' | 'undo';
  readonly resource: string;
  readonly mode: string;
  /** Base URL; null if no store was contacted. */
  readonly store: string | null;
  readonly files: readonly ReportedFile[];
  readonly mapping: { readonly name: string; readonly sha256: string };
  readonly records: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly plan?: {
    readonly requests: number;
    readonly actions: Readonly<Record<string, number>>;
    readonly seconds?: number;
    readonly unused?: readonly { readonly column: string; readonly sample?: string | undefined }[];
  };
  readonly not_read?: number | null;
  readonly stopped?: { readonly reason: string; readonly message: string };
  readonly never_held?: readonly { readonly field: string; readonly text: string; readonly line: number }[];
  readonly problems: readonly ReportedProblem[];
  readonly attempts: number;
  readonly started_at: string;
  readonly finished_at: string;
  readonly duration_ms: number;
  readonly records_per_second: number;
  readonly versions: { readonly storeport: string; readonly node: string };
  readonly out: string;
  readonly reports: { readonly errors: readonly string[]; readonly in_doubt: readonly string[] };
}

export interface ReportedFile {
  readonly file: string;
  /** Null if the file was not read to its end. */
  readonly sha256: string | null;
  readonly empty_rows?: number;
  readonly skipped_rows?: number;
  readonly unused_columns?: readonly string[];
  readonly missed_columns?: readonly { readonly kind: string; readonly columns: readonly string[] }[];
  readonly suspicious?: readonly Suspicion[];
  readonly warnings?: readonly MappingWarning[];
}

export interface ReportedProblem {
  readonly outcome: string;
  readonly code: string;
  /** '' if it concerns no field. */
  readonly field: string;
  /** Number of records that have it. */
  readonly count: number;
  readonly issues: number;
  readonly http_status?: number;
  readonly example_row: number;
  readonly example: string;
}
