import type { ExportLine } from './exports.ts';
import type { JobView } from './jobs.ts';
import type { RunLine } from './runs.ts';
import type { WorkLine } from './works.ts';

// GET /start

/** Everything that the first screen shows. */
export interface StartView {
  readonly version: string;
  readonly apiVersion: number;
  /** Folder below which files are opened and written. */
  readonly folder: string;
  readonly home: string;
  readonly resources: readonly ResourceView[];
  /** The sandbox first, then the store of the environment, then the profiles. */
  readonly stores: readonly StoreView[];
  /** Files that were opened before, the latest first. */
  readonly works: readonly WorkLine[];
  /** The latest runs, at most ten. */
  readonly runs: readonly RunLine[];
  /** Files that were exported from the page, the latest first. */
  readonly exports: readonly ExportLine[];
  /** The job in progress, or else the latest one of this process. */
  readonly job: JobView | null;
}

export interface ResourceView {
  /** Plural, as on the command line. */
  readonly name: string;
  readonly singular: string;
  readonly canImport: boolean;
  readonly canExport: boolean;
  /** Names that an export can filter by. */
  readonly filters: readonly string[];
  /** Columns of its native CSV. */
  readonly columns: readonly string[];
}

export interface StoreView {
  /** `sandbox`, `environment`, or `profile:NAME`. */
  readonly id: string;
  readonly title: string;
  /** Base URL; null for the sandbox, and if the settings are incomplete. */
  readonly address: string | null;
  /** Why it cannot be used, if it cannot. */
  readonly problem?: string;
  /** Requests a second that it took in an earlier run; left out if that is not known. */
  readonly rate?: number;
}
