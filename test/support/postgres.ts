import { randomUUID } from 'node:crypto';
import { connect as connectSocket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { connect, createRowSeal, migrate, newRowKey, type Sql } from '../../src/postgres/index.ts';

/** Encrypts the rows of tests that need no place of files. */
export const TEST_SEAL = createRowSeal({ current: newRowKey() });

const ADDRESS = process.env.STOREPORT_TEST_DATABASE ?? 'postgres://postgres@127.0.0.1:5432/test';

/** The address that chooses PGlite, also where a server answers. */
const EMBEDDED = 'pglite';

let answers: Promise<boolean> | undefined;

/** True if a server of Postgres answers, so that tests with several connections can run. */
export function hasPostgres(): Promise<boolean> {
  answers ??=
    process.env.STOREPORT_TEST_DATABASE === undefined ? answersHere() : Promise.resolve(ADDRESS !== EMBEDDED);
  return answers;
}

function answersHere(): Promise<boolean> {
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
}

export interface OpenTestDatabase extends TestDatabase {
  /** Removes what a test has left. Closes the connections of `another`. */
  empty(): Promise<void>;
  /** Drops the schema, and closes all connections. */
  close(): Promise<void>;
}

/** A schema of the server, or of PGlite if there is none. `empty`: without tables. */
export async function testDatabase({ empty = false } = {}): Promise<OpenTestDatabase> {
  const database = (await hasPostgres()) ? serverDatabase() : await embeddedDatabase();
  if (!empty) await migrate(database.sql);
  return database;
}

/** As `testDatabase`, for tests that need no second connection. Closing it drops the schema. */
export async function testSql(): Promise<Sql> {
  const { sql, close } = await testDatabase();
  return { ...sql, close };
}

/** One schema for all tests of a file, emptied after each test: migrations for each would take longer. */
export function databaseOfFile(): TestDatabase {
  let database: OpenTestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.empty());
  afterAll(() => database.close());
  return {
    get sql() {
      return database.sql;
    },
    another: (application) => database.another(application),
  };
}

/** The address of a database and the schema for one test, for commands that connect themselves. */
export interface TestAddress {
  readonly url: string;
  readonly schema: string;
  drop(): Promise<void>;
}

/** Needs a server. */
export function testAddress(): TestAddress {
  const schema = newSchema();
  return {
    url: ADDRESS,
    schema,
    async drop() {
      const sql = connect(ADDRESS, { poolSize: 1 });
      await sql.script(dropping(schema));
      await sql.close();
    },
  };
}

function newSchema(): string {
  return `t_${randomUUID().replaceAll('-', '')}`;
}

/** The job engine has a schema beside that of the fleet. */
function dropping(schema: string): string {
  return `drop schema if exists ${schema}, ${schema}_wake_ups cascade`;
}

function serverDatabase(): OpenTestDatabase {
  const { url, schema, drop } = testAddress();
  const open = (application: string) => connect(url, { schema, poolSize: 4, application });
  const sql = open('storeport test');
  const others: Sql[] = [];
  const closeOthers = () => Promise.all(others.splice(0).map((other) => other.close()));
  return {
    sql,
    another(application = 'storeport test') {
      const other = open(application);
      others.push(other);
      return other;
    },
    async empty() {
      await closeOthers();
      await sql.script(EMPTY);
    },
    async close() {
      await Promise.all([closeOthers(), sql.close()]);
      await drop();
    },
  };
}

/** Does work on the one connection of PGlite, after all work that was given before. */
type Turn = <Result>(schema: string, work: (client: PGlite) => Promise<Result>) => Promise<Result>;

/** Outlives `vi.resetModules`. */
const worker = globalThis as { turnOnPglite?: Promise<Turn> };

/** One PGlite for all files of a worker: making one takes seconds. It has no handles, and ends with the worker. */
async function openPglite(): Promise<Turn> {
  // Without the optimising compiler, making a PGlite takes half the CPU time.
  setFlagsFromString('--liftoff-only');
  const { PGlite } = await import('@electric-sql/pglite');
  const client = await PGlite.create({
    parsers: {
      ...Object.fromEntries(NUMBERS.map((type) => [type, Number])),
      [BYTES]: (text: string) => Buffer.from(text.slice(2), 'hex'),
    },
  });
  let current: string | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return (schema, work) => {
    const turn = last.then(async () => {
      if (schema !== current) {
        // Settings and locks of one test do not reach another.
        await client.exec('discard all');
        await client.exec(`set search_path to ${schema}`);
        current = schema;
      }
      return work(client);
    });
    last = turn.catch(() => {});
    return turn;
  };
}

const NUMBERS = [20, 1700];
const BYTES = 17;

async function embeddedDatabase(): Promise<OpenTestDatabase> {
  worker.turnOnPglite ??= openPglite();
  const inTurn = await worker.turnOnPglite;
  const schema = newSchema();
  const sql: Sql = {
    query: (text, values) => inTurn(schema, (client) => over(client).query(text, values)),
    script: (text) => inTurn(schema, (client) => over(client).script(text)),
    transaction: (work) =>
      inTurn(schema, (client) =>
        client.transaction((inside) => {
          const sql: Sql = { ...over(inside), transaction: (nested) => nested(sql), close: async () => {} };
          return work(sql);
        }),
      ),
    close: async () => {},
  };
  return {
    sql,
    another: () => sql,
    empty: () => sql.script(EMPTY),
    close: () => sql.script(dropping(schema)),
  };
}

function over(client: Pick<PGlite, 'query' | 'exec'>): Pick<Sql, 'query' | 'script'> {
  return {
    query: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
      (await client.query<Row>(text, [...values])).rows,
    async script(text) {
      await client.exec(text);
    },
  };
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
  ...[
    'row_key',
    'log',
    'intents',
    'record',
    'kept',
    'mark',
    'sequel',
    'identity',
    'trash',
    'target',
    'shape',
  ],
  ...['doubt', 'late_answer', 'rest', 'run', 'lease', 'review', 'store'],
] as const;

/** Faster than to truncate, which makes new files. What is added later is numbered from 1 again. */
const EMPTY = `
  ${FILLED_TABLES.map((table) => `delete from ${table};`).join(' ')}
  select setval(pg_get_serial_sequence(table_name, column_name), 1, false)
    from information_schema.columns where table_schema = current_schema() and is_identity = 'YES';
  delete from cluster; insert into cluster default values;`;
