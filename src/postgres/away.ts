import { ConfigError, RunStopped } from '../model/index.ts';

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

/** Messages of errors of the driver, which have no code. */
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

/** The error for a database that is away. `shown`: its address, without user and password. */
export function databaseAway(shown: string, error: Error, wasReached: boolean): ConfigError | RunStopped {
  const why = error.message || ((error as NodeJS.ErrnoException).code ?? 'no answer');
  if (!wasReached) return new ConfigError(`The database ${shown} cannot be used: ${why}.`, [hintFor(error)]);
  return new RunStopped('ledger-failed', `The database ${shown} is away, so nothing more was sent: ${why}.`, [
    'Once Postgres runs again, workers continue by themselves. Give any other command again.',
  ]);
}
