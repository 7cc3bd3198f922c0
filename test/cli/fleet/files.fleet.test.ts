import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { type FleetCli, fleetCli } from '../../support/fleet-cli.ts';
import { filesBelow, readTable, sample } from '../../support/run.ts';
import { s3Server } from '../../support/s3/server.ts';

let fleet: FleetCli;
let sandbox: Sandbox;

beforeEach(async () => {
  fleet = await fleetCli();
  await fleet.run('init');
  sandbox = await startSandbox({ faults: { 'late-reset': '#2,#5@create' } });
  await fleet.addStore('red', sandbox);
});
afterEach(async () => {
  await fleet.close();
  await sandbox.close();
});

/** Imports six records, and leaves two in doubt, with a worker that keeps its files there. */
async function importInto(place: string): Promise<string> {
  const worker = fleet.start('worker', '--slots', '1', '--artifacts', place);
  const words = ['--stores', 'red', '--limit', '6'];
  const [{ task }] = await fleet.json('run', 'import', 'products', sample('native-products.csv'), ...words);
  const [ended] = await fleet.untilTasks((tasks) => tasks.every(({ state }) => state === 'done'));
  expect(ended?.outcomes?.['in-doubt']).toBe(2);
  worker.process.kill('SIGTERM');
  expect(await worker.ended).toMatchObject({ code: 0 });
  return task;
}

async function rowsInDoubt(task: string): Promise<number[]> {
  const { in_doubt } = JSON.parse((await fleet.run('resolve', task, '--json')).stdout);
  return in_doubt.map(({ row }: { row: number }) => row);
}

