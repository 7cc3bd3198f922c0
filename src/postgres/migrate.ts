import { ConfigError, printedCommand } from '../model/index.ts';
import { lookAtDatabase } from './incarnation.ts';
import { FIRST_SCHEMA, SCHEMA_STEPS, type SchemaStep } from './migrations.ts';
import { LONG_ANSWER_MS, type Sql } from './sql.ts';

/**
 * Brings the schema to this version. Safe when several processes start at once. Throws ConfigError if a newer version of
 * storeport has changed the schema in a way that this one cannot work with, if the schema is from before the first release, or if
 * a worker is at work that could not continue.
 */
export async function migrate(sql: Sql, steps: readonly SchemaStep[] = SCHEMA_STEPS): Promise<void> {
  await sql.transaction(async (inside) => {
    // One process at a time. The lock ends with the transaction.
    await inside.query(
      `select pg_advisory_xact_lock(hashtext('storeport'), hashtext(current_setting('search_path')))`,
      [],
    );
    await createSchema(inside);
    await inside.script(MIGRATION_TABLE);
    const done = await versionOf(inside);
    assertKnown(done, lastOf(steps));
    await refuseEarlierWorkers(inside, done, steps);
    for (const [index, { script, minVersion }] of steps.entries()) {
      const version = FIRST_SCHEMA + index;
      if (version <= done.version) continue;
      await inside.script(script);
      await inside.query('insert into migration (version, min_version) values ($1, $2)', [
        version,
        minVersion,
      ]);
    }
  }, LONG_ANSWER_MS);
  // A dump of a database whose identity nobody knew would pass for the original.
  const [found] = await sql.query<{ found: boolean }>(`select to_regclass('cluster') is not null as found`);
  if (found?.found) await lookAtDatabase(sql);
}

/** Throws ConfigError unless the schema is there, and this version can work with it. Changes nothing. */
export async function checkSchema(sql: Sql, steps: readonly SchemaStep[] = SCHEMA_STEPS): Promise<void> {
  const [found] = await sql.query<{ found: boolean }>(`select to_regclass('migration') is not null as found`);
  const done = found?.found ? await versionOf(sql) : { version: 0, minVersion: 0 };
  assertKnown(done, lastOf(steps));
  if (done.version < lastOf(steps))
    throw new ConfigError('The database does not have the tables of this version of storeport yet.', [
      'Workers of the version before can continue meanwhile.',
      `Create them with ${printedCommand('fleet init')}`,
    ]);
}

function lastOf(steps: readonly SchemaStep[]): number {
  return FIRST_SCHEMA + steps.length - 1;
}

/** The version of the schema that this version of storeport knows: the number of its last step. */
export const KNOWN_SCHEMA = lastOf(SCHEMA_STEPS);

/** The reason for which this version of storeport cannot work any more with the schema, which another one has changed. */
export async function findNewerSchema(sql: Sql): Promise<ConfigError | undefined> {
  try {
    assertKnown(await versionOf(sql), KNOWN_SCHEMA);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

const MIGRATION_TABLE = `
create table if not exists migration (
  version integer primary key,
  min_version integer not null,                 -- the lowest schema version that a worker must know from here on
  at timestamptz not null default clock_timestamp()
)`;

interface SchemaVersion {
  readonly version: number;
  readonly minVersion: number;
}

async function versionOf(sql: Sql): Promise<SchemaVersion> {
  const [line] = await sql.query<SchemaVersion>(
    `select coalesce(max(version), 0) as version, coalesce(max(min_version), 0) as "minVersion" from migration`,
  );
  return line ?? { version: 0, minVersion: 0 };
}

/** A worker without a sign of life for so long has ended, or stops by itself: its statements fail. */
const ALIVE_S = 60;

/** Throws ConfigError if a step would take away what a worker uses that is at work. */
async function refuseEarlierWorkers(
  sql: Sql,
  { version, minVersion }: SchemaVersion,
  steps: readonly SchemaStep[],
): Promise<void> {
  const needed = Math.max(
    0,
    ...steps.slice(Math.max(0, version - FIRST_SCHEMA + 1)).map((step) => step.minVersion),
  );
  if (needed <= minVersion) return;
  const [found] = await sql.query<{ found: boolean }>(`select to_regclass('worker') is not null as found`);
  if (!found?.found) return;
  const workers = await sql.query<{ id: string }>(
    `select id from worker where schema_version < $1 and seen_at > clock_timestamp() - make_interval(secs => $2)
     order by id`,
    [needed, ALIVE_S],
  );
  if (workers.length === 0) return;
  throw new ConfigError(
    `These workers of an earlier version cannot go on after this update: ${workers.map(({ id }) => id).join(', ')}. Nothing was changed.`,
    [
      `A worker that was killed counts for ${ALIVE_S} seconds.`,
      `Stop them (SIGTERM), then give the command again: ${printedCommand('fleet init')}`,
    ],
  );
}

/** Throws ConfigError if this version cannot work with the schema. */
function assertKnown({ version, minVersion }: SchemaVersion, known: number): void {
  if (minVersion > known)
    throw new ConfigError(
      `The database has schema version ${version}, which needs a storeport that knows version ${minVersion} or later; this one knows ${known}.`,
      ['Install the version of storeport that the other workers have.'],
    );
  if (version > 0 && version < FIRST_SCHEMA)
    throw new ConfigError(
      `The tables in the database are from before the first release (their version ${version}, ours ${known}), and this version does not read them. Nothing was changed.`,
      [
        'Finish their tasks with the version that made them.',
        `Then create the tables in another schema: ${printedCommand('fleet init', [], { 'database-schema': `storeport_${known}` })}`,
      ],
    );
}

/** The schema that the connection names may not exist yet. */
async function createSchema(sql: Sql): Promise<void> {
  const [line] = await sql.query<{ now: string | null; wanted: string }>(
    `select current_schema() as now, current_setting('search_path') as wanted`,
  );
  if (line?.now === null) await sql.script(`create schema if not exists ${line.wanted.split(',')[0]}`);
}
