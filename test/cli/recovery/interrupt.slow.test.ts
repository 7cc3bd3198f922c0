import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import {
  environmentOf,
  readReports,
  storeport,
  storeportProcess,
  temporaryFolder,
} from '../../support/run.ts';
import * as wire from '../../support/store/adversary.ts';

/** Sends the process a SIGINT as soon as `ready` is true. */
function interruptWhen(ready: () => boolean) {
  return (child: { kill(signal: 'SIGINT'): boolean }) => {
    const timer = setInterval(() => {
      if (!ready()) return;
      clearInterval(timer);
      child.kill('SIGINT');
    }, 10);
  };
}

const SETTINGS = { STOREPORT_CLIENT_ID: 'me', STOREPORT_CLIENT_SECRET: 'not-this-one' };

test('Ctrl-C while the first token request hangs exits at once with 130', async () => {
  await using store = await wire.adversary({ script: [wire.created()], token: [wire.stall] });
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'in.csv'), 'name,reference\nA,1\n');
  // A deadline that no test reaches.
  const { code, stderr } = await storeportProcess(['import', 'products', 'in.csv', '--timeout', '24h'], {
    cwd,
    env: { ...SETTINGS, STOREPORT_BASE_URL: store.url },
    onStart: interruptWhen(() => store.tokenRequests.length > 0),
  });
  expect(stderr).toContain('interrupted');
  expect(code).toBe(130);
  expect(store.requests).toEqual([]);
});

/** Each way in which the token endpoint delays a command for far longer than any test. */
const SLOW: readonly [string, wire.Step][] = [
  ['is silent', wire.stall],
  ['asks for a later retry', wire.reply(429, '', { 'retry-after': '86400' })],
];

test.each(SLOW)(
  'Ctrl-C in auth check exits at once with 130 and one line when the token endpoint %s',
  async (_, step) => {
    await using store = await wire.adversary({ script: [wire.created()], token: [step] });
    const { code, stdout, stderr } = await storeportProcess(['auth', 'check', '--timeout', '24h'], {
      cwd: temporaryFolder(),
      env: { ...SETTINGS, STOREPORT_BASE_URL: store.url },
      onStart: interruptWhen(() => store.tokenRequests.length > 0),
    });
    expect(stdout).toBe('');
    const said = stderr
      .split('\n')
      .filter((line) => !/^(?:Store|Waiting for the store|Warning): /.test(line));
    expect(said).toEqual(['Error: Interrupted before the store gave a token.', '']);
    expect(code).toBe(130);
    expect(store.tokenRequests).toHaveLength(1);
  },
);

test('Ctrl-C in auth check with --json prints one object', async () => {
  await using store = await wire.adversary({ script: [wire.created()], token: [wire.stall] });
  const { code, stdout } = await storeportProcess(['auth', 'check', '--json', '--timeout', '24h'], {
    cwd: temporaryFolder(),
    env: { ...SETTINGS, STOREPORT_BASE_URL: store.url },
    onStart: interruptWhen(() => store.tokenRequests.length > 0),
  });
  expect(JSON.parse(stdout)).toMatchObject({ error: { reason: 'interrupted' }, exit_code: 130 });
  expect(code).toBe(130);
});

const COMMANDS = [
  ['import', 'products', 'in.csv'],
  ['export', 'reviews'],
  ['auth', 'check'],
];

/** Interrupts the process when it prints the store that it uses: just before it makes its client. */
const INTERRUPTED_EARLY = `
const { write } = process.stderr;
process.stderr.write = (text, ...rest) => {
  if (String(text).includes('Store: ')) process.emit('SIGINT');
  return write.call(process.stderr, text, ...rest);
};`;

test.each(COMMANDS)(
  'Ctrl-C in %s %s before the client exists requests no token and exits with 130',
  async (...command) => {
    await using store = await wire.adversary({ script: [wire.created()], token: [wire.stall] });
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'in.csv'), 'name,reference\nA,1\n');
    const early = `--import=data:text/javascript,${encodeURIComponent(INTERRUPTED_EARLY)}`;
    const { code } = await storeportProcess([...command.filter(Boolean), '--timeout', '24h'], {
      cwd,
      env: { ...SETTINGS, STOREPORT_BASE_URL: store.url, NODE_OPTIONS: early },
    });
    expect(code).toBe(130);
    expect(store.tokenRequests).toEqual([]);
  },
);

test('Ctrl-C during a hanging token renewal exits with 130, leaves nothing in doubt, and resume completes', async () => {
  // A slow machine creates some before the token expires, and a fast one needs twice as long for all.
  await using sandbox = await disposable({ 'token-life': '4s', latency: '80ms', hang: '#2-1000@token' });
  const cwd = temporaryFolder();
  const rows = Array.from({ length: 400 }, (_, n) => `Mug,R${n}\n`);
  writeFileSync(join(cwd, 'in.csv'), `name,reference\n${rows.join('')}`);
  const waits = () => sandbox.journal.filter(({ kind }) => kind === 'token').length > 1;
  const settings = ['--timeout', '24h', '--concurrency', '4'];
  const { code } = await storeportProcess(['import', 'products', 'in.csv', '--out', 'out', ...settings], {
    cwd,
    env: environmentOf(sandbox),
    onStart: interruptWhen(waits),
  });
  expect(code).toBe(130);
  expect(readReports(join(cwd, 'out')).inDoubt).toEqual([]);
  const before = sandbox.count('products');
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(400);

  sandbox.misbehave({});
  expect(await storeport(['run', 'resume'], { cwd, env: environmentOf(sandbox) })).toMatchObject({ code: 0 });
  expect(sandbox.count('products')).toBe(400);
  expect(readReports(join(cwd, 'out')).summary.outcomes).toEqual({ created: 400 });
});

async function disposable(faults: Readonly<Record<string, string>>) {
  const sandbox = await startSandbox({ faults });
  return { ...sandbox, [Symbol.asyncDispose]: sandbox.close };
}
