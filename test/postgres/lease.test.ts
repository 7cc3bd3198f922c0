import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fenced } from '../../src/postgres/fence.ts';
import { type Lease, type LeaseTiming, type Sql, takeLease } from '../../src/postgres/index.ts';
import { addTestStore, databaseOfFile, hasPostgres } from '../support/postgres.ts';

/** Nothing happens by itself, so that a test decides when. */
const STILL: Partial<LeaseTiming> = { ttlMs: 3_600_000, renewMs: 3_600_000, staleMs: 3_600_000 };

const database = databaseOfFile();
let sql: Sql;
let store: number;
const leases: Lease[] = [];

beforeEach(async () => {
  sql = database.sql;
  store = await addTestStore(sql);
});
afterEach(() => {
  for (const lease of leases.splice(0)) lease.abandon();
});

async function take(holder: string, timing: Partial<LeaseTiming> = STILL): Promise<Lease | undefined> {
  const lease = await takeLease(sql, { store, holder, timing });
  if (lease) leases.push(lease);
  return lease;
}

async function held(holder = 'mine', timing: Partial<LeaseTiming> = STILL): Promise<Lease> {
  const lease = await take(holder, timing);
  if (!lease) throw new Error('the lease is busy');
  return lease;
}

async function expire(): Promise<void> {
  await sql.query(`update lease set expires = clock_timestamp() - interval '1 second' where store = $1`, [
    store,
  ]);
}

async function line(): Promise<{ epoch: number; holder: string | null; expired: boolean }> {
  const [found] = await sql.query<{ epoch: number; holder: string | null; expired: boolean }>(
    'select epoch, holder, expires < clock_timestamp() as expired from lease where store = $1',
    [store],
  );
  return found as { epoch: number; holder: string | null; expired: boolean };
}

/** Returns the lease of the worker `mine`, once the store is in this state. */
const REACH = {
  free: async () => {
    const lease = await held();
    await lease.release();
    return lease;
  },
  mine: () => held(),
  expired: async () => {
    const lease = await held();
    await expire();
    return lease;
  },
  'of another': async () => {
    const lease = await held();
    await expire();
    await held('other');
    return lease;
  },
};
type LeaseState = keyof typeof REACH;

const takes: Record<LeaseState, number | 'busy'> = {
  free: 2,
  mine: 'busy',
  expired: 2,
  'of another': 'busy',
};
const commits: Record<LeaseState, boolean> = { free: false, mine: true, expired: true, 'of another': false };
const releases: Record<LeaseState, { epoch: number; holder: string | null }> = {
  free: { epoch: 1, holder: null },
  mine: { epoch: 1, holder: null },
  expired: { epoch: 1, holder: null },
  'of another': { epoch: 2, holder: 'other' },
};
const renews: Record<Exclude<LeaseState, 'free'>, 'held' | 'lost'> = {
  mine: 'held',
  expired: 'held',
  'of another': 'lost',
};

