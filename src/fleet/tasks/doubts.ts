import { ConfigError } from '../../model/index.ts';
import { postgresOutcomes, quarantinesOf, type Sql } from '../../postgres/index.ts';
import { findTask } from './list-tasks.ts';
import { currentFiles, IN_DOUBT_FILES } from './report-files.ts';

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
  const ledger = postgresOutcomes(sql);
  const run = await ledger.find(id);
  const doubts: TaskDoubt[] = [];
  if (run)
    for await (const page of ledger.endings(run))
      for (const { row, file, key, outcome } of page)
        if (outcome.outcome === 'in-doubt') doubts.push({ row, file, key, code: outcome.code ?? '' });
  const [quarantine] = run ? await quarantinesOf(sql, [run.number]) : [];
  return {
    doubts,
    quarantinedUntil: quarantine?.until ?? null,
    quarantinedBy: quarantine?.holders ?? [],
    files: (await currentFiles(sql, id)).filter((name) => IN_DOUBT_FILES.includes(name)),
  };
}
