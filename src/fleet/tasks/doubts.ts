import { ConfigError } from '../../model/index.ts';
import { postgresView, quarantinesOf, type Sql } from '../../postgres/index.ts';
import { REPORT_FILES, WORKBOOK_FILES } from '../../report/index.ts';
import { findTask } from './list-tasks.ts';

/** A record in doubt of the run of a task. */
export interface TaskDoubt {
  readonly row: number;
  /** Name of the file if the run has several. */
  readonly file?: string | undefined;
  readonly key: string;
  /** Code of the reason for the doubt. */
  readonly code: string;
}

export interface TaskDoubts {
  readonly doubts: readonly TaskDoubt[];
  /** Until then a lost worker may still send them, so none can be settled as not there; null: no lost worker can. */
  readonly quarantinedUntil: Date | null;
  /** Ids of the lost workers that can; empty as above. */
  readonly quarantinedBy: readonly string[];
  /** Artifacts that have these records. Empty if the task has not ended since they came into doubt. */
  readonly files: readonly string[];
}

/** Lists the records in doubt of an import, without a lease. Throws ConfigError for another task. */
export async function listDoubts(sql: Sql, id: string): Promise<TaskDoubts> {
  const { command } = await findTask(sql, id);
  if (command !== 'import') throw new ConfigError(`The task ${id} is an export: nothing of it is in doubt.`);
  const ledger = postgresView({ sql });
  const run = await ledger.find(id);
  const doubts: TaskDoubt[] = [];
  if (run)
    for await (const page of ledger.settled(run))
      for (const { row, file, key, outcome } of page)
        if (outcome.outcome === 'in-doubt') doubts.push({ row, file, key, code: outcome.code ?? '' });
  const [quarantine] = run ? await quarantinesOf(sql, [run.number]) : [];
  return {
    doubts,
    quarantinedUntil: quarantine?.until ?? null,
    quarantinedBy: quarantine?.holders ?? [],
    files: await filesWithDoubts(sql, id),
  };
}

/** Earlier executions may have left files, too: those of the last one have its epoch, or that of a later answer. */
async function filesWithDoubts(sql: Sql, id: string): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `select artifact.name from task join run on run.id = task.id join artifact on artifact.task = task.number
     where task.id = $1 and artifact.epoch >= run.epoch and artifact.name = any ($2::text[]) order by artifact.name desc`,
    [id, [REPORT_FILES.inDoubt, WORKBOOK_FILES.inDoubt]],
  );
  return rows.map(({ name }) => name);
}
