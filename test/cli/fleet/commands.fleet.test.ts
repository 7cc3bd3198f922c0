import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FleetCli, fleetCli } from '../../support/fleet-cli.ts';

let fleet: FleetCli;
beforeEach(async () => {
  fleet = await fleetCli();
});
afterEach(() => fleet.close());

const ADD = ['--base-url', 'https://paris.example.com', '--client-id', 'c', '--secret', 'env:PARIS_SECRET'];

describe('the schema', () => {
  test('is missing: every command but init says what to do', async () => {
    for (const args of [['list'], ['worker'], ['store', 'list'], ['serve']]) {
      const { code, stderr } = await fleet.run(...args);
      expect(code, args.join(' ')).toBe(2);
      expect(stderr).toContain('storeport fleet init');
    }
  });

  test('is made by init, also by several at the same time and again', async () => {
    const ended = await Promise.all([fleet.run('init'), fleet.run('init'), fleet.run('init')]);
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
      [0, ''],
    ]);
    expect((await fleet.run('init')).stdout).toContain('ready');
    expect((await fleet.run('list')).code).toBe(0);
  });

  test('the schema has no tables of this version yet: the message names init', async () => {
    await fleet.run('init');
    await fleet.sql.query('delete from migration where version = (select max(version) from migration)');
    const { code, stderr } = await fleet.run('list');
    expect(code).toBe(2);
    expect(stderr).toContain('Create them with storeport fleet init');
  });

  test('is newer than this version: the message says to install the other one', async () => {
    await fleet.run('init');
    await fleet.sql.query('insert into migration (version, min_version) values (99, 99)');
    for (const command of ['list', 'init', 'worker']) {
      const { code, stderr } = await fleet.run(command);
      expect(code, command).toBe(2);
      expect(stderr).toContain('Install the version of storeport that the other workers have');
    }
  });
});

