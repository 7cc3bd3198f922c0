import { randomUUID } from 'node:crypto';
import { stat } from '../../../model/files/fs.ts';
import { lookAtDatabase, type Sql } from '../../../postgres/index.ts';
import { readLocation } from '../location.ts';
import { openArtifacts } from '../open-artifacts.ts';
import type { ArtifactStorage, ObjectStoreOptions } from '../types.ts';
import { readMarker, writeMarker } from './marker.ts';
import { lockPlace, type PlaceRecord, readPlaceRecord, recordPlace } from './record.ts';
import { copiedDatabase, missingFolder, otherPlace, unknownPlace } from './refusals.ts';

/** Reading harms nothing, so a copy of the database may do it. */
export type PlacePurpose = 'read' | 'write';

export interface PlaceOptions extends ObjectStoreOptions {
  /** The place that a user gave. Left out: the recorded one. */
  readonly given?: string | undefined;
  /** The place of a fleet whose first worker was given none. Left out: unknown. */
  readonly usual?: string | undefined;
  readonly purpose: PlacePurpose;
}

/**
 * Opens the place of the files of the fleet. The first process that writes makes it known to the database, and puts a marker
 * there. Throws ConfigError if the place is unknown or cannot be used, if it is not that of this fleet, or if a copy of the
 * database wants to write.
 */
export async function openPlace(
  sql: Sql,
  { given, usual, purpose, ...options }: PlaceOptions,
): Promise<ArtifactStorage> {
  const record = await readPlaceRecord(sql);
  const location = given ?? record?.location ?? usual;
  if (location === undefined) throw unknownPlace();
  // A folder that is not mounted must not be made.
  if (record !== undefined) await refuseMissingFolder(location, record);
  const storage = await openArtifacts(location, options);
  try {
    if (record === undefined && purpose === 'read') return storage;
    if (record === undefined) await adopt(sql, storage);
    await completeMarker(sql, storage);
    await verifyPlace(sql, storage, purpose);
    return storage;
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** Throws ConfigError unless this is the place of the fleet, and may be used for that purpose. Returns what is known of it. */
export async function verifyPlace(
  sql: Sql,
  storage: ArtifactStorage,
  purpose: PlacePurpose,
): Promise<PlaceRecord> {
  const record = await readPlaceRecord(sql);
  if (record === undefined) throw unknownPlace();
  const found = await readMarker(storage);
  if (found !== record.id) throw otherPlace(storage.name, found, record);
  if (purpose === 'write' && record.owner !== (await lookAtDatabase(sql)).is) throw copiedDatabase(record);
  return record;
}

/** Writes the marker again, since rules of a bucket may remove old objects. Throws ConfigError as `verifyPlace` does. */
export async function renewMarker(sql: Sql, storage: ArtifactStorage): Promise<void> {
  const { id } = await verifyPlace(sql, storage, 'write');
  await sql.transaction(async (inside) => {
    await lockPlace(inside);
    if ((await readPlaceRecord(inside))?.id === id) await writeMarker(storage, id);
  });
}

async function refuseMissingFolder(location: string, record: PlaceRecord): Promise<void> {
  const place = readLocation(location);
  if (place.kind !== 'path') return;
  const isThere = await stat(place.path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isThere) throw missingFolder(location, record);
}

/** Makes a place known that nobody has named before. Of several processes, one succeeds. */
async function adopt(sql: Sql, storage: ArtifactStorage): Promise<void> {
  const found = await readMarker(storage);
  const [id, { is: owner }] = [randomUUID(), await lookAtDatabase(sql)];
  const wanted = { location: storage.name, id, owner };
  if (found !== undefined) {
    // Another process of this fleet may have been faster.
    if ((await readPlaceRecord(sql))?.id === found) return;
    throw otherPlace(storage.name, found, { ...wanted, isMarked: false });
  }
  await recordPlace(sql, wanted);
}

/** Writes the marker, once, into the place that was recorded. A process that ended before is made up for. */
async function completeMarker(sql: Sql, storage: ArtifactStorage): Promise<void> {
  const record = await readPlaceRecord(sql);
  if (record === undefined || record.isMarked || record.location !== storage.name) return;
  await sql.transaction(async (inside) => {
    await lockPlace(inside);
    const now = await readPlaceRecord(inside);
    if (now === undefined || now.isMarked || now.id !== record.id) return;
    if ((await readMarker(storage)) === undefined) await writeMarker(storage, record.id);
    await inside.query('update cluster set artifacts_marked = true where artifacts_id = $1', [record.id]);
  });
}
