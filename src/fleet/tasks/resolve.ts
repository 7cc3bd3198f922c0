import { ConfigError, shownWord } from '../../model/index.ts';
import { endQuarantines, markReviewed, type Sql } from '../../postgres/index.ts';
import { oneStore } from '../stores/stores.ts';

/**
 * Ends the quarantine of doubts that a worker left: the user says that its process or machine is gone. Returns the number of
 * runs whose doubts can now be resolved. Throws ConfigError if no worker had that name, or it still renews leases.
 */
export async function declareEnded(sql: Sql, worker: string): Promise<number> {
  return sql.transaction(async (inside) => {
    const [found] = await inside.query(
      `select 1 as found where exists (select 1 from worker where id = $1)
         or exists (select 1 from lease where holder = $1) or exists (select 1 from run where $1 = any (doubts_of))`,
      [worker],
    );
    const [holds] = await inside.query(
      'select 1 as found from lease where holder = $1 and expires > clock_timestamp()',
      [worker],
    );
    if (holds !== undefined)
      throw new ConfigError(`The worker ${shownWord(worker)} renews its leases, so it has not ended.`);
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
