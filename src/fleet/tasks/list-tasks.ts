import { ConfigError, printedCommand, shownWord } from '../../model/index.ts';
import type { Sql } from '../../postgres/index.ts';
import { TASK_STATES, type TaskState } from '../states.ts';
import { conditionsOf, type TaskFilter } from './filter.ts';
import { withOutcomesNow } from './outcomes.ts';
import {
  type ArtifactLine,
  SELECT_DETAILS,
  SELECT_TASKS,
  type Task,
  type TaskDetails,
  type TaskRow,
  taskFrom,
} from './task.ts';
import { visibleOptions } from './visible-options.ts';

/** Tasks of one page of a list. */
const PAGE = 100;

export interface TaskPage extends TaskFilter {
  /** Default 100. */
  readonly limit?: number | undefined;
  /** Only tasks with a smaller number: the last of the page before. */
  readonly before?: number | undefined;
}

/** Tasks, latest first, with their outcomes as of now. */
export async function listTasks(sql: Sql, page: TaskPage = {}): Promise<Task[]> {
  const { where, values } = await conditionsOf(sql, page);
  const [limit, before] = [`$${values.length + 1}`, `$${values.length + 2}`];
  const rows = await sql.query<TaskRow>(
    `${SELECT_TASKS} where ${where} and (${before}::bigint is null or task.number < ${before}::bigint)
     order by task.number desc limit ${limit}::int`,
    [...values, page.limit ?? PAGE, page.before ?? null],
  );
  return withOutcomesNow(sql, rows.map(taskFrom));
}

/** The task with that id, with its outcomes as of now. Throws ConfigError if there is none. */
export async function showTask(sql: Sql, id: string): Promise<TaskDetails> {
  const [task] = await withOutcomesNow(sql, [await findTask(sql, id)]);
  return task as TaskDetails;
}

/** The task with that id, without a count of its records. Throws ConfigError if there is none. */
export async function findTask(sql: Sql, id: string): Promise<TaskDetails> {
  const [row] = await sql.query<TaskRow>(`${SELECT_DETAILS} where task.id = $1`, [id]);
  if (row === undefined)
    throw new ConfigError(`There is no task "${shownWord(id)}".`, [
      `To see them: ${printedCommand('fleet list')}`,
    ]);
  return {
    ...taskFrom(row),
    options: visibleOptions(row.options),
    summary: row.summary,
    artifacts: await artifactsOf(sql, row),
  };
}

async function artifactsOf(sql: Sql, { number }: TaskRow): Promise<ArtifactLine[]> {
  const rows = await sql.query<ArtifactLine>(
    `select name, location, epoch, bytes, sha256, at from artifact where task = $1 order by name`,
    [number],
  );
  return rows.map((row) => ({ ...row, epoch: Number(row.epoch), bytes: Number(row.bytes) }));
}

/** Number of tasks in each state. */
export async function countTasks(sql: Sql, filter: TaskFilter = {}): Promise<Record<TaskState, number>> {
  const { where, values } = await conditionsOf(sql, filter);
  const rows = await sql.query<{ state: TaskState; count: number }>(
    `select state, count(*)::int as count from task where ${where} group by state`,
    values,
  );
  const counts = Object.fromEntries(TASK_STATES.map((state) => [state, 0])) as Record<TaskState, number>;
  for (const { state, count } of rows) counts[state] = count;
  return counts;
}
