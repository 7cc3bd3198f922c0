import { ConfigError, shownWord } from '../../model/index.ts';
import type { Sql } from '../../postgres/index.ts';
import { afterEvent, type TaskEvent, type TaskState, type TaskStep } from '../states.ts';
import { conditionsOf, type TaskFilter } from './filter.ts';

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
}

/** Stops tasks: queued ones at once, running ones within seconds. Requests in flight are awaited. */
export function stopTasks(sql: Sql, filter: TaskFilter): Promise<ChangedTask[]> {
  return changeTasks(sql, filter, 'stop');
}

/** Queues ended tasks again, to continue where they stopped. Wake their stores then, see `wakeStores`. */
export function resumeTasks(sql: Sql, filter: TaskFilter): Promise<ChangedTask[]> {
  return changeTasks(sql, filter, 'resume');
}

/**
 * Queues ended tasks again, to send failed records again. `rejected`: also those that the store rejected. Wake their stores
 * then, see `wakeStores`.
 */
export function retryTasks(
  sql: Sql,
  filter: TaskFilter,
  { rejected = false }: { readonly rejected?: boolean } = {},
): Promise<ChangedTask[]> {
  return changeTasks(sql, filter, 'retry', { retryRejected: rejected });
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
}

async function changeTasks(
  sql: Sql,
  filter: TaskFilter,
  event: TaskEvent,
  options?: { readonly retryRejected: boolean },
): Promise<ChangedTask[]> {
  const { where, values } = await conditionsOf(sql, filter);
  return sql.transaction(async (inside) => {
    // In the order of their numbers, so that two users who change many never wait for each other.
    const rows = await inside.query<ChangeableRow>(
      `select task.number, task.id, store.name as store, task.store as store_number, state, next, stop_wanted, lost
       from task join store on store.number = task.store where ${where} order by task.number for update of task`,
      values,
    );
    refuseAbsentIds(filter, rows);
    const changed: ChangedTask[] = [];
    for (const row of rows) changed.push(await changeOne(inside, row, event, options));
    return changed;
  });
}

async function changeOne(
  sql: Sql,
  row: ChangeableRow,
  event: TaskEvent,
  options?: { readonly retryRejected: boolean },
): Promise<ChangedTask> {
  const { id, store, store_number: storeNumber, state: before, stop_wanted: stopWanted } = row;
  const task = { id, store, storeNumber, before };
  const change = afterEvent({ ...row, stopWanted }, event);
  if (change === undefined) return { ...task, after: before, changed: false, stopWanted };
  const { state, next, lost, reason = null } = change;
  await sql.query(
    `update task set state = $2, next = $3, stop_wanted = $4, lost = $5,
       stop_reason = coalesce($6, case when $2 = 'queued' then null else stop_reason end),
       stop_message = case when $6::text is null and $2 <> 'queued' then stop_message end,
       queued_at = case when $2 = 'queued' then clock_timestamp() else queued_at end,
       finished_at = case when $2 = 'stopped' then clock_timestamp() when $2 = 'queued' then null else finished_at end,
       options = options || $7::jsonb
     where number = $1`,
    [row.number, state, next, change.stopWanted, lost, reason, JSON.stringify(options ?? {})],
  );
  return { ...task, after: state, changed: true, stopWanted: change.stopWanted };
}

function refuseAbsentIds({ ids = [] }: TaskFilter, rows: readonly ChangeableRow[]): void {
  const absent = ids.find((id) => !rows.some((row) => row.id === id));
  if (absent !== undefined)
    throw new ConfigError(`There is no task "${shownWord(absent)}" with these properties.`, [
      'storeport fleet list shows them.',
    ]);
}
