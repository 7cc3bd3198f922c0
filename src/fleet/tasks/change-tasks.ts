import { ConfigError, printedCommand, shownWord } from '../../model/index.ts';
import type { Sql } from '../../postgres/index.ts';
import { afterEvent, type TaskEvent, type TaskState, type TaskStep } from '../states.ts';
import { conditionsOf, type TaskFilter } from './filter.ts';
import { type NothingToRetry, nothingToRetry } from './nothing-to-retry.ts';

/** A task that a user wanted to change. */
export interface ChangedTask {
  readonly id: string;
  readonly store: string;
  readonly storeNumber: number;
  readonly before: TaskState;
  readonly after: TaskState;
  /** False if it is in a state that cannot be changed so. */
  readonly changed: boolean;
  /** True if it runs, and its holder has to end it. */
  readonly stopWanted: boolean;
  /** Set if it stays as it is since a retry would send nothing. */
  readonly nothing?: NothingToRetry | undefined;
}

/** Stops tasks: queued ones at once, running ones within seconds. Requests in flight are awaited. */
export function stopTasks(sql: Sql, filter: TaskFilter): Promise<ChangedTask[]> {
  return changeTasks(sql, filter, 'stop');
}

/** How a task is continued. */
export interface ContinueTask {
  /** Also sends records that a later task has imported since. */
  readonly overwriteNewer?: boolean;
}

/** Queues ended tasks again, to continue where they stopped. Wake their stores then, see `wakeStores`. */
export function resumeTasks(
  sql: Sql,
  filter: TaskFilter,
  { overwriteNewer = false }: ContinueTask = {},
): Promise<ChangedTask[]> {
  return changeTasks(sql, filter, 'resume', overwriteNewer ? { overwriteNewer } : {});
}

/**
 * Queues ended tasks again, to send failed records again. `rejected`: also those that the store rejected. A task with nothing to
 * send stays as it is; it is left out unless the filter names it. Wake their stores then, see `wakeStores`.
 */
export function retryTasks(
  sql: Sql,
  filter: TaskFilter,
  { rejected = false, overwriteNewer = false }: ContinueTask & { readonly rejected?: boolean } = {},
): Promise<ChangedTask[]> {
  return changeTasks(sql, filter, 'retry', {
    retryRejected: rejected,
    ...(overwriteNewer ? { overwriteNewer } : {}),
  });
}

/** Options that a resume or a retry gives a task. */
interface LaterOptions extends ContinueTask {
  readonly retryRejected?: boolean;
}

interface ChangeableRow {
  number: string;
  id: string;
  store: string;
  store_number: number;
  state: TaskState;
  next: TaskStep;
  stop_wanted: boolean;
  lost: number;
  is_removed: boolean;
}

/** Nobody would do the task of a store that was removed. */
const QUEUES: ReadonlySet<TaskEvent> = new Set(['resume', 'retry']);

async function changeTasks(
  sql: Sql,
  filter: TaskFilter,
  event: TaskEvent,
  options?: LaterOptions,
): Promise<ChangedTask[]> {
  const { where, values } = await conditionsOf(sql, filter);
  return sql.transaction(async (inside) => {
    // In the order of their numbers, so that two users who change many never wait for each other.
    const rows = await inside.query<ChangeableRow>(
      `select task.number, task.id, store.name as store, task.store as store_number, state, next, stop_wanted, lost,
         removed_at is not null as is_removed
       from task join store on store.number = task.store where ${where} order by task.number
       for update of task for share of store`,
      values,
    );
    refuseAbsentIds(filter, rows);
    const idle =
      options?.retryRejected === undefined
        ? new Map<string, NothingToRetry>()
        : await nothingToRetry(inside, endedIn(rows), { rejected: options.retryRejected });
    const changed: ChangedTask[] = [];
    for (const row of rows) {
      if (row.is_removed && QUEUES.has(event)) {
        if (filter.ids === undefined) continue;
        throw storeRemoved(row);
      }
      const nothing = idle.get(row.id);
      if (nothing === undefined) changed.push(await changeOne(inside, row, event, options));
      else if (filter.ids !== undefined) changed.push(unchanged(row, nothing));
    }
    return changed;
  });
}

function storeRemoved({ id, store }: ChangeableRow): ConfigError {
  return new ConfigError(`The task ${id} cannot be done: its store "${store}" was removed.`, [
    'Add the store again with the same address. How: storeport fleet store add --help',
  ]);
}

function endedIn(rows: readonly ChangeableRow[]): string[] {
  return rows.flatMap(({ id, state }) => (state === 'done' || state === 'stopped' ? [id] : []));
}

function unchanged(row: ChangeableRow, nothing?: NothingToRetry): ChangedTask {
  const { id, store, store_number: storeNumber, state, stop_wanted: stopWanted } = row;
  return { id, store, storeNumber, before: state, after: state, changed: false, stopWanted, nothing };
}

async function changeOne(
  sql: Sql,
  row: ChangeableRow,
  event: TaskEvent,
  options?: LaterOptions,
): Promise<ChangedTask> {
  const change = afterEvent({ ...row, stopWanted: row.stop_wanted }, event);
  if (change === undefined) return unchanged(row);
  const { state, next, lost, reason = null } = change;
  await sql.query(
    `update task set state = $2, next = $3, stop_wanted = $4, lost = $5,
       lost_to = case when $5 = 0 then '{}' else lost_to end,
       stop_reason = coalesce($6, case when $2 = 'queued' then null else stop_reason end),
       stop_message = case when $6::text is null and $2 <> 'queued' then stop_message end,
       queued_at = case when $2 = 'queued' then clock_timestamp() else queued_at end,
       finished_at = case when $2 = 'stopped' then clock_timestamp() when $2 = 'queued' then null else finished_at end,
       options = case when $7::jsonb is null then options else (options - 'overwriteNewer') || $7::jsonb end
     where number = $1`,
    [row.number, state, next, change.stopWanted, lost, reason, options ? JSON.stringify(options) : null],
  );
  return { ...unchanged(row), after: state, changed: true, stopWanted: change.stopWanted };
}

function refuseAbsentIds({ ids = [] }: TaskFilter, rows: readonly ChangeableRow[]): void {
  const absent = ids.find((id) => !rows.some((row) => row.id === id));
  if (absent !== undefined)
    throw new ConfigError(`There is no task "${shownWord(absent)}" with these properties.`, [
      `To see them: ${printedCommand('fleet list')}`,
    ]);
}
