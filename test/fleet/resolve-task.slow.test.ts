import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ArtifactStorage } from '../../src/fleet/artifacts/index.ts';
import {
  type AnswerDoubts,
  type ExecutorOptions,
  resolveTask,
  resumeTasks,
  retryTasks,
  showTask,
} from '../../src/fleet/index.ts';
import { ConfigError, RunStopped } from '../../src/model/index.ts';
import { select } from '../../src/pipeline/index.ts';
import { type Sql, takeLease } from '../../src/postgres/index.ts';
import { fleetOfFile } from './fleet-with-workers.ts';

const fleet = fleetOfFile();
const { database, lines, executorOptions, start, products, addImport, ended, artifact } = fleet;

const askStoreList: AnswerDoubts = async (_, ask) => (await ask()).found;
const notThere: AnswerDoubts = async ({ doubtful }) =>
  new Map(doubtful.map((record) => [record, 'not-there']));
/** As the command line with `--row`. */
const rowIsNotThere =
  (row: number): AnswerDoubts =>
  async ({ doubtful, run }) =>
    new Map(
      select({ doubtful, run }, { rows: [row], keys: [], codes: [], all: false }).map((record) => [
        record,
        'not-there',
      ]),
    );

/** An import that lost the answers to two creates. The worker has ended. */
async function taskInDoubt(files: string[] = [products(6)]): Promise<string> {
  fleet.sandbox.misbehave({ reset: '#3-4@create' });
  const id = await addImport(files);
  const worker = await start('a');
  await ended();
  worker.drain();
  await worker.end;
  fleet.sandbox.misbehave({});
  expect((await showTask(database.sql, id)).outcomes).toMatchObject({ 'in-doubt': 2 });
  return id;
}

/** A storage that refuses files with this name. */
function refusing(storage: ArtifactStorage, name: string): ArtifactStorage {
  return {
    ...storage,
    put: async (key, content, how) => {
      if (key.endsWith(name)) throw new ConfigError('The disk of the artifacts is full.');
      return storage.put(key, content, how);
    },
  };
}

async function withoutFiles(name: string): Promise<ExecutorOptions> {
  const options = await executorOptions(name);
  return { ...options, storage: refusing(await fleet.storage(), 'summary.json') };
}

const posts = () => fleet.sandbox.journal.filter(({ method }) => method === 'POST').length;
const leaseOf = (sql: Sql) => sql.query<{ holder: string | null }>('select holder from lease');

