import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FAULTS, type JournalEntry } from '../../../src/sandbox/index.ts';
import {
  type Ended,
  readReports,
  sample,
  storeport,
  storeportProcess,
  temporaryFolder,
} from '../../support/run.ts';

interface Running {
  readonly environment: Record<string, string>;
  ask(method: 'GET' | 'PUT' | 'POST', path: string, body?: object): Promise<{ status: number; text: string }>;
  end(signal: NodeJS.Signals): Promise<Ended>;
}

/** The sandbox in a process of its own, started by its command. */
async function startProcess(cwd: string, args: readonly string[]): Promise<Running> {
  let child: ChildProcess | undefined;
  onTestFinished(() => {
    child?.kill('SIGKILL');
  });
  let ended: Promise<Ended> | undefined;
  const said = await new Promise<string>((resolve, reject) => {
    ended = storeportProcess(['sandbox', '--port', '0', '--json', ...args], {
      cwd,
      onStart(started) {
        child = started;
        started.stdout?.once('data', (text) => resolve(String(text)));
      },
    });
    ended.then(({ stderr }) => reject(new Error(`It ended at once: ${stderr}`)), reject);
  });
  const { url, clientId, clientSecret } = JSON.parse(said);
  return {
    environment: {
      STOREPORT_BASE_URL: url,
      STOREPORT_CLIENT_ID: clientId,
      STOREPORT_CLIENT_SECRET: clientSecret,
    },
    async ask(method, path, body) {
      const answer = await request(url + path, { method, body: body ? JSON.stringify(body) : null });
      return { status: answer.statusCode, text: await answer.body.text() };
    },
    end(signal) {
      child?.kill(signal);
      return ended as Promise<Ended>;
    },
  };
}

function entriesOf(text: string): JournalEntry[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

const creates = (entries: readonly JournalEntry[]) => entries.filter(({ kind }) => kind === 'create');

describe('sandbox with faults', () => {
  test('the journal of a sandbox that loses an answer shows what the import has in doubt', async () => {
    const cwd = temporaryFolder();
    const sandbox = await startProcess(cwd, [
      ...['--fault', 'late-reset=#2@create', '--fault', 'error-503-json=#4@create', '--fault', 'seed=7'],
      ...['--journal', 'journal.ndjson'],
    ]);
    const run = await storeport(
      ['import', 'products', sample('shopify-products.csv'), '--out', 'out', '--concurrency', '1'],
      { cwd, env: sandbox.environment },
    );
    expect([run.code, (await sandbox.end('SIGTERM')).code]).toEqual([1, 0]);

    const { inDoubt, summary } = readReports(join(cwd, 'out'));
    const entries = creates(entriesOf(readFileSync(join(cwd, 'journal.ndjson'), 'utf8')));
    const lost = entries.filter(({ fault }) => fault === 'late-reset');
    expect(summary.outcomes).toMatchObject({ created: 19, 'in-doubt': 1 });
    expect(inDoubt[0]?.Handle).toBe(lost[0]?.did?.key);
    expect(lost).toMatchObject([{ status: null, whole: false, did: { collection: 'products' } }]);
    // Refused once, created once, none twice.
    expect(entries.filter(({ fault }) => fault === 'error-503-json')).toMatchObject([{ status: 503 }]);
    const made = entries.flatMap(({ did }) => did?.id ?? []);
    expect([made.length, new Set(made).size]).toEqual([20, 20]);
  });

  test('faults can be changed at run time with --control', async () => {
    const cwd = temporaryFolder();
    const sandbox = await startProcess(cwd, ['--control', '--seed', '3']);
    expect(await sandbox.ask('GET', '/sandbox/faults')).toEqual({ status: 200, text: '{}' });
    await sandbox.ask('PUT', '/sandbox/faults', { 'error-502': '100%' });
    expect((await sandbox.ask('GET', '/api/images')).status).toBe(502);
    const refused = await sandbox.ask('PUT', '/sandbox/faults', { 'late-rset': '1%' });
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('Did you mean late-reset?') });
    await sandbox.ask('PUT', '/sandbox/faults', {});
    expect((await sandbox.ask('GET', '/api/images')).status).toBe(401);
    const { text } = await sandbox.ask('GET', '/sandbox/journal');
    expect(entriesOf(text).map(({ fault, status }) => [fault, status])).toEqual([
      ['error-502', 502],
      [undefined, 401],
    ]);
    expect((await sandbox.ask('GET', '/sandbox/records/images')).text.split('\n')).toHaveLength(4);
  });

  test('faults cannot be changed at run time without --control', async () => {
    const sandbox = await startProcess(temporaryFolder(), []);
    expect((await sandbox.ask('PUT', '/sandbox/faults', {})).status).toBe(404);
  });

  test('a kill loses no journal line of an answered request', async () => {
    const cwd = temporaryFolder();
    const file = join(cwd, 'journal.ndjson');
    const sandbox = await startProcess(cwd, ['--journal', 'journal.ndjson']);
    for (let n = 0; n < 50; n++) await sandbox.ask('GET', '/api/images');
    // One turn of the event loop after the last answer.
    await expect.poll(() => entriesOf(readFileSync(file, 'utf8')).length).toBe(50);
    await sandbox.end('SIGKILL');
    expect(entriesOf(readFileSync(file, 'utf8')).map(({ n }) => n)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
  });
});

describe('errors in options', () => {
  test.each([
    [['--fault', 'ratee=5'], 'There is no fault "ratee". Did you mean rate?'],
    [['--fault', 'rate=fast'], 'The fault rate takes a number above 0; found "fast".'],
    [['--fault', 'rate'], '--fault takes name=value, such as rate=20; found "rate".'],
    [['--fault', '=5'], '--fault takes name=value, such as rate=20; found "=5".'],
    [['--fault', 'reset=#1', '--fault', 'reset=#4'], '--fault reset is given twice.'],
    [['--journal', 'no/folder/j.ndjson'], 'The journal cannot be written: ENOENT'],
    [['--journal', '.'], 'The journal cannot be written: EISDIR'],
  ])('%j exits with 2 and a message', async (args, sentence) => {
    const { code, stdout, stderr } = await storeport(['sandbox', '--port', '0', ...args], {
      cwd: temporaryFolder(),
    });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('    at ');
  });

  test('all errors in faults are reported together', async () => {
    const { stderr } = await storeport(['sandbox', '--fault', 'seed=x', '--fault', 'outage=5s'], {
      cwd: temporaryFolder(),
    });
    expect(stderr).toContain('The fault seed takes');
    expect(stderr).toContain('The fault outage takes');
  });
});

test('sandbox --help lists every fault with an example', async () => {
  const { stdout } = await storeport(['sandbox', '--help'], { cwd: temporaryFolder() });
  for (const [name, { example }] of Object.entries(FAULTS)) expect(stdout).toContain(` ${name}=${example}`);
});
