import { NOT_POSSIBLE } from '../../model/index.ts';
import { RETRYABLE_OUTCOMES } from '../../pipeline/index.ts';
import type { Sql } from '../../postgres/index.ts';

/** Why a retry of a task would send nothing. `export`: it has no records to send. `nothing-failed`: none can be sent again. */
export type NothingToRetry = 'export' | 'nothing-failed';

/**
 * The tasks of these ids whose retry would send nothing. A run that has not read its files to the end is continued by a retry.
 * `rejected`: the store is to get those that it rejected, too.
 */
export async function nothingToRetry(
  sql: Sql,
  ids: readonly string[],
  { rejected = false }: { readonly rejected?: boolean } = {},
): Promise<ReadonlyMap<string, NothingToRetry>> {
  const outcomes = rejected ? [...RETRYABLE_OUTCOMES, 'rejected'] : RETRYABLE_OUTCOMES;
  const rows = await sql.query<{ id: string; command: string }>(
    `select task.id, task.command from task left join run on run.id = task.id
     where task.id = any ($1::text[]) and (task.command = 'export' or (whole and run.state <> 'running' and not exists (
       select 1 from record join kept on kept.run = record.run and kept.seq = record.seq
       where record.run = run.number and outcome in (${outcomes.map((word) => `'${word}'`).join(', ')})
         and coalesce(code, '') <> all ($2::text[])
         and not exists (select 1 from sequel where sequel.run = record.run and sequel.seq = record.seq))))`,
    [ids, [...NOT_POSSIBLE]],
  );
  return new Map(rows.map(({ id, command }) => [id, command === 'export' ? 'export' : 'nothing-failed']));
}