describe('stores', () => {
  beforeEach(async () => {
    await fleet.run('init');
  });

  test('are added, listed and removed; their secret is a reference only', async () => {
    const added = await fleet.run(
      'store',
      'add',
      'paris',
      ...ADD,
      '--tag',
      'batch7',
      '--rate-key',
      'h',
      '--shared-rate',
      '9',
    );
    expect(added.code).toBe(0);
    const [paris] = await fleet.json('store', 'list', '--stores', 'tag:batch7');
    expect(paris).toMatchObject({
      ...{
        name: 'paris',
        base_url: 'https://paris.example.com',
        tags: ['batch7'],
        rate_key: 'h',
        shared_rate: 9,
      },
      settings: { clientId: 'c', secret: 'env:PARIS_SECRET' },
    });
    expect((await fleet.run('store', 'list')).stdout).toMatch(/^store +address/);
    expect((await fleet.run('store', 'remove', 'paris')).code).toBe(0);
    expect(await fleet.json('store', 'list')).toEqual([]);
  });

  test('take address and differences of the API from a profile', async () => {
    writeFileSync(
      join(fleet.cwd, 'storeport.config.yaml'),
      'profiles:\n  a:\n    base-url: https://a.example.com\n    client-id: id-of-a\n    api: { reviews: { list: { pageSize: 20 } } }\n',
    );
    await fleet.run('store', 'add', 'a', '--profile', 'a', '--secret', 'file:/run/secrets/a');
    const [store] = await fleet.json('store', 'list');
    expect(store).toMatchObject({
      base_url: 'https://a.example.com',
      settings: { clientId: 'id-of-a', api: { reviews: { list: { pageSize: 20 } } } },
    });
  });

  test.each([
    [['run', 'export', 'reviews', '--stores', 'pari'], 'Did you mean "paris"?'],
    [['stop', '--stores', 'tag:batch'], 'Did you mean "batch7"?'],
    [['store', 'remove', 'lyon'], 'There is no store "lyon"'],
    [['store', 'add', 'paris', ...ADD], 'There is a store "paris" already'],
    [['show', 'nothing'], 'There is no task "nothing"'],
    [['list', '--schedule', 'nightly'], 'There is no schedule "nightly"'],
    [['run', 'import', 'prodcts', 'a.csv', '--stores', 'all'], 'Did you mean "products"?'],
  ])('and tasks that do not exist are named: fleet %j', async (words, message) => {
    await fleet.run('store', 'add', 'paris', ...ADD, '--tag', 'batch7');
    const { code, stderr } = await fleet.run(...words);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});

describe('tasks', () => {
  beforeEach(async () => {
    for (const name of ['shop.csv', 'a.csv']) writeFileSync(join(fleet.cwd, name), 'name\n');
    await fleet.run('init');
    await fleet.run('store', 'add', 'paris', ...ADD, '--tag', 'big');
    await fleet.run('store', 'add', 'lyon', '--base-url', 'https://lyon.example.com', ...ADD.slice(2));
  });

  test('are added for the selected stores, listed by state and store, stopped and continued', async () => {
    const added = await fleet.json(
      'run',
      'import',
      'products',
      'shop.csv',
      '--stores',
      'all',
      '--limit',
      '5',
    );
    expect(added).toHaveLength(2);
    expect(await fleet.json('list', '--stores', 'tag:big')).toHaveLength(1);
    const [first] = await fleet.json('list', '--state', 'queued');
    const shown = await fleet.json('show', first.task);
    expect(shown.options).toEqual({ limit: 5, files: [join(fleet.cwd, 'shop.csv')] });
    expect((await fleet.run('show', first.task)).stdout).toContain(`storeport fleet stop ${first.task}`);

    expect((await fleet.run('stop', '--stores', 'paris')).stdout).toContain('1 of 1 task is stopped');
    const [stopped] = await fleet.json('list', '--state', 'stopped');
    expect(stopped).toMatchObject({
      store: 'paris',
      stop_reason: 'interrupted',
      to_do: [`storeport fleet resume ${stopped.task}`],
    });
    const again = await fleet.run('stop', stopped.task);
    expect([again.code, again.stdout]).toEqual([1, expect.stringContaining('stays stopped')]);
    expect((await fleet.run('resume', stopped.task)).code).toBe(0);
    expect(await fleet.json('list', '--state', 'queued')).toHaveLength(2);
    expect((await fleet.run('list')).stdout).toContain('2 tasks: 2 queued.');

    await fleet.sql.query("update task set state = 'running' where id = $1", [stopped.task]);
    const stopping = await fleet.run('stop', stopped.task);
    expect([stopping.code, stopping.stdout]).toEqual([0, expect.stringContaining('running, and stops soon')]);
    expect(stopping.stdout).toContain('1 of 1 task stops as soon as requests in flight are answered.');
    expect(stopping.stdout).not.toContain('is stopped');
  });

  test('take the text of a mapping file along, and refuse a file that is not there', async () => {
    writeFileSync(join(fleet.cwd, 'map.yaml'), 'resource: products\nfields: { name: Title }\n');
    const [task] = await fleet.json(
      'run',
      'import',
      'products',
      'a.csv',
      '--mapping',
      './map.yaml',
      '--stores',
      'paris',
    );
    const [line] = await fleet.sql.query<{ text: string }>(
      `select options->>'mappingText' as text from task where id = $1`,
      [task.task],
    );
    expect(line?.text).toContain('name: Title');
    const { code, stderr } = await fleet.run(
      'run',
      'import',
      'products',
      'a.csv',
      '--mapping',
      './mp.yaml',
      '--stores',
      'paris',
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining('"./map.yaml"')]);
  });

  test('of schedules: added, listed, paused, removed', async () => {
    const words = ['--export', 'reviews', '--stores', 'all', '--cron', '0 2 * * *', '--spread', '2h'];
    const schedule = await fleet.json('schedule', 'add', 'nightly', ...words);
    expect(schedule).toMatchObject({ name: 'nightly', spread_s: 7200, paused: false, zone: 'UTC' });
    expect(await fleet.json('schedule', 'pause', 'nightly')).toMatchObject({ paused: true, next_slot: null });
    expect(await fleet.json('schedule', 'pause', 'nightly', '--off')).toMatchObject({ paused: false });
    expect((await fleet.run('schedule', 'list')).stdout).toContain('0 2 * * * UTC');
    const wrong = await fleet.run('schedule', 'add', 'other', ...words.slice(0, -4), '--cron', '0 25 * * *');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('0 25 * * *')]);
    await fleet.run('schedule', 'remove', 'nightly');
    expect(await fleet.json('schedule', 'list')).toEqual([]);
  });
});
