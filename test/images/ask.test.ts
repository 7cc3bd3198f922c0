import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAskImage } from '../../src/images/ask.ts';
import { createImageFetcher, type ImageFetcher } from '../../src/images/exchange.ts';
import { createHostGate } from '../../src/images/host-gate.ts';
import { ANY_ADDRESS, openConnections } from '../../src/store/index.ts';
import { type ImageServer, refusedOrigin, startImageServer } from '../support/images/image-server.ts';

const MOST = 20_000_000;

let server: ImageServer;
const open: ImageFetcher[] = [];
beforeEach(async () => {
  server = await startImageServer();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((fetcher) => fetcher.close()));
  await server.close();
});

/** A deadline that no request reaches, so that a slow machine changes nothing; one that hangs gets a short one. */
const LONG_MS = 60_000;

/** `timeouts`: by method, in place of the deadline. */
function asker({ timeoutMs = LONG_MS, timeouts = {} as Partial<Record<'GET' | 'HEAD', number>> } = {}) {
  const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const now = () => performance.now();
  const fetcher = createImageFetcher({
    ...{ openConnections, proxyFor: () => undefined, most: 8, connectTimeoutMs: 1000 },
    guard: ANY_ADDRESS,
    ...{ mostBytes: MOST, userAgent: 'storeport/test' },
  });
  open.push(fetcher);
  const waits: number[] = [];
  const pauses: [origin: string, ms: number][] = [];
  const gate = createHostGate({ rate: 10_000, most: 8, now, sleep });
  const ask = createAskImage({
    ...{ timeoutMs, mostBytes: MOST, now },
    fetcher: {
      fetch: (request) =>
        fetcher.fetch({ ...request, timeoutMs: timeouts[request.method] ?? request.timeoutMs }),
    },
    gate: { ...gate, pause: (origin, ms) => void pauses.push([origin, ms]) },
    retryDelay: (attempt) => attempt,
    sleep: async (ms) => void waits.push(ms),
  });
  return { ask, waits, pauses };
}

/** Requests for a path, such as `HEAD GET`. */
const methodsFor = (path: string, of = server) =>
  of.hits
    .filter((hit) => hit.path === path)
    .map(({ method }) => method)
    .join(' ');

describe('an image is fine', () => {
  test.each([
    ['ok', 'HEAD GET'],
    ['octet-stream', 'HEAD GET'],
    ['no-parts', 'HEAD GET'],
    ['chunked', 'HEAD GET'],
    ['slow', 'HEAD GET'],
    ['redirected', 'HEAD GET'],
    ['head-405', 'HEAD GET'],
    ['head-404', 'HEAD GET'],
    ['head-html', 'HEAD GET'],
    ['no-range', 'HEAD GET GET'],
    ['busy', 'HEAD GET GET'],
    ['fails-once', 'HEAD GET GET'],
  ])('if it is served as %s', async (way, methods) => {
    const path = `/${way}/fine.jpg`;
    expect(await asker().ask(server.origin + path)).toMatchObject({ verdict: 'ok' });
    expect(methodsFor(path)).toBe(methods);
  });
});

test('a server that hangs for HEAD alone has fine images', async () => {
  const finding = await asker({ timeouts: { HEAD: 50 } }).ask(`${server.origin}/head-hangs/fine.jpg`);
  expect([finding.verdict, methodsFor('/head-hangs/fine.jpg')]).toEqual(['ok', 'HEAD GET']);
});

