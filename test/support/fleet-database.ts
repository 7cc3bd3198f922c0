import pg from 'pg';

/** The server for tests that need one: STOREPORT_TEST_DATABASE, or the one of this machine. */
export function testDatabaseUrl(): string {
  return process.env.STOREPORT_TEST_DATABASE || 'postgres://postgres@127.0.0.1:5432/test';
}

const PATIENCE_MS = 5_000;

/** Undefined if the server answers, else the reason. */
export async function databaseTrouble(): Promise<string | undefined> {
  const client = new pg.Client({
    connectionString: testDatabaseUrl(),
    connectionTimeoutMillis: PATIENCE_MS,
  });
  try {
    await client.connect();
    await client.end();
    return undefined;
  } catch (error) {
    return (error as Error).message || (error as NodeJS.ErrnoException).code || 'no answer';
  }
}

/** Ends the tests of a fleet before the first one if they have no server. */
export default async function setup(): Promise<void> {
  const trouble = await databaseTrouble();
  if (trouble !== undefined)
    throw new Error(
      `npm run test:fleet needs a server of Postgres 15 or newer, by STOREPORT_TEST_DATABASE or at 127.0.0.1:5432 (user postgres, database test): ${trouble}`,
    );
}
