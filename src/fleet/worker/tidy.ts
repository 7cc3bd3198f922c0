import type { Sql } from '../../postgres/index.ts';
import { type ArtifactStorage, sweepOrphans } from '../artifacts/index.ts';
import { renewMarker, renewRowKeys } from '../artifacts/place/index.ts';
import type { WorkerLog } from './options.ts';

/** Somebody may still read a file that was replaced. */
const FILES_OLDER_THAN_MS = 24 * 3_600_000;

/** A worker that is gone stays in the list for this time, so that a user can declare it ended. */
const WORKERS_DAYS = 30;

const SWEEP_HOURS = 24;

/** The first worker that asks within a day gets the turn: listing a bucket costs time and money. */
const TAKE_TURN = `update cluster set swept_at = clock_timestamp()
  where swept_at is null or swept_at < clock_timestamp() - make_interval(hours => $1) returning 1 as taken`;

/** Removes what nobody needs: lines of workers that are gone, and once a day files that no task has. */
export async function tidy(sql: Sql, storage: ArtifactStorage | undefined, log: WorkerLog): Promise<void> {
  await sql.query(
    `delete from worker where seen_at < clock_timestamp() - make_interval(days => $1)
       and not exists (select 1 from run where worker.id = any (doubts_of) and doubts_until > clock_timestamp())`,
    [WORKERS_DAYS],
  );
  if (storage === undefined || (await sql.query(TAKE_TURN, [SWEEP_HOURS])).length === 0) return;
  // The place may have been given to another fleet since this worker began.
  await renewMarker(sql, storage);
  await renewRowKeys(sql, storage);
  const { removed, kept } = await sweepOrphans(sql, { storage, olderThanMs: FILES_OLDER_THAN_MS });
  if (removed === 0) return;
  log.info({ files: storage.name, removed, kept }, 'files that no task has were removed');
}
