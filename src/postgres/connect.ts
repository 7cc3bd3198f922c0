import { createHash } from 'node:crypto';
import pg from 'pg';
import { ConfigError, RunStopped } from '../model/index.ts';
import type { Sql } from './sql.ts';

export interface ConnectOptions {
  /** The schema of all tables; by itself the one that the database gives the user. */
  readonly schema?: string | undefined;
  /** Shown in `pg_stat_activity`. */
  readonly application?: string | undefined;
  /** Maximum number of connections. */
  readonly poolSize?: number | undefined;
}

/**
 * Opens the database. Connects when the first statement runs. A connection that is lost is replaced; the statement that was
 * running on it fails.
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
  const pool = new pg.Pool({
    connectionString: url,
    application_name: application,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
    ...(schema === undefined ? {} : { options: `-c search_path=${schema}` }),
  });
  // Of a connection that nobody uses. The next statement gets another one.
  pool.on('error', () => {});
  let wasReached = false;
  const nameOf = statementNames(schema);

  async function asked<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work();
      wasReached = true;
      return result;
    } catch (error) {
      throw isAway(error) ? databaseAway(shown, error as Error, wasReached) : error;
    }
  }

  function over(client: pg.Pool | pg.PoolClient): Omit<Sql, 'transaction' | 'close'> {
    return {
      async query<Row extends object>(text: string, values: readonly unknown[] = []) {
        const query = values.length > 0 ? { name: nameOf(text), text, values: [...values] } : { text };
        return asked(async () => (await client.query<Row & pg.QueryResultRow>(query)).rows);
      },
      async script(text) {
        await asked(() => client.query(text));
      },
    };
  }

  return {
    ...over(pool),
    async transaction(work) {
      const client = await asked(() => pool.connect());
      // Without a listener, a connection that breaks between two statements would end the process.
      const onError = () => {};
      client.on('error', onError);
      const { query, script } = over(client);
      const inside: Sql = { query, script, transaction: (nested) => nested(inside), close: async () => {} };
      let broken: Error | undefined;
      try {
        await script(BEGIN);
        const result = await work(inside);
        await script('commit');
        return result;
      } catch (error) {
        // A connection whose transaction cannot be rolled back is of no use to the next one.
        await client.query('rollback').catch((why: Error) => {
          broken = why;
        });
        throw error;
      } finally {
        client.off('error', onError);
        client.release(broken);
      }
    },
    close: () => pool.end(),
  };
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

/** Errors of Postgres that say nothing about the statement: its class, or all of its code. */
const AWAY: readonly string[] = [
  '08', // connection
  '28', // user or password
  '3D000', // no such database
  '53', // no connections, disk or memory left
  '57P', // shut down, or starting
  '58', // errors of the system
  '25006', // it only reads: a standby, or the former primary
  '25P03', // this process was paused in a transaction
];

/** Of the driver, which gives them no code. */
const AWAY_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|Client was closed)/;

/** True if an error is about the connection or the server, not about the statement. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof RunStopped || error instanceof ConfigError) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall !== undefined || AWAY_MESSAGES.test(error.message)) return true;
  // Several addresses were tried.
  if (error instanceof AggregateError) return true;
  return code !== undefined && (AWAY.some((each) => code.startsWith(each)) || NO_CONNECTION.has(code));
}

const NO_CONNECTION: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
]);

/** Hints about an error of the first connection, by its class or its code. */
const HINTS: Readonly<Record<string, string>> = {
  '28': 'Correct user and password, in STOREPORT_DATABASE or where the address is from. The password may also be in PGPASSWORD or ~/.pgpass.',
  '3D000': 'Create it on that server: create database NAME owner USER.',
  '53': 'Give the server more connections (max_connections), or the workers fewer slots.',
  '57P03': 'The server is starting. Try again in a moment.',
};

function hintFor(error: Error): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  const [, hint] = Object.entries(HINTS).find(([known]) => code.startsWith(known)) ?? [];
  return hint ?? 'Is the address right, does Postgres run there, and may this user connect?';
}

function databaseAway(shown: string, error: Error, wasReached: boolean): ConfigError | RunStopped {
  const why = error.message || ((error as NodeJS.ErrnoException).code ?? 'no answer');
  if (!wasReached) return new ConfigError(`The database ${shown} cannot be used: ${why}.`, [hintFor(error)]);
  return new RunStopped('ledger-failed', `The database ${shown} is away, so nothing more was sent: ${why}.`, [
    'Continue when Postgres runs again: storeport fleet resume.',
  ]);
}
