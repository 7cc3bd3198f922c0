import type { Sql } from '../../postgres/index.ts';
import { REPORT_FILES, WORKBOOK_FILES } from '../../report/index.ts';

/** A workbook first: the CSV file beside it has the rows that it cannot hold. */
export const ERROR_FILES: readonly string[] = [WORKBOOK_FILES.errors, REPORT_FILES.errors];
export const IN_DOUBT_FILES: readonly string[] = [WORKBOOK_FILES.inDoubt, REPORT_FILES.inDoubt];

/**
 * Names of the artifacts of an import that have its records as of now. Earlier executions may have left files, too: those of
 * the last one have its epoch, or that of a later answer about doubts.
 */
export async function currentFiles(sql: Sql, id: string): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `select artifact.name from task join run on run.id = task.id join artifact on artifact.task = task.number
     where task.id = $1 and artifact.epoch >= run.epoch order by artifact.name desc`,
    [id],
  );
  return rows.map(({ name }) => name);
}
