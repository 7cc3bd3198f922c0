import { afterEach, describe, expect, test } from 'vitest';
import { checkSchema, migrate } from '../../src/postgres/migrate.ts';
import { FIRST_SCHEMA, SCHEMA_STEPS } from '../../src/postgres/migrations.ts';
import { FILLED_TABLES, type OpenTestDatabase, testDatabase } from '../support/postgres.ts';

let database: OpenTestDatabase | undefined;
afterEach(async () => {
  await database?.close();
  database = undefined;
});

async function empty(): Promise<OpenTestDatabase> {
  database = await testDatabase({ empty: true });
  return database;
}

const FIRST = FIRST_SCHEMA;
const step = (name: string, minVersion: number) => ({
  script: `create table ${name} (n integer)`,
  minVersion,
});

describe('migrate', () => {
  test('makes the schema and its tables, and changes nothing the second time', async () => {
    const { sql } = await empty();
    await migrate(sql);
    await sql.query('update cluster set incarnation = 7');
    await migrate(sql);
    expect(await sql.query('select incarnation from cluster')).toEqual([{ incarnation: 7 }]);
    expect(await sql.query('select version from migration order by 1')).toEqual(
      SCHEMA_STEPS.map((_, index) => ({ version: FIRST + index })),
    );
  });

  test('makes no table that tests share without emptying it', async () => {
    const { sql } = await empty();
    await migrate(sql);
    const tables = await sql.query<{ tablename: string }>(
      'select tablename from pg_tables where schemaname = current_schema()',
    );
    expect(tables.map(({ tablename }) => tablename).sort()).toEqual(
      [...FILLED_TABLES, 'cluster', 'migration'].sort(),
    );
  });

  test('applies each step once when several processes start at the same time', async () => {
    const { sql, another } = await empty();
    await Promise.all([sql, another(), another()].map((each) => migrate(each)));
    expect(await sql.query('select count(*) as count from migration')).toEqual([
      { count: SCHEMA_STEPS.length },
    ]);
  });

  test('leaves nothing of a step that fails', async () => {
    const { sql } = await empty();
    await expect(
      migrate(sql, [step('first', FIRST), { script: 'create tabel', minVersion: FIRST + 1 }]),
    ).rejects.toThrow('syntax');
    await migrate(sql, [step('first', FIRST)]);
    expect(await sql.query('select version from migration')).toEqual([{ version: FIRST }]);
  });

  test('an older version keeps working while a newer step only adds', async () => {
    const { sql } = await empty();
    await migrate(sql, [step('first', FIRST), step('second', FIRST)]);
    await expect(migrate(sql, [step('first', FIRST)])).resolves.toBeUndefined();
    await expect(checkSchema(sql, [step('first', FIRST)])).resolves.toBeUndefined();
  });

  test('an older version is refused once a step needs the newer one, with the version to install', async () => {
    const { sql } = await empty();
    await migrate(sql, [step('first', FIRST), step('second', FIRST + 1)]);
    const refused = {
      name: 'ConfigError',
      hints: ['Install the version of storeport that the other workers have.'],
    };
    await expect(migrate(sql, [step('first', FIRST)])).rejects.toMatchObject(refused);
    await expect(checkSchema(sql, [step('first', FIRST)])).rejects.toMatchObject(refused);
  });

  test('tables from before the first release are refused with the way to go on, and stay as they are', async () => {
    const { sql } = await empty();
    await migrate(sql);
    await sql.query('update migration set version = $1, min_version = $1', [FIRST - 1]);
    const refused = {
      name: 'ConfigError',
      message: expect.stringContaining(`from before the first release (their version ${FIRST - 1}, ours`),
      hints: [
        'Finish their tasks with the version that made them.',
        expect.stringMatching(/: storeport fleet init --database-schema storeport_\d+$/),
      ],
    };
    await expect(migrate(sql)).rejects.toMatchObject(refused);
    await expect(checkSchema(sql)).rejects.toMatchObject(refused);
    expect(await sql.query('select version from migration')).toEqual([{ version: FIRST - 1 }]);
  });

  test('a database without tables is refused with the command that makes them', async () => {
    const { sql } = await empty();
    await expect(checkSchema(sql)).rejects.toMatchObject({
      name: 'ConfigError',
      hints: [expect.any(String), 'Create them with storeport fleet init'],
    });
  });
});
