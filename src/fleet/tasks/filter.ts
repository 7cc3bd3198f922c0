import { ConfigError, shownWord } from '../../model/index.ts';
import { RUNS_IN_DOUBT, type Sql } from '../../postgres/index.ts';
import { TASK_STATES, type TaskState } from '../states.ts';
import { selectStores } from '../stores/select.ts';
import type { TaskCommand } from './task.ts';

/** Which tasks. All parts that are given must hold. */
export interface TaskFilter {
  readonly ids?: readonly string[] | undefined;
  readonly states?: readonly TaskState[] | undefined;
  /** A selection of stores, see `selectStores`. */
  readonly stores?: string | undefined;
  /** Name of a schedule. */
  readonly schedule?: string | undefined;
  readonly command?: TaskCommand | undefined;
  readonly resource?: string | undefined;
  /** True: only tasks with records in doubt. */
  readonly inDoubt?: boolean | undefined;
  /** Seconds since the task was added: at most, and at least. */
  readonly newerThanS?: number | undefined;
  readonly olderThanS?: number | undefined;
}

/** Conditions on `task` for a filter. Throws ConfigError for a store, a schedule or a state that does not exist. */
export async function conditionsOf(
  sql: Sql,
  filter: TaskFilter,
): Promise<{ readonly where: string; readonly values: readonly unknown[] }> {
  const { ids, states, stores, schedule, command, resource, inDoubt, newerThanS, olderThanS } = filter;
  for (const state of states ?? [])
    if (!TASK_STATES.includes(state))
      throw new ConfigError(`"${shownWord(state)}" is no state of a task: ${TASK_STATES.join(', ')}.`);
  const selected = stores === undefined ? undefined : await selectStores(sql, stores);
  const parts: (readonly [condition: string, value: unknown])[] = [
    ['task.id = any (?::text[])', ids],
    ['task.state = any (?::text[])', states],
    ['task.store = any (?::int[])', selected?.map(({ number }) => number)],
    ['task.schedule = ?::int', schedule === undefined ? undefined : await scheduleNumber(sql, schedule)],
    ['task.command = ?::text', command],
    ['task.resource = ?::text', resource],
    [`(task.id in (select id from run where number in (${RUNS_IN_DOUBT}))) = ?::boolean`, inDoubt],
    ['task.added_at > clock_timestamp() - make_interval(secs => ?::float8)', newerThanS],
    ['task.added_at <= clock_timestamp() - make_interval(secs => ?::float8)', olderThanS],
  ];
  const given = parts.filter(([, value]) => value !== undefined);
  return {
    where: given.map(([condition], index) => condition.replace('?', `$${index + 1}`)).join(' and ') || 'true',
    values: given.map(([, value]) => value),
  };
}

async function scheduleNumber(sql: Sql, name: string): Promise<number> {
  const [found] = await sql.query<{ number: number }>('select number from schedule where name = $1', [name]);
  if (found === undefined) throw new ConfigError(`There is no schedule "${shownWord(name)}".`);
  return found.number;
}
