import { afterEach, describe, expect, test, vi } from 'vitest';
import { addTasks, countTasks, listTasks, listWorkers, stopTasks, type Work } from '../../src/fleet/index.ts';
import type {
  ExecuteTask,
  TaskContext,
  TaskEnd,
  TaskToRun,
  WorkerEnd,
  WorkerOptions,
} from '../../src/fleet/worker/options.ts';
import { runWorker } from '../../src/fleet/worker/worker.ts';
import { RunStopped } from '../../src/model/index.ts';
import { addPlainStore, dieInTask, fleetDatabaseOfFile } from './fleet-parts.ts';

const database = fleetDatabaseOfFile();
const drains: AbortController[] = [];
const workers: Promise<WorkerEnd>[] = [];

afterEach(async () => {
  for (const drain of drains.splice(0)) drain.abort();
  await Promise.allSettled(workers.splice(0));
});

const TIMING = { sweepMs: 200, watchMs: 20 };
const WAIT = { timeout: 30_000, interval: 20 };
const DONE: TaskEnd = { exitCode: 0 };
const INTERRUPTED: TaskEnd = { exitCode: 130, stopped: { reason: 'interrupted', message: 'Interrupted.' } };

const products: Work = { command: 'import', resource: 'products', options: { files: ['/data/a.csv'] } };
const reviews: Work = { command: 'export', resource: 'reviews', options: {} };

/** Starts a worker and returns what drains it. */
function start(execute: ExecuteTask, options: Partial<WorkerOptions> = {}) {
  const drain = new AbortController();
  const end = runWorker({
    ...{ sql: database.another(), slots: 1, execute, drain: drain.signal, timing: TIMING },
    ...options,
  });
  drains.push(drain);
  workers.push(end);
  return {
    end,
    drain: () => drain.abort(),
  };
}

async function addStores(...names: string[]): Promise<void> {
  for (const name of names) await addPlainStore(database.sql, name);
}

async function add(stores: string, count = 1, work = products): Promise<string[]> {
  const ids: string[] = [];
  for (let each = 0; each < count; each += 1)
    ids.push(...(await addTasks(database.sql, { ...work, stores })).map(({ id }) => id));
  const numbers = await database.sql.query<{ store: number }>('select distinct store from task');
  await database.wakeUps.wake(numbers.map(({ store }) => store));
  return ids;
}

/** Executions that end when the test says so, or when they are interrupted. */
function held() {
  const began: TaskToRun[] = [];
  const open = new Map<string, (end: TaskEnd) => void>();
  const execute: ExecuteTask = (task, { interrupted }) =>
    new Promise((resolve) => {
      open.set(task.id, resolve);
      interrupted.addEventListener('abort', () => resolve(INTERRUPTED), { once: true });
      if (interrupted.aborted) resolve(INTERRUPTED);
      began.push(task);
    });
  return {
    execute,
    began,
    end: (id: string, end: TaskEnd = DONE) => open.get(id)?.(end),
  };
}

const states = async () =>
  (await listTasks(database.sql)).map(({ state, next }) => `${state} ${next}`).reverse();

