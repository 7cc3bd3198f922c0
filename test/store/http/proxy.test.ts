import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { proxyFor } from '../../../src/store/http/proxy.ts';
import { createTransport, type Transport } from '../../../src/store/http/transport.ts';
import type { HttpRequest } from '../../../src/store/http/types.ts';
import { troubleHints, troubleWords } from '../../../src/store/response/trouble.ts';
import { CERTIFICATES } from '../../support/certificates.ts';
import { passTimeByTurns } from '../../support/quick-time.ts';
import * as wire from '../../support/store/adversary.ts';
import { type ProxyOptions, type TestProxy, testProxy } from '../../support/store/proxy-server.ts';

passTimeByTurns();

describe('the proxy of a URL', () => {
  const P = 'http://proxy.example:3128';
  const shop = 'https://shop.example.com';
  const cases: readonly [string, string, Record<string, string>, string | undefined][] = [
    ['is absent without variables', shop, {}, undefined],
    ['HTTPS_PROXY for https', shop, { HTTPS_PROXY: P }, P],
    [
      'is read from the lower-case variable first',
      shop,
      { https_proxy: P, HTTPS_PROXY: 'http://other:1' },
      P,
    ],
    ['is absent if the variable is empty', shop, { https_proxy: '' }, undefined],
    ['HTTP_PROXY for plain http', 'http://shop.example.com', { HTTP_PROXY: P }, P],
    ['HTTP_PROXY does not count for https', shop, { HTTP_PROXY: P }, undefined],
    ['needs no scheme', shop, { https_proxy: 'proxy.example:3128' }, P],
    ['may be an https proxy', shop, { https_proxy: 'https://proxy.example' }, 'https://proxy.example'],
    ['is absent for 127.0.0.1', 'http://127.0.0.1:4010', { http_proxy: P }, undefined],
    ['is absent for localhost', 'http://localhost:4010', { http_proxy: P }, undefined],
    [
      'is absent if no_proxy names the host',
      shop,
      { https_proxy: P, no_proxy: 'a.b, shop.example.com' },
      undefined,
    ],
    ['NO_PROXY names the domain', shop, { https_proxy: P, NO_PROXY: '.Example.com' }, undefined],
    [
      'is absent for no_proxy with an asterisk',
      shop,
      { https_proxy: P, no_proxy: '*.example.com' },
      undefined,
    ],
    ['is absent if no_proxy is only an asterisk', shop, { https_proxy: P, no_proxy: '*' }, undefined],
    ['is used if no_proxy has part of the name only', shop, { https_proxy: P, no_proxy: 'ample.com' }, P],
    [
      'is absent if no_proxy names host and port',
      shop,
      { https_proxy: P, no_proxy: 'example.com:443' },
      undefined,
    ],
    ['is used if no_proxy names another port', shop, { https_proxy: P, no_proxy: 'example.com:8443' }, P],
    [
      'is absent if no_proxy names the network of the address',
      'https://10.1.2.3',
      { https_proxy: P, no_proxy: '10.0.0.0/8' },
      undefined,
    ],
    [
      'is used if no_proxy names another network',
      'https://11.1.2.3',
      { https_proxy: P, no_proxy: '10.0.0.0/8' },
      P,
    ],
    [
      'is absent if no_proxy names an IPv6 address with port',
      'https://[fd00::1]',
      { https_proxy: P, no_proxy: '[fd00::1]:443' },
      undefined,
    ],
    [
      'is absent if no_proxy names a bare IPv6 address',
      'https://[fd00::1]',
      { https_proxy: P, no_proxy: 'fd00::1' },
      undefined,
    ],
    ['is used if no_proxy is malformed', shop, { https_proxy: P, no_proxy: '1.2.3.4/99 ::/x :80' }, P],
  ];
  for (const [what, url, environment, origin] of cases) {
    test(what, () => expect(proxyFor(url, environment)?.origin).toBe(origin));
  }

  test('is shown without user name and password', () => {
    const proxy = proxyFor(shop, { HTTPS_PROXY: 'http://me:p%40ss%3Aword@proxy.example:3128' });
    expect(proxy?.origin).toBe(P);
    expect(proxy?.authorization).toBe(`Basic ${Buffer.from('me:p@ss:word').toString('base64')}`);
    expect(proxy?.secrets).toContain('p@ss:word');
  });

  for (const bad of ['socks5://hunter2:hunter2@p:1', 'http://:hunter2:@', 'http://me:hunter2%@p:1']) {
    test(`${bad.split(':')[0]} URL that is invalid is refused without repeating it`, () => {
      expect(() => proxyFor(shop, { HTTPS_PROXY: bad })).toThrow(/^(?!.*hunter2).*HTTPS_PROXY/);
    });
  }
});

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

function transport(origin: string, proxy: TestProxy | string, options: object = {}): Transport {
  const made = createTransport({
    origin,
    concurrency: 2,
    timeoutMs: 5_000,
    proxy: {
      origin: typeof proxy === 'string' ? proxy : proxy.url,
      variable: 'HTTP_PROXY',
      secrets: [],
    },
    ...options,
  });
  open.push(made);
  return made;
}

const call = (): HttpRequest => ({ method: 'POST', path: '/api/x?y=1', headers: ['a', 'b'], body: '{}' });

