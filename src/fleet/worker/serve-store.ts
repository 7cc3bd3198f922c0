import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, exitCodeOfError, RunStopped } from '../../model/index.ts';
import type { Lease, Sql } from '../../postgres/index.ts';
import { CONTINUES } from '../tasks/task.ts';
import {
  continuesLater,
  type ExecuteTask,
  type StoreToServe,
  type TaskEnd,
  type TaskToRun,
  type WorkerLog,
} from './options.ts';
import { beginNextTask, endTask, settleLostTasks } from './task-lines.ts';

/** Says why an execution is to end: a user wants it, another store waits, or the worker drains. */
export type Interruption = 'stop' | 'yield' | 'drain';

/** A task that is being executed, for the watch of its worker. */
export interface RunningTask {
  readonly id: string;
  readonly store: string;
  /** When the lease on its store was taken, by the monotonic clock. */
  readonly heldSince: number;
  /** True if it continues where it stopped after a yield. */
  readonly canYield: boolean;
  interrupt(why: Interruption): void;
}

export interface ServeOptions {
  readonly sql: Sql;
  readonly store: StoreToServe;
  readonly lease: Lease;
  readonly execute: ExecuteTask;
  readonly log: WorkerLog;
  readonly mask: (text: string) => string;
  readonly running: Set<RunningTask>;
  /** Fires when the worker drains. */
  readonly draining: AbortSignal;
  /** True if no task may be begun: the worker drains, or another store is to be served. */
  readonly isOver: (heldSince: number) => Promise<boolean>;
}

/**
 * Does the tasks of a store under its lease until none is due, and releases it. Returns the number of executions. Does not
 * throw: the next holder finds what is left.
 */
export async function serveStore(options: ServeOptions): Promise<number> {
  const { sql, store, lease, log, isOver, draining } = options;
  const heldSince = performance.now();
  let executions = 0;
  try {
    for (const { id, state, stopped } of await settleLostTasks(sql, lease))
      log.warn(
        { task: id, store: store.name, state, stopped: stopped?.reason, reason: stopped?.message },
        'the worker of this task is gone',
      );
    // Its turn has at least one task, however long it took to begin.
    while (executions === 0 ? !draining.aborted : !(await isOver(heldSince))) {
      const task = await beginNextTask(sql, lease, store);
      if (task === undefined) break;
      executions += 1;
      const after = await runTask(task, heldSince, options);
      if (after === 'abandon') return executions;
      if (after === 'release') break;
    }
    await lease.release();
  } catch (error) {
    log.warn({ store: store.name, error: messageOf(error) }, 'the lease is left to expire');
  } finally {
    lease.abandon();
  }
  return executions;
}

/** `release`: other stores go first. `abandon`: a request may still be in flight, so that the next holder has to know. */
type AfterTask = 'next' | 'release' | 'abandon';

/** Throws if the lease, or the database, is not there to end the task. */
async function runTask(
  task: TaskToRun,
  heldSince: number,
  { sql, store, lease, execute, log, running, draining, mask }: ServeOptions,
): Promise<AfterTask> {
  const about = { task: task.id, store: store.name };
  const controller = new AbortController();
  let why: Interruption | undefined;
  const entry: RunningTask = {
    ...{ id: task.id, store: store.name, heldSince },
    canYield: CONTINUES[task.command].has(task.next),
    interrupt(cause) {
      // A user's wish counts more than a yield.
      const before = why;
      why = why === undefined || cause === 'stop' ? cause : why;
      if (why !== before) log.info({ ...about, why }, 'task is to end');
      // The reason is what a transfer that is broken off rejects with.
      controller.abort(new RunStopped('interrupted', 'The task was interrupted.'));
    },
  };
  log.info({ ...about, command: task.command, resource: task.resource }, 'task began');
  running.add(entry);
  if (draining.aborted) entry.interrupt('drain');
  try {
    const interrupted = AbortSignal.any([controller.signal, lease.lost]);
    const isYielding = () => why === 'yield' || why === 'drain';
    const end = await execute(task, { lease, interrupted, isYielding }).catch((error: unknown) =>
      endOfError(error, { log, mask, about }),
    );
    lease.lost.throwIfAborted();
    refuseToEnd(end);
    const isYield = continuesLater(end, { isYielding });
    await whileHeld(lease, () => endTask(sql, lease, task, isYield ? 'yield' : end));
    logEnd(log, about, end);
    return isYield ? 'release' : end.stopped?.reason === 'internal-error' ? 'abandon' : 'next';
  } finally {
    running.delete(entry);
  }
}

/** A stop that no user and no worker wanted is a warning: nothing continues until somebody looks. */
function logEnd(log: WorkerLog, about: object, { exitCode, stopped, summary }: TaskEnd): void {
  const { outcomes, items } = summary ?? {};
  const isUnwanted = stopped !== undefined && stopped.reason !== 'interrupted';
  log[isUnwanted ? 'warn' : 'info'](
    { ...about, exitCode, outcomes, items, stopped: stopped?.reason, reason: stopped?.message },
    'task ended',
  );
}

/** Reasons for which a task does not end: the next holder of the lease continues it. */
const LEFT_TO_NEXT: ReadonlySet<string> = new Set(['lease-lost', 'ledger-failed']);

function refuseToEnd({ stopped }: TaskEnd): void {
  if (stopped && LEFT_TO_NEXT.has(stopped.reason)) throw new Error(stopped.message);
}

function endOfError(
  error: unknown,
  { log, mask, about }: Pick<ServeOptions, 'log' | 'mask'> & { readonly about: object },
): TaskEnd {
  if (error instanceof RunStopped || error instanceof ConfigError) {
    const reason = error instanceof RunStopped ? error.reason : 'refused';
    if (LEFT_TO_NEXT.has(reason)) throw error;
    const message = mask([error.message, ...error.hints].join(' '));
    return { exitCode: exitCodeOfError(error) ?? 1, stopped: { reason, message } };
  }
  const message = mask(messageOf(error));
  log.error({ ...about, error: message }, 'internal error');
  return { exitCode: 1, stopped: { reason: 'internal-error', message } };
}

const RETRY_MS = 500;

/** Repeats a write while the database is away and the lease may still be held. */
async function whileHeld(lease: Lease, write: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      const isAway = error instanceof RunStopped && error.reason === 'ledger-failed';
      if (!isAway || lease.isStale()) throw error;
      await sleep(RETRY_MS);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
