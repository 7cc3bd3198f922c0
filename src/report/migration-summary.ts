import type { StopReason } from '../model/index.ts';
import type { Summary } from './summary.ts';

/** Why a migration ended early. `step-not-begun`: something was wrong with a later step after earlier ones were sent. */
export interface MigrationStop {
  readonly reason: StopReason | 'step-not-begun';
  readonly message: string;
}

/** The content of `summary.json` of a migration, also printed by `--json`. The names are a contract. */
export interface MigrationSummary {
  readonly migration: string;
  readonly command: 'migrate';
  /** `check`: nothing was sent. */
  readonly phase: 'check' | 'import' | 'undo';
  readonly plan: { readonly file: string; readonly title?: string; readonly sha256: string };
  /** Command line that continues or repeats it, with the options that choose the store. */
  readonly again: string;
  /** Base URL; null if no store is known. */
  readonly store: string | null;
  /** Sentences about steps that were done before, and about changes since; left out if there are none. */
  readonly notes?: readonly string[];
  /** Resources, in the order of the steps. */
  readonly order: readonly string[];
  readonly steps: readonly MigrationStepSummary[];
  /** Sums of the steps. */
  readonly records: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly attempts: number;
  /** Of an undo: records that the API cannot take back, by resource. */
  readonly not_undone?: Readonly<Record<string, number>>;
  readonly stopped?: MigrationStop;
  readonly started_at: string;
  readonly finished_at: string;
  readonly duration_ms: number;
  readonly versions: { readonly storeport: string; readonly node: string };
  /** Folder of the reports. Those of a step are in its `run.out`. */
  readonly out: string;
  readonly exit_code: number;
}

export interface MigrationStepSummary {
  readonly resource: string;
  /** `before`: an earlier command has done it. `left`: it was not begun. */
  readonly state: 'done' | 'before' | 'stopped' | 'left';
  /** Null if there was none: it was not begun, or the check leaves it out since it was done before. */
  readonly run: Summary | null;
}
