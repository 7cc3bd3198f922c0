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

test('Ctrl-C while the store is silent about the very first token ends at once: 130', async () => {
  await using store = await wire.adversary({ script: [wire.created()], token: [wire.stall] });
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'in.csv'), 'name,reference\nA,1\n');
  // A deadline that no test waits for.
  const { code, stderr } = await storeport(['import', 'products', 'in.csv', '--timeout', '24h'], {
    cwd,
    env: {
      STOREPORT_BASE_URL: store.url,
      STOREPORT_CLIENT_ID: 'me',
      STOREPORT_CLIENT_SECRET: 'not-this-one',
    },
    onStart: interruptWhen(() => store.tokenRequests.length > 0),
  });
  expect(stderr).toContain('interrupted');
  expect(code).toBe(130);
  expect(store.requests).toEqual([]);
});
