import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { type Cluster, hasPostgresPrograms, startCluster } from '../../faults/fleet/machines/cluster.ts';
import { type FleetCli, fleetCli } from '../../support/fleet-cli.ts';

let cluster: Cluster;
let fleet: FleetCli;
let sandbox: Sandbox;

const SCHEMA = 'shops';
/** Some forty commands, one after another. */
const LONG_MS = 600_000;
const RECORDS = Array.from({ length: 15 }, (_, index) => `Bean ${index},BEAN-${index}\n`);

/** Imports three records from an offset by a worker, and returns its task. */
async function importThree(offset: number, ...home: string[]) {
  const words = ['--offset', `${offset}`, '--limit', '3', '--stores', 'red'];
  const [{ task }] = await fleet.json('run', 'import', 'products', 'beans.csv', ...words);
  return endedTask(task, ...home);
}

/** Starts a worker, waits until a task has ended, and drains the worker. */
async function endedTask(id: string, ...home: string[]) {
  const worker = fleet.start('worker', '--slots', '1', ...home);
  await fleet.untilTasks((tasks) =>
    tasks.some(({ task, state }) => task === id && (state === 'done' || state === 'stopped')),
  );
  worker.process.kill('SIGTERM');
  expect(await worker.ended).toMatchObject({ code: 0 });
  return fleet.json('show', id);
}

/** References of all creates that the store got, in order. */
const created = () =>
  sandbox.records('products').map((record) => (record as { reference?: string }).reference ?? '');

/** Of records that are in the store since the backup and new ones, a task creates only the new ones. */
async function expectNothingTwice(offset: number, ...home: string[]): Promise<void> {
  const before = created();
  expect(await importThree(0, ...home)).toMatchObject({ state: 'done' });
  expect(await importThree(offset - 3, ...home)).toMatchObject({ state: 'done' });
  expect(created()).toEqual(before);
  expect(await importThree(offset, ...home)).toMatchObject({ state: 'done' });
  expect(created()).toHaveLength(before.length + 3);
}

/** A task is refused as long as the store is not reviewed, and then done. Nothing is created twice. */
async function expectRefusalUntilReviewed(...home: string[]): Promise<void> {
  const before = created();
  const refused = await importThree(0, ...home);
  expect(refused).toMatchObject({ state: 'stopped', stop_reason: 'restored' });
  // Resuming alone does not help.
  await fleet.run('resume', refused.task);
  expect(await endedTask(refused.task, ...home)).toMatchObject({ stop_reason: 'restored' });
  expect((await fleet.run('resume', '--reviewed', 'red')).code).toBe(0);
  await fleet.run('resume', refused.task);
  expect(await endedTask(refused.task, ...home)).toMatchObject({ state: 'done' });
  expect(created()).toEqual(before);
}

/** No worker starts in the place of the files until a user has said that no other copy of the database uses it. */
async function expectRefusalUntilTaken(home: string): Promise<void> {
  const { code, stderr } = await fleet.run('worker', '--home', home);
  const place = join(fleet.cwd, '.storeport/artifacts');
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(`storeport fleet init --take-artifacts ${place}`),
  ]);
  expect((await fleet.run('init', '--take-artifacts', '.storeport/artifacts')).code).toBe(0);
}

async function onServer(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url().replace(/fleet$/, 'postgres') });
  await client.connect();
  await client.query(text);
  await client.end();
}

/** A server answers reads while it still recovers. */
async function untilRecovered(): Promise<void> {
  const recovers = 'select pg_is_in_recovery() as recovers';
  while ((await fleet.sql.query<{ recovers: boolean }>(recovers))[0]?.recovers)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

describe.runIf(hasPostgresPrograms)('a fleet whose database was restored', () => {
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.stop());
  beforeEach(async () => {
    await onServer('drop database if exists fleet with (force)');
    await onServer('create database fleet');
    fleet = await fleetCli({ url: cluster.url(), schema: SCHEMA, drop: async () => {} });
    writeFileSync(join(fleet.cwd, 'beans.csv'), `name,reference\n${RECORDS.join('')}`);
    sandbox = await startSandbox();
    await fleet.run('init');
    await fleet.addStore('red', sandbox);
  });
  afterEach(async () => {
    await fleet.close();
    await sandbox.close();
  });

  test('a fleet whose database was restored from a dump that no worker had used creates nothing before a review', async () => {
    const dump = execFileSync('pg_dump', ['--dbname', cluster.url(), '--no-owner'], { encoding: 'utf8' });
    await importThree(0);
    expect(created()).toHaveLength(3);
    await onServer('drop database fleet with (force)');
    await onServer('create database fleet');
    execFileSync('psql', ['--quiet', '--set', 'ON_ERROR_STOP=1', '--dbname', cluster.url()], {
      input: dump,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    await expectRefusalUntilReviewed('--home', 'elsewhere');
  });

  test(
    'a fleet whose database was restored from a copy of the data directory creates nothing twice',
    async () => {
      await importThree(0);
      const [{ folder }] = (await fleet.sql.query<{ folder: string }>(
        `select current_setting('data_directory') as folder`,
      )) as [{ folder: string }];
      const backup = `${folder}-backup`;
      await cluster.kill();
      execFileSync('cp', ['-a', folder, backup]);
      await cluster.start();
      await importThree(3);
      expect(created()).toHaveLength(6);

      async function restore(change = () => {}): Promise<void> {
        await cluster.kill();
        rmSync(folder, { recursive: true });
        execFileSync('cp', ['-a', backup, folder]);
        change();
        await cluster.start();
      }

      // A worker of this machine remembers how far the database was.
      await restore();
      await expectNothingTwice(6);

      // A new machine knows nothing, so an operator says it.
      await restore();
      expect((await fleet.run('init', '--restored')).stdout).toMatch(
        /Its tasks, with what comes next: storeport fleet list/,
      );
      // Another copy could use the files, so an operator says that none does.
      await expectRefusalUntilTaken('another');
      await expectNothingTwice(9, '--home', 'another');

      // A recovery to a point in time begins a new timeline.
      await restore(() => {
        writeFileSync(join(folder, 'recovery.signal'), '');
        appendFileSync(join(folder, 'postgresql.auto.conf'), "restore_command = 'false'\n");
      });
      await untilRecovered();
      await expectRefusalUntilTaken('third');
      await expectNothingTwice(12, '--home', 'third');
    },
    LONG_MS,
  );
});