describe('reports of a task that cannot be published after its doubts were settled', () => {
  test('leave a task that says so, with its outcomes as they are now', async () => {
    const id = await taskInDoubt();
    const refused = await resolveTask(await withoutFiles('c'), id, notThere).catch((error) => error);
    expect(refused).toBeInstanceOf(RunStopped);
    expect(refused).toMatchObject({
      reason: 'output-failed',
      message: expect.stringMatching(
        new RegExp(
          `^summary.json could not be published: The disk of the artifacts is full\\. .*\`storeport fleet resume ${id}\``,
        ),
      ),
      hints: [expect.stringContaining('What was found is recorded')],
    });
    const task = await showTask(database.sql, id);
    expect(task).toMatchObject({
      ...{ state: 'stopped', stopReason: 'output-failed', stopMessage: refused.message, exitCode: 3 },
      outcomes: { created: 4, failed: 2 },
    });
    expect(await leaseOf(database.sql)).toEqual([{ holder: null }]);
  });

  test('are published by the same call once the storage works', async () => {
    const id = await taskInDoubt();
    await expect(resolveTask(await withoutFiles('c'), id, notThere)).rejects.toThrow(
      'could not be published',
    );
    const { found } = await resolveTask(await executorOptions('c'), id, notThere);
    expect(found.size).toBe(0);
    expect(await showTask(database.sql, id)).toMatchObject({ state: 'done', stopReason: null, exitCode: 1 });
    expect(await artifact(id, 'errors.csv')).toContain('not-there');
    expect(JSON.parse(await artifact(id, 'summary.json'))).toMatchObject({ outcomes: { failed: 2 } });
  });

  test('are published by the same call also if it names a row that is no longer in doubt', async () => {
    const id = await taskInDoubt();
    const [row] = await rowsInDoubt(id);
    const answer = rowIsNotThere(Number(row));
    await expect(resolveTask(await withoutFiles('c'), id, answer)).rejects.toThrow('could not be published');
    await expect(resolveTask(await executorOptions('c'), id, answer)).rejects.toThrow(
      `No record in doubt has row ${row}.`,
    );
    expect(await showTask(database.sql, id)).toMatchObject({ state: 'done', exitCode: 1 });
    expect(JSON.parse(await artifact(id, 'summary.json'))).toMatchObject({
      outcomes: { failed: 1, 'in-doubt': 1 },
    });
  });

  test('are published by a worker if the task is resumed, which sends nothing', async () => {
    const id = await taskInDoubt();
    await expect(resolveTask(await withoutFiles('c'), id, notThere)).rejects.toThrow(
      'could not be published',
    );
    const sent = posts();
    await resumeTasks(database.sql, { ids: [id] });
    await start('b');
    await ended();
    expect(await showTask(database.sql, id)).toMatchObject({ state: 'done', stopReason: null, exitCode: 1 });
    expect(await artifact(id, 'errors.csv')).toContain('not-there');
    expect(posts()).toBe(sent);
  });

  test('are missed by a task whose process was killed in between', async () => {
    const id = await taskInDoubt();
    let atUpload: object | undefined;
    const storage = await fleet.storage();
    const options: ExecutorOptions = {
      ...(await executorOptions('c')),
      storage: {
        ...storage,
        async put(...args) {
          atUpload ??= await showTask(database.sql, id);
          return storage.put(...args);
        },
      },
    };
    await resolveTask(options, id, notThere);
    expect(atUpload).toMatchObject({ state: 'stopped', stopReason: 'output-failed', exitCode: 3 });
    expect(await showTask(database.sql, id)).toMatchObject({ state: 'done', exitCode: 1 });
  });

  test('are not looked for if nothing was settled', async () => {
    const id = await taskInDoubt();
    await expect(resolveTask(await withoutFiles('c'), id, rowIsNotThere(1))).rejects.toThrow('No record');
    expect(await showTask(database.sql, id)).toMatchObject({ state: 'done', exitCode: 1 });
  });

  test('stay as they were, with a warning, if the process does not know where they are', async () => {
    const id = await taskInDoubt();
    const { warnings } = await resolveTask(
      { ...(await executorOptions('c')), storage: undefined },
      id,
      notThere,
    );
    expect(warnings).toEqual([expect.stringContaining(`storeport fleet resume ${id}`)]);
    expect(await showTask(database.sql, id)).toMatchObject({ state: 'stopped', stopReason: 'output-failed' });
  });
});

async function rowsInDoubt(id: string): Promise<(string | undefined)[]> {
  const [header = '', ...rows] = (await artifact(id, 'in-doubt.csv')).trim().split(/\r?\n/);
  const at = header.split(',').indexOf('storeport_row');
  return rows.map((row) => row.split(',')[at]);
}

test('the reports of both tasks are published if one re-imported the rows of the other', async () => {
  const file = products(6);
  fleet.sandbox.misbehave({ redirect: '#3-4@create' });
  const first = await addImport([file]);
  const worker = await start('a');
  await ended();
  const errors = join(fleet.folder, 'errors.csv');
  writeFileSync(errors, await artifact(first, 'errors.csv'));
  fleet.sandbox.misbehave({ reset: '#1-2@create' });
  const second = await addImport([errors]);
  await database.wakeUps.wake([1]);
  await ended(2);
  worker.drain();
  await worker.end;
  expect((await showTask(database.sql, second)).outcomes).toMatchObject({ 'in-doubt': 2 });
  await resolveTask(await executorOptions('c'), first, notThere);
  for (const id of [first, second]) {
    expect(await showTask(database.sql, id)).toMatchObject({ state: 'done', outcomes: { failed: 2 } });
    expect(JSON.parse(await artifact(id, 'summary.json'))).toMatchObject({ outcomes: { failed: 2 } });
  }
});

test('a later task whose records waited for the doubts is named, and a retry of it sends its own values', async () => {
  const file = products(6);
  const first = await taskInDoubt([file]);
  const raised = join(fleet.folder, 'raised.csv');
  writeFileSync(raised, readFileSync(file, 'utf8').replaceAll('.5', '.9'));
  const later = await addImport([raised]);
  const worker = await start('b');
  await ended(2);
  expect((await showTask(database.sql, later)).outcomes).toEqual({ updated: 4, 'in-doubt': 2 });
  worker.drain();
  await worker.end;
  const { released } = await resolveTask(await executorOptions('c'), first, notThere);
  expect(released).toEqual([{ run: later, records: 2 }]);
  expect(await showTask(database.sql, later)).toMatchObject({ outcomes: { updated: 4, unsent: 2 } });
  expect(await artifact(later, 'errors.csv')).toContain('doubt-over');
  await retryTasks(database.sql, { ids: [later] });
  await start('d');
  await ended(2);
  expect((await showTask(database.sql, later)).outcomes).toEqual({ updated: 4, created: 2 });
  const prices = fleet.sandbox.records('products').map((product) => JSON.stringify(product));
  expect(prices.filter((text) => text.includes('.9'))).toHaveLength(6);
});

