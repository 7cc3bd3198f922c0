import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { encodeIntent, type Intent, type Ledger, type OpenRun } from '../../src/ledger/index.ts';
import { type OutcomeStatus, type RecordResult, RunStopped } from '../../src/model/index.ts';
import {
  createRowSeal,
  endQuarantines,
  type Lease,
  type LeaseTiming,
  markReviewed,
  newRowKey,
  noteAdopted,
  postgresLedger,
  type Sql,
  takeLease,
} from '../../src/postgres/index.ts';
import { NEW_RUN } from '../support/new-run.ts';
import { addTestStore, databaseOfFile, hasPostgres, TEST_SEAL } from '../support/postgres.ts';

const BASE_URL = NEW_RUN.store;
const STILL = { ttlMs: 3_600_000, renewMs: 3_600_000, staleMs: 3_600_000 };

const database = databaseOfFile();
let sql: Sql;
let store: number;
const leases: Lease[] = [];

beforeEach(async () => {
  sql = database.sql;
  store = await addTestStore(sql, BASE_URL);
});
// Runs before the database is emptied.
afterEach(() => {
  for (const lease of leases.splice(0)) lease.abandon();
});

interface Held {
  readonly lease: Lease;
  readonly ledger: Ledger;
  /** Ids of the runs that the lock has settled. */
  readonly lost: readonly string[];
}

/** Takes the store for a worker, as the first one or from one that does not count any more. */
async function hold(holder: string): Promise<Held> {
  await sql.query(`update lease set expires = '2001-01-01' where store = $1`, [store]);
  return take(holder);
}

/** Takes the store from a worker whose lease has just expired, so that it may live. */
async function takeOver(holder: string, timing: Partial<LeaseTiming> = STILL): Promise<Held> {
  await sql.query(`update lease set expires = clock_timestamp() - interval '1 second' where store = $1`, [
    store,
  ]);
  return take(holder, timing);
}

async function take(holder: string, timing: Partial<LeaseTiming> = STILL): Promise<Held> {
  const lease = await takeLease(sql, { store, holder, timing });
  if (!lease) throw new Error('the lease is busy');
  leases.push(lease);
  const ledger = await postgresLedger({ sql, lease, baseUrl: BASE_URL, seal: async () => TEST_SEAL }).open();
  return { lease, ledger, lost: await ledger.lock(BASE_URL, 'r') };
}

const intentOf = (seq: number, kind: Intent['kind'] = 'create') =>
  encodeIntent({
    ...{ seq, row: seq + 2, key: `k${seq}`, kind },
    rows: [{ row: seq + 2, cells: [`k${seq}`, 'Mug'] }],
    digests: { fields: 'name,price', digests: 'aaaaaaaabbbbbbbb' },
  });

function resultOf(seq: number, outcome: OutcomeStatus = 'created'): RecordResult {
  const sent = outcome === 'created' ? { id: `id${seq}`, httpStatus: 200 } : { message: `it is ${outcome}` };
  return { seq, row: seq + 2, key: `k${seq}`, outcome: { outcome, attempts: 1, durationMs: 2, ...sent } };
}

async function all<Item>(pages: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}

async function outcomes(ledger: Ledger): Promise<string[]> {
  const run = await ledger.find(NEW_RUN.id);
  if (!run) return [];
  return (await all(ledger.settled(run))).map(({ seq, outcome }) => `${seq} ${outcome.outcome}`);
}

const END = { state: 'done', files: NEW_RUN.files, finishedAt: 2000, workedMs: 1000 } as const;
const count = async (table: string) =>
  (await sql.query<{ count: number }>(`select count(*) as count from ${table}`))[0]?.count;

/** Sends records; those in `open` get no answer. */
async function send(run: OpenRun, seqs: readonly number[], open: readonly number[] = []): Promise<void> {
  for (const seq of seqs) {
    await run.intend(intentOf(seq));
    if (!open.includes(seq)) run.settle(resultOf(seq), true);
  }
}

