import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ArtifactStorage } from '../../src/fleet/artifacts/index.ts';
import { addTasks, resumeTasks, showTask } from '../../src/fleet/index.ts';
import { ConfigError } from '../../src/model/index.ts';
import type { Sql } from '../../src/postgres/index.ts';
import { fleetOfFile } from './fleet-with-workers.ts';

const fleet = fleetOfFile();
const { database, executorOptions, start, products, addImport, ended, artifact } = fleet;

const posts = () => fleet.sandbox.journal.filter(({ method }) => method === 'POST').length;

async function fullStorage(): Promise<ArtifactStorage> {
  const storage = await fleet.storage();
  const put: ArtifactStorage['put'] = async (key, ...rest) => {
    // The disk is full once the import has begun.
    if (/^(noted|keys)\//.test(key)) return storage.put(key, ...rest);
    throw new ConfigError('The disk of the artifacts is full.');
  };
  return { ...storage, put };
}

/** Starts a worker, and ends it once a task has ended. */
async function runOnce(name: string, parts: NonNullable<Parameters<typeof start>[1]>['parts'] = {}) {
  const worker = await start(name, { parts });
  await ended();
  worker.drain();
  await worker.end;
}

/** An address that gives the file once, as one that was signed for minutes. */
async function shortLivedAddress(file: string) {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.writeHead(requests === 1 ? 200 : 403).end(requests === 1 ? readFileSync(file) : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/products.csv`, requests: () => requests };
}

describe('an import whose reports cannot be uploaded', () => {
  test('stops with its outcomes, and a resume publishes them without reading the file or sending', async () => {
    const { address, requests } = await shortLivedAddress(products(5));
    const id = await addImport([address]);
    await runOnce('a', { storage: await fullStorage() });
    const task = await showTask(database.sql, id);
    expect(task).toMatchObject({
      ...{ state: 'stopped', stopReason: 'output-failed', exitCode: 3, outcomes: { created: 5 } },
      stopMessage: expect.stringContaining(`publish the reports with \`storeport fleet resume ${id}\``),
    });
    await resumeTasks(database.sql, { ids: [id] });
    await runOnce('b');
    expect(await showTask(database.sql, id)).toMatchObject({ state: 'done', exitCode: 0, stopReason: null });
    expect(JSON.parse(await artifact(id, 'summary.json'))).toMatchObject({ outcomes: { created: 5 } });
    expect([posts(), requests()]).toEqual([5, 1]);
  });

  test('keeps the reason for which its run stopped', async () => {
    fleet.sandbox.misbehave({ redirect: '#1-9@create' });
    const id = await addImport([products(9)], { maxErrors: '1' });
    await runOnce('a', { storage: await fullStorage() });
    expect(await showTask(database.sql, id)).toMatchObject({
      ...{ state: 'stopped', stopReason: 'too-many-errors' },
      stopMessage: expect.stringMatching(
        /\. \S+ could not be published: The disk of the artifacts is full\.$/,
      ),
    });
  });
});

test('an import sends nothing while the place of its reports cannot be used', async () => {
  const id = await addImport([products(5)]);
  const put = async () => {
    throw new ConfigError('The disk of the artifacts is full.');
  };
  await runOnce('a', { storage: { ...(await fleet.storage()), put } });
  expect(await showTask(database.sql, id)).toMatchObject({
    ...{ state: 'stopped', stopReason: 'output-failed' },
    stopMessage: expect.stringContaining('Nothing was sent'),
  });
  expect(posts()).toBe(0);
  await resumeTasks(database.sql, { ids: [id] });
  await runOnce('b');
  expect(await showTask(database.sql, id)).toMatchObject({ state: 'done', outcomes: { created: 5 } });
});

test('an import whose reports cannot be written stops, and a resume writes them', async () => {
  const { sql } = await executorOptions('a');
  const id = await addImport([products(5)]);
  /** Takes the place of the page before the first record is sent. */
  const blocking: Sql = {
    ...sql,
    transaction: (work) =>
      sql.transaction((inside) =>
        work({
          ...inside,
          query: (async (text: string, values?: readonly unknown[]) => {
            if (/insert into run\b/.test(text))
              mkdirSync(join(fleet.folder, 'a', `${id}-1`, 'out', 'report.html'), { recursive: true });
            return inside.query(text, values);
          }) as Sql['query'],
        }),
      ),
  };
  await runOnce('a', { sql: blocking });
  expect(await showTask(database.sql, id)).toMatchObject({
    ...{ state: 'stopped', stopReason: 'output-failed', exitCode: 3, outcomes: { created: 5 } },
    stopMessage: expect.stringContaining(`To write the reports: storeport fleet resume ${id}`),
  });
  await resumeTasks(database.sql, { ids: [id] });
  await runOnce('b');
  expect(await showTask(database.sql, id)).toMatchObject({ state: 'done', exitCode: 0 });
  expect(await artifact(id, 'report.html')).toContain('5');
  expect(posts()).toBe(5);
});

test('a done import without reports gets them by a resume, from a worker that knows where to put them', async () => {
  const id = await addImport([products(5)]);
  await runOnce('a', { storage: undefined });
  expect(await showTask(database.sql, id)).toMatchObject({ state: 'done', artifacts: [] });
  expect(await resumeTasks(database.sql, { ids: [id] })).toMatchObject([{ changed: true }]);
  await runOnce('b');
  expect(JSON.parse(await artifact(id, 'summary.json'))).toMatchObject({ outcomes: { created: 5 } });
  expect(posts()).toBe(5);
});

test('an export whose file cannot be uploaded is exported again by a resume', async () => {
  const [task] = await addTasks(database.sql, {
    ...{ command: 'export', resource: 'reviews', stores: 'red', options: { format: 'ndjson' } },
  });
  const id = task?.id ?? '';
  await runOnce('a', { storage: await fullStorage() });
  expect(await showTask(database.sql, id)).toMatchObject({
    ...{ state: 'stopped', stopReason: 'output-failed', outcomes: { exported: 30 } },
    stopMessage: expect.stringContaining(`Export it again with \`storeport fleet resume ${id}\`.`),
  });
  await resumeTasks(database.sql, { ids: [id] });
  await runOnce('b');
  expect((await artifact(id, 'reviews.ndjson')).trim().split('\n')).toHaveLength(30);
});

test('messages about records in doubt name the commands of the fleet', async () => {
  fleet.sandbox.misbehave({ reset: '#1-2@create' });
  const file = products(5);
  const first = await addImport([file]);
  await runOnce('a');
  const second = await addImport([file]);
  const worker = await start('b');
  await ended(2);
  worker.drain();
  await worker.end;
  const kept = await database.sql.query<{ message: string }>(
    "select message from record where outcome = 'in-doubt' and run = (select number from run where id = $1)",
    [second],
  );
  const then = `Look in the store; then record what you found: storeport fleet resolve ${first}`;
  expect(kept).toEqual(Array(2).fill({ message: expect.stringContaining(then) }));
  for (const id of [first, second])
    for (const { name } of (await showTask(database.sql, id)).artifacts)
      expect(await artifact(id, name), name).not.toMatch(/storeport (run|import) /);
});
