import { beforeEach, describe, expect, test } from 'vitest';
import { addTasks, oneStore, showTask } from '../../src/fleet/index.ts';
import { MOST_LOST } from '../../src/fleet/states.ts';
import type { StoreToServe } from '../../src/fleet/worker/options.ts';
import { beginNextTask, forgiveLosses, settleLostTasks } from '../../src/fleet/worker/task-lines.ts';
import { postgresLedger, takeLease } from '../../src/postgres/index.ts';
import { NEW_RUN } from '../support/new-run.ts';
import { databaseOfFile, TEST_SEAL } from '../support/postgres.ts';
import { addPlainStore } from './fleet-parts.ts';

const database = databaseOfFile();
let id: string;

beforeEach(async () => {
  await addPlainStore(database.sql, 'red', { baseUrl: NEW_RUN.store });
  const [task] = await addTasks(database.sql, {
    ...{ command: 'import', resource: 'products', stores: 'red', options: { files: ['/data/a.csv'] } },
  });
  id = task?.id ?? '';
});

/** A worker takes the store and begins its task; then its lease expires, as in an outage or after a kill. */
async function beginAndLose(worker: string): Promise<void> {
  const { sql } = database;
  const { number: store } = await oneStore(sql, 'red');
  const lease = await takeLease(sql, { store, holder: worker });
  if (lease === undefined) throw new Error('The store is not free.');
  await settleLostTasks(sql, lease);
  await beginNextTask(sql, lease, { number: store } as StoreToServe);
  lease.abandon();
  await sql.query(`update lease set expires = '-infinity' where store = $1`, [store]);
}

/** Looks at the task after the next worker has taken the store. */
async function found(worker = 'next') {
  await beginAndLose(worker);
  const { state, stopReason, lost } = await showTask(database.sql, id);
  return { state, stopReason, lost };
}

async function settle(...seqs: readonly number[]): Promise<void> {
  const { sql } = database;
  await sql.query(
    `insert into record (run, seq, row, key, outcome, attempts, duration_ms)
     select number, seq, seq, 'k' || seq, 'created', 1, 1 from run, unnest($1::integer[]) as each (seq)
     where id = $2`,
    [seqs, id],
  );
}

async function beginRun(): Promise<void> {
  const { sql } = database;
  const { number: store } = await oneStore(sql, 'red');
  const lease = await takeLease(sql, { store, holder: 'first' });
  if (lease === undefined) throw new Error('The store is not free.');
  await (
    await postgresLedger({ sql, lease, baseUrl: NEW_RUN.store, seal: async () => TEST_SEAL }).open()
  ).begin({ ...NEW_RUN, id }, 1);
  await lease.release();
}

describe('an outage of the database', () => {
  test('an outage of the database does not count as a lost worker if the same worker takes the store again', async () => {
    for (let outages = 0; outages < MOST_LOST; outages += 1) await beginAndLose('a');
    expect(await found('a')).toEqual({ state: 'running', stopReason: null, lost: 0 });
  });

  test('a worker that was counted as lost is not any more once it gives a sign of life', async () => {
    await beginAndLose('a');
    for (let outages = 0; outages < MOST_LOST; outages += 1) {
      const [before, next] = outages % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
      expect(await found(next)).toMatchObject({ state: 'running', lost: 1 });
      await forgiveLosses(database.sql, before);
      expect(await showTask(database.sql, id)).toMatchObject({ lost: 0 });
    }
  });

  test('a worker that gave a sign of life is not counted as lost when another one takes its store', async () => {
    await database.sql.query(
      `insert into worker (id, host, version, schema_version, slots) values ('a', 'h', '1', 1, $1)`,
      [1],
    );
    await beginAndLose('gone-1');
    await beginAndLose('gone-2');
    await beginAndLose('a');
    expect(await found()).toEqual({ state: 'running', stopReason: null, lost: MOST_LOST - 1 });
  });
});

describe('a worker without a later sign of life', () => {
  test('a task stops when the third worker in a row is lost in the middle of it', async () => {
    for (const worker of ['a', 'b', 'c']) await beginAndLose(worker);
    await forgiveLosses(database.sql, 'another');
    expect(await found()).toEqual({ state: 'stopped', stopReason: 'poison', lost: MOST_LOST });
  });

  test('lost workers are counted from the first again once records of the task were settled', async () => {
    await beginRun();
    for (let seq = 0; seq <= MOST_LOST; seq += 1) {
      await settle(seq);
      await beginAndLose(`gone-${seq}`);
    }
    expect(await found()).toMatchObject({ state: 'running', lost: 2 });
    expect(await found('another')).toMatchObject({ state: 'stopped', stopReason: 'poison' });
  });
});