describe('a run in Postgres', () => {
  test('ends with its records, an empty log, and known keys', async () => {
    const { ledger } = await hold('w1');
    const run = await ledger.begin(NEW_RUN, 4);
    await send(run, [0, 1, 2]);
    run.settle({ ...resultOf(3, 'invalid'), rows: [{ row: 5, cells: ['', 'Mug'] }] }, false);
    run.checkpoint({ seq: 2, file: 0, offset: 90, row: 4, line: 4 });
    await run.flush();
    await run.end(END);
    await run.close();
    expect(await outcomes(ledger)).toEqual(['0 created', '1 created', '2 created', '3 invalid']);
    expect([await count('log'), await count('late_answer')]).toEqual([0, 0]);
    const { lookup } = await ledger.history(BASE_URL, 'products');
    expect((await lookup?.(['k1', 'k3']))?.get('k1')).toMatchObject({
      id: 'id1',
      digests: { fields: 'name,price', digests: 'aaaaaaaabbbbbbbb' },
    });
    const known = await ledger.find(NEW_RUN.id);
    expect(known).toMatchObject({ state: 'done', whole: true, workedMs: 1000 });
    expect(await ledger.checkpointBefore(known as never, 9)).toEqual({
      ...{ seq: 2, file: 0, offset: 90, row: 4, line: 4 },
    });
  });

  test('of many records is folded meanwhile, and loses none', async () => {
    const { ledger } = await hold('w1');
    const run = await ledger.begin(NEW_RUN, 8);
    const queue = Array.from({ length: 1500 }, (_, seq) => seq);
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let seq = queue.shift(); seq !== undefined; seq = queue.shift()) await send(run, [seq]);
      }),
    );
    const [line] = await sql.query<{ fold: number }>('select fold from run');
    expect(line?.fold).toBeGreaterThan(0);
    await run.flush();
    await run.end(END);
    expect(await ledger.outcomes({ number: run.number } as never)).toEqual({ created: 1500 });
  });

  test('that is resumed settles again what was unsent, under the same numbers', async () => {
    const { ledger } = await hold('w1');
    const run = await ledger.begin(NEW_RUN, 4);
    await send(run, [0]);
    run.settle({ ...resultOf(1, 'unsent'), rows: [{ row: 3, cells: [] }] }, false);
    await run.flush();
    await run.end({ ...END, state: 'stopped', stopped: { reason: 'interrupted', message: 'it was' } });
    const again = await ledger.reopen((await ledger.find(NEW_RUN.id)) as never, 4);
    await send(again, [1, 2]);
    await again.flush();
    await again.end(END);
    expect(await outcomes(ledger)).toEqual(['0 created', '1 created', '2 created']);
    expect(await count('kept')).toBe(0);
  });

  test('keeps texts that Postgres cannot hold', async () => {
    const { ledger } = await hold('w1');
    const run = await ledger.begin(NEW_RUN, 4);
    const key = 'a\0b\ud800';
    const message = 'no \0';
    run.settle(
      { ...resultOf(0, 'invalid'), key, outcome: { ...resultOf(0, 'invalid').outcome, message } },
      false,
    );
    await run.flush();
    await run.end(END);
    const [record] = await all(ledger.settled((await ledger.find(NEW_RUN.id)) as never));
    expect([record?.key, record?.outcome.message]).toEqual([key, message]);
  });
});

/** Moments at which a worker dies, after records 0 to 3 were noted and 0 and 1 were answered. */
const MOMENTS = {
  'with all in the log': async () => {},
  'after a fold': async (run: OpenRun) => run.flush(),
  'between a line of the log and its fold': async (run: OpenRun) => {
    await run.flush();
    await send(run, [4, 5], [5]);
    run.settle(resultOf(2), true);
    await run.intend(intentOf(6));
  },
};