/** Starts the page, without --artifacts. Returns what asks it for a file, and what it printed on its terminal. */
async function servedFiles(task: string) {
  const { process } = fleet.start('serve');
  let terminal = '';
  process.stderr?.on('data', (text) => {
    terminal += text;
  });
  const url = await new Promise<string>((resolve) => {
    let text = '';
    process.stdout?.on('data', (chunk) => {
      text += chunk;
      const [found] = /http:\S+(?=\s)/.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const answer = await fetch(url, { redirect: 'manual' });
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const { origin } = new URL(url);
  const ask = async (name: string, accept = '*/*') => {
    const answer = await fetch(`${origin}/api/v1/tasks/${task}/files/${name}`, {
      headers: { cookie, accept },
    });
    return { status: answer.status, text: await answer.text() };
  };
  return { ask, terminal: () => terminal };
}

const outcomesIn = (file: string) => readTable(file).map(({ outcome }) => outcome);

describe('commands without --artifacts', () => {
  test.each(['a folder', 'a bucket'])('use the place of the fleet, which is %s', async (kind) => {
    const s3 = kind === 'a bucket' ? await s3Server() : undefined;
    fleet.setVariables(s3?.env ?? {});
    const place = s3 === undefined ? join(fleet.cwd, 'shared') : `s3://${s3.bucket}/fleet`;
    const task = await importInto(place);
    const [row] = await rowsInDoubt(task);
    const resolved = await fleet.run('resolve', task, '--row', `${row}`, '--not-there');
    expect(resolved).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('1 record is no longer in doubt'),
    });
    // The command of the page, as it is printed.
    expect(await fleet.run('resolve', task, '--ask')).toMatchObject({
      code: expect.any(Number),
      stderr: expect.not.stringContaining('bug'),
    });
    expect(existsSync(join(fleet.cwd, '.storeport/artifacts'))).toBe(false);

    expect(await fleet.json('show', task)).toMatchObject({ artifacts_in: place });
    expect((await fleet.run('show', task)).stdout).toContain(`Artifacts in ${place}:`);
    const got = await fleet.json('get', task, 'results.csv');
    expect(got).toMatchObject({ task, failed: [], files: [{ name: 'results.csv' }] });
    const outcomes = outcomesIn(got.files[0].path);
    expect(outcomes).toHaveLength(6);
    expect(outcomes).toContain('failed');

    const { ask, terminal } = await servedFiles(task);
    expect(await ask('results.csv')).toEqual({ status: 200, text: readFileSync(got.files[0].path, 'utf8') });
    expect(terminal()).toBe('');
    const texts = filesBelow(join(fleet.cwd, 'storeport-runs')).map((file) => readFileSync(file, 'utf8'));
    for (const text of [...texts, terminal(), JSON.stringify(got)])
      for (const secret of Object.entries(s3?.env ?? {}).flatMap(([name, value]) =>
        /SECRET|TOKEN/.test(name) ? [value] : [],
      ))
        expect(text).not.toContain(secret);
  });

  test('say that the place is unknown before a worker has named it', async () => {
    const [{ task }] = await fleet.json('run', 'export', 'reviews', '--stores', 'red');
    const resolved = await fleet.run('resolve', task, '--ask');
    expect(resolved).toMatchObject({ code: 2, stderr: expect.stringContaining('It is not known yet') });
  });
});

test('a command with another place than the fleet is refused, and nothing is written there', async () => {
  const task = await importInto('shared');
  mkdirSync(join(fleet.cwd, 'other'));
  const [row] = await rowsInDoubt(task);
  const commands = [
    ['worker'],
    ['serve'],
    ['get', task],
    ['resolve', task, '--row', `${row}`, '--not-there'],
  ];
  for (const words of commands) {
    const { code, stderr } = await fleet.run(...words, '--artifacts', 'other');
    expect([words[0], code]).toEqual([words[0], 2]);
    expect(stderr).toContain(`The files of this fleet are in ${join(fleet.cwd, 'shared')}`);
  }
  expect(filesBelow(join(fleet.cwd, 'other'))).toEqual([]);
  expect(await rowsInDoubt(task)).toHaveLength(2);
});

test('a folder that is not on this machine is named, with what to give', async () => {
  const task = await importInto('shared');
  rmSync(join(fleet.cwd, 'shared'), { recursive: true });
  for (const words of [['worker'], ['get', task], ['resolve', task, '--ask']]) {
    const { code, stderr } = await fleet.run(...words);
    expect([words[0], code]).toEqual([words[0], 2]);
    expect(stderr).toContain('does not exist on this machine');
    expect(stderr).toContain('give that with --artifacts');
  }
  // The page has more than files.
  const { ask, terminal } = await servedFiles(task);
  expect(await ask('results.csv')).toMatchObject({
    status: 400,
    text: expect.stringContaining('does not exist on this machine'),
  });
  expect(terminal()).toContain('files of tasks cannot be opened now');
});

test('a listed file that is gone is not found, and is no bug', async () => {
  const task = await importInto('shared');
  const { artifacts } = await fleet.json('show', task);
  const { location } = artifacts.find(({ name }: { name: string }) => name === 'results.csv');
  rmSync(join(fleet.cwd, 'shared', location));
  const { ask, terminal } = await servedFiles(task);
  const gone = `${join(fleet.cwd, 'shared')} does not have results.csv any more.`;
  expect(await ask('results.csv')).toMatchObject({ status: 404, text: expect.stringContaining(gone) });
  expect(await ask('results.csv', 'text/html,*/*')).toEqual({
    status: 404,
    text: `${gone}\nIt was removed there, or the files are in another place now.`,
  });
  expect((await ask('errors.csv')).status).toBe(200);
  expect(terminal()).toContain(gone);
  expect(terminal()).not.toMatch(/bug|at .*\.js/);

  const got = await fleet.run('get', task, '--to', 'fetched', '--json');
  expect(got).toMatchObject({ code: 1, stderr: expect.stringContaining(gone) });
  expect(JSON.parse(got.stdout).failed).toEqual(['results.csv']);
  expect(existsSync(join(fleet.cwd, 'fetched/results.csv'))).toBe(false);
  expect(existsSync(join(fleet.cwd, 'fetched/errors.csv'))).toBe(true);
});

test('fleet get fetches what is missing, and replaces no file that a person has changed', async () => {
  const task = await importInto('shared');
  const first = await fleet.json('get', task, '--to', 'mine');
  expect(first.files.map(({ name }: { name: string }) => name)).toContain('errors.csv');
  const file = join(fleet.cwd, 'mine/in-doubt.csv');
  rmSync(join(fleet.cwd, 'mine/errors.csv'));
  expect((await fleet.run('get', task, '--to', 'mine')).code).toBe(0);
  expect(existsSync(join(fleet.cwd, 'mine/errors.csv'))).toBe(true);
  writeFileSync(file, 'mine');
  expect(await fleet.run('get', task, '--to', 'mine')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${file} is there already`),
  });
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(await fleet.run('get', task, 'absent.csv')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('It has: '),
  });
});

test('a second fleet in the place of another one does not begin', async () => {
  await importInto('shared');
  const before = filesBelow(join(fleet.cwd, 'shared')).sort();
  const other = await fleetCli();
  onTestFinished(() => other.close());
  await other.run('init');
  const { code, stderr } = await other.run('worker', '--artifacts', join(fleet.cwd, 'shared'));
  expect(code).toBe(2);
  expect(stderr).toContain('belong to another fleet');
  expect(filesBelow(join(fleet.cwd, 'shared')).sort()).toEqual(before);
});

test('fleet get writes nothing outside its folder, whatever name the database has', async () => {
  const task = await importInto('shared');
  for (const name of ['../outside.csv', '/outside.csv', 'a/../../outside.csv', '..']) {
    await fleet.sql.query(`update artifact set name = $1 where name in (select min(name) from artifact)`, [
      name,
    ]);
    const got = await fleet.run('get', task, '--to', 'inside');
    expect(got).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot have the name') });
    expect(existsSync(join(fleet.cwd, 'outside.csv'))).toBe(false);
  }
});

test('a restored fleet uses its place again only after init --take-artifacts', async () => {
  const task = await importInto('shared');
  const said = await fleet.run('init', '--restored');
  const place = join(fleet.cwd, 'shared');
  expect(said.stdout).toContain(`storeport fleet init --take-artifacts ${place}`);
  expect(await fleet.run('worker')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('restored or copied'),
  });
  expect((await fleet.run('get', task)).code).toBe(0);
  expect((await fleet.run('init', '--take-artifacts', 'shared')).stdout).toContain(`kept in ${place}.`);
  const worker = fleet.start('worker');
  const [{ task: next }] = await fleet.json('run', 'export', 'reviews', '--stores', 'red');
  await fleet.untilTasks((tasks) => tasks.some((each) => each.task === next && each.state === 'done'));
  worker.process.kill('SIGTERM');
  expect(await worker.ended).toMatchObject({ code: 0 });
});