describe('states of a lease', () => {
  test.each(Object.entries(takes))('%s: a worker that takes it gets epoch %s', async (state, epoch) => {
    await REACH[state as LeaseState]();
    expect((await take('third'))?.epoch ?? 'busy').toBe(epoch);
  });

  test.each(Object.entries(commits))('%s: a commit of the holder goes in: %s', async (state, goesIn) => {
    const lease = await REACH[state as LeaseState]();
    const write = fenced(sql, lease, (inside) =>
      inside.query(`insert into rate (key, per_second) values ('written', $1)`, [1]),
    );
    if (goesIn) await write;
    else await expect(write).rejects.toMatchObject({ name: 'RunStopped', reason: 'lease-lost' });
    expect(await sql.query('select key from rate')).toHaveLength(goesIn ? 1 : 0);
  });

  test.each(Object.entries(releases))('%s: a release leaves it with %o', async (state, left) => {
    const lease = await REACH[state as LeaseState]();
    await lease.release();
    expect(await line()).toMatchObject(left);
  });

  test.each(Object.entries(renews))('%s: after a renewal it is %s', async (state, end) => {
    const often = { ...STILL, renewMs: 20 };
    const lease = await held('mine', often);
    if (state !== 'mine') await expire();
    if (state === 'of another') {
      await sql.query(
        `update lease set epoch = epoch + 1, holder = 'other', expires = '-infinity' where store = $1`,
        [store],
      );
      if (!lease.lost.aborted) await new Promise((resolve) => lease.lost.addEventListener('abort', resolve));
      expect([end, (await line()).expired]).toEqual(['lost', true]);
      return;
    }
    while ((await line()).expired) await sleep(5);
    expect([lease.lost.aborted, lease.isStale()]).toEqual([false, false]);
  });

  test('a lease is refused to the second of two workers that take it at the same time', async () => {
    const other = database.another();
    const both = await Promise.all(
      [sql, other].map((each, n) => takeLease(each, { store, holder: `w${n}`, timing: STILL })),
    );
    leases.push(...both.filter((lease) => lease !== undefined));
    expect(both.filter((lease) => lease !== undefined)).toHaveLength(1);
    expect((await line()).epoch).toBe(1);
  });

  test('a holder that another one replaced gets the lost signal', async () => {
    const lease = await held('mine', { ...STILL, renewMs: 20 });
    await sql.query(`update lease set epoch = epoch + 1, holder = 'other' where store = $1`, [store]);
    if (!lease.lost.aborted) await new Promise((resolve) => lease.lost.addEventListener('abort', resolve));
    expect(lease.lost.reason).toMatchObject({ name: 'RunStopped', reason: 'lease-lost' });
    expect(lease.isStale()).toBe(true);
  });

  test('an older lease of the same holder gets the lost signal', async () => {
    const lease = await held('mine', { ...STILL, renewMs: 20 });
    await sql.query('update lease set epoch = epoch + 1 where store = $1', [store]);
    if (!lease.lost.aborted) await new Promise((resolve) => lease.lost.addEventListener('abort', resolve));
    expect(lease.lost.reason).toMatchObject({ name: 'RunStopped', reason: 'lease-lost' });
  });

  test('a holder that cannot renew becomes stale, and stays so', async () => {
    let isAway = false;
    const fragile: Sql = {
      ...sql,
      query: (text, values) =>
        isAway ? Promise.reject(new Error('Connection terminated')) : sql.query(text, values),
    };
    const lease = await takeLease(fragile, {
      ...{ store, holder: 'mine' },
      timing: { ...STILL, renewMs: 20, staleMs: 100 },
    });
    isAway = true;
    if (!lease) throw new Error('the lease is busy');
    leases.push(lease);
    if (!lease.lost.aborted) await new Promise((resolve) => lease.lost.addEventListener('abort', resolve));
    expect(lease.isStale()).toBe(true);
  });

  test('a takeover quarantines the doubts of running runs, a release in good order does not', async () => {
    const quarantined = () => sql.query('select id from run where doubts_until is not null');
    await sql.query(
      `insert into run (id, state, command, resource, mode, store, remembered, mapping_name, mapping_digest, files,
        header, options, out, version, started_at)
      values ('r1', 'running', 'import', 'products', 'upsert', $1, true, '', '', '[]', '[]', '{}', '', '', 0)`,
      ['https://shop.example'],
    );
    await (await held()).release();
    const second = await held('second');
    expect(await quarantined()).toEqual([]);
    await expire();
    await held('third');
    expect(await quarantined()).toEqual([{ id: 'r1' }]);
    const [run] = await sql.query<{ least: boolean }>(
      `select doubts_until > clock_timestamp() + make_interval(secs => $1) as least from run`,
      [(second.timing.requestMs + second.timing.graceMs) / 1000 - 60],
    );
    expect(run?.least).toBe(true);
  });
});

describe.runIf(await hasPostgres())('the fence', () => {
  test('a takeover waits for a commit in flight, and then sees what it has written', async () => {
    const lease = await held();
    await expire();
    let goOn = () => {};
    const inFlight = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let hasFence = () => {};
    const began = new Promise<void>((resolve) => {
      hasFence = resolve;
    });
    const order: string[] = [];
    const commit = fenced(sql, lease, async (inside) => {
      await inside.query(`insert into rate (key, per_second) values ('written', $1)`, [1]);
      hasFence();
      await inFlight;
      order.push('commit');
    });
    await began;
    const takeover = takeLease(database.another(), { store, holder: 'other', timing: STILL }).then(
      (taken) => {
        if (taken) leases.push(taken);
        order.push('takeover');
      },
    );
    await waitForLock();
    goOn();
    await Promise.all([commit, takeover]);
    expect(order).toEqual(['commit', 'takeover']);
    expect(await sql.query('select key from rate')).toEqual([{ key: 'written' }]);
  });

  test('a release waits for a commit in flight, and frees a lease that is renewed meanwhile', async () => {
    const lease = await held();
    const order: string[] = [];
    let release: Promise<unknown> | undefined;
    await fenced(database.another(), lease, async () => {
      release = lease.release().then(() => order.push('release'));
      await waitForLock();
      await sql.query(`update lease set expires = clock_timestamp() + interval '2 hours' where store = $1`, [
        store,
      ]);
      order.push('commit');
    });
    await release;
    expect(order).toEqual(['commit', 'release']);
    expect(await sql.query('select holder from lease where store = $1', [store])).toEqual([{ holder: null }]);
  });

  test('a long transaction of the holder does not keep the lease from being renewed', async () => {
    const lease = await takeLease(sql, {
      ...{ store, holder: 'mine' },
      timing: { ...STILL, renewMs: 20 },
    });
    if (!lease) throw new Error('the lease is busy');
    leases.push(lease);
    const expires = async () =>
      (await sql.query<{ at: string }>('select expires::text as at from lease where store = $1', [store]))[0]
        ?.at;
    await fenced(database.another(), lease, async () => {
      for (const before = await expires(); (await expires()) === before; ) await sleep(5);
      for (const before = await expires(); (await expires()) === before; ) await sleep(5);
    });
    expect(lease.isStale()).toBe(false);
  });
});

/** Resolves when a connection of the test waits for a lock. */
async function waitForLock(): Promise<void> {
  for (;;) {
    const [line] = await sql.query<{ waiting: boolean }>(
      `select exists (select 1 from pg_locks join pg_stat_activity using (pid)
        where not granted and query like '%from lease%') as waiting`,
    );
    if (line?.waiting) return;
    await sleep(5);
  }
}
