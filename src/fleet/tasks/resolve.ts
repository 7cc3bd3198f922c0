import { ConfigError, printedCommand, shownWord } from '../../model/index.ts';
import { endQuarantines, markReviewed, reviewOf, type Sql } from '../../postgres/index.ts';
import { canBeAsked, taskResource } from '../stores/resources.ts';
import { type FleetStore, oneStore } from '../stores/stores.ts';
import { fleetCommands } from './fleet-commands.ts';

/** Seconds without a sign of life after which a worker counts as gone: the time after which its leases expire. */
export const GONE_S = 30;

/**
 * Ends the quarantine of doubts that a worker left: the user says that its process or machine is gone. Returns the number of
 * runs whose doubts can now be resolved. Throws ConfigError if no worker had that name, or it still renews leases or gives signs
 * of life.
 */
export async function declareEnded(sql: Sql, worker: string): Promise<number> {
  return sql.transaction(async (inside) => {
    const [found] = await inside.query(
      `select 1 as found where exists (select 1 from worker where id = $1)
         or exists (select 1 from lease where holder = $1) or exists (select 1 from run where $1 = any (doubts_of))`,
      [worker],
    );
    const held = await inside.query<{ now: boolean }>(
      'select expires > clock_timestamp() as now from lease where holder = $1 order by store for update',
      [worker],
    );
    if (held.some(({ now }) => now))
      throw new ConfigError(`The worker ${shownWord(worker)} renews its leases, so it has not ended.`);
    // It may have lost its leases, and still send what it had noted.
    const [alive] = await inside.query(
      'select 1 as found from worker where id = $1 and seen_at > clock_timestamp() - make_interval(secs => $2)',
      [worker, GONE_S],
    );
    if (alive !== undefined)
      throw new ConfigError(
        `The worker ${shownWord(worker)} gave a sign of life within the last ${GONE_S} seconds, so it has not ended.`,
        [`If it was killed just now, say it again in ${GONE_S} seconds.`],
      );
    if (found === undefined)
      throw new ConfigError(`No worker "${shownWord(worker)}" is known.`, [
        `To see them: ${printedCommand('fleet list', [], { workers: true })}`,
      ]);
    const ended = await endQuarantines(inside, worker);
    await inside.query('delete from worker where id = $1', [worker]);
    return ended;
  });
}

/**
 * A person has looked at a store since the database was restored: what is not known there is created again. Throws ConfigError if
 * records may have been sent there that the database can neither know nor ask for; then they must be adopted first, unless
 * `nothingSent` says that there are none.
 */
export async function declareReviewed(
  sql: Sql,
  name: string,
  { nothingSent = false }: { readonly nothingSent?: boolean } = {},
): Promise<void> {
  const store = await oneStore(sql, name);
  const unknown = nothingSent ? [] : await unknownResources(sql, store);
  if (unknown.length > 0)
    throw new ConfigError(
      `The database does not know which ${unknown.join(' and ')} were sent to "${name}" after its backup, and would create them again. Nothing was changed.`,
      [
        `Adopt them first, from a file with their keys and identifiers, such as a results.csv. How: ${fleetCommands(name).adopt()}`,
        'If certainly nothing was sent after the backup, add --nothing-sent.',
      ],
    );
  await markReviewed(sql, store.number, { knowsAll: nothingSent });
}

/** Resources that tasks create at a store, whose records neither a list nor a file has shown since the database was restored. */
async function unknownResources(sql: Sql, { number, settings }: FleetStore): Promise<string[]> {
  const imported = await sql.query<{ resource: string }>(
    `select distinct resource from task
     where store = $1 and command = 'import' and coalesce(options ->> 'mode', '') <> 'update' order by resource`,
    [number],
  );
  const names = new Set(
    imported
      .map(({ resource }) => taskResource(resource, settings, 'create'))
      .flatMap((each) => (canBeAsked(each) ? [] : [each.name])),
  );
  const unknown: string[] = [];
  for (const resource of names) if (!(await reviewOf(sql, number, resource)).isKnown) unknown.push(resource);
  return unknown;
}