describe('plain http through a proxy', () => {
  const origin = 'http://store.invalid';

  test('sends the whole URL to the proxy, and keeps the Host header', async () => {
    await using store = await wire.adversary({ script: [wire.reply(200, 'ok')] });
    await using proxy = await testProxy({ to: store.port, login: 'me:pass' });
    const authorization = `Basic ${Buffer.from('me:pass').toString('base64')}`;
    const through = transport(origin, proxy, {
      proxy: { origin: proxy.url, authorization, variable: 'HTTP_PROXY', secrets: [] },
    });
    expect(await through.exchange(call())).toMatchObject({ sent: true, status: 200, body: 'ok' });
    expect(proxy.asked).toEqual(['POST http://store.invalid/api/x?y=1']);
    expect(store.requests[0]).toMatchObject({
      target: '/api/x?y=1',
      headers: { host: 'store.invalid', a: 'b' },
    });
  });

  test('counts as not sent if the proxy wants a password, or does not listen', async () => {
    await using store = await wire.adversary({ script: [wire.reply(200, 'ok')] });
    await using proxy = await testProxy({ to: store.port, login: 'me:pass' });
    expect(await transport(origin, proxy).exchange(call())).toMatchObject({
      sent: false,
      error: { code: 'PROXY_407' },
    });
    const nobody = `http://127.0.0.1:${await wire.closedPort()}`;
    expect(await transport(origin, nobody).exchange(call())).toMatchObject({
      sent: false,
      error: { code: 'PROXY_ECONNREFUSED' },
    });
  });

  test('has the same deadline', async () => {
    await using store = await wire.adversary({ script: [wire.stall] });
    await using proxy = await testProxy({ to: store.port });
    const got = await transport(origin, proxy, { timeoutMs: 100 }).exchange(call());
    expect(got).toMatchObject({ sent: true, error: { code: 'DEADLINE' } });
  });
});

describe('https through a proxy', () => {
  const origin = 'https://store.invalid';
  const check = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  let server: ReturnType<typeof createServer>;
  let received: string[] = [];
  let respond: (socket: Socket) => boolean = () => true;

  beforeAll(async () => {
    // The client does not trust the certificates of the tests. Trust is not tested here.
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    server = createServer(CERTIFICATES.other, (request, response) => {
      received.push(`${request.method} ${request.url}`);
      if (respond(request.socket)) response.end('ok');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    if (check === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = check;
    server.closeAllConnections();
    server.close();
  });
  afterEach(() => {
    received = [];
    respond = () => true;
  });

  async function proxied(options: Partial<ProxyOptions> = {}): Promise<TestProxy> {
    const proxy = await testProxy({ to: (server.address() as AddressInfo).port, ...options });
    open.push({ close: proxy.stop });
    return proxy;
  }

  test('opens one tunnel for each socket, and no more than the limit', async () => {
    const proxy = await proxied();
    const through = transport(origin, proxy);
    const ends = await Promise.all(Array.from({ length: 10 }, () => through.exchange(call())));
    expect(ends.every(({ status, body }) => status === 200 && body === 'ok')).toBe(true);
    expect(received).toEqual(Array(10).fill('POST /api/x?y=1'));
    expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT store.invalid:443']));
    expect(proxy.asked.length).toBeLessThanOrEqual(2);
  });

  test('does not reuse a tunnel that was idle for more than a second', async () => {
    const proxy = await proxied();
    const through = transport(origin, proxy, { concurrency: 1 });
    await through.exchange(call());
    await new Promise((resolve) => setTimeout(resolve, 1_600));
    expect(await through.exchange(call())).toMatchObject({ status: 200 });
    expect(proxy.asked).toHaveLength(2);
  });

  const hangUp = (socket: Duplex) => void socket.end();
  const notSent: readonly [string, Partial<ProxyOptions>, RegExp, RegExp][] = [
    ['the proxy refuses', { refuse: 403 }, /^PROXY_403$/, /the proxy answered with status 403/],
    ['the proxy wants a password', { login: 'a:b' }, /^PROXY_407$/, /the proxy wants a user name/],
    [
      'the proxy hangs up',
      { onConnect: hangUp },
      /^PROXY_UND_ERR_SOCKET$/,
      /the proxy closed the connection/,
    ],
    [
      'the proxy is silent',
      { onConnect: () => {} },
      /^PROXY_UND_ERR_HEADERS_TIMEOUT$/,
      /the proxy did not answer in time/,
    ],
    ['the tunnel is closed before the TLS handshake ends', { cutAfterChunks: 1 }, /./, /could not be|closed/],
  ];
  for (const [what, options, code, words] of notSent) {
    test(`counts as not sent if ${what}`, async () => {
      const through = transport(origin, await proxied(options), { connectTimeoutMs: 500 });
      const got = await through.exchange(call());
      expect(got).toMatchObject({ sent: false, error: { code: expect.stringMatching(code) } });
      expect(troubleWords(got)).toMatch(words);
      expect(troubleHints(got, origin)).toHaveLength(1);
      expect(received).toEqual([]);
    });
  }

  test('counts as sent if the connection is lost after the store has the request', async () => {
    respond = (socket) => {
      socket.destroy();
      return false;
    };
    const got = await transport(origin, await proxied()).exchange(call());
    expect(got).toMatchObject({ sent: true, error: {} });
    expect(received).toEqual(['POST /api/x?y=1']);
  });

  test('has one deadline, and ends when the client is closed', async () => {
    respond = () => false;
    const proxy = await proxied();
    const late = transport(origin, proxy, { timeoutMs: 200, connectTimeoutMs: 5_000 });
    expect(await late.exchange(call())).toMatchObject({ sent: true, error: { code: 'DEADLINE' } });
    const stalled = await proxied({ onConnect: () => {} });
    const waiting = transport(origin, stalled, { connectTimeoutMs: 600_000 });
    const work = waiting.exchange(call());
    await expect.poll(() => stalled.asked.length).toBe(1);
    await waiting.close();
    expect(await work).toMatchObject({ sent: false });
  });
});
