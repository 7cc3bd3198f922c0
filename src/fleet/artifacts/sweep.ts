import type { Sql } from '../../postgres/index.ts';
import { type KeyParts, readKey } from './keys.ts';
import type { ListedObject, SweepOptions, SweepResult } from './types.ts';

const BATCH = 500;

/**
 * Removes objects and unfinished uploads of lost epochs: those that no manifest names, and that none can name any more since
 * a publication under their epoch would be refused. Keeps objects of tasks that this database does not know, and those that
 * are younger than `olderThanMs`, which concerns readers of a file that was replaced.
 */
export async function sweepOrphans(sql: Sql, { storage, olderThanMs }: SweepOptions): Promise<SweepResult> {
  let removed = 0;
  let seen = 0;
  let batch: OwnObject[] = [];

  async function sweepBatch(): Promise<void> {
    const orphans = await orphansIn(sql, batch, olderThanMs);
    for (const object of orphans) await storage.remove(object);
    removed += orphans.length;
    batch = [];
  }

  for await (const object of storage.list()) {
    seen++;
    const parts = readKey(object.key);
    if (parts === undefined) continue;
    batch.push({ ...object, ...parts });
    if (batch.length >= BATCH) await sweepBatch();
  }
  await sweepBatch();
  return { removed, kept: seen - removed };
}

type OwnObject = ListedObject & KeyParts;

/**
 * One statement sees the leases and the manifest at the same moment. A publication holds the line of the lease until it is
 * committed, so once its epoch is seen to be over, its lines are seen too.
 */
async function orphansIn(sql: Sql, objects: readonly OwnObject[], olderThanMs: number): Promise<OwnObject[]> {
  if (objects.length === 0) return [];
  const rows = await sql.query<{ at: number }>(
    `select object.at::integer
       from unnest($1::text[], $2::integer[], $3::text[], $4::bigint[], $5::float8[])
            with ordinality as object (key, store, task, epoch, written, at)
       join task on task.id = object.task and task.store = object.store
       join lease on lease.store = object.store
      where to_timestamp(object.written / 1000) < clock_timestamp() - make_interval(secs => $6::float8 / 1000)
        and (lease.epoch > object.epoch or (lease.epoch = object.epoch and lease.holder is null))
        and not exists (
          select from artifact where artifact.task = task.number and artifact.location = object.key)`,
    [
      objects.map(({ key }) => key),
      objects.map(({ store }) => store),
      objects.map(({ task }) => task),
      objects.map(({ epoch }) => epoch),
      objects.map(({ at }) => at.getTime()),
      olderThanMs,
    ],
  );
  return rows.flatMap(({ at }) => objects[at - 1] ?? []);
}
