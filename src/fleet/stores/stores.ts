import { ConfigError, printedCommand, shownWord } from '../../model/index.ts';
import type { Sql } from '../../postgres/index.ts';
import { normaliseBaseUrl } from '../../store/base-url.ts';
import { whereSelected } from './select.ts';
import { type FleetSettings, fleetSettings } from './settings.ts';

/** A store as it is added. */
export interface NewStore {
  readonly name: string;
  readonly baseUrl: string;
  readonly settings: FleetSettings;
  readonly tags?: readonly string[];
  /** Stores with the same key share one limit. */
  readonly rateKey?: string | undefined;
  /** Requests a second of the shared limit. Replaces that of the key. */
  readonly sharedRate?: number | undefined;
}

/** A store of the fleet, with its lease and how much work it has. */
export interface FleetStore {
  readonly number: number;
  readonly name: string;
  readonly baseUrl: string;
  readonly settings: FleetSettings;
  readonly tags: readonly string[];
  readonly rateKey: string | null;
  /** Requests a second of the shared limit; null without one. */
  readonly sharedRate: number | null;
  /** False since a backup was restored, until its doubts were looked at: nothing is created there. */
  readonly isReviewed: boolean;
  readonly addedAt: Date;
  /** The worker that holds the lease now; null if nobody does. */
  readonly holder: string | null;
  readonly queued: number;
  readonly running: number;
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u;

/**
 * Adds a store, or brings back one that was removed: its ledger is still there, found by its address. Throws ConfigError for
 * settings that are wrong, and for a name or an address that another store has.
 */
export async function addStore(sql: Sql, store: NewStore): Promise<FleetStore> {
  const { name, tags = [], rateKey = null, sharedRate } = store;
  refuseNames([name], 'name of a store');
  refuseNames(tags, 'tag');
  if (name === 'all') throw new ConfigError('"all" means all stores, so no store can have that name.');
  const settings = fleetSettings(store.settings);
  const baseUrl = normaliseBaseUrl(store.baseUrl);
  refuseSharedRate(store);
  await sql.transaction(async (inside) => {
    const [other] = await inside.query<{ name: string; base_url: string }>(
      'select name, base_url from store where removed_at is null and (name = $1 or base_url = $2)',
      [name, baseUrl],
    );
    if (other !== undefined)
      throw new ConfigError(
        other.name === name
          ? `There is a store "${name}" already: ${other.base_url}.`
          : `The store "${other.name}" has the address ${baseUrl} already.`,
      );
    const added = await inside.query(
      `insert into store (name, base_url, settings, tags, rate_key, reviewed, known)
       select $1, $2, $3::jsonb, $4::text[], $5, incarnation, incarnation from cluster
       on conflict (base_url) do update set name = excluded.name, settings = excluded.settings, tags = excluded.tags,
         rate_key = excluded.rate_key, removed_at = null where store.removed_at is not null returning 1 as added`,
      [name, baseUrl, JSON.stringify(settings), [...new Set(tags)], rateKey],
    );
    if (added.length === 0)
      throw new ConfigError(`Another store with the address ${baseUrl} was just added.`);
    if (rateKey !== null && sharedRate !== undefined) await setSharedRate(inside, rateKey, sharedRate);
  });
  return oneStore(sql, name);
}

/** Sets the limit that all stores with this key share. */
export async function setSharedRate(sql: Sql, key: string, perSecond: number): Promise<void> {
  await sql.query(
    `insert into rate (key, per_second) values ($1, $2)
     on conflict (key) do update set per_second = excluded.per_second`,
    [key, perSecond],
  );
}

function refuseSharedRate({ rateKey, sharedRate }: NewStore): void {
  if (sharedRate === undefined) return;
  if (rateKey === undefined) throw new ConfigError('A shared rate needs the rate key that its stores share.');
  if (!(Number.isFinite(sharedRate) && sharedRate > 0))
    throw new ConfigError('A shared rate must be a number above 0.');
}

function refuseNames(names: readonly string[], what: string): void {
  for (const name of names)
    if (!NAME.test(name))
      throw new ConfigError(
        `"${shownWord(name)}" cannot be the ${what}: use letters, digits, ".", "_" and "-", and begin with a letter or a digit.`,
      );
}

interface StoreRow {
  number: number;
  name: string;
  base_url: string;
  settings: FleetSettings;
  tags: string[];
  rate_key: string | null;
  per_second: number | null;
  is_reviewed: boolean;
  added_at: Date;
  holder: string | null;
  queued: number;
  running: number;
}

/** Stores by name. `selection`: see `selectStores`; default all. */
export async function listStores(sql: Sql, selection = 'all'): Promise<FleetStore[]> {
  const { where, values } = await whereSelected(sql, selection);
  const rows = await sql.query<StoreRow>(
    `select store.number, store.name, base_url, settings, tags, rate_key, per_second, added_at,
       reviewed >= (select incarnation from cluster) as is_reviewed,
       case when lease.expires > clock_timestamp() then lease.holder end as holder,
       (select count(*)::int from task where task.store = store.number and state = 'queued') as queued,
       (select count(*)::int from task where task.store = store.number and state = 'running') as running
     from store left join lease on lease.store = store.number left join rate on rate.key = rate_key
     where removed_at is null and ${where} order by store.name`,
    values,
  );
  return rows.map(storeFrom);
}

/** The store with that name. Throws ConfigError if there is none. */
export async function oneStore(sql: Sql, name: string): Promise<FleetStore> {
  const [store] = await listStores(sql, name);
  if (store === undefined) throw new ConfigError(`There is no store "${shownWord(name)}".`);
  return store;
}

function storeFrom(row: StoreRow): FleetStore {
  const { base_url: baseUrl, rate_key: rateKey, per_second: sharedRate, added_at: addedAt } = row;
  const { number, name, settings, tags, holder, queued, running, is_reviewed: isReviewed } = row;
  return {
    ...{ number, name, baseUrl, settings, tags, rateKey, sharedRate, isReviewed, addedAt, holder },
    ...{ queued, running },
  };
}

/** Removes a store. Its ledger stays. Throws ConfigError if it has tasks that have not ended. */
export async function removeStore(sql: Sql, name: string): Promise<void> {
  const { number } = await oneStore(sql, name);
  await sql.transaction(async (inside) => {
    // Waits for tasks that are being added, and those wait for it: nobody would do a task of a removed store.
    await inside.query('select 1 from store where number = $1 for update', [number]);
    const { queued, running } = await oneStore(inside, name);
    const unended = queued + running;
    if (unended > 0)
      throw new ConfigError(
        `The store "${name}" has ${unended} ${unended === 1 ? 'task that has' : 'tasks that have'} not ended.`,
        [`Stop them first: ${printedCommand('fleet stop', [], { stores: name })}`],
      );
    await inside.query('update store set removed_at = clock_timestamp() where number = $1', [number]);
  });
}
