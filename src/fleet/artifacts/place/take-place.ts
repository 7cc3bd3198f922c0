import { randomUUID } from 'node:crypto';
import { existsSync } from '../../../model/files/fs.ts';
import { ConfigError } from '../../../model/index.ts';
import { lookAtDatabase, type Sql } from '../../../postgres/index.ts';
import { readLocation } from '../location.ts';
import { openArtifacts } from '../open-artifacts.ts';
import type { ArtifactStorage, ObjectStoreOptions } from '../types.ts';
import { writeMarker } from './marker.ts';
import { lockPlace, readPlaceRecord, recordPlace } from './record.ts';
import { renewRowKeys } from './row-keys.ts';

/** A worker without a sign of life for so long has ended. */
const ALIVE_S = 60;

export interface TakenPlace {
  readonly location: string;
  /** The place of the files of earlier tasks, if it is another one. */
  readonly before: string | undefined;
}

/**
 * Makes a place that of this database, because a user says so: it was restored, or the files move. Whoever used the place before
 * is refused there. Copies the keys of rows from the former place. Throws ConfigError if workers are at work in another place:
 * their files would be apart. `options.losesKeys`: keys that are missing are declared lost next.
 */
export async function takePlace(
  sql: Sql,
  location: string,
  { losesKeys = false, ...options }: ObjectStoreOptions & { readonly losesKeys?: boolean },
): Promise<TakenPlace> {
  const storage = await openArtifacts(location, options);
  try {
    const record = await readPlaceRecord(sql);
    const isMove = record !== undefined && record.location !== storage.name;
    if (isMove) await refuseWorkersAtWork(sql);
    if (isMove && !losesKeys) await renewRowKeys(sql, storage, () => openFormer(record.location, options));
    const [id, { is: owner }] = [randomUUID(), await lookAtDatabase(sql)];
    await sql.transaction(async (inside) => {
      await lockPlace(inside);
      await writeMarker(storage, id);
      await recordPlace(inside, { location: storage.name, id, owner }, { replaces: true });
      await inside.query('update cluster set artifacts_marked = true where artifacts_id = $1', [id]);
    });
    return { location: storage.name, before: isMove ? record.location : undefined };
  } finally {
    await storage.close();
  }
}

/** Undefined if the folder is not on this machine. Opening it would make it. */
async function openFormer(
  location: string,
  options: ObjectStoreOptions,
): Promise<ArtifactStorage | undefined> {
  const place = readLocation(location);
  if (place.kind === 'path' && !existsSync(place.path)) return undefined;
  return openArtifacts(location, options);
}

/** Throws ConfigError if workers are at work: they keep files in the place that they began with, and use its keys. */
export async function refuseWorkersAtWork(sql: Sql): Promise<void> {
  const workers = await sql.query<{ id: string }>(
    'select id from worker where seen_at > clock_timestamp() - make_interval(secs => $1) order by id',
    [ALIVE_S],
  );
  if (workers.length === 0) return;
  throw new ConfigError(
    `These workers are at work: ${workers.map(({ id }) => id).join(', ')}. Nothing was changed.`,
    [`Stop them (SIGTERM) first. A worker that was killed counts for ${ALIVE_S} seconds.`],
  );
}
