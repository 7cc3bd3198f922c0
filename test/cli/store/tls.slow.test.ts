import { writeFileSync } from 'node:fs';
import { createServer as createPlain, type RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { expect, type TestContext, test } from 'vitest';
import { CERTIFICATES } from '../../support/certificates.ts';
import { storeportProcess, temporaryFolder } from '../../support/run.ts';

const answer: RequestListener = (_, response) => response.end('{"accessToken":"a-token","expireTime":60}');

/** Runs `auth check` at a server on this machine; returns its output. */
async function check(
  { onTestFinished }: TestContext,
  scheme: string,
  server: Server,
  trusted?: keyof typeof CERTIFICATES,
  environment: Readonly<Record<string, string>> = {},
) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const cwd = temporaryFolder(onTestFinished);
  const authority = join(cwd, 'ca.pem');
  if (trusted) writeFileSync(authority, CERTIFICATES[trusted].cert);
  return storeportProcess(['auth', 'check'], {
    cwd,
    env: {
      STOREPORT_BASE_URL: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
      STOREPORT_CLIENT_ID: 'me',
      STOREPORT_CLIENT_SECRET: 'not-this-one',
      ...(trusted && { NODE_EXTRA_CA_CERTS: authority }),
      ...environment,
    },
  });
}

const secure = (certificate: keyof typeof CERTIFICATES) => createServer(CERTIFICATES[certificate], answer);

test.for([
  ['https', 2, 'unset NODE_TLS_REJECT_UNAUTHORIZED'],
  ['http', 0, ''],
] as const)('NODE_TLS_REJECT_UNAUTHORIZED=0 and a store at %s: %d', async ([scheme, code, hint], context) => {
  const asked: unknown[] = [];
  const listener: RequestListener = (request, response) => {
    asked.push(request.url);
    answer(request, response);
  };
  const server = scheme === 'https' ? createServer(CERTIFICATES.good, listener) : createPlain(listener);
  const ended = await check(context, scheme, server, undefined, { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
  expect(ended.code).toBe(code);
  expect(ended.stderr).toContain(hint);
  expect(asked).toHaveLength(code === 0 ? 1 : 0);
});

// Several run at once, since they mostly wait.
test.concurrent.for([
  [
    'that is self-signed',
    'https',
    () => secure('good'),
    undefined,
    /no authority that this machine trusts has signed its certificate/,
    'NODE_EXTRA_CA_CERTS=',
  ],
  [
    'for another host',
    'https',
    () => secure('other'),
    'other',
    /its certificate is for another host/,
    'Is the host in the base URL right?',
  ],
  [
    'that has expired',
    'https',
    () => secure('expired'),
    'expired',
    /its certificate has expired/,
    'The store has to renew its certificate',
  ],
  [
    'that is missing: https is used for a plain http server',
    'https',
    () => createPlain(answer),
    undefined,
    /the store does not speak https there/,
    'begin the base URL with http://',
  ],
  [
    'that is not expected: plain http is used for an https server',
    'http',
    () => secure('good'),
    undefined,
    /the store closed the connection/,
    'begin the base URL with https://',
  ],
] as const)(
  'a certificate %s exits with 3 and prints what to do',
  async ([_, scheme, server, trusted, words, hint], context) => {
    const { code, stderr } = await check(context, scheme, server(), trusted);
    expect(stderr).toMatch(words);
    expect(stderr).toContain(hint);
    // OpenSSL's own message has memory addresses and source files.
    expect(stderr).not.toContain('routines');
    expect(code).toBe(3);
  },
);

test.concurrent('a certificate of an authority in NODE_EXTRA_CA_CERTS is trusted', async (context) => {
  const { code, stderr } = await check(context, 'https', secure('good'), 'good');
  expect(stderr).not.toContain('Error');
  expect(code).toBe(0);
});
