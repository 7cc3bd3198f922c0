import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { type FleetCli, fleetCli, type ListedTask } from '../../support/fleet-cli.ts';
import { filesBelow, readTable, sample } from '../../support/run.ts';

let fleet: FleetCli;
const sandboxes: Sandbox[] = [];

beforeEach(async () => {
  fleet = await fleetCli();
  await fleet.run('init');
});
afterEach(async () => {
  await fleet.close();
  for (const sandbox of sandboxes.splice(0)) await sandbox.close();
});

async function addSandbox(name: string, options: Parameters<typeof startSandbox>[0] = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  sandboxes.push(sandbox);
  await fleet.addStore(name, sandbox);
  return sandbox;
}

/** As the log writes the level. */
const INFO = 30;
const WORKER = ['worker', '--slots', '2', '--log-level', 'info'];
const ended = (tasks: readonly ListedTask[]) =>
  tasks.length > 0 && tasks.every(({ state }) => state === 'done' || state === 'stopped');
const createdIn = (sandbox: Sandbox) =>
  sandbox.records('products').map((record) => (record as { reference?: string }).reference);

describe('two workers', () => {
  test('import a sample into two stores, list outcomes, keep reports, and drain at SIGTERM', async () => {
    const stores = [await addSandbox('red'), await addSandbox('blue')];
    const workers = ['one.prom', 'two.prom'].map((file) => fleet.start(...WORKER, '--metrics', file));
    const file = sample('shopify-products.csv');
    await fleet.run('run', 'import', 'products', file, '--stores', 'all');

    const tasks = await fleet.untilTasks(ended);
    expect(tasks.map(({ store, state, outcomes }) => [store, state, outcomes])).toEqual(
      ['blue', 'red']
        .map((store) => [store, 'done', { created: 20, invalid: 5 }])
        .sort()
        .reverse(),
    );
    for (const sandbox of stores) expect(new Set(createdIn(sandbox)).size).toBe(20);

    const [task] = tasks;
    const shown = await fleet.json('show', task?.task ?? '');
    expect(shown.summary).toMatchObject({
      run: task?.task,
      records: 25,
      outcomes: { created: 20, invalid: 5 },
    });
    expect(shown.artifacts.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['errors.csv', 'in-doubt.csv', 'report.html', 'results.csv', 'summary.json']),
    );
    const { location } = shown.artifacts.find(({ name }: { name: string }) => name === 'results.csv');
    expect(readTable(join(fleet.cwd, '.storeport/artifacts', location))).toHaveLength(25);
    const { stdout: text } = await fleet.run('show', task?.task ?? '');
    expect(text).toMatch(/^records +20 created, 5 invalid$/m);
    expect(text).toMatch(/^What was wrong:\n +\d+ × \S+/m);
    const next = `storeport fleet run import products storeport-runs/${task?.task}/errors.csv --stores ${task?.store}`;
    expect(text).toContain(`  ${next}`);
    expect(shown).toMatchObject({
      to_do: [`storeport fleet get ${task?.task}`, next],
      problems: shown.summary.problems,
    });
    const retried = await fleet.run('retry', task?.task ?? '');
    expect([retried.code, retried.stdout]).toEqual([
      1,
      expect.stringContaining('none of its records can be sent again'),
    ]);
    expect((await fleet.run('retry', '--stores', 'all')).stdout).toContain('There is nothing to retry');

    const seen = await fleet.json('list', '--workers');
    expect(seen.map(({ alive, slots }: { alive: boolean; slots: number }) => [alive, slots])).toEqual([
      [true, 2],
      [true, 2],
    ]);
    for (const { process } of workers) process.kill('SIGTERM');
    const ends = await Promise.all(workers.map(({ ended }) => ended));
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    expect(await fleet.json('list', '--workers')).toEqual([]);

    const lines = ends.flatMap(({ stderr }) => stderr.split('\n').filter((line) => line.startsWith('{')));
    const began = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'task began');
    expect(began.map(({ store }) => store).sort()).toEqual(['blue', 'red']);
    for (const line of began)
      expect(line).toMatchObject({ task: expect.any(String), worker: expect.any(String) });

    const logged = lines.map((line) => JSON.parse(line));
    expect(logged.filter(({ msg }) => msg === 'task ended')).toMatchObject(
      tasks.map(() => ({ level: INFO, exitCode: 1, outcomes: { created: 20, invalid: 5 } })),
    );
    const invalid = logged.filter(({ msg }) => msg === 'record invalid');
    expect(invalid).toHaveLength(10);
    expect(invalid.filter(({ run }) => run === task?.task)).toHaveLength(5);
    for (const line of invalid)
      expect(line).toMatchObject({
        ...{ worker: expect.any(String), store: expect.any(String), task: line.run },
        ...{ row: expect.any(Number), key: expect.any(String), code: expect.any(String) },
      });

    const metrics = readFileSync(join(fleet.cwd, 'one.prom'), 'utf8');
    expect(metrics).toMatch(/^storeport_fleet_queue_age_seconds\{worker="[^"]+"\} 0$/m);
    expect(metrics).toMatch(/^storeport_fleet_lost_leases\{worker="[^"]+"\} 0$/m);
    expect(metrics).toMatch(/^storeport_last_exit_code\{.*command="fleet worker".*\} 0$/m);
    // Which of the two did the work is open.
    const both = metrics + readFileSync(join(fleet.cwd, 'two.prom'), 'utf8');
    const sumOf = (sample: RegExp) =>
      [...both.matchAll(sample)].reduce((sum, [, value]) => sum + Number(value), 0);
    expect(sumOf(/^storeport_fleet_records\{.*outcome="created"\} (\d+)$/gm)).toBe(40);
    expect(sumOf(/^storeport_fleet_commit_seconds_bucket\{.*le="\+Inf"\} (\d+)$/gm)).toBeGreaterThan(1);
    const texts = [...ends.flatMap(({ stdout, stderr }) => [stdout, stderr]), metrics, JSON.stringify(shown)];
    for (const sandbox of stores) for (const text of texts) expect(text).not.toContain(sandbox.clientSecret);
    for (const path of filesBelow(fleet.cwd))
      expect(readFileSync(path, 'utf8')).not.toContain(stores[0]?.clientSecret);
    // Files of tasks in progress are gone.
    const left = join(fleet.cwd, '.storeport/worker');
    expect(
      existsSync(left)
        ? readdirSync(left, { recursive: true }).filter((name) => String(name).includes('results'))
        : [],
    ).toEqual([]);
  });

  test('stop and continue a task: nothing is sent twice', async () => {
    // One create a second: the import is stopped long before it ends.
    const sandbox = await addSandbox('slow', { faults: { rate: '1', burst: '1' } });
    fleet.start(...WORKER);
    fleet.start(...WORKER);
    await fleet.run('run', 'import', 'products', sample('shopify-products.csv'), '--stores', 'slow');
    while (createdIn(sandbox).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await fleet.run('stop', '--stores', 'slow');
    const [stopped] = await fleet.untilTasks(ended);
    expect(stopped).toMatchObject({ state: 'stopped', stop_reason: 'interrupted' });
    expect(createdIn(sandbox).length).toBeLessThan(20);
    sandbox.misbehave({});
    expect((await fleet.run('resume', stopped?.task ?? '')).code).toBe(0);
    const [done] = await fleet.untilTasks(ended);
    expect(done).toMatchObject({ state: 'done', outcomes: { created: 20, invalid: 5 } });
    expect(createdIn(sandbox)).toHaveLength(20);
    expect(new Set(createdIn(sandbox)).size).toBe(20);
  });

  test('export all stores on a schedule, once for a moment', async () => {
    await addSandbox('red', { seed: 7 });
    await addSandbox('blue', { seed: 7 });
    await fleet.run(
      'schedule',
      'add',
      'nightly',
      '--export',
      'reviews',
      '--stores',
      'all',
      '--cron',
      '0 0 1 1 *',
    );
    // The moment has passed while no worker ran, and is made up for.
    await fleet.sql.query(`update schedule set since = clock_timestamp() - interval '2 years'`);
    fleet.start(...WORKER);
    fleet.start(...WORKER);
    const tasks = await fleet.untilTasks(
      (found) => found.length === 2 && ended(found),
      '--schedule',
      'nightly',
    );
    expect(tasks.map(({ state, outcomes }) => [state, outcomes])).toEqual([
      ['done', { exported: 7 }],
      ['done', { exported: 7 }],
    ]);
    const { artifacts } = await fleet.json('show', tasks[0]?.task ?? '');
    const csv = artifacts.find(({ name }: { name: string }) => name === 'reviews.csv');
    expect(readTable(join(fleet.cwd, '.storeport/artifacts', csv.location))).toHaveLength(7);
  });
});

test('a worker without the secret of a store stops its task, and says which variable it needs', async () => {
  const sandbox = await startSandbox();
  sandboxes.push(sandbox);
  const words = ['--base-url', sandbox.url, '--client-id', sandbox.clientId, '--secret', 'env:NOT_THERE'];
  await fleet.run('store', 'add', 'red', ...words);
  fleet.start(...WORKER);
  await fleet.run('run', 'export', 'reviews', '--stores', 'red');
  const [task] = await fleet.untilTasks(ended);
  expect(task?.state).toBe('stopped');
  expect((await fleet.run('show', task?.task ?? '')).stdout).toContain('NOT_THERE');
});

test('a worker with --sources reads neither files nor lookups elsewhere', async () => {
  await addSandbox('red');
  mkdirSync(join(fleet.cwd, 'feeds'));
  for (const folder of ['feeds', '.'])
    writeFileSync(join(fleet.cwd, folder, 'a.csv'), 'name,reference\nBean,1\n');
  writeFileSync(join(fleet.cwd, 'secret.csv'), 'from,to\nBean,hush\n');
  writeFileSync(
    join(fleet.cwd, 'map.yaml'),
    'resource: products\nfields:\n  reference: reference\n  name: { from: name, lookup: { file: secret.csv, key: from, value: to } }\n',
  );
  fleet.start(...WORKER, '--sources', 'feeds', '--max-source-size', '1KB');
  const add = (file: string, ...rest: string[]) =>
    fleet.run('run', 'import', 'products', file, '--stores', 'red', ...rest);
  await add('a.csv');
  await add('feeds/a.csv', '--mapping', './map.yaml');
  await add('feeds/a.csv', '--allow-lookup', '.');
  await add('feeds/a.csv');
  const tasks = await fleet.untilTasks((found) => found.length === 4 && ended(found));
  expect(tasks.map(({ state, stop_reason }) => stop_reason ?? state).sort()).toEqual([
    ...['done', 'refused', 'refused', 'refused'],
  ]);
  expect(sandboxes[0]?.records('products')).toMatchObject([{ name: 'Bean' }]);
});

describe('records in doubt', () => {
  test('are listed and settled with fleet resolve, and sent by fleet retry if they are not there', async () => {
    const sandbox = await addSandbox('red', { faults: { 'late-reset': '#2,#5@create' } });
    fleet.start(...WORKER);
    await fleet.run(
      'run',
      'import',
      'products',
      sample('native-products.csv'),
      '--stores',
      'red',
      '--limit',
      '6',
    );
    const [task] = await fleet.untilTasks(ended);
    const id = task?.task ?? '';
    expect(task?.outcomes?.['in-doubt']).toBe(2);
    expect(task?.to_do).toContain(`storeport fleet resolve ${id}`);
    expect(await fleet.json('list', '--doubts')).toHaveLength(1);

    const listed = await fleet.run('resolve', id, '--json');
    expect(listed.code).toBe(1);
    const { in_doubt } = JSON.parse(listed.stdout);
    expect(in_doubt).toHaveLength(2);
    const found = sandbox
      .records('products')
      .find((record) => (record as { reference?: string }).reference === in_doubt[0].key) as
      | { _id: string }
      | undefined;
    const there = await fleet.run(
      'resolve',
      id,
      '--row',
      String(in_doubt[0].row),
      '--there',
      found?._id ?? 'none',
    );
    expect(there.stdout).toContain('1 record is no longer in doubt.');
    await fleet.run('resolve', id, '--row', String(in_doubt[1].row), '--not-there');
    expect(await fleet.json('list', '--doubts')).toEqual([]);
    await fleet.run('retry', id);
    const [again] = await fleet.untilTasks(ended);
    expect(again?.outcomes).toEqual({ created: 6 });
  });
});
