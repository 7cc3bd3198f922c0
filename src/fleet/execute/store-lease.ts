import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { ConfigError, packageVersion, printedCommand } from '../../model/index.ts';
import { KNOWN_SCHEMA, type Lease, takeLease } from '../../postgres/index.ts';
import { requestTimeoutMs } from '../stores/settings.ts';
import type { FleetStore } from '../stores/stores.ts';
import type { ExecutorOptions } from './options.ts';

/** Holds the lease of a store for a short work in a process that is no worker. The work sends nothing that changes the store. */
export async function withStoreLease<Result>(
  { sql, log }: Pick<ExecutorOptions, 'sql' | 'log'>,
  { number, name, settings, holder: busy }: FleetStore,
  work: (lease: Lease) => Promise<Result>,
): Promise<Result> {
  const holder = `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
  const lease = await takeLease(sql, {
    ...{ store: number, holder },
    timing: { requestMs: requestTimeoutMs(settings) },
  });
  if (lease === undefined)
    throw new ConfigError(
      `The worker ${busy ?? 'that was killed'} has the lease of the store "${name}".`,
      [
        `Wait until its tasks have ended, or stop them: ${printedCommand('fleet stop', [], { stores: name })}`,
      ],
      'in-use',
    );
  const warned = (message: string) => (error: unknown) =>
    log.warn({ store: name, error: String(error) }, message);
  try {
    // If this process is killed, a user can declare it ended like a worker.
    await sql.query(
      'insert into worker (id, host, version, schema_version, slots) values ($1, $2, $3, $4, 0)',
      [...[holder, hostname(), packageVersion(), KNOWN_SCHEMA]],
    );
    return await work(lease);
  } finally {
    // However the work ended: it has no request in flight.
    await lease.release().catch(warned('the lease is left to expire'));
    await sql.query('delete from worker where id = $1', [holder]).catch(warned('could not sign off'));
  }
}
