import { type CommandContext, warn } from '../../context.ts';
import { type DatabaseArguments, databaseAddress } from './database.ts';

/** The operations of a fleet. Loaded only by its commands, since others need no library of Postgres. */
export type Fleet = typeof import('../../../fleet/index.ts');
export type FleetSql = ReturnType<Fleet['connect']>;

/**
 * Opens the database for one command, and closes it at its end. Throws ConfigError if it cannot be reached, or if its tables
 * are not those of this version. `creates`: the command makes the tables.
 * `poolSize`: maximum number of connections.
 */
export async function withFleet<Result>(
  args: DatabaseArguments,
  context: CommandContext,
  work: (fleet: Fleet, sql: FleetSql) => Promise<Result>,
  { creates = false, poolSize }: { readonly creates?: boolean; readonly poolSize?: number } = {},
): Promise<Result> {
  const address = await databaseAddress(args, context);
  const fleet = await import('../../../fleet/index.ts');
  const sql = fleet.connect(address, {
    schema: args.databaseSchema,
    application: 'storeport fleet',
    poolSize,
  });
  try {
    if (!creates) await fleet.checkSchema(sql);
    return await work(fleet, sql);
  } finally {
    await sql.close();
  }
}

/** Wakes workers for stores that have work now. Trouble is a warning: workers look for work every minute without being woken. */
export async function wakeWorkers(
  { fleet, sql }: { readonly fleet: Fleet; readonly sql: FleetSql },
  stores: readonly number[],
  context: CommandContext,
): Promise<void> {
  try {
    await fleet.wakeStores(sql, [...new Set(stores)]);
  } catch (error) {
    warn(
      context,
      `no worker could be woken, so the work begins within a minute: ${(error as Error).message}`,
    );
  }
}
