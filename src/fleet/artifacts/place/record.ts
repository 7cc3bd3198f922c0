import type { Sql } from '../../../postgres/index.ts';

/** The place of the files of tasks, as the database has it. */
export interface PlaceRecord {
  /** Path or `s3://bucket/prefix`, as the process had it that named it first. */
  readonly location: string;
  /** Is in the marker of the place, which other machines may have at another path. */
  readonly id: string;
  /** Identity of the database that got the place. Null: a user said that this one was restored. */
  readonly owner: string | null;
  /** False: the process that named the place may have ended before it wrote the marker. */
  readonly isMarked: boolean;
}

/** Undefined until a worker has named a place. */
export async function readPlaceRecord(sql: Sql): Promise<PlaceRecord | undefined> {
  const [record] = await sql.query<PlaceRecord>(
    `select artifacts as location, artifacts_id as id, artifacts_owner as owner, artifacts_marked as "isMarked"
       from cluster where artifacts is not null`,
  );
  return record;
}

/** Records a place. Does nothing if another process was faster, unless it `replaces`. The marker is not there yet. */
export async function recordPlace(
  sql: Sql,
  { location, id, owner }: Omit<PlaceRecord, 'isMarked'>,
  { replaces = false } = {},
): Promise<void> {
  await sql.query(
    `update cluster set artifacts = $1, artifacts_id = $2, artifacts_owner = $3, artifacts_marked = false
      where artifacts is null or $4`,
    [location, id, owner, replaces],
  );
}

/** Keeps a restored database from its former place, which the original may still use, until a user takes it over. */
export async function disownPlace(sql: Sql): Promise<void> {
  await sql.query('update cluster set artifacts_owner = null where one = $1', [true]);
}

/** One process at a time writes a marker. The lock ends with the transaction. */
export function lockPlace(inside: Sql): Promise<unknown> {
  return inside.query(
    `select pg_advisory_xact_lock(hashtext('storeport artifacts'), hashtext(current_setting('search_path')))`,
    [],
  );
}
