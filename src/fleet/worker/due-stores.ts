import type { Sql } from '../../postgres/index.ts';
import type { StoreToServe } from './options.ts';

/** A lease that can be taken. */
const FREE = '(lease.store is null or lease.holder is null or lease.expires < clock_timestamp())';

/** Work that a holder of the lease can do: a task that is due, or one whose worker is gone. */
const WORK = `select task.store, min(greatest(task.not_before, task.queued_at)) as since from task
  where (task.state = 'queued' and task.not_before <= clock_timestamp()) or task.state = 'running'
  group by task.store`;

/**
 * Stores with work whose lease can be taken, the one that waited longest first. A store waits since its last worker released
 * it, however old its tasks are.
 */
const DUE = `select store.number, store.name, store.base_url as "baseUrl", store.settings, store.rate_key as "rateKey"
  from (${WORK}) as work join store on store.number = work.store left join lease on lease.store = store.number
  where ${FREE} and store.removed_at is null
  order by greatest(work.since, lease.released_at), store.number`;

/** The store that has waited longest for a worker. */
export async function longestWaiting(sql: Sql): Promise<StoreToServe | undefined> {
  const [store] = await sql.query<StoreToServe>(`${DUE} limit 1`);
  return store;
}

/** Numbers of the stores that wait for a worker. */
export async function waitingStores(sql: Sql): Promise<number[]> {
  const stores = await sql.query<{ number: number }>(DUE);
  return stores.map(({ number }) => number);
}

/** True if a worker is gone in the middle of a task. */
export async function hasOrphans(sql: Sql): Promise<boolean> {
  const [line] = await sql.query<{ found: boolean }>(
    `select exists (select 1 from task left join lease on lease.store = task.store
       where task.state = 'running' and ${FREE}) as found`,
  );
  return line?.found === true;
}
