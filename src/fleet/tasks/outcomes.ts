import { type OutcomesOfRun, outcomesOfRuns, type Sql } from '../../postgres/index.ts';
import type { Task } from './task.ts';

/**
 * Tasks with their outcomes as of now. The summary of a task has those of its end, and a task that runs, was drained or whose
 * workers were killed has none. So records are counted where there is no summary, where the run continued after it, and where
 * doubts or returned rows were settled since. All other tasks cost one search of an index.
 */
export async function withOutcomesNow<Each extends Pick<Task, 'id' | 'outcomes'>>(
  sql: Sql,
  tasks: readonly Each[],
): Promise<Each[]> {
  const changed = await sql.query<{ id: string; run: number }>(CHANGED, [tasks.map(({ id }) => id)]);
  if (changed.length === 0) return [...tasks];
  const counted = await outcomesOfRuns(
    sql,
    changed.map(({ run }) => run),
  );
  const current = new Map<string, OutcomesOfRun | null>(
    changed.map(({ id, run }) => [id, counted.get(run) ?? null]),
  );
  return tasks.map((task) => {
    const outcomes = current.get(task.id);
    return outcomes === undefined ? task : { ...task, outcomes };
  });
}

/** The end of the run that a summary is of, as the ledger has it. */
const END_IN_SUMMARY = `(extract(epoch from (summary ->> 'finished_at')::timestamptz) * 1000)::bigint`;

const CHANGED = `
  select run.id, run.number as run from task join run on run.id = task.id
  where task.id = any ($1::text[]) and (
    summary -> 'outcomes' is null or run.state = 'running' or run.finished_at is distinct from ${END_IN_SUMMARY}
    or coalesce((summary -> 'outcomes' ->> 'in-doubt')::bigint, 0)
      <> (select count(*) from record where record.run = run.number and outcome = 'in-doubt')
    or exists (select 1 from sequel where sequel.run = run.number))`;