describe('an image is not fine', () => {
  test.each([
    ['404', 'dead', 'its server answered with 404'],
    ['410', 'dead', 'its server answered with 410'],
    ['400', 'dead', 'its server answered with 400'],
    ['circle', 'dead', 'it is redirected in a circle, or more than 5 times'],
    ['chain', 'dead', 'it is redirected in a circle, or more than 5 times'],
    ['nowhere', 'dead', 'it is redirected to no web address'],
    ['html', 'not-an-image', 'it is an HTML page (text/html)'],
    ['html-as-jpeg', 'not-an-image', 'it is an HTML page (image/jpeg)'],
    ['empty', 'not-an-image', 'it is empty (image/jpeg)'],
    ['huge', 'too-large', 'it has 30 MB'],
    ['huge-chunked', 'too-large', 'it has more than 20 MB'],
    ['401', 'needs-login', 'its server answered with 401'],
    ['403', 'needs-login', 'its server answered with 403'],
    ['500', 'unknown', 'its server answered with 500'],
    ['429', 'unknown', 'its server answered with 429'],
    ['cut', 'unknown', 'its server closed the connection'],
  ])('if it is served as %s', async (way, verdict, found) => {
    expect(await asker().ask(`${server.origin}/${way}/bad.jpg`)).toMatchObject({ verdict, found });
  });

  test('if its server hangs', async () => {
    const finding = await asker({ timeoutMs: 200 }).ask(`${server.origin}/hangs/bad.jpg`);
    expect(finding).toMatchObject({ verdict: 'dead', found: 'its server gave no answer within 0.2 seconds' });
  });

  test('if nothing listens there', async () => {
    const finding = await asker().ask(`${await refusedOrigin()}/a.jpg`);
    expect(finding).toMatchObject({ verdict: 'dead', found: 'its server refuses connections' });
  });

  test('if its host is unknown', async () => {
    const finding = await asker().ask('http://images.invalid/a.jpg');
    expect(finding).toMatchObject({ verdict: 'dead', found: 'there is no host of that name' });
  });

  test.each([
    ['expired', 'has expired'],
    ['other', 'is for another host'],
    ['good', 'no valid certificate'],
  ] as const)('if its certificate is not valid: %s', async (tls, found) => {
    const secure = await startImageServer({ tls });
    try {
      const finding = await asker().ask(`${secure.origin}/a.jpg`);
      // Nobody vouches for these certificates, which Node may find out first.
      expect(finding).toMatchObject({
        verdict: 'dead',
        found: expect.stringMatching(`certificate|${found}`),
      });
      expect(secure.hits).toEqual([]);
    } finally {
      await secure.close();
    }
  });
});

test('an answer that begins and then hangs leaves an image unknown', async () => {
  const { ask } = asker({ timeouts: { GET: 150 } });
  // Its headers arrive, and its body never does.
  const finding = await ask(`${server.origin}/trickle/a.jpg`);
  expect(finding).toMatchObject({ verdict: 'unknown', found: 'its answer was not complete in time' });
});

test('trouble of the server is asked about three times', async () => {
  const { ask, waits } = asker();
  await ask(`${server.origin}/500/thrice.jpg`);
  expect(methodsFor('/500/thrice.jpg')).toBe('HEAD GET GET GET');
  expect(waits).toEqual([1, 2]);
});

test('a server that wants fewer requests gets none for other images either', async () => {
  const { ask, pauses } = asker();
  await ask(`${server.origin}/busy/paused.jpg`);
  await ask(`${server.origin}/500/not-paused.jpg`);
  // The HEAD was refused, and the first GET too.
  expect(pauses).toEqual([
    [server.origin, 1],
    [server.origin, 1],
  ]);
});

test('a dead image is asked for once with each method', async () => {
  await asker().ask(`${server.origin}/404/once.jpg`);
  expect(methodsFor('/404/once.jpg')).toBe('HEAD GET');
});

test('five redirects are followed, and no credentials are sent on the way', async () => {
  const finding = await asker().ask(`${server.origin}/five/0.jpg`);
  expect(finding.verdict).toBe('ok');
  const hits = server.hits.filter(({ path }) => path.includes('/five/') || path.includes('five-end'));
  expect(hits).toHaveLength(12);
  for (const { headers } of hits) {
    expect(headers.authorization).toBeUndefined();
    expect(headers.cookie).toBeUndefined();
    expect(headers['user-agent']).toBe('storeport/test');
  }
});

test('a socket is used for many images, whatever is answered', async () => {
  const { ask } = asker();
  const before = server.sockets;
  for (const way of ['ok', '404', 'html', 'octet-stream', 'redirected', '403', 'ok'])
    for (let n = 0; n < 5; n++) await ask(`${server.origin}/${way}/reused-${n}.jpg`);
  // 80 requests. On a slow machine idle sockets may be closed meanwhile.
  expect(server.sockets - before).toBeLessThan(20);
});

test('only the first bytes are asked for', async () => {
  await asker().ask(`${server.origin}/ok/part.jpg`);
  const [, get] = server.hits.filter(({ path }) => path === '/ok/part.jpg');
  expect(get?.headers.range).toBe('bytes=0-4095');
});

test('a server that packs images although it is not asked to is understood', async () => {
  expect(await asker().ask(`${server.origin}/packed/a.svg`)).toMatchObject({ verdict: 'ok' });
});

test('a kind without a signature is an image if the server calls it one', async () => {
  const { ask } = asker();
  expect(await ask(`${server.origin}/rare-as-image/a.pcx`)).toMatchObject({ verdict: 'ok' });
  expect(await ask(`${server.origin}/rare/a.bin`)).toMatchObject({
    verdict: 'not-an-image',
    found: 'it is of no known kind (application/octet-stream)',
  });
});
