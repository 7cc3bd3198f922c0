import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CERTIFICATES } from '../../support/certificates.ts';
import { storeportProcess, temporaryFolder } from '../../support/run.ts';
import * as wire from '../../support/store/adversary.ts';
import { testProxy } from '../../support/store/proxy-server.ts';

const PASSWORD = 'hunter2 & more';
const LOGIN = { STOREPORT_CLIENT_ID: 'me', STOREPORT_CLIENT_SECRET: 'not-this-one' };

/** The address of a proxy, with an encoded password. */
function withLogin(url: string): string {
  return url.replace('http://', `http://me:${encodeURIComponent(PASSWORD)}@`);
}

/** Checks that no form of the password is shown. */
function expectNoPassword(text: string): void {
  expect(text).not.toContain('hunter2');
  expect(text).not.toContain(Buffer.from(`me:${PASSWORD}`).toString('base64'));
}

test('https uses the proxy of HTTPS_PROXY and never shows its password', async () => {
  const server = createServer(CERTIFICATES.other, (_, response) =>
    response.end('{"accessToken":"a-token","expireTime":60}'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  await using proxy = await testProxy({
    to: (server.address() as AddressInfo).port,
    login: `me:${PASSWORD}`,
  });
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'ca.pem'), CERTIFICATES.other.cert);
  const { code, stdout, stderr } = await storeportProcess(['auth', 'check', '--log-level', 'trace'], {
    cwd,
    env: {
      ...LOGIN,
      // There is no such host: only the proxy can resolve it.
      STOREPORT_BASE_URL: 'https://other.example',
      HTTPS_PROXY: withLogin(proxy.url),
      NODE_EXTRA_CA_CERTS: join(cwd, 'ca.pem'),
    },
  });
  expect(stderr).toContain(
    `Store: https://other.example (from STOREPORT_BASE_URL), through the proxy ${proxy.url}\n`,
  );
  expect(code).toBe(0);
  expect(proxy.asked).toEqual(['CONNECT other.example:443']);
  expectNoPassword(stdout + stderr);
});

test('plain http uses HTTP_PROXY, also from .env, unless NO_PROXY excludes the host', async () => {
  await using store = await wire.adversary({ script: [wire.created()] });
  await using proxy = await testProxy({ to: store.port });
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'in.csv'), 'name,reference\nA,1\n');
  // The secret is from the same file: a proxy in between can read it.
  const own = [`http_proxy=${proxy.url}`, ...Object.entries(LOGIN).map((pair) => pair.join('='))];
  writeFileSync(join(cwd, '.env'), own.join('\n'), { mode: 0o600 });
  const args = ['import', 'products', 'in.csv', '--base-url', 'http://no-such-host.invalid'];
  const through = await storeportProcess(args, { cwd });
  expect(through.code).toBe(0);
  expect(store.requests[0]).toMatchObject({ method: 'POST', headers: { host: 'no-such-host.invalid' } });
  const around = await storeportProcess(args, { cwd, env: { NO_PROXY: '.invalid' } });
  expect(around.code).toBe(3);
  expect(around.stderr).not.toContain('through the proxy');
});

test('a proxy that requires a password exits with 3 and a message of its own', async () => {
  await using store = await wire.adversary({ script: [wire.created()] });
  await using proxy = await testProxy({ to: store.port, login: 'somebody:else' });
  const { code, stderr } = await storeportProcess(['auth', 'check', '--log-level', 'trace'], {
    cwd: temporaryFolder(),
    env: { ...LOGIN, STOREPORT_BASE_URL: 'http://store.invalid', http_proxy: withLogin(proxy.url) },
  });
  expect(stderr).toContain('the proxy wants a user name and a password (407)');
  expect(code).toBe(3);
  expect(store.tokenRequests).toEqual([]);
  expectNoPassword(stderr);
});

test('--sandbox ignores the proxy', async () => {
  const env = { http_proxy: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' };
  expect((await storeportProcess(['auth', 'check', '--sandbox'], { cwd: temporaryFolder(), env })).code).toBe(
    0,
  );
});
