/**
 * Measures the journal of a run on both engines, over a store that answers at once: records a second, CPU of this process a
 * record, and that of Postgres.
 * `node scripts/journal.mjs [records] [slots]`, 100,000 and 16 by themselves. STOREPORT_TEST_DATABASE is the address of the
 * database.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import {
  encodeIntent,
  type Ledger,
  localLedger,
  type NewRun,
  type OpenRun,
} from '../../../src/ledger/index.ts';
import {
  connect,
  createRowSeal,
  migrate,
  newRowKey,
  postgresLedger,
  type Sql,
  takeLease,
} from '../../../src/postgres/index.ts';

const ADDRESS = process.env.STOREPORT_TEST_DATABASE ?? 'postgres://postgres@127.0.0.1:5432/test';
const RECORDS = Number(process.argv[2] ?? 100_000);
const SLOTS = Number(process.argv[3] ?? 16);
const SCHEMA = `bench_${process.pid}`;
const STORE = 'https://shop.example';
const TICKS_A_SECOND = 100;

const NEW_RUN: NewRun = {
  ...{ id: 'bench', command: 'import', resource: 'products', mode: 'upsert', store: STORE, remembered: true },
  ...{ mappingName: 'native', mappingDigest: 'd', files: [{ file: 'a.csv' }], header: ['name'], options: {} },
  ...{ out: '/out', version: '0', startedAt: 1 },
};

const ROW = [
  'A mug with a handle',
  '12.50',
  'A description of some length, as shops have it. '.repeat(3),
  'Kitchen',
];

await measureSqlite();
await measurePostgres();

async function measureSqlite(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'storeport-journal-'));
  try {
    await measure('sqlite', await localLedger(home).open(), async () => 0);
  } finally {
    await rm(home, { recursive: true });
  }
}

async function measurePostgres(): Promise<void> {
  const sql = connect(ADDRESS, { schema: SCHEMA, poolSize: 4, application: 'storeport bench' });
  try {
    await migrate(sql);
    const [store] = await sql.query<{ number: number }>(
      'insert into store (name, base_url, reviewed) values ($1, $1, 1) returning number',
      [STORE],
    );
    const lease = await takeLease(sql, { store: store?.number ?? 0, holder: 'bench' });
    if (!lease) throw new Error('the lease is busy');
    await measure(
      'postgres',
      await postgresLedger({
        sql,
        lease,
        baseUrl: STORE,
        seal: async () => createRowSeal({ current: newRowKey() }),
      }).open(),
      () => cpuOf(sql),
    );
    await lease.release();
  } finally {
    await sql.script(`drop schema ${SCHEMA} cascade`);
    await sql.close();
  }
}

/** Seconds of CPU that the connections of this program have taken in the server, which must run on this machine. */
async function cpuOf(sql: Sql): Promise<number> {
  const lines = await sql.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'storeport bench'`,
  );
  const ticks = lines.map(({ pid }) => {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number);
    return user + system;
  });
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_A_SECOND;
}

async function measure(engine: string, ledger: Ledger, serverCpu: () => Promise<number>): Promise<void> {
  await ledger.lock(STORE, 'bench');
  const run = await ledger.begin(NEW_RUN, SLOTS);
  const before = { at: performance.now(), cpu: process.cpuUsage(), server: await serverCpu() };
  let next = 0;
  await Promise.all(
    Array.from({ length: SLOTS }, async () => {
      while (next < RECORDS) await record(run, next++);
    }),
  );
  await run.flush();
  const seconds = (performance.now() - before.at) / 1000;
  const { user, system } = process.cpuUsage(before.cpu);
  const server = (await serverCpu()) - before.server;
  await run.end({ state: 'done', files: NEW_RUN.files, finishedAt: 2, workedMs: 1 });
  await run.close();
  await ledger.close();
  const perRecord = (microseconds: number) => (microseconds / RECORDS).toFixed(1);
  console.log(
    `${engine}: ${Math.round(RECORDS / seconds)} records/s, ${perRecord(user + system)} µs CPU a record here, ` +
      `${perRecord(server * 1e6)} µs in the server`,
  );
}

async function record(run: OpenRun, seq: number): Promise<void> {
  const key = `SKU-${seq}`;
  await run.intend(
    encodeIntent({
      ...{ seq, row: seq + 2, key, kind: 'create', rows: [{ row: seq + 2, cells: [key, ...ROW] }] },
      digests: { fields: 'sku,name,price,description', digests: 'aaaaaaaabbbbbbbbccccccccdddddddd' },
    }),
  );
  // The answer of the store.
  await turn();
  const behind = run.settle(
    {
      ...{ seq, row: seq + 2, key },
      outcome: {
        outcome: 'created',
        id: `66f00000000000000${seq}`,
        httpStatus: 200,
        attempts: 1,
        durationMs: 3,
      },
    },
    true,
  );
  if (behind) await behind;
}