describe('a worker', () => {
  test('does the tasks of a store in the order of their numbers, one at a time', async () => {
    await addStores('red', 'blue');
    const done: string[] = [];
    let most = 0;
    const now = new Map<string, number>();
    const ids = [...(await add('red', 3)), ...(await add('blue', 2))];
    start(
      async ({ id, store }) => {
        now.set(store.name, (now.get(store.name) ?? 0) + 1);
        most = Math.max(most, ...now.values());
        await new Promise((resolve) => setTimeout(resolve, 5));
        now.set(store.name, (now.get(store.name) ?? 0) - 1);
        done.push(id);
        return { exitCode: 0, summary: { items: 3 } };
      },
      { slots: 4 },
    );
    await vi.waitFor(async () => expect(await countTasks(database.sql)).toMatchObject({ done: 5 }), WAIT);
    expect(done.filter((id) => ids.indexOf(id) < 3)).toEqual(ids.slice(0, 3));
    expect(most).toBe(1);
  });

  test('keeps exit code, summary and what is published', async () => {
    await addStores('red');
    const [id = ''] = await add('red');
    start(async ({ number }, { lease }) => ({
      exitCode: 1,
      summary: { items: 3 },
      publish: async (sql) => {
        await sql.query(
          `insert into artifact (task, name, location, epoch, bytes, sha256) values ($1, 'a', 'b', $2, 3, 'c')`,
          [number, lease.epoch],
        );
      },
    }));
    await vi.waitFor(async () => expect(await countTasks(database.sql)).toMatchObject({ done: 1 }), WAIT);
    const [line] = await database.sql.query(
      'select exit_code, summary, artifact.name from task join artifact on task = number where id = $1',
      [id],
    );
    expect(line).toEqual({ exit_code: 1, summary: { items: 3 }, name: 'a' });
  });

  test('a task that cannot begin is stopped with its reason, and the next one begins', async () => {
    await addStores('red');
    const [first = ''] = await add('red', 2);
    start(async ({ id }) => {
      if (id === first) throw new RunStopped('credentials-refused', 'The store refused.', ['Look.']);
      return DONE;
    });
    await vi.waitFor(async () => expect(await states()).toEqual(['stopped resume', 'done resume']), WAIT);
    expect((await listTasks(database.sql))[1]).toMatchObject({
      stopReason: 'credentials-refused',
      stopMessage: 'The store refused. Look.',
      exitCode: 3,
    });
  });

  test('logs the end of each task: counts, and a warning with the message if it stopped by itself', async () => {
    await addStores('red');
    const [stopped = '', done = ''] = await add('red', 2);
    const lines: unknown[] = [];
    const line = (level: string) => (facts: object, message: string) =>
      lines.push({ level, message, ...facts });
    const { end, drain } = start(
      async ({ id }) => {
        if (id === stopped) throw new RunStopped('credentials-refused', 'The store refused.', ['Look.']);
        return { exitCode: 1, summary: { outcomes: { created: 2, invalid: 1 } } };
      },
      { log: { info: line('info'), warn: line('warn'), error: line('error') } },
    );
    await vi.waitFor(async () => expect(await states()).toEqual(['stopped resume', 'done resume']), WAIT);
    drain();
    await end;
    const ends = lines.filter((each) => (each as { message: string }).message === 'task ended');
    expect(ends).toMatchObject([
      { level: 'warn', task: stopped, stopped: 'credentials-refused', reason: 'The store refused. Look.' },
      { level: 'info', task: done, exitCode: 1, outcomes: { created: 2, invalid: 1 } },
    ]);
  });

  test('a user stops a task that runs, and the next one begins', async () => {
    await addStores('red');
    const work = held();
    const [first = '', second = ''] = await add('red', 2);
    start(work.execute);
    await vi.waitFor(() => expect(work.began).toHaveLength(1), WAIT);
    expect(await stopTasks(database.sql, { ids: [first] })).toMatchObject([
      { after: 'running', stopWanted: true },
    ]);
    await vi.waitFor(() => expect(work.began).toHaveLength(2), WAIT);
    expect(await states()).toEqual(['stopped resume', 'running begin']);
    work.end(second);
    await vi.waitFor(async () => expect(await states()).toEqual(['stopped resume', 'done resume']), WAIT);
  });

  test('gives its tasks and leases back when it drains', async () => {
    await addStores('red', 'blue');
    const work = held();
    await add('all', 2);
    const worker = start(work.execute, { slots: 2 });
    await vi.waitFor(() => expect(work.began).toHaveLength(2), WAIT);
    worker.drain();
    expect(await worker.end).toMatchObject({ executions: 2 });
    expect((await states()).sort()).toEqual([
      'queued begin',
      'queued begin',
      'queued resume',
      'queued resume',
    ]);
    expect(await database.sql.query('select 1 as one from lease where holder is not null')).toEqual([]);
    expect(await listWorkers(database.sql)).toEqual([]);
  });

  test('finishes a task that is done before it could stop', async () => {
    await addStores('red');
    await add('red');
    const worker = start(
      (_task, { interrupted }) =>
        new Promise((resolve) => {
          interrupted.addEventListener('abort', () => resolve(DONE), { once: true });
        }),
    );
    await vi.waitFor(async () => expect(await countTasks(database.sql)).toMatchObject({ running: 1 }), WAIT);
    worker.drain();
    await worker.end;
    expect(await states()).toEqual(['done resume']);
  });
});

