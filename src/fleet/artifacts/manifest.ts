import { leaseLost, type Sql } from '../../postgres/index.ts';
import type { PublishedArtifact, PublishOptions, WrittenObject } from './types.ts';

/** An object with the name that it gets in the manifest. */
export interface UploadedFile extends WrittenObject {
  readonly name: string;
}

interface ArtifactRow {
  readonly name: string;
  readonly location: string;
  readonly epoch: string | number;
  readonly bytes: string | number;
  readonly sha256: string;
}

/**
 * Writes lines of the manifest, in a transaction of `fenced`. Throws RunStopped (`lease-lost`) if a line is of a higher epoch,
 * which the end of the transaction must undo.
 */
export async function writeArtifacts(
  transaction: Sql,
  { lease, task, removesOthers = false }: Pick<PublishOptions, 'lease' | 'task' | 'removesOthers'>,
  files: readonly UploadedFile[],
): Promise<PublishedArtifact[]> {
  const names = files.map(({ name }) => name);
  if (removesOthers)
    await transaction.query(
      'delete from artifact where task = $1 and epoch <= $2 and not (name = any($3::text[]))',
      [task.number, lease.epoch, names],
    );
  const rows = await transaction.query<ArtifactRow>(
    `insert into artifact (task, name, location, epoch, bytes, sha256)
     select $1, name, location, $2, bytes, sha256
       from unnest($3::text[], $4::text[], $5::bigint[], $6::text[]) as file (name, location, bytes, sha256)
     on conflict (task, name) do update
       set location = excluded.location, epoch = excluded.epoch, bytes = excluded.bytes,
           sha256 = excluded.sha256, at = clock_timestamp()
       where artifact.epoch <= excluded.epoch
     returning name, location, epoch, bytes, sha256`,
    [
      task.number,
      lease.epoch,
      names,
      files.map(({ key }) => key),
      files.map(({ bytes }) => bytes),
      files.map(({ sha256 }) => sha256),
    ],
  );
  if (rows.length < files.length) throw leaseLost();
  return rows.map(published);
}

/** Lists what a task has published, by name. */
export async function listArtifacts(sql: Sql, task: number): Promise<PublishedArtifact[]> {
  const rows = await sql.query<ArtifactRow>(
    'select name, location, epoch, bytes, sha256 from artifact where task = $1 order by name',
    [task],
  );
  return rows.map(published);
}

/** Finds a line of the manifest. */
export async function findArtifact(
  sql: Sql,
  task: number,
  name: string,
): Promise<PublishedArtifact | undefined> {
  const [row] = await sql.query<ArtifactRow>(
    'select name, location, epoch, bytes, sha256 from artifact where task = $1 and name = $2',
    [task, name],
  );
  return row && published(row);
}

/** Drivers return bigint as text. */
function published({ name, location, epoch, bytes, sha256 }: ArtifactRow): PublishedArtifact {
  return { name, location, epoch: Number(epoch), bytes: Number(bytes), sha256 };
}
