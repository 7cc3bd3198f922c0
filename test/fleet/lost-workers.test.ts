import { beforeEach, describe, expect, test } from 'vitest';
import {
  addTasks,
  declareEnded,
  declareReviewed,
  listDoubts,
  listStores,
  oneStore,
} from '../../src/fleet/index.ts';
import { encodeIntent } from '../../src/ledger/index.ts';
import { type Lease, type LeaseTiming, postgresLedger, takeLease } from '../../src/postgres/index.ts';
import { NEW_RUN } from '../support/new-run.ts';
import { databaseOfFile, TEST_SEAL } from '../support/postgres.ts';
import { addPlainStore } from './fleet-parts.ts';

const database = databaseOfFile();

beforeEach(async () => {
  await addPlainStore(database.sql, 'red', { baseUrl: NEW_RUN.store });
});

const INTENT = encodeIntent({
  ...{ seq: 0, row: 2, key: 'k0', kind: 'create' },
  rows: [{ row: 2, cells: ['k0'] }],
});

/** A lease that expires at once, and that its holder never notices: as of a process that was killed. */
const SHORT: Partial<LeaseTiming> = { ttlMs: 1, renewMs: 60_000, staleMs: 60_000 };

async function take(holder: string, timing: Partial<LeaseTiming> = SHORT): Promise<Lease> {
  const { number: store } = await oneStore(database.sql, 'red');
  for (;;) {
    const lease = await takeLease(database.sql, { store, holder, timing });
    if (lease) return lease;
  }
}

async function add(): Promise<string> {
  const [task] = await addTasks(database.sql, {
    ...{ command: 'import', resource: 'products', stores: 'red', options: { files: ['/data/a.csv'] } },
  });
  return task?.id ?? '';
}

describe('a worker that was killed', () => {
  test('leaves doubts in quarantine until a user declares it ended', async () => {
    const { sql } = database;
    const id = await add();
    const first = await take('first');
    const ledger = await postgresLedger({
      sql,
      lease: first,
      baseUrl: NEW_RUN.store,
      seal: async () => TEST_SEAL,
    }).open();
    const run = await ledger.begin({ ...NEW_RUN, id }, 4);
    await run.intend(INTENT);
    first.abandon();
    const second = await take('second');
    const next = await postgresLedger({
      sql,
      lease: second,
      baseUrl: NEW_RUN.store,
      seal: async () => TEST_SEAL,
    }).open();
    await next.lock(NEW_RUN.store, id);
    expect(await listDoubts(sql, id)).toMatchObject({
      doubts: [{ row: 2, code: 'crash' }],
      quarantinedBy: ['first'],
      quarantinedUntil: expect.any(Date),
    });
    expect(await declareEnded(sql, 'first')).toBe(1);
    expect(await listDoubts(sql, id)).toMatchObject({ doubts: [{ row: 2 }], quarantinedBy: [] });
    second.abandon();
  });

  test('leaves none if it is declared ended before another one takes over', async () => {
    const { sql } = database;
    const id = await add();
    const first = await take('first');
    const ledger = await postgresLedger({
      sql,
      lease: first,
      baseUrl: NEW_RUN.store,
      seal: async () => TEST_SEAL,
    }).open();
    await (await ledger.begin({ ...NEW_RUN, id }, 4)).intend(INTENT);
    first.abandon();
    await declareEnded(sql, 'first');
    (await take('second')).abandon();
    expect(await listDoubts(sql, id)).toMatchObject({ quarantinedBy: [], quarantinedUntil: null });
  });

  test('is not one that renews its leases, or that nobody knows', async () => {
    const lease = await take('alive', {});
    await expect(declareEnded(database.sql, 'alive')).rejects.toThrow('it has not ended');
    await expect(declareEnded(database.sql, 'nobody')).rejects.toThrow('No worker "nobody" is known');
    await lease.release();
  });

  test('is not one that lost its leases, and still gives signs of life', async () => {
    const { sql } = database;
    await sql.query(
      `insert into worker (id, host, version, schema_version, slots) values ('alive', 'a', '1', 1, $1)`,
      [1],
    );
    await expect(declareEnded(sql, 'alive')).rejects.toThrow('sign of life');
    await sql.query(`update worker set seen_at = clock_timestamp() - interval '1 minute' where id = $1`, [
      'alive',
    ]);
    expect(await declareEnded(sql, 'alive')).toBe(0);
  });
});

test('a store is reviewed until the database is restored', async () => {
  const isReviewed = async () => (await listStores(database.sql)).map((store) => store.isReviewed);
  expect(await isReviewed()).toEqual([true]);
  await database.sql.query('update cluster set incarnation = incarnation + 1');
  expect(await isReviewed()).toEqual([false]);
  await declareReviewed(database.sql, 'red');
  expect(await isReviewed()).toEqual([true]);
});
