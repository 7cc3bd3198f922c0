import type { Sql } from '../../postgres/index.ts';
import { type ArtifactStorage, sweepOrphans } from '../artifacts/index.ts';

/** Somebody may still read a file that was replaced. */
const FILES_OLDER_THAN_MS = 24 * 3_600_000;

/** A worker that is gone stays in the list for this time, so that a user can declare it ended. */
const WORKERS_DAYS = 30;

/** Removes what nobody needs. Any number of workers may do it at the same time. */
export async function tidy(sql: Sql, storage: ArtifactStorage | undefined): Promise<void> {
  await sql.query(
    `delete from worker where seen_at < clock_timestamp() - make_interval(days => $1)
       and not exists (select 1 from run where worker.id = any (doubts_of) and doubts_until > clock_timestamp())`,
    [WORKERS_DAYS],
  );
  if (storage) await sweepOrphans(sql, { storage, olderThanMs: FILES_OLDER_THAN_MS });
}
