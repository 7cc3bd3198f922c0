import type { LookupAddress } from 'node:dns';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createAskImage } from '../../src/images/ask.ts';
import { createImageFetcher } from '../../src/images/exchange.ts';
import { createHostGate } from '../../src/images/host-gate.ts';
import { openConnections, publicAddresses } from '../../src/store/index.ts';
import { type ImageServer, startImageServer } from '../support/images/image-server.ts';

let server: ImageServer;
beforeEach(async () => {
  server = await startImageServer();
});
afterEach(() => server.close());

const HERE = '127.0.0.1';
const NAME = 'images.example';

/** Asks with a guard for which this machine is public, while the address 127.0.0.2 and others are private. */
function asker(answers: readonly string[][] = []) {
  const looked: string[] = [];
  const guard = publicAddresses(
    (name, _, done) => {
      const found = answers[looked.length] ?? [];
      looked.push(name);
      done(
        null,
        found.map((address): LookupAddress => ({ address, family: 4 })),
      );
    },
    (address) => address === HERE,
  );
  const fetcher = createImageFetcher({
    ...{ openConnections, proxyFor: () => undefined, most: 1, connectTimeoutMs: 60_000, guard },
    ...{ mostBytes: 20_000_000, userAgent: 'storeport/test' },
  });
  onTestFinished(() => fetcher.close());
  const now = () => performance.now();
  const sleep = async () => {};
  const ask = createAskImage({
    ...{ fetcher, timeoutMs: 60_000, mostBytes: 20_000_000, now, sleep, retryDelay: () => 0 },
    gate: createHostGate({ rate: 10_000, most: 8, now, sleep }),
  });
  return { ask, looked };
}

/** The address of the server under a name, which the guard looks up. */
const named = (path: string) => `http://${NAME}:${new URL(server.origin).port}${path}`;

test('a name is looked up once for a connection, which goes to the address that was checked', async () => {
  // A second look-up would yield an address that nothing listens at.
  const { ask, looked } = asker([['127.0.0.2', HERE], ['127.0.0.2']]);
  expect(await ask(named('/ok/a.jpg'))).toMatchObject({ verdict: 'ok' });
  expect(looked).toEqual([NAME]);
  expect(server.hits.map(({ headers }) => headers.host)).toEqual(
    server.hits.map(() => new URL(named('/')).host),
  );
});

test('a name with private addresses only is refused, and nothing is connected to', async () => {
  const { ask } = asker([['127.0.0.2'], ['127.0.0.2']]);
  expect(await ask(named('/ok/a.jpg'))).toEqual({
    ...{ verdict: 'private', found: 'its host has a private address', isUnanswered: true },
  });
  expect(server.sockets).toBe(0);
});

test.each([
  'http://127.0.0.2:PORT/ok/b.jpg',
  'http://[::1]:PORT/ok/b.jpg',
  'http://localhost:PORT/ok/b.jpg',
  'http://2130706434:PORT/ok/b.jpg',
  '//127.0.0.2:PORT/ok/b.jpg',
  `http://${NAME}:PORT/ok/b.jpg`,
])('a redirect to %s is not followed', async (to) => {
  const { ask } = asker([['127.0.0.2'], ['127.0.0.2']]);
  const target = to.replace('PORT', new URL(server.origin).port);
  const finding = await ask(`${server.origin}/elsewhere/${encodeURIComponent(target)}`);
  expect(finding).toEqual({ verdict: 'private', found: 'it is redirected to a private address' });
  expect(server.hits.map(({ path }) => path.split('/')[1])).toEqual(['elsewhere']);
});