describe('fairness', () => {
  test('small stores finish beside a large one on one slot', async () => {
    const small = ['b', 'c', 'd'];
    await addStores('a', ...small);
    const large = await add('a', 3);
    await add(small.join(','));
    const order: string[] = [];
    start(
      async ({ id, store }, { interrupted }) => {
        if (!large.includes(id)) {
          order.push(store.name);
          return DONE;
        }
        order.push(store.name);
        await new Promise<void>((resolve) => {
          if (interrupted.aborted) resolve();
          else interrupted.addEventListener('abort', () => resolve(), { once: true });
        });
        return INTERRUPTED;
      },
      { timing: { ...TIMING, yieldMs: 50 } },
    );
    await vi.waitFor(
      async () =>
        expect(await countTasks(database.sql, { stores: small.join(',') })).toMatchObject({ done: 3 }),
      WAIT,
    );
    await vi.waitFor(() => expect(order.slice(0, 5)).toEqual(['a', 'b', 'c', 'd', 'a']), WAIT);
  });

  test('work that would begin anew is not interrupted for others', async () => {
    await addStores('a', 'b', 'c');
    const work = held();
    const [exported = ''] = await add('a', 1, reviews);
    const [retried = ''] = await add('b');
    await database.sql.query(`update task set next = 'retry' where id = $1`, [retried]);
    start(work.execute, { slots: 2, timing: { ...TIMING, yieldMs: 1 } });
    await vi.waitFor(() => expect(work.began).toHaveLength(2), WAIT);
    const [waiting = ''] = await add('c');
    const seen = async () => (await listWorkers(database.sql))[0]?.seenAt;
    for (let signs = 0; signs < 3; signs += 1) {
      const before = await seen();
      await vi.waitFor(async () => expect(await seen()).not.toEqual(before), WAIT);
    }
    expect(await countTasks(database.sql)).toMatchObject({ running: 2, queued: 1 });
    for (const id of [exported, retried]) work.end(id);
    await vi.waitFor(() => expect(work.began.at(-1)?.id).toBe(waiting), WAIT);
    work.end(waiting);
    await vi.waitFor(async () => expect(await countTasks(database.sql)).toMatchObject({ done: 3 }), WAIT);
  });

  test('a store keeps its worker while no other waits', async () => {
    await addStores('a');
    const work = held();
    const [first = ''] = await add('a', 2);
    start(work.execute, { timing: { ...TIMING, yieldMs: 1 } });
    await vi.waitFor(() => expect(work.began).toHaveLength(1), WAIT);
    const seen = async () => (await listWorkers(database.sql))[0]?.seenAt;
    const before = await seen();
    await vi.waitFor(async () => expect(await seen()).not.toEqual(before), WAIT);
    expect(await countTasks(database.sql)).toMatchObject({ running: 1 });
    work.end(first);
    await vi.waitFor(async () => expect(await countTasks(database.sql)).toMatchObject({ done: 1 }), WAIT);
  });

  test('a freed slot takes the store that waited longest', async () => {
    await addStores('a', 'b', 'c');
    const work = held();
    const [first = ''] = await add('a');
    start(work.execute);
    await vi.waitFor(() => expect(work.began).toHaveLength(1), WAIT);
    await add('c');
    await add('b');
    work.end(first);
    await vi.waitFor(() => expect(work.began.map(({ store }) => store.name)).toEqual(['a', 'c']), WAIT);
  });
});

describe('a worker that is gone', () => {
  test('its task is resumed by the next one', async () => {
    await addStores('red');
    const [id = ''] = await add('red');
    await dieInTask(database.sql, id);
    const steps: string[] = [];
    start(async ({ next }) => {
      steps.push(next);
      return DONE;
    });
    await vi.waitFor(async () => expect(await states()).toEqual(['done resume']), WAIT);
    expect(steps).toEqual(['resume']);
    expect((await listTasks(database.sql))[0]).toMatchObject({ lost: 0 });
  });

  test('the third one in a row stops the task as poison', async () => {
    await addStores('red');
    const [id = ''] = await add('red');
    await database.sql.query('update task set lost = 2 where id = $1', [id]);
    await dieInTask(database.sql, id);
    let calls = 0;
    start(async () => {
      calls += 1;
      return DONE;
    });
    await vi.waitFor(async () => expect(await countTasks(database.sql)).toMatchObject({ stopped: 1 }), WAIT);
    expect((await listTasks(database.sql))[0]).toMatchObject({ stopReason: 'poison', lost: 3 });
    expect(calls).toBe(0);
  });

  test('a worker that lives does its task again after each outage of the database', async () => {
    await addStores('red');
    const work = held();
    const [id = ''] = await add('red');
    const lease = { ttlMs: 60_000, renewMs: 20 };
    start(work.execute, { id: 'a', timing: { ...TIMING, lease } });
    for (let outages = 0; outages <= 3; outages += 1) {
      await vi.waitFor(() => expect(work.began).toHaveLength(outages + 1), WAIT);
      await database.sql.query(`update lease set expires = '-infinity', holder = 'nobody'`);
    }
    await vi.waitFor(() => expect(work.began).toHaveLength(5), WAIT);
    work.end(id);
    await vi.waitFor(async () => expect(await states()).toEqual(['done resume']), WAIT);
  });

  test('a worker that lost its lease writes nothing more', async () => {
    await addStores('red');
    const [id = ''] = await add('red');
    const contexts: TaskContext[] = [];
    const slow = start(
      async (_task, context) => {
        contexts.push(context);
        await new Promise<void>((resolve) =>
          context.lease.lost.addEventListener('abort', () => resolve(), { once: true }),
        );
        return { exitCode: 0, summary: { by: 'the one that lost it' } };
      },
      { timing: { ...TIMING, lease: { ttlMs: 60_000, renewMs: 20 } } },
    );
    await vi.waitFor(() => expect(contexts).toHaveLength(1), WAIT);
    slow.drain();
    // Another worker takes over, as after an expiry.
    await database.sql.query(
      `update lease set expires = '-infinity', holder = 'stale' where holder is not null`,
    );
    await vi.waitFor(() => expect(contexts[0]?.lease.lost.aborted).toBe(true), WAIT);
    await slow.end;
    expect((await listTasks(database.sql))[0]).toMatchObject({ id, state: 'running' });
    expect(contexts[0]?.interrupted.aborted).toBe(true);
    start(async () => ({ exitCode: 0, summary: { by: 'the next one' } }));
    await vi.waitFor(async () => expect(await states()).toEqual(['done resume']), WAIT);
    const [line] = await database.sql.query('select summary, lost from task');
    expect(line).toEqual({ summary: { by: 'the next one' }, lost: 0 });
  });
});
