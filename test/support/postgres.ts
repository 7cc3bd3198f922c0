import { randomUUID } from 'node:crypto';
import { connect as connectSocket } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import { connect, migrate, type Sql } from '../../src/postgres/index.ts';

const ADDRESS = process.env.STOREPORT_TEST_DATABASE ?? 'postgres://postgres@127.0.0.1:5432/test';

/** The address that chooses PGlite, also where a server answers. */
const EMBEDDED = 'pglite';

/** True if a server of Postgres answers, so that tests with several connections can run. */
export async function hasPostgres(): Promise<boolean> {
  if (process.env.STOREPORT_TEST_DATABASE !== undefined) return ADDRESS !== EMBEDDED;
  return new Promise((resolve) => {
    const socket = connectSocket(5432, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

export interface TestDatabase {
  /** Has the tables, in a schema of its own. */
  readonly sql: Sql;
  /** Another process would have its own connections. On PGlite, which has only one, it is the same. */
  another(application?: string): Sql;
  /** Drops the schema, and closes all connections. */
  close(): Promise<void>;
}

/** A database for one test: of the server, or of PGlite if there is none. `empty`: without tables. */
export async function testDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const database = (await hasPostgres()) ? serverDatabase() : await embeddedDatabase();
  if (!empty) await migrate(database.sql);
  return database;
}

/** As `testDatabase`, for tests that need no second connection. Closing it drops the schema. */
export async function testSql(): Promise<Sql> {
  const { sql, close } = await testDatabase();
  return { ...sql, close };
}

/** The address of a database and the schema for one test, for commands that connect themselves. */
export interface TestAddress {
  readonly url: string;
  readonly schema: string;
  drop(): Promise<void>;
}

/** Needs a server. */
export function testAddress(): TestAddress {
  const schema = `t_${randomUUID().replaceAll('-', '')}`;
  return {
    url: ADDRESS,
    schema,
    async drop() {
      const sql = connect(ADDRESS, { poolSize: 1 });
      // The job engine has a schema beside it.
      await sql.script(`drop schema if exists ${schema}, ${schema}_wake_ups cascade`);
      await sql.close();
    },
  };
}

function serverDatabase(): TestDatabase {
  const { url, schema, drop } = testAddress();
  const open: Sql[] = [];
  const another = (application = 'storeport test') => {
    const sql = connect(url, { schema, poolSize: 4, application });
    open.push(sql);
    return sql;
  };
  return {
    sql: another(),
    another,
    async close() {
      await Promise.all(open.map((sql) => sql.close()));
      await drop();
    },
  };
}

const NUMBERS = [20, 1700];
const BYTES = 17;

async function embeddedDatabase(): Promise<TestDatabase> {
  const database = await PGlite.create({
    parsers: {
      ...Object.fromEntries(NUMBERS.map((type) => [type, Number])),
      [BYTES]: (text: string) => Buffer.from(text.slice(2), 'hex'),
    },
  });
  const over = (client: Pick<PGlite, 'query' | 'exec'>): Pick<Sql, 'query' | 'script'> => ({
    query: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
      (await client.query<Row>(text, [...values])).rows,
    script: async (text) => {
      await client.exec(text);
    },
  });
  const sql: Sql = {
    ...over(database),
    transaction: (work) =>
      database.transaction((client) => {
        const inside: Sql = {
          ...over(client as unknown as PGlite),
          transaction: (nested) => nested(inside),
          close: async () => {},
        };
        return work(inside);
      }) as ReturnType<typeof work>,
    close: async () => {},
  };
  return { sql, another: () => sql, close: () => database.close() };
}

/** Adds a store, and returns its number. */
export async function addTestStore(sql: Sql, baseUrl = 'https://shop.example'): Promise<number> {
  const [store] = await sql.query<{ number: number }>(
    'insert into store (name, base_url, reviewed) values ($1, $1, 1) returning number',
    [baseUrl],
  );
  return (store as { number: number }).number;
}

/** All tables that a test fills; those that refer to another one before it. */
export const FILLED_TABLES = [
  ...['artifact', 'task', 'schedule', 'rate', 'worker'],
  ...['log', 'intents', 'record', 'kept', 'mark', 'sequel', 'identity', 'trash', 'target', 'shape'],
  ...['doubt', 'late_answer', 'rest', 'run', 'lease', 'store'],
] as const;

/** Faster than to truncate, which makes new files. What is added later is numbered from 1 again. */
const EMPTY = `
  ${FILLED_TABLES.map((table) => `delete from ${table};`).join(' ')}
  select setval(pg_get_serial_sequence(table_name, column_name), 1, false)
    from information_schema.columns where table_schema = current_schema() and is_identity = 'YES';
  update cluster set incarnation = 1, artifacts = null, artifacts_id = null, artifacts_owner = null, artifacts_marked = false;`;

/** Removes what a test has left, so that the next one needs no database of its own: making one takes seconds without a server. */
export function emptyTables(sql: Sql): Promise<void> {
  return sql.script(EMPTY);
}
