import { ConfigError, shownWord } from '../../model/index.ts';
import { endQuarantines, markReviewed, type Sql } from '../../postgres/index.ts';
import { oneStore } from '../stores/stores.ts';

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
      throw new ConfigError(`No worker "${shownWord(worker)}" is known.`, ['storeport fleet list --workers']);
    const ended = await endQuarantines(inside, worker);
    await inside.query('delete from worker where id = $1', [worker]);
    return ended;
  });
}

/** The user looked at the doubts of a store since a backup was restored: creates are sent there again. */
export async function declareReviewed(sql: Sql, store: string): Promise<void> {
  const { number } = await oneStore(sql, store);
  await markReviewed(sql, number);
}
