import type { JsonObject } from '../../model/index.ts';
import type { Lease, LeaseTiming, Sql } from '../../postgres/index.ts';
import type { ArtifactStorage } from '../artifacts/index.ts';
import type { TaskStep } from '../states.ts';
import type { FleetSettings } from '../stores/settings.ts';
import type { TaskCommand } from '../tasks/task.ts';
import type { WakeUps } from '../wake-ups.ts';

/** Durations in milliseconds. They decide how soon work is done, never whether something is sent twice. */
export interface WorkerTiming {
  /** Between two looks for work whose wake-up was lost, and for schedules that fire. */
  readonly sweepMs: number;
  /** Between two signs of life, which also look for tasks that a user wants to stop. */
  readonly watchMs: number;
  /** Between two looks for what nobody needs. Files are swept once a day, by one worker. */
  readonly tidyMs: number;
  /** A store that had a worker for so long lets other stores go first, if any waits. */
  readonly yieldMs: number;
  readonly lease?: Partial<LeaseTiming> | undefined;
}

export const WORKER_TIMING: WorkerTiming = {
  sweepMs: 60_000,
  watchMs: 2_000,
  tidyMs: 3_600_000,
  yieldMs: 3_600_000,
};

/**
 * Durations for the harness of faults, which cannot wait for real leases: JSON in a variable that is not documented. Undefined
 * if it is not set.
 */
export function timingOfFaults(
  environment: Readonly<Record<string, string | undefined>>,
): Partial<WorkerTiming> | undefined {
  const text = environment.STOREPORT_FAULTS_TIMING;
  return text === undefined ? undefined : (JSON.parse(text) as Partial<WorkerTiming>);
}

/** A task in the hands of the worker that holds the lease on its store. */
export interface TaskToRun {
  readonly number: number;
  /** Also the id of its run, if it is an import. */
  readonly id: string;
  readonly command: TaskCommand;
  readonly resource: string;
  readonly options: JsonObject;
  readonly next: TaskStep;
  readonly store: StoreToServe;
}

export interface StoreToServe {
  readonly number: number;
  readonly name: string;
  readonly baseUrl: string;
  readonly settings: FleetSettings;
  readonly rateKey: string | null;
}

export interface TaskContext {
  /** Every write to the tables of the store is fenced by it. */
  readonly lease: Lease;
  /** Fires when nothing more is to be begun: a user, a drain or a yield wants it, or the lease is lost. */
  readonly interrupted: AbortSignal;
  /** True if it was interrupted only to let others go first, see `continuesLater`. */
  readonly isYielding: () => boolean;
}

/** The end of one execution of a task. */
export interface TaskEnd {
  readonly exitCode: number;
  readonly summary?: JsonObject | undefined;
  /** The reason that it stopped early. Undefined if it did all that it was to do. */
  readonly stopped?: { readonly reason: string; readonly message: string } | undefined;
  /** Runs in the transaction that ends the task. */
  readonly publish?: ((sql: Sql) => Promise<void>) | undefined;
}

/**
 * True if a task is continued later, so that nothing need be published now. One that has done all it was to do has ended, even if
 * others are to go first.
 */
export function continuesLater(
  { stopped }: Pick<TaskEnd, 'stopped'>,
  { isYielding }: Pick<TaskContext, 'isYielding'>,
): boolean {
  return stopped?.reason === 'interrupted' && isYielding();
}

/** Executes a task. Throws ConfigError, or RunStopped, if it could not begin. */
export type ExecuteTask = (task: TaskToRun, context: TaskContext) => Promise<TaskEnd>;

export interface WorkerLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** How long the commits of a worker took since it began. */
export interface CommitTimes {
  readonly commits: number;
  readonly seconds: number;
  /** Number of commits up to each bound, which is in seconds and written as text. */
  readonly within: Readonly<Record<string, number>>;
}

export interface WorkerOptions {
  readonly sql: Sql;
  /** Stores that are served at once. */
  readonly slots: number;
  readonly execute: ExecuteTask;
  /** Fires when the worker has to end: tasks stop as by an interrupt and are queued again. */
  readonly drain: AbortSignal;
  /** Unique among workers, also over time. Default: of the host and the process. */
  readonly id?: string | undefined;
  readonly log?: WorkerLog | undefined;
  /** Hides secrets in messages that are kept with tasks. */
  readonly mask?: ((text: string) => string) | undefined;
  readonly timing?: Partial<WorkerTiming> | undefined;
  /** Folders that its tasks may read. Default: all that its process can. */
  readonly sources?: readonly string[] | undefined;
  /** The place of the files of tasks: those of lost leases are removed. */
  readonly storage?: ArtifactStorage | undefined;
  /** File of this machine that keeps how far the database was. Without it, an earlier copy is noticed by running workers only. */
  readonly seenFile?: string | undefined;
  /** Called at each sign of life, for the metrics of the fleet. Default: they are unknown. */
  readonly commits?: (() => CommitTimes) | undefined;
  /** Default: its own. */
  readonly wakeUps?: WakeUps | undefined;
}

/** The work of a worker until it was drained. */
export interface WorkerEnd {
  readonly id: string;
  /** Executions that ended, in whatever way. */
  readonly executions: number;
}
