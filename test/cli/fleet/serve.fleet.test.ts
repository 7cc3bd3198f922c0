import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../src/postgres/index.ts';
import {
  OPERATOR_TOKEN,
  type SeededFleet,
  seedFleet,
  signIn,
  VIEWER_TOKEN,
} from '../../support/fleet-serve.ts';
import { type TestAddress, testAddress } from '../../support/postgres.ts';
import { binary, storeport, temporaryFolder } from '../../support/run.ts';

let address: TestAddress;
let ids: SeededFleet;
let cwd: string;
let env: Record<string, string>;
const cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  address = testAddress();
  cwd = temporaryFolder((clean) => cleanups.push(clean));
  env = { STOREPORT_DATABASE: address.url, FLEET_OPERATOR: OPERATOR_TOKEN };
  const made = await storeport(['fleet', 'init', '--database-schema', address.schema], { cwd, env });
  expect(made).toMatchObject({ code: 0 });
  const sql = connect(address.url, { schema: address.schema, poolSize: 1 });
  ids = await seedFleet(sql, join(cwd, 'files'));
  await sql.close();
});
afterAll(async () => {
  for (const clean of cleanups.reverse()) await clean();
  await address.drop();
});

/** Starts the command, and returns the text that it printed first. It ends with the test. */
async function serve(...args: string[]) {
  const words = [
    'fleet',
    'serve',
    '--database-schema',
    address.schema,
    '--artifacts',
    'files',
    '--json',
    ...args,
  ];
  const child = spawn(process.execPath, [binary, ...words], { cwd, env: { PATH: process.env.PATH, ...env } });
  const stop = async () => {
    if (child.exitCode === null) {
      child.kill('SIGINT');
      await once(child, 'exit');
    }
    return child.exitCode;
  };
  onTestFinished(() => stop().then(() => {}));
  let [stdout, stderr] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const began = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
      if (stdout.includes('\n')) resolve();
    });
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The command ended: ${stderr}`);
  });
  await Promise.race([began, ended]);
  // Later, it ends as every test does.
  ended.catch(() => {});
  const { url } = JSON.parse(stdout) as { url: string };
  return { url, origin: new URL(url).origin, stop, output: () => stdout + stderr };
}

const refused = (...args: string[]) =>
  storeport(['fleet', 'serve', '--database-schema', address.schema, ...args], { cwd, env });

describe('fleet serve', () => {
  test('takes tokens from a variable and a file, and ends in good order', async () => {
    writeFileSync(join(cwd, 'viewer'), `${VIEWER_TOKEN}\n`, { mode: 0o600 });
    const { origin, url, stop, output } = await serve(
      ...['--operator-token', 'env:FLEET_OPERATOR', '--viewer-token', 'file:viewer', '--log-level', 'info'],
    );
    expect(url).toBe(`${origin}/`);
    const page = await fetch(url);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const [viewer, operator] = [await signIn(origin, VIEWER_TOKEN), await signIn(origin, OPERATOR_TOKEN)];
    const stopTask = (cookie: string) =>
      fetch(`${origin}/api/v1/tasks/${ids.queued}/stop`, { method: 'POST', headers: { cookie, origin } });
    expect((await stopTask(viewer)).status).toBe(403);
    expect((await stopTask(operator)).status).toBe(200);
    const resume = await fetch(`${origin}/api/v1/tasks/${ids.queued}/resume`, {
      method: 'POST',
      headers: { cookie: operator, origin },
    });
    expect(await resume.json()).toMatchObject({ state: 'queued', changed: true });
    expect(await stop()).toBe(0);
    for (const token of [VIEWER_TOKEN, OPERATOR_TOKEN]) expect(output()).not.toContain(token);
    expect(output()).toContain(`stop ${ids.queued}: queued → stopped`);
    expect(output()).not.toContain('bug');
  });

  test('without tokens prints an address with a key, and serves files', async () => {
    const { url, origin } = await serve();
    const [cookie = ''] =
      (await fetch(url, { redirect: 'manual' })).headers.get('set-cookie')?.split(';') ?? [];
    const name = encodeURIComponent('reports/results.csv');
    const answer = await fetch(`${origin}/api/v1/tasks/${ids.done}/files/${name}`, { headers: { cookie } });
    expect(await answer.text()).toContain('A-1,created');
  });

  test.each([
    [['--operator-token', OPERATOR_TOKEN], 'never the token itself'],
    [['--operator-token', 'env:NOT_SET'], 'NOT_SET'],
    [['--operator-token', 'file:absent'], 'cannot be read'],
    [['--host', '0.0.0.0'], 'on this machine only'],
  ])('refuses %j with the reason, and repeats no token', async (args, words) => {
    const { code, stdout, stderr } = await refused(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(stdout + stderr).not.toContain(OPERATOR_TOKEN);
  });
});
