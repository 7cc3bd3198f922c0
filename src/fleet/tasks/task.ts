import type { JsonObject } from '../../model/index.ts';
import type { TaskState, TaskStep } from '../states.ts';

export type TaskCommand = 'import' | 'export';

/**
 * Steps that continue where they stopped when they are taken up again, so that they can let other stores go first. The others begin
 * anew, and would never end.
 */
export const CONTINUES: Readonly<Record<TaskCommand, ReadonlySet<TaskStep>>> = {
  import: new Set(['begin', 'resume']),
  export: new Set(),
};

/** The work of a task. */
export interface Work {
  readonly command: TaskCommand;
  readonly resource: string;
  /**
   * Options of the plain command line, in camel case and with the values that it parses: `{ files: ['s3://…'], maxErrors: '5%' }`.
   * Options that are left out have the defaults of the plain command line. Those of the store are in its settings.
   */
  readonly options: JsonObject;
}

/** One command for one store, as lists show it. Dates are those of Postgres's clock. */
export interface Task {
  readonly number: number;
  /** Also the id of its run, if it is an import. */
  readonly id: string;
  /** Name of the store. */
  readonly store: string;
  readonly storeNumber: number;
  readonly command: TaskCommand;
  readonly resource: string;
  readonly state: TaskState;
  readonly next: TaskStep;
  /** True if a user wants a running task to stop. */
  readonly stopWanted: boolean;
  /** Name of its schedule, and the moment that it is for; null without one. */
  readonly schedule: string | null;
  readonly slot: Date | null;
  readonly notBefore: Date;
  readonly addedAt: Date;
  /** When it was last queued. */
  readonly queuedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** The worker that runs it. */
  readonly worker: string | null;
  /** Epoch of the lease under which it runs or ran last. */
  readonly epoch: number | null;
  /** Workers in a row that were gone in the middle of it, without progress between them. */
  readonly lost: number;
  readonly exitCode: number | null;
  readonly stopReason: string | null;
  readonly stopMessage: string | null;
  /** Records by outcome, or `exported` items; null until some are known. */
  readonly outcomes: Readonly<Record<string, number>> | null;
}

/** A task with everything that is known of it. */
export interface TaskDetails extends Task {
  /**
   * As the plain command line has them, in camel case; `files` of an import are among them. As they may be shown: without
   * credentials, queries of addresses, and the text of a mapping.
   */
  readonly options: JsonObject;
  /** The summary that `--json` of the plain command line prints; null until an execution has ended. */
  readonly summary: JsonObject | null;
  readonly artifacts: readonly ArtifactLine[];
}

/** A file that a task left: a line of the manifest. */
export interface ArtifactLine {
  readonly name: string;
  readonly location: string;
  readonly epoch: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly at: Date;
}

export interface TaskRow {
  number: string | number;
  id: string;
  store: string;
  store_number: number;
  command: TaskCommand;
  resource: string;
  options: JsonObject;
  state: TaskState;
  next: TaskStep;
  stop_wanted: boolean;
  schedule: string | null;
  slot: Date | null;
  not_before: Date;
  added_at: Date;
  queued_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  worker: string | null;
  epoch: string | number | null;
  lost: number;
  exit_code: number | null;
  stop_reason: string | null;
  stop_message: string | null;
  summary: JsonObject | null;
  outcomes: Record<string, number> | null;
}

/** Selects tasks as `TaskRow`s: a condition follows. `summary` and `options` are read only where they are shown. */
export const SELECT_TASKS = selectWith('');
export const SELECT_DETAILS = selectWith('task.options, task.summary,');

function selectWith(more: string): string {
  return `select ${more} task.number, task.id, store.name as store, task.store as store_number, task.command, task.resource,
    task.state, task.next, task.stop_wanted, schedule.name as schedule, task.slot, task.not_before, task.added_at,
    task.queued_at, task.started_at, task.finished_at, task.epoch, task.lost, task.exit_code, task.stop_reason, task.stop_message,
    case when task.summary ? 'outcomes' then task.summary -> 'outcomes'
      when task.summary ? 'items' then jsonb_build_object('exported', task.summary -> 'items') end as outcomes,
    case when task.state = 'running' and lease.epoch = task.epoch then lease.holder end as worker
  from task join store on store.number = task.store
    left join schedule on schedule.number = task.schedule
    left join lease on lease.store = task.store`;
}

export function taskFrom(row: TaskRow): Task {
  return {
    number: Number(row.number),
    id: row.id,
    store: row.store,
    storeNumber: row.store_number,
    command: row.command,
    resource: row.resource,
    state: row.state,
    next: row.next,
    stopWanted: row.stop_wanted,
    schedule: row.schedule,
    slot: row.slot,
    notBefore: row.not_before,
    addedAt: row.added_at,
    queuedAt: row.queued_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    worker: row.worker,
    epoch: row.epoch === null ? null : Number(row.epoch),
    lost: row.lost,
    exitCode: row.exit_code,
    stopReason: row.stop_reason,
    stopMessage: row.stop_message,
    outcomes: row.outcomes,
  };
}