describe('a run whose worker is gone', () => {
  test.each(Object.entries(MOMENTS))('%s is settled by the next holder', async (moment, die) => {
    const first = await hold('w1');
    const run = await first.ledger.begin(NEW_RUN, 4);
    await send(run, [0, 1, 2, 3], [2, 3]);
    // The outcomes of 0 and 1 are in the log, with the intents after them.
    await die(run);
    first.lease.abandon();
    const { ledger, lost } = await takeOver('w2');
    expect(lost).toEqual([NEW_RUN.id]);
    const later = moment.startsWith('between');
    expect(await outcomes(ledger)).toEqual([
      '0 created',
      '1 created',
      later ? '2 created' : '2 in-doubt',
      '3 in-doubt',
      ...(later ? ['4 created', '5 in-doubt', '6 in-doubt'] : []),
    ]);
    expect(await ledger.find(NEW_RUN.id)).toMatchObject({ state: 'stopped', stopped: { reason: 'crashed' } });
    expect(await count('log')).toBe(0);
    const { lookup } = await ledger.history(BASE_URL, 'products');
    expect([...((await lookup?.(['k0', 'k3'])) ?? []).keys()].sort()).toEqual(['k0', 'k3']);
  });

  test('commits nothing after the takeover, and stops', async () => {
    const first = await hold('w1');
    const run = await first.ledger.begin(NEW_RUN, 4);
    await send(run, [0], [0]);
    await takeOver('w2');
    const refused = { name: 'RunStopped', reason: 'lease-lost' };
    await expect(run.intend(intentOf(1))).rejects.toMatchObject(refused);
    await expect(run.flush()).rejects.toMatchObject(refused);
    await expect(run.end(END)).rejects.toMatchObject(refused);
    await expect(first.ledger.amend([])).rejects.toMatchObject(refused);
    expect(await sql.query('select seq from record order by seq')).toEqual([{ seq: 0 }]);
    expect(await count('log')).toBe(0);
  });

  test('leaves updates to be repeated, whose keys rest until an earlier update cannot arrive any more', async () => {
    const first = await hold('w1');
    const run = await first.ledger.begin(NEW_RUN, 4);
    await run.intend(intentOf(0, 'update'));
    const { ledger } = await takeOver('w2', { ...STILL, renewMs: 20 });
    expect(await outcomes(ledger)).toEqual([]);
    expect(await sql.query('select key from rest where until > clock_timestamp()')).toEqual([{ key: 'k0' }]);
    await sql.query(`update rest set until = clock_timestamp() + interval '1 hour'`);
    const known = (await ledger.find(NEW_RUN.id)) as never;
    const again = await ledger.reopen(known, 4);
    const resting = again.intend(intentOf(0, 'update')).then(
      () => 'resting',
      (error) => error.reason,
    );
    const other = again.intend(intentOf(1, 'update')).then(() => 'other');
    expect(await Promise.race([resting, other])).toBe('other');
    await sql.query(`update lease set epoch = epoch + 1, holder = 'w3' where store = $1`, [store]);
    expect(await resting).toBe('lease-lost');
    const third = await hold('w4');
    await sql.query('update rest set until = clock_timestamp()');
    const last = await third.ledger.reopen(known, 4);
    await expect(last.intend(intentOf(0, 'update'))).resolves.toBeUndefined();
  });

  test('whose log lacks an entry counts as restored: it refuses creates until the store is reviewed', async () => {
    const first = await hold('w1');
    const run = await first.ledger.begin(NEW_RUN, 4);
    await send(run, [0, 1, 2]);
    await sql.query('delete from log where entry = $1', [0]);
    const { ledger } = await takeOver('w2');
    await expect(ledger.begin({ ...NEW_RUN, id: 'r2' }, 4)).rejects.toMatchObject({ reason: 'restored' });
    await expect(ledger.begin({ ...NEW_RUN, id: 'r2', mode: 'update' }, 4)).resolves.toBeDefined();
  });
});

