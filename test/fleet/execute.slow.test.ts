import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { removeLeftFolders } from '../../src/fleet/execute/folders.ts';
import { addStore, addTasks, countTasks, resolveTask, retryTasks, showTask } from '../../src/fleet/index.ts';
import { takeLease } from '../../src/postgres/index.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { dieInTask } from './fleet-parts.ts';
import { fleetOfFile, WAIT } from './fleet-with-workers.ts';

const fleet = fleetOfFile();
const { database, lines, executorOptions, start, products, ended, artifact } = fleet;

test('an export is published with its manifest', async () => {
  const [task] = await addTasks(database.sql, {
    ...{ command: 'export', resource: 'reviews', stores: 'red', options: { out: 'reviews.ndjson' } },
  });
  await start('a');
  await ended();
  const shown = await showTask(database.sql, task?.id ?? '');
  expect(shown).toMatchObject({ state: 'done', exitCode: 0, summary: { items: 30, out: 'reviews.ndjson' } });
  expect(shown.artifacts.map(({ name }) => name)).toContain('reviews.ndjson');
  expect((await artifact(shown.id, 'reviews.ndjson')).trim().split('\n')).toHaveLength(30);
});

test('an import ends with its exit code, its summary and its reports', async () => {
  const [task] = await addTasks(database.sql, {
    ...{ command: 'import', resource: 'products', stores: 'red', options: { files: [products(25)] } },
  });
  await start('a');
  await ended();
  const shown = await showTask(database.sql, task?.id ?? '');
  expect(shown).toMatchObject({ state: 'done', exitCode: 0, stopReason: null });
  expect(shown.summary).toMatchObject({ run: shown.id, records: 25, outcomes: { created: 25 } });
  expect(shown.artifacts.map(({ name }) => name)).toContain('summary.json');
});

test('the report of an import names the commands of the fleet', async () => {
  const file = products(3);
  writeFileSync(file, readFileSync(file, 'utf8').replace('2.5', 'cheap'));
  const [task] = await addTasks(database.sql, {
    ...{ command: 'import', resource: 'products', stores: 'red', options: { files: [file] } },
  });
  await start('a');
  await ended();
  const page = await artifact(task?.id ?? '', 'report.html');
  expect(page).toContain('<code>storeport fleet run import products errors.csv --stores red</code>');
  expect(page).not.toContain('storeport import ');
});

test('folders of executions that were killed are removed, others are not', async () => {
  const [task] = await addTasks(database.sql, {
    ...{ command: 'export', resource: 'reviews', stores: 'red', options: {} },
  });
  const lease = await takeLease(database.sql, { store: task?.storeNumber ?? 0, holder: 'other' });
  for (const name of [`${task?.id}-0`, `${task?.id}-${lease?.epoch}`, 'gone-1', 'rates'])
    mkdirSync(join(fleet.folder, 'a', name), { recursive: true });
  await removeLeftFolders(database.sql, join(fleet.folder, 'a'));
  expect(readdirSync(join(fleet.folder, 'a')).sort()).toEqual([`${task?.id}-${lease?.epoch}`, 'rates']);
  await lease?.release();
  await start('a');
  await ended();
  expect(readdirSync(join(fleet.folder, 'a'))).toEqual(['rates']);
});

test('a secret that the worker does not have stops the task', async () => {
  await database.sql.query(`update store set settings = settings || '{"secret": "env:ELSEWHERE"}'`);
  const [task] = await addTasks(database.sql, {
    ...{ command: 'export', resource: 'reviews', stores: 'red', options: {} },
  });
  await start('a');
  await ended();
  expect(await showTask(database.sql, task?.id ?? '')).toMatchObject({
    ...{ state: 'stopped', stopReason: 'refused', exitCode: 2 },
    stopMessage: expect.stringContaining('the variable ELSEWHERE, which the worker a does not have. Give it'),
  });
});

