import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as wire from '../store/adversary.ts';
import { storeport, temporaryFolder } from '../support/run.ts';

/** Sends the process a SIGINT once `ready` says so. */
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

test('Ctrl-C while the store is silent about the very first token ends at once: 130', async () => {
  await using store = await wire.adversary({ script: [wire.created()], token: [wire.stall] });
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'in.csv'), 'name,reference\nA,1\n');
  // A deadline that no test waits for.
  const { code, stderr } = await storeport(['import', 'products', 'in.csv', '--timeout', '24h'], {
    cwd,
    env: { ...SETTINGS, STOREPORT_BASE_URL: store.url },
    onStart: interruptWhen(() => store.tokenRequests.length > 0),
  });
  expect(stderr).toContain('interrupted');
  expect(code).toBe(130);
  expect(store.requests).toEqual([]);
});

/** Each way in which the token endpoint keeps a command waiting, for far longer than any test. */
const SLOW: readonly [string, wire.Step][] = [
  ['is silent', wire.stall],
  ['asks to come back later', wire.reply(429, '', { 'retry-after': '86400' })],
];

test.each(SLOW)(
  'Ctrl-C in auth check while the token endpoint %s ends at once: 130, in one line',
  async (_, step) => {
    await using store = await wire.adversary({ script: [wire.created()], token: [step] });
    const { code, stdout, stderr } = await storeport(['auth', 'check', '--timeout', '24h'], {
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

test('and with --json says so in one object', async () => {
  await using store = await wire.adversary({ script: [wire.created()], token: [wire.stall] });
  const { code, stdout } = await storeport(['auth', 'check', '--json', '--timeout', '24h'], {
    cwd: temporaryFolder(),
    env: { ...SETTINGS, STOREPORT_BASE_URL: store.url },
    onStart: interruptWhen(() => store.tokenRequests.length > 0),
  });
  expect(JSON.parse(stdout)).toMatchObject({ error: { reason: 'interrupted' }, exit_code: 130 });
  expect(code).toBe(130);
});