describe('the rows of a run whose worker was killed', () => {
  const key = newRowKey();

  /** Takes the store as another process does, which has these keys. */
  async function holdWith(holder: string, keys: Parameters<typeof createRowSeal>[0]): Promise<Ledger> {
    await sql.query(`update lease set expires = '2001-01-01' where store = $1`, [store]);
    const lease = (await takeLease(sql, { store, holder, timing: STILL })) as Lease;
    leases.push(lease);
    const seal = async () => createRowSeal(keys);
    const ledger = await postgresLedger({ sql, lease, baseUrl: BASE_URL, seal }).open();
    await ledger.lock(BASE_URL, 'r');
    return ledger;
  }

  /** Leaves two intents open, one in the tables and one in the log, and an outcome in the log. */
  async function killed(): Promise<void> {
    const ledger = await holdWith('w1', { current: key });
    const run = await ledger.begin(NEW_RUN, 4);
    await send(run, [0, 1], [0]);
    await run.flush();
    await send(run, [2, 3], [3]);
    run.settle({ ...resultOf(4, 'rejected') }, false);
    await run.intend(intentOf(5));
    run.settle({ ...resultOf(5, 'rejected') }, true);
    await run.intend(intentOf(6));
  }

  const settledNow = async (ledger: Ledger) => {
    const run = await ledger.find(NEW_RUN.id);
    const settled = run ? await all(ledger.settled(run)) : [];
    return settled.map(({ seq, outcome, rows }) => [seq, outcome.outcome, rows?.[0]?.cells[0]]);
  };

  test('encrypted rows are read by the next process, also by one that encrypts with a new key', async () => {
    await killed();
    const next = await holdWith('w2', { current: newRowKey(), earlier: [key] });
    expect(await settledNow(next)).toEqual([
      ...[
        [0, 'in-doubt', 'k0'],
        [1, 'created', undefined],
        [2, 'created', undefined],
      ],
      ...[
        [3, 'in-doubt', 'k3'],
        [5, 'rejected', 'k5'],
        [6, 'in-doubt', 'k6'],
      ],
    ]);
  });

  test('encrypted rows are needed for no doubt: with a lost key it is known which creates may have been sent', async () => {
    await killed();
    await expect(holdWith('w2', { current: newRowKey() })).rejects.toThrow(
      'which this process does not have',
    );
    const next = await holdWith('w3', { current: newRowKey(), lost: [key.id] });
    expect(await settledNow(next)).toEqual([
      ...[
        [0, 'in-doubt', undefined],
        [1, 'created', undefined],
        [2, 'created', undefined],
      ],
      ...[
        [3, 'in-doubt', undefined],
        [5, 'rejected', undefined],
        [6, 'in-doubt', undefined],
      ],
    ]);
  });
});

