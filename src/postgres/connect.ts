import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import pg from 'pg';
import { ConfigError } from '../model/index.ts';
import { databaseAway, isAway } from './away.ts';
import { ANSWER_MS, type Sql } from './sql.ts';

export interface ConnectOptions {
  /** The schema of all tables; by itself the one that the database gives the user. */
  readonly schema?: string | undefined;
  /** Shown in `pg_stat_activity`. */
  readonly application?: string | undefined;
  /** Maximum number of connections. */
  readonly poolSize?: number | undefined;
}

/**
 * Opens the database. Connects when the first statement runs. A connection that is lost, or whose answer is late, is replaced;
 * the statement that was running on it fails.
 *
 * Throws ConfigError if the address is no address of Postgres. A statement rejects with ConfigError if the database was never
 * reached, and with RunStopped if it is away later. Other errors are those of Postgres, with their `code`.
 */
export function connect(url: string, options: ConnectOptions = {}): Sql {
  const { schema, application = 'storeport', poolSize = 10 } = options;
  const shown = shownDatabase(url);
  if (schema !== undefined && !PLAIN_NAME.test(schema))
    throw new ConfigError(
      `The schema "${schema}" may only have letters, digits and _, and begins with a letter.`,
    );
  const sockets = new Set<Socket>();
  const pool = new pg.Pool({
    connectionString: url,
    application_name: application,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    stream: () => openSocket(sockets),
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
    ...(schema === undefined ? {} : { options: `-c search_path=${schema}` }),
  });
  // Of a connection that nobody uses. The next statement gets another one.
  pool.on('error', () => {});
  // The pool listens only while nobody uses the connection. A connection that breaks between two statements, or while it is
  // handed over, would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  let wasReached = false;
  const nameOf = statementNames(schema);

  /** `onAway`: called if the connection is of no use any more. */
  async function asked<Result>(work: () => Promise<Result>, onAway = () => {}): Promise<Result> {
    try {
      const result = await work();
      wasReached = true;
      return result;
    } catch (error) {
      if (!isAway(error)) throw error;
      onAway();
      throw databaseAway(shown, error as Error, wasReached);
    }
  }

  /** `usualMs`: how long an answer may take if the statement does not say so. */
  function over(
    client: pg.Pool | pg.PoolClient,
    usualMs: number,
    onAway?: () => void,
  ): Pick<Sql, 'query' | 'script'> {
    const ask = <Row extends pg.QueryResultRow>(statement: TimedStatement) =>
      asked(() => client.query<Row>(statement), onAway);
    return {
      async query<Row extends object>(
        text: string,
        values: readonly unknown[] = [],
        withinMs: number = usualMs,
      ) {
        const named = values.length > 0 ? { name: nameOf(text), values: [...values] } : {};
        return (await ask<Row & pg.QueryResultRow>({ text, ...named, query_timeout: withinMs })).rows;
      },
      async script(text) {
        await ask({ text, query_timeout: usualMs });
      },
    };
  }

  return {
    ...over(pool, ANSWER_MS),
    async transaction(work, withinMs = ANSWER_MS) {
      const client = await asked(() => pool.connect());
      let isBroken = false;
      const breaks = () => {
        isBroken = true;
      };
      const { query, script } = over(client, withinMs, breaks);
      const inside: Sql = { query, script, transaction: (nested) => nested(inside), close: async () => {} };
      try {
        await script(BEGIN);
        const result = await work(inside);
        await script('commit');
        return result;
      } catch (error) {
        // A connection whose transaction cannot be rolled back is of no use to the next one.
        if (!isBroken) await query('rollback', [], ANSWER_MS).catch(breaks);
        throw error;
      } finally {
        client.release(isBroken);
      }
    },
    async close() {
      await pool.end();
      // The end of a connection that stays silent is not waited for.
      for (const socket of sockets) socket.unref();
    },
  };
}

/** The driver knows the time of one statement, and its types do not. */
interface TimedStatement extends pg.QueryConfig {
  readonly query_timeout: number;
}

/** Kept until it is closed, so that a process does not wait for a connection whose other end is silent. */
function openSocket(sockets: Set<Socket>): Socket {
  const socket = new Socket();
  sockets.add(socket);
  return socket.once('close', () => sockets.delete(socket));
}

/**
 * Whatever the defaults of the database are: who waits for a lock must see what was committed meanwhile, and what was confirmed
 * must be on disk. A process that is paused or cut off in the middle must not keep its locks, for which every worker that takes
 * over would wait.
 */
const BEGIN = `begin isolation level read committed; set local synchronous_commit = on;
  set local idle_in_transaction_session_timeout = '15s'`;

const PLAIN_NAME = /^[a-z_][a-z0-9_]{0,62}$/i;
const CONNECT_MS = 10_000;
const KEEP_ALIVE_MS = 10_000;

/** Types that would arrive as text: counts and sums of them are exact as numbers up to 2^53. */
const NUMBERS: ReadonlySet<number> = new Set([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

function parserOf(type: number, format?: 'text' | 'binary'): unknown {
  if (NUMBERS.has(type) && format !== 'binary') return Number;
  return format === 'binary' ? pg.types.getTypeParser(type, 'binary') : pg.types.getTypeParser(type, 'text');
}

/**
 * Names texts of statements, so that Postgres parses and plans each once a connection. Few texts occur: values are apart. A name
 * says which text it is: behind a pooler, a connection may have the statements of another process, or of another schema.
 */
function statementNames(schema = ''): (text: string) => string {
  const names = new Map<string, string>();
  return (text) => {
    let name = names.get(text);
    if (name === undefined) {
      name = createHash('sha256').update(`${schema}\n${text}`).digest('hex').slice(0, 32);
      names.set(text, name);
    }
    return name;
  };
}

/** Host, port and name of a database, without user and password. Throws ConfigError. */
export function shownDatabase(url: string): string {
  let parsed: URL | undefined;
  if (/^postgres(ql)?:\/\//.test(url))
    try {
      parsed = new URL(url);
    } catch {
      // Its message would show the password.
    }
  if (!parsed)
    throw new ConfigError('The address of the database is not like postgres://user@host:5432/name.', [
      'Write characters such as # and / in its password as %23 and %2F.',
    ]);
  return `${parsed.hostname || 'localhost'}:${parsed.port || 5432}${decodeURIComponent(parsed.pathname)}`;
}