test('a task that is continued after a newer one sends no older value, unless that is wanted', async () => {
  const file = products(4);
  fleet.sandbox.misbehave({ 'error-500': '#2-9@update', redirect: '#2-4@create' });
  const older = await addImport([file]);
  const first = await start('a');
  await ended();
  first.drain();
  await first.end;
  expect((await showTask(database.sql, older)).outcomes).toEqual({ created: 1, rejected: 3 });
  fleet.sandbox.misbehave({});
  const raised = join(fleet.folder, 'raised.csv');
  writeFileSync(raised, readFileSync(file, 'utf8').replaceAll('.5', '.9'));
  await addImport([raised]);
  const worker = await start('b');
  await ended(2);
  const sent = posts();
  const again = async (options: object) => {
    await retryTasks(database.sql, { ids: [older] }, { rejected: true, ...options });
    await database.wakeUps.wake([1]);
    await ended(2);
    return (await showTask(database.sql, older)).outcomes;
  };
  expect(await again({})).toEqual({ created: 1, unsent: 3 });
  expect(posts()).toBe(sent);
  expect(await artifact(older, 'errors.csv')).toContain('imported-since');
  expect(await again({ overwriteNewer: true })).toEqual({ created: 1, updated: 3 });
  worker.drain();
  await worker.end;
});

test('a warning about an identifier names what the user of a fleet can do', async () => {
  const id = await taskInDoubt();
  const answer: AnswerDoubts = async ({ doubtful: [first] }) =>
    new Map(first ? [[first, { id: 'odd' }]] : []);
  const { warnings } = await resolveTask(await executorOptions('c'), id, answer);
  expect(warnings).toEqual([
    expect.stringContaining(
      'was recorded as odd. If that is wrong, record the right one. How: storeport fleet adopt --help',
    ),
  ]);
});

test('a task that has not begun has nothing to resolve', async () => {
  const id = await addImport([products(1)]);
  await expect(resolveTask(await executorOptions('c'), id, notThere)).rejects.toThrow('has not begun');
});

describe('the lease of a resolve', () => {
  /** Connections on which statements fail that begin like this. */
  function failing(sql: Sql, ...beginnings: string[]): Sql {
    return {
      ...sql,
      query: async (text: string, values?: readonly unknown[]) => {
        if (beginnings.some((beginning) => text.trim().startsWith(beginning)))
          throw new RunStopped('ledger-failed', 'The database is away.');
        return sql.query(text, values);
      },
    } as Sql;
  }

  test('is given back if the process cannot sign on', async () => {
    const id = await taskInDoubt();
    const options = await executorOptions('c');
    const sql = failing(options.sql, 'insert into worker');
    await expect(resolveTask({ ...options, sql }, id, notThere)).rejects.toThrow('The database is away.');
    expect(await leaseOf(database.sql)).toEqual([{ holder: null }]);
    expect((await takeLease(database.sql, { store: 1, holder: 'next' }))?.abandon()).toBeUndefined();
  });

  test('is left to expire if it cannot be given back either', async () => {
    const id = await taskInDoubt();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const options = await executorOptions('c');
    const sql = failing(options.sql, 'insert into worker', 'with held as', 'delete from worker');
    await expect(resolveTask({ ...options, sql }, id, notThere)).rejects.toThrow('The database is away.');
    // Nothing renews it any more.
    expect(vi.getTimerCount()).toBe(0);
    expect(lines.join('\n')).toContain('the lease is left to expire');
  });

  test('is given back if the process cannot sign off, and the findings count', async () => {
    const id = await taskInDoubt();
    const options = await executorOptions('c');
    const sql = failing(options.sql, 'delete from worker');
    expect((await resolveTask({ ...options, sql }, id, askStoreList)).found.size).toBeGreaterThan(0);
    expect(await leaseOf(database.sql)).toEqual([{ holder: null }]);
    expect(lines.join('\n')).toContain('could not sign off');
  });
});