describe.runIf(await hasPostgres())('a run whose connections are lost', () => {
  /** Ends all connections but one. */
  const cutOff = (by: Sql, from: string) =>
    by.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
      where pid <> pg_backend_pid() and application_name = $1`,
      [from],
    );

  test('continues with others, and records each outcome once', async () => {
    const name = `cut off ${store} ${process.pid} ${Math.random()}`;
    const fragile = database.another(name);
    const lease = await takeLease(fragile, { store, holder: 'w1', timing: STILL });
    leases.push(lease as Lease);
    const ledger = await postgresLedger({
      sql: fragile,
      lease: lease as Lease,
      baseUrl: BASE_URL,
      seal: async () => TEST_SEAL,
    }).open();
    await ledger.lock(BASE_URL, 'r');
    const run = await ledger.begin(NEW_RUN, 8);
    const queue = Array.from({ length: 2000 }, (_, seq) => seq);
    let cuts = 0;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let seq = queue.shift(); seq !== undefined; seq = queue.shift()) {
          if (seq % 200 === 100) cuts += (await cutOff(sql, name)).length;
          await send(run, [seq]);
        }
      }),
    );
    await run.flush();
    await run.end(END);
    expect(cuts).toBeGreaterThan(0);
    expect(await ledger.outcomes({ number: run.number } as never)).toEqual({ created: 2000 });
    expect([await count('log'), await count('record')]).toEqual([0, 2000]);
  });

  /**
   * A database whose next transaction is cut off before its commit is confirmed. The server carries it out once another
   * connection waits for it.
   */
  function cutAtCommit(by: Sql): Sql & { cut(): void } {
    let isCut = false;
    return {
      ...by,
      cut() {
        isCut = true;
      },
      async transaction(work) {
        if (!isCut) return by.transaction(work);
        isCut = false;
        let done = () => {};
        const written = new Promise<void>((resolve) => {
          done = resolve;
        });
        const late = by.transaction(async (inside) => {
          const result = await work(inside);
          done();
          await untilBlocked();
          return result;
        });
        late.catch(() => {});
        await Promise.race([written, late]);
        throw new RunStopped('ledger-failed', 'the connection is lost');
      },
    };
  }

  async function untilBlocked(): Promise<void> {
    for (;;) {
      const [line] = await sql.query<{ found: boolean }>(
        `select exists (select 1 from pg_locks join pg_stat_activity using (pid)
          where not granted and query ilike '%run%' and query not like '%pg_locks%') as found`,
      );
      if (line?.found) return;
    }
  }

  test('repeats a fold and an end whose commits are still on the way, and counts both once', async () => {
    const fragile = cutAtCommit(database.another());
    const lease = await takeLease(fragile, { store, holder: 'w1', timing: STILL });
    leases.push(lease as Lease);
    const ledger = await postgresLedger({
      sql: fragile,
      lease: lease as Lease,
      baseUrl: BASE_URL,
      seal: async () => TEST_SEAL,
    }).open();
    const run = await ledger.begin(NEW_RUN, 4);
    await send(run, [0, 1]);
    fragile.cut();
    await run.flush();
    fragile.cut();
    await run.end(END);
    expect(await outcomes(ledger)).toEqual(['0 created', '1 created']);
    expect(await ledger.find(NEW_RUN.id)).toMatchObject({ state: 'done', workedMs: END.workedMs });
  });

  test('stops once its lease is stale, although the database does not answer', async () => {
    const { lease, ledger } = await takeOver('w1', { ...STILL, renewMs: 20, staleMs: 300 });
    const run = await ledger.begin(NEW_RUN, 4);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let hasLock = () => {};
    const locked = new Promise<void>((resolve) => {
      hasLock = resolve;
    });
    const blocked = database.another().transaction(async (inside) => {
      // As a frozen disk does: neither renewals nor commits are answered.
      await inside.query('select 1 from lease where store = $1 for update', [store]);
      hasLock();
      await released;
    });
    await locked;
    const intended = await run.intend(intentOf(0)).catch((error) => error);
    release();
    await blocked;
    expect(intended).toMatchObject({ reason: 'lease-lost' });
    expect(lease.isStale()).toBe(true);
  });
});

describe('late answers', () => {
  /** A worker that lost its lease with records 0 to 3 in flight, and then gets these answers. */
  async function loseWithAnswers(answers: readonly OutcomeStatus[]): Promise<Held> {
    const first = await hold('w1');
    const run = await first.ledger.begin(NEW_RUN, 4);
    const seqs = answers.map((_, seq) => seq);
    await send(run, seqs, seqs);
    const second = await takeOver('w2');
    for (const seq of seqs) run.settle(resultOf(seq, answers[seq]), true);
    await run.flush().catch(() => {});
    await run.close();
    return second;
  }

  test('resolve the doubts of exactly their records, once the next holder locks the store', async () => {
    const { ledger } = await loseWithAnswers(['created', 'rejected', 'in-doubt', 'unsent']);
    expect(await outcomes(ledger)).toEqual(['0 in-doubt', '1 in-doubt', '2 in-doubt', '3 in-doubt']);
    await ledger.lock(BASE_URL, 'r');
    expect(await outcomes(ledger)).toEqual(['0 created', '1 rejected', '2 in-doubt', '3 in-doubt']);
    const [record] = await all(ledger.settled((await ledger.find(NEW_RUN.id)) as never));
    expect(record?.outcome.id).toBe('id0');
  });

  test('that a record was not sent count only after the quarantine', async () => {
    const { ledger } = await loseWithAnswers(['unsent']);
    await ledger.lock(BASE_URL, 'r');
    expect(await outcomes(ledger)).toEqual(['0 in-doubt']);
    await sql.query(`update run set doubts_until = clock_timestamp()`);
    await ledger.lock(BASE_URL, 'r');
    expect(await outcomes(ledger)).toEqual(['0 unsent']);
  });

  test('about an intent of another epoch say nothing', async () => {
    const { ledger } = await loseWithAnswers(['created']);
    await sql.query('update late_answer set epoch = epoch - 1');
    await ledger.lock(BASE_URL, 'r');
    expect(await outcomes(ledger)).toEqual(['0 in-doubt']);
  });
});

describe('quarantine', () => {
  const THERE = { outcome: 'created', id: 'x' } as const;
  const NOT_THERE = { outcome: 'failed', code: 'not-there' } as const;

  async function loseOne(): Promise<Held & { readonly run: number }> {
    const first = await hold('w1');
    const { number: run, intend } = await first.ledger.begin(NEW_RUN, 4);
    await intend(intentOf(0));
    return { ...(await takeOver('w2')), run };
  }

  test('refuses "not there" while the former holder may live, and takes "there"', async () => {
    const { ledger, run } = await loseOne();
    const refused = ledger.amend([{ run, seq: 0, outcome: NOT_THERE }]);
    await expect(refused).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining('w1'),
    });
    expect(await outcomes(ledger)).toEqual(['0 in-doubt']);
    await ledger.amend([{ run, seq: 0, outcome: THERE }]);
    expect(await outcomes(ledger)).toEqual(['0 created']);
  });

  test('ends with its time', async () => {
    const { ledger, run } = await loseOne();
    await sql.query('update run set doubts_until = clock_timestamp()');
    await ledger.amend([{ run, seq: 0, outcome: NOT_THERE }]);
    expect(await outcomes(ledger)).toEqual(['0 failed']);
  });

  test('ends when the user says that the worker is gone', async () => {
    const { ledger, run } = await loseOne();
    expect(await endQuarantines(sql, 'w1')).toBe(1);
    await ledger.amend([{ run, seq: 0, outcome: NOT_THERE }]);
    expect(await outcomes(ledger)).toEqual(['0 failed']);
  });

  test('of two lost workers lasts until both are gone', async () => {
    const { ledger, run } = await loseOne();
    await sql.query(`update run set doubts_of = doubts_of || 'w0'::text`);
    expect(await endQuarantines(sql, 'w1')).toBe(0);
    await expect(ledger.amend([{ run, seq: 0, outcome: NOT_THERE }])).rejects.toThrow('w0');
    expect(await endQuarantines(sql, 'w0')).toBe(1);
    await ledger.amend([{ run, seq: 0, outcome: NOT_THERE }]);
  });

  test('is none for a worker that was declared gone before its store was taken over', async () => {
    const first = await hold('w1');
    await (await first.ledger.begin(NEW_RUN, 4)).intend(intentOf(0));
    await endQuarantines(sql, 'w1');
    const lease = await takeLease(sql, { store, holder: 'w2', timing: STILL });
    leases.push(lease as Lease);
    expect(await sql.query('select id from run where doubts_until > clock_timestamp()')).toEqual([]);
  });
});

describe('a restored database', () => {
  test('a restored database refuses creates until records are adopted and the store is reviewed', async () => {
    const { ledger } = await hold('w1');
    await sql.query(`update cluster set identity = 'of another server'`);
    const refused = { name: 'RunStopped', reason: 'restored' };
    await expect(ledger.begin(NEW_RUN, 4)).rejects.toMatchObject(refused);
    await expect(ledger.begin(NEW_RUN, 4)).rejects.toMatchObject(refused);
    expect(await count('run')).toBe(0);
    await markReviewed(sql, store);
    // A person has looked, and the records that were sent since the backup are not known all the same.
    await expect(ledger.begin(NEW_RUN, 4)).rejects.toMatchObject(refused);
    await noteAdopted(sql, { store, resource: NEW_RUN.resource, isComplete: false });
    await expect(ledger.begin(NEW_RUN, 4)).resolves.toBeDefined();
  });

  test('is noticed by the renewal of a lease that was held meanwhile', async () => {
    const { lease } = await takeOver('w1', { ...STILL, renewMs: 20 });
    await sql.script('alter table cluster rename to former; create table cluster (like former)');
    try {
      if (!lease.lost.aborted) await new Promise((resolve) => lease.lost.addEventListener('abort', resolve));
      expect(lease.lost.reason).toMatchObject({ reason: 'restored' });
    } finally {
      await sql.script('drop table cluster; alter table former rename to cluster');
    }
  });
});
