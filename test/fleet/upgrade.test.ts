import { afterEach, describe, expect, test, vi } from 'vitest';
import { addTasks, listTasks } from '../../src/fleet/index.ts';
import type { ExecuteTask } from '../../src/fleet/worker/options.ts';
import { runWorker } from '../../src/fleet/worker/worker.ts';
import { KNOWN_SCHEMA as KNOWN, migrate } from '../../src/postgres/index.ts';
import { SCHEMA_STEPS } from '../../src/postgres/migrations.ts';
import { addPlainStore, fleetDatabaseOfFile } from './fleet-parts.ts';

const database = fleetDatabaseOfFile();
const EXPAND = { script: 'alter table store add column if not exists later text', minVersion: KNOWN };
const CONTRACT = { script: 'alter table store drop column later', minVersion: KNOWN + 1 };
const WAIT = { timeout: 30_000, interval: 20 };

const drain = { now: () => {} };
afterEach(async () => {
  drain.now();
  await database.sql.query('delete from migration where version > $1', [KNOWN]);
  await database.sql.script('alter table store drop column if exists later');
});

/** An execution that lasts until it is interrupted, and then ends in good order. */
const patient: ExecuteTask = (_, { interrupted }) =>
  new Promise((resolve) => {
    interrupted.addEventListener('abort', () =>
      resolve({ exitCode: 130, stopped: { reason: 'interrupted', message: 'Interrupted.' } }),
    );
  });

/** A worker of this version, in the middle of a task. */
async function workerAtWork() {
  await addPlainStore(database.sql, 'red');
  await addTasks(database.sql, { command: 'export', resource: 'reviews', options: {}, stores: 'red' });
  const controller = new AbortController();
  drain.now = () => controller.abort();
  const end = runWorker({
    ...{ sql: database.another(), slots: 1, execute: patient, drain: controller.signal, id: 'early' },
    timing: { sweepMs: 50, watchMs: 20 },
  });
  end.catch(() => {});
  await untilStates(['running begin']);
  return { end };
}

const untilStates = (states: readonly string[]) =>
  vi.waitFor(
    async () =>
      expect((await listTasks(database.sql)).map(({ state, next }) => `${state} ${next}`)).toEqual(states),
    WAIT,
  );

describe('a worker beside a newer schema', () => {
  test('works on if the newer steps only add', async () => {
    const { end } = await workerAtWork();
    await migrate(database.sql, [...SCHEMA_STEPS, EXPAND]);
    // Two signs of life later it is not draining.
    const seen = async () => {
      const [worker] = await database.sql.query<{ at: number; draining: boolean }>(
        'select extract(epoch from seen_at)::float8 as at, draining from worker',
      );
      return worker as { at: number; draining: boolean };
    };
    for (let signs = 0, { at } = await seen(); signs < 3; signs++)
      at = await vi.waitFor(async () => {
        const now = await seen();
        expect(now).toMatchObject({ draining: false });
        expect(now.at).toBeGreaterThan(at);
        return now.at;
      }, WAIT);
    await untilStates(['running begin']);
    drain.now();
    await expect(end).resolves.toMatchObject({ executions: 1 });
  });

  test('keeps a step from being made that would take away what it uses', async () => {
    const { end } = await workerAtWork();
    await expect(migrate(database.sql, [...SCHEMA_STEPS, EXPAND, CONTRACT])).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining('cannot go on after this update: early. Nothing was changed.'),
    });
    expect(await database.sql.query('select max(version) as version from migration')).toEqual([
      { version: KNOWN },
    ]);
    await untilStates(['running begin']);
    drain.now();
    await end;
    await migrate(database.sql, [...SCHEMA_STEPS, EXPAND, CONTRACT]);
    expect(await database.sql.query('select max(version) as version from migration')).toEqual([
      { version: KNOWN + 2 },
    ]);
  });

  test('drains if the newer schema forbids it to go on, and says which version it needs', async () => {
    const { end } = await workerAtWork();
    await database.sql.query('insert into migration (version, min_version) values ($1, $1)', [KNOWN + 1]);
    await expect(end).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining(`needs a storeport that knows version ${KNOWN + 1} or later`),
      hints: ['Install the version of storeport that the other workers have.'],
    });
    // Its task was given back, for a worker that can continue it.
    expect((await listTasks(database.sql)).map(({ state, next }) => `${state} ${next}`)).toEqual([
      'queued resume',
    ]);
    expect(await database.sql.query('select holder from lease')).toEqual([{ holder: null }]);
  });
});