test('a store is not imported to after a restore until somebody has looked at its doubts', async () => {
  await database.sql.query('update cluster set incarnation = incarnation + 1');
  const [task] = await addTasks(database.sql, {
    ...{ command: 'import', resource: 'products', stores: 'red', options: { files: [products(3)] } },
  });
  await start('a');
  await ended();
  expect(await showTask(database.sql, task?.id ?? '')).toMatchObject({ stopReason: 'restored' });
  expect(fleet.sandbox.journal.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('an import that a draining worker gave back continues at another one, with its file fetched again', async () => {
  const body = readFileSync(products(60));
  const server = createServer((_request, response) => response.end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/products.csv?signature=SEKRIT`;
  const rate = (settings: object) =>
    database.sql.query('update store set settings = settings || $1::jsonb', [JSON.stringify(settings)]);
  try {
    await rate({ rate: 5 });
    const [task] = await addTasks(database.sql, {
      ...{ command: 'import', resource: 'products', stores: 'red', options: { files: [address] } },
    });
    const first = await start('a');
    await vi.waitFor(() => expect(fleet.sandbox.journal.length).toBeGreaterThan(5), WAIT);
    first.drain();
    await first.end;
    expect(await showTask(database.sql, task?.id ?? '')).toMatchObject({ state: 'queued', next: 'resume' });
    await rate({ rate: 1000 });
    await start('b');
    await ended();
    const shown = await showTask(database.sql, task?.id ?? '');
    expect(shown).toMatchObject({ state: 'done', exitCode: 0, epoch: 2, lost: 0 });
    expect(shown.summary).toMatchObject({ records: 60, outcomes: { created: 60 } });
    expect(fleet.sandbox.journal.filter(({ method }) => method === 'POST')).toHaveLength(60);
    // The address is needed no more, and is forgotten: it is signed.
    server.close();
    await retryTasks(database.sql, { ids: [shown.id] });
    await ended();
    expect(await showTask(database.sql, shown.id)).toMatchObject({ state: 'done', next: 'resume' });
    expect(await artifact(shown.id, 'report.html')).toContain('products.csv');
    const tables = await database.sql.query(
      'select task::text as line from task union all select run::text from run',
    );
    const files = await Promise.all(shown.artifacts.map(({ name }) => artifact(shown.id, name)));
    expect(JSON.stringify([lines, tables, files, shown])).not.toContain('SEKRIT');
  } finally {
    server.close();
  }
});

test('files and images of tasks at private addresses are asked for only if the worker allows them', async () => {
  let requests = 0;
  const image = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const server = createServer((_request, response) => {
    requests++;
    response.writeHead(200, { 'content-type': 'image/png' }).end(image);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.png`;
  const file = join(fleet.folder, 'images.csv');
  writeFileSync(file, `name,reference,images.0.src\nBean,1,${address}\n`);
  try {
    const refused = await fleet.addImport([address]);
    const unasked = await fleet.addImport([file], { checkImages: true });
    const strict = await start('a', { parts: { allowsPrivateSources: false } });
    await ended(2);
    strict.drain();
    await strict.end;
    expect(await showTask(database.sql, refused)).toMatchObject({
      ...{ state: 'stopped', stopReason: 'refused' },
      stopMessage: expect.stringContaining('--allow-private-sources'),
    });
    expect((await showTask(database.sql, unasked)).summary).toMatchObject({
      images: { verdicts: { private: 1 } },
    });
    expect(requests).toBe(0);
    const asked = await fleet.addImport([file], { checkImages: true });
    await start('b', { parts: { allowsPrivateImages: true } });
    await ended(3);
    expect((await showTask(database.sql, asked)).summary).toMatchObject({ images: { verdicts: { ok: 1 } } });
  } finally {
    server.close();
  }
});

test('the secret of a store is in no line of the log and in no table', async () => {
  await addTasks(database.sql, {
    ...{ command: 'import', resource: 'products', stores: 'red', options: { files: [products(3)] } },
  });
  await start('a');
  await ended();
  const tables = await database.sql.query(
    'select task::text as line from task union all select store::text from store',
  );
  expect(JSON.stringify([lines, tables])).not.toContain(fleet.sandbox.clientSecret);
});

test('imports of several stores run on two workers at the same time', async () => {
  const others = await Promise.all([startSandbox({}), startSandbox({})]);
  const names = ['blue', 'green'];
  try {
    for (const [index, other] of others.entries())
      await addStore(database.sql, {
        ...{ name: names[index] ?? '', baseUrl: other.url },
        settings: { clientId: other.clientId, secret: `file:${join(fleet.folder, `secret-${index}`)}` },
      });
    for (const [index, other] of others.entries())
      writeFileSync(join(fleet.folder, `secret-${index}`), `${other.clientSecret}\n`, { mode: 0o600 });
    await addTasks(database.sql, {
      ...{ command: 'import', resource: 'products', stores: 'all', options: { files: [products(40)] } },
    });
    await Promise.all([start('a', { slots: 1 }), start('b', { slots: 1 })]);
    await ended(3);
    expect(await countTasks(database.sql)).toMatchObject({ done: 3 });
    for (const each of [fleet.sandbox, ...others])
      expect(each.journal.filter(({ method }) => method === 'POST')).toHaveLength(40);
  } finally {
    for (const other of others) await other.close();
  }
});

test('doubts of a task are settled under the lease, and its reports are published anew', async () => {
  fleet.sandbox.misbehave({ reset: '#3-5@create' });
  const [task] = await addTasks(database.sql, {
    ...{ command: 'import', resource: 'products', stores: 'red', options: { files: [products(12)] } },
  });
  const id = task?.id ?? '';
  const worker = await start('a');
  await ended();
  fleet.sandbox.misbehave({});
  const { outcomes } = (await showTask(database.sql, id)).summary as { outcomes: Record<string, number> };
  expect(outcomes['in-doubt']).toBeGreaterThan(0);
  expect((await showTask(database.sql, id)).artifacts.map(({ name }) => name)).toContain('in-doubt.csv');

  const options = await executorOptions('c');
  const busy = await takeLease(database.sql, { store: task?.storeNumber ?? 0, holder: 'busy' });
  await expect(resolveTask(options, id, async () => new Map())).rejects.toMatchObject({ reason: 'in-use' });
  await busy?.release();

  const resolved = await resolveTask(options, id, async (_doubts, ask) => (await ask()).found);
  expect(resolved.found.size).toBe(outcomes['in-doubt']);
  expect(await showTask(database.sql, id)).toMatchObject({ exitCode: resolved.summary.exit_code });
  expect(await artifact(id, 'summary.json')).toContain('"run"');
  expect(await database.sql.query('select id from worker where slots = 0')).toEqual([]);

  await retryTasks(database.sql, { ids: [id] });
  await database.wakeUps.wake([task?.storeNumber ?? 0]);
  await ended();
  const created = ((await showTask(database.sql, id)).summary as { outcomes: Record<string, number> })
    .outcomes.created;
  expect(created).toBe(12);
  worker.drain();
  await worker.end;
});

test('a retry whose worker is gone before it began is done by the next one', async () => {
  fleet.sandbox.misbehave({ reset: '#3-5@create' });
  const id = await fleet.addImport([products(12)]);
  const worker = await start('a');
  await ended();
  worker.drain();
  await worker.end;
  fleet.sandbox.misbehave({});
  await resolveTask(await executorOptions('c'), id, async (_doubts, ask) => (await ask()).found);
  const before = (await showTask(database.sql, id)).summary as { outcomes: Record<string, number> };
  expect(before.outcomes.failed).toBeGreaterThan(0);
  await retryTasks(database.sql, { ids: [id] });
  await dieInTask(database.sql, id);
  await start('b');
  await ended();
  expect((await showTask(database.sql, id)).summary).toMatchObject({ outcomes: { created: 12 } });
});
