import type { Summary } from '../../report/index.ts';
import type { Resource } from '../../resources/index.ts';
import type { NamedStore } from '../import/validate.ts';
import type { ImportOptions, Watcher } from '../run/options.ts';
import type { ExitCodeOf } from '../summary/summary.ts';

/** A step of a plan: the import of one resource. The migration sets its reports and its watcher. */
export interface MigrationStep {
  readonly options: Omit<ImportOptions, 'out' | 'watch' | 'runsFolder'>;
}

export interface MigrationOptions {
  readonly plan: MigrationPlanFile;
  /** At least one, each for another resource, in the order of the plan. */
  readonly steps: readonly MigrationStep[];
  /** All resources as the store has them, for an undo. */
  readonly resources: readonly Resource[];
  /** Folder of the ledger and of the migration's state. */
  readonly home: string;
  /** Folder of the reports; left out, one with the id of the migration. */
  readonly out?: string | undefined;
  /** The store, as the settings name it; undefined if they name none. */
  readonly store: NamedStore | undefined;
  /** True if the store is new, so that nothing can be there that the ledger does not know. */
  readonly isNewStore: boolean;
  readonly interrupted: AbortSignal;
  readonly version: string;
  readonly exitCodeOf: ExitCodeOf;
  readonly hear: MigrationWatcher;
}

export interface MigrationPlanFile {
  /** As the user named it. */
  readonly file: string;
  /** Command line that runs it again, with the options that choose the store. */
  readonly again: string;
  /** Absolute. */
  readonly path: string;
  readonly title?: string | undefined;
  /** Of its text, and of the options of the command that change what is sent. */
  readonly digest: string;
}

export type MigrationPhase = 'check' | 'import' | 'undo';

/** Hears of the progress of a migration. */
export interface MigrationWatcher {
  /** Called once, with the resources in their order. */
  ordered(resources: readonly string[]): void;
  /** Called with facts about the state: what was done before, what has changed. */
  noted(message: string): void;
  /** Called before each check, import and undo of a step. Returns the watcher for it. */
  watcher(phase: MigrationPhase, resource: string): Watcher;
  /** Called when that has ended. */
  ended(phase: MigrationPhase, summary: Summary): void;
  /** Called with the checks if some records are invalid. Resolves with true to send the others. */
  confirm(checks: readonly Summary[]): Promise<boolean>;
}
