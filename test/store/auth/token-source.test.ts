import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { storeIdOf, tokenLifeMs } from '../../../src/store/auth/token-life.ts';
import * as wire from '../../support/store/adversary.ts';
import { CLIENT_ID, deliver, REQUESTS, SECRET, testClient } from '../../support/store/client.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 15);

function jwt(payload: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256' })}.${part(payload)}.c2lnbmF0dXJl`;
}

describe('the lifetime of a token', () => {
  const seconds = NOW / 1000;
  const cases: readonly [string, string, string | number | null | undefined, number | undefined][] = [
    ['seconds', 'opaque', 3600, 3_600_000],
    ['a day in seconds', 'opaque', 86_400, DAY],
    ['an hour in milliseconds', 'opaque', 3_600_000, 3_600_000],
    ['ten days in milliseconds', 'opaque', 10 * DAY, 10 * DAY],
    ['ten days in seconds, read as the shorter duration', 'opaque', 864_000, 864_000],
    ['a point in time in seconds', 'opaque', seconds + 600, 600_000],
    ['a point in time in milliseconds', 'opaque', NOW + 600_000, 600_000],
    ['digits in a string', 'opaque', '3600', 3_600_000],
    ['a point in time in the past', 'opaque', seconds - 10, undefined],
    ['a point in time within a second, by a wrong clock', 'opaque', NOW + 500, undefined],
    ['zero', 'opaque', 0, undefined],
    ['negative', 'opaque', -5, undefined],
    ['absent', 'opaque', undefined, undefined],
    ['null', 'opaque', null, undefined],
    ['absurd', 'opaque', 9e15, undefined],
    ['exp of a JWT, which takes precedence', jwt({ exp: seconds + 60 }), 86_400, 60_000],
    [
      'exp and iat of a clock that differs',
      jwt({ exp: seconds + 90_000, iat: seconds + 86_400 }),
      1,
      3_600_000,
    ],
    ['exp in the past, so expireTime is used', jwt({ exp: seconds - 60 }), 3600, 3_600_000],
    [
      'exp within a second, of a token with a long lifetime',
      jwt({ exp: seconds + 1, iat: seconds - 3599 }),
      0,
      undefined,
    ],
    [
      'exp of a short lifetime, whatever the clock',
      jwt({ exp: seconds - 3598, iat: seconds - 3600 }),
      0,
      2_000,
    ],
    ['exp in a year', jwt({ exp: seconds + 365 * 86_400, iat: seconds }), 1, 365 * DAY],
    ['a JWT without exp', jwt({ sub: 'x' }), 3600, 3_600_000],
    ['three parts that are not a JWT', 'a.b.c', 3600, 3_600_000],
  ];
  for (const [what, token, expireTime, lifeMs] of cases) {
    test(`${what}: ${lifeMs === undefined ? 'not known' : `${lifeMs} ms`}`, () => {
      expect(tokenLifeMs(token, expireTime, NOW)).toBe(lifeMs);
    });
  }

  test('the store id is read from the claims of a JWT', () => {
    expect(storeIdOf(jwt({ store: { _id: '66aa' } }))).toBe('66aa');
    expect(storeIdOf(jwt({ store: 'x' }))).toBeUndefined();
    expect(storeIdOf('opaque')).toBeUndefined();
  });
});

describe('obtaining a token', () => {
  test('sends the credentials exactly as they are', async () => {
    await using store = await wire.adversary({ script: [wire.created()] });
    await testClient({ baseUrl: store.url }).authenticate();
    const url = new URL(store.tokenRequests[0]?.target ?? '', store.url);
    expect(url.searchParams.get('clientId')).toBe(CLIENT_ID);
    expect(url.searchParams.get('clientSecret')).toBe(SECRET);
    // The raw bytes, not only what a parser that reads `+` as a space sees.
    expect(store.tokenRequests[0]?.target).toContain(`clientSecret=${encodeURIComponent(SECRET)}`);
  });

  test('reports when it expires, and the id of the store', async () => {
    const accessToken = jwt({ exp: Math.floor(Date.now() / 1000) + 3600, store: { _id: '66aa' } });
    await using store = await wire.adversary({
      script: [wire.created()],
      token: [wire.json(200, { accessToken })],
    });
    const { expiresAt, storeId } = await testClient({ baseUrl: store.url }).authenticate();
    expect(storeId).toBe('66aa');
    expect(Math.abs((expiresAt ?? 0) - Date.now() - 3_600_000)).toBeLessThan(20_000);
  });

  test('posts to the path below the base URL', async () => {
    await using store = await wire.adversary({ script: [wire.created()] });
    const client = testClient({ baseUrl: `${store.url}/shop` });
    await deliver(client, 'create').catch(() => undefined);
    expect([...store.tokenRequests, ...store.requests].map(({ target }) => target.split('?')[0])).toContain(
      '/shop/api/stores/authentication',
    );
  });

  const refused = 'credentials-refused';
  const cases: readonly [string, wire.Step, string, RegExp][] = [
    [
      '401',
      wire.json(401, { message: 'unknown client' }),
      refused,
      /client id and client secret \(401\): unknown client/,
    ],
    ['400', wire.reply(400), refused, /client secret \(400\)/],
    [
      '403 that repeats the secret',
      wire.json(403, { error: `bad ${SECRET}` }),
      refused,
      /\(403\): bad \*\*\*/,
    ],
    [
      '200 with a body that reports an error',
      wire.json(200, { status: 'error', message: 'no such client' }),
      refused,
      /no such client/,
    ],
    ['an HTML page', wire.html, 'not-the-api', /HTML page, status 200.*Is the base URL right\?/],
    [
      'a redirect',
      wire.reply(302, '', { location: '/login' }),
      'not-the-api',
      /redirect to http:\/\/127\.0\.0\.1:\d+\/login, status 302/,
    ],
    [
      '403 with a web page of a server in between',
      wire.reply(403, '<html><title>Log in</title></html>'),
      'not-the-api',
      /HTML page, status 403.*Is the base URL right\?/,
    ],
    ['404', wire.reply(404), 'not-the-api', /status 404/],
    ['JSON without a token', wire.json(200, { hello: 1 }), 'not-the-api', /another shape, status 200/],
    [
      'a token that is not a valid header value',
      wire.json(200, { accessToken: 'a\r\nb: c' }),
      'not-the-api',
      /another shape/,
    ],
    ['503 every time', wire.reply(503), 'store-unreachable', /answers with status 503/],
    ['429 every time', wire.reply(429), 'store-unreachable', /asks for fewer requests for tokens \(429\)/],
    ['a reset every time', wire.reset, 'store-unreachable', /closed the connection \(ECONNRESET\)/],
  ];
  for (const [what, step, reason, message] of cases) {
    test(`${what}: stops the run, ${reason}`, async () => {
      await using store = await wire.adversary({ script: [wire.created()], token: [step] });
      const client = testClient({ baseUrl: store.url });
      await expect(client.authenticate()).rejects.toMatchObject({
        reason,
        message: expect.stringMatching(message),
      });
      // Within seconds, not after the time that an outage during a run may last.
      expect(client.slept.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(10_000);
      expect(store.tokenRequests.length).toBeLessThan(5);
    });
  }

  test('a closed port stops the run within seconds', async () => {
    const client = testClient({ baseUrl: `http://127.0.0.1:${await wire.closedPort()}` });
    await expect(client.authenticate()).rejects.toMatchObject({
      reason: 'store-unreachable',
      message: 'No access token: the store refused the connection (ECONNREFUSED).',
    });
  });

  test('succeeds after a 503 and a reset', async () => {
    await using store = await wire.adversary({
      script: [wire.created()],
      token: [wire.reply(503), wire.reset, wire.reply(429), wire.token()],
    });
    await testClient({ baseUrl: store.url }).authenticate();
    expect(store.tokenRequests).toHaveLength(4);
  });

  test('is repeated after Retry-After, and not before', async () => {
    const limited = wire.reply(429, '', { 'retry-after': '20' });
    await using store = await wire.adversary({ script: [wire.created()], token: [limited, wire.token()] });
    const client = testClient({ baseUrl: store.url });
    await client.authenticate();
    expect(client.slept[0]).toBeGreaterThanOrEqual(20_000);
    expect(client.warnings[0]).toContain('asks for fewer requests for tokens (429)');
  });

  test('counts a wait from the Date of the store, even if our clock is wrong by hours', async () => {
    const hour = 3_600_000;
    for (const offMs of [-5 * hour, 5 * hour]) {
      const storeNow = Date.now() + offMs;
      const answer = { accessToken: 'access-token-1', expireTime: Math.round(storeNow + hour) };
      const date = new Date(storeNow).toUTCString();
      await using store = await wire.adversary({
        script: [wire.created()],
        token: [wire.json(200, answer, { date })],
      });
      const { expiresAt = 0 } = await testClient({ baseUrl: store.url }).authenticate();
      expect(Math.abs(expiresAt - Date.now() - hour)).toBeLessThan(60_000);
    }
  });

  test('is repeated after a truncated answer', async () => {
    await using store = await wire.adversary({
      script: [wire.created()],
      token: [wire.truncated(200), wire.token()],
    });
    await testClient({ baseUrl: store.url }).authenticate();
    expect(store.tokenRequests).toHaveLength(2);
  });

  test('fails once for ten waiting deliveries, and the next delivery tries again', async () => {
    await using store = await wire.adversary({
      script: [wire.created()],
      token: [wire.json(401, { message: 'down' }), wire.token()],
    });
    const client = testClient({ baseUrl: store.url, concurrency: 10, learnedRate: 1_000 });
    const ends = await Promise.allSettled(Array.from({ length: 10 }, () => deliver(client, 'create')));
    expect(ends.map(({ status }) => status)).toEqual(Array(10).fill('rejected'));
    expect(store.tokenRequests).toHaveLength(1);
    expect(await deliver(client, 'create')).toMatchObject({ verdict: 'done' });
    expect(store.tokenRequests).toHaveLength(2);
  });
});

describe('renewing a token', () => {
  /** 401 for the first token, whoever sends it; success for all others. */
  const only2nd: wire.Step = (socket, request) => {
    const step = request.headers['x-auth-token']?.startsWith('access-token-1-')
      ? wire.reply(401)
      : wire.created();
    step(socket, request);
  };

  test('ten 401s at once cause one refresh', async () => {
    await using store = await wire.adversary({ script: [only2nd] });
    const client = testClient({ baseUrl: store.url, concurrency: 10, learnedRate: 1_000 });
    const ends = await Promise.all(Array.from({ length: 10 }, () => deliver(client, 'create')));
    expect(ends.map(({ verdict }) => verdict)).toEqual(Array(10).fill('done'));
    expect(store.tokenRequests.map(({ method }) => method)).toEqual(['GET', 'POST']);
    expect(store.tokenRequests[1]?.target).toMatch(/&refresh=true$/);
    expect(JSON.parse(store.tokenRequests[1]?.body ?? '')).toEqual({ refreshToken: 'refresh-token-1' });
  });

  test('a 401 that arrives after the token was renewed causes no second refresh', async () => {
    const late: (() => void)[] = [];
    const held: wire.Step = (socket, request) => void late.push(() => wire.reply(401)(socket, request));
    await using store = await wire.adversary({ script: [held, wire.reply(401), wire.created()] });
    const client = testClient({ baseUrl: store.url, concurrency: 2, learnedRate: 1_000 });
    const first = deliver(client, 'create');
    await vi.waitFor(() => expect(late).toHaveLength(1));
    expect(await deliver(client, 'create')).toMatchObject({ verdict: 'done' });
    late[0]?.();
    expect(await first).toMatchObject({ verdict: 'done', attempts: 2 });
    expect(store.tokenRequests).toHaveLength(2);
  });

  test('a message of the store does not show the refresh token', async () => {
    await using store = await wire.adversary({
      script: [wire.json(400, { message: 'unknown: refresh-token-1' })],
    });
    const { message } = await deliver(testClient({ baseUrl: store.url }), 'create');
    expect(message).toContain('unknown: ***');
  });

  test('the credentials are used if the refresh token is refused', async () => {
    const issue = wire.token();
    await using store = await wire.adversary({ script: [only2nd], token: [issue, wire.reply(401), issue] });
    const client = testClient({ baseUrl: store.url });
    expect(await deliver(client, 'create')).toMatchObject({ verdict: 'done', attempts: 2 });
    expect(store.tokenRequests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']);
  });

  test('the credentials are used if the refresh fails with 5xx', async () => {
    const issue = wire.token();
    const byMethod: wire.Step = (socket, request) =>
      (request.method === 'GET' ? issue : wire.reply(500))(socket, request);
    await using store = await wire.adversary({ script: [only2nd], token: [byMethod] });
    const client = testClient({ baseUrl: store.url });
    expect(await deliver(client, 'create')).toMatchObject({ verdict: 'done', attempts: 2 });
    expect(store.tokenRequests.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST', 'POST', 'GET']);
  });

  test('a second 401, for the new token, stops the run', async () => {
    await using store = await wire.adversary({ script: [wire.json(401, { message: 'no' })] });
    const client = testClient({ baseUrl: store.url });
    await expect(deliver(client, 'update')).rejects.toMatchObject({ reason: 'credentials-refused' });
    // The last request is a read, which is refused too.
    expect(store.requests.map(({ method }) => method)).toEqual(['PUT', 'PUT', 'GET']);
  });

  test('a second 400 that seems to be about the token rejects the record and does not stop the run', async () => {
    const expired = wire.json(400, { status: 'error', message: 'jwt expired' });
    await using store = await wire.adversary({ script: [expired, expired, wire.created()] });
    const client = testClient({ baseUrl: store.url });
    expect(await deliver(client, 'create')).toMatchObject({
      verdict: 'rejected',
      code: 'store-refused',
      attempts: 2,
      message: 'The store does not accept the access token (400): jwt expired',
    });
    expect(store.tokenRequests).toHaveLength(2);
    expect(await deliver(client, 'create')).toMatchObject({ verdict: 'done', attempts: 1 });
  });

  test('a token is renewed before it expires, checked when sending', async () => {
    await using store = await wire.adversary({
      script: [wire.created()],
      token: [wire.token({ expireTime: 100 })],
    });
    let skipped = 0;
    const client = testClient({ baseUrl: store.url, now: () => performance.now() + skipped });
    await deliver(client, 'create');
    skipped = 60_000;
    await deliver(client, 'create');
    expect(store.tokenRequests).toHaveLength(1);
    skipped = 95_000;
    await deliver(client, 'create');
    expect(store.tokenRequests).toHaveLength(2);
    expect(store.requests[2]?.headers['x-auth-token']).toMatch(/^access-token-2-/);
  });

  test.each([
    ['back', -3_600_000],
    ['forward', 3_600_000],
  ])('a clock that is set %s by an hour neither delays nor repeats a renewal', async (_, shiftMs) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    // A point in time without a Date header: the least that a store can give.
    const token = wire.token({ expireTime: Date.now() + 100_000 });
    await using store = await wire.adversary({ script: [wire.created()], token: [token, token] });
    let skipped = 0;
    const client = testClient({ baseUrl: store.url, now: () => performance.now() + skipped });
    await deliver(client, 'create');
    vi.setSystemTime(Date.now() + shiftMs);
    await deliver(client, 'create');
    expect(store.tokenRequests).toHaveLength(1);
    skipped = 95_000;
    for (let n = 0; n < 5; n++) await deliver(client, 'create');
    expect(store.tokenRequests).toHaveLength(2);
  });

  test('an outage during a run is waited for', async () => {
    const issue = wire.token();
    const down = Array(8).fill(wire.reply(503)) as wire.Step[];
    await using store = await wire.adversary({ script: [only2nd], token: [issue, ...down, issue] });
    const client = testClient({ baseUrl: store.url, giveUpAfterMs: 600_000 });
    expect(await deliver(client, 'create')).toMatchObject({ verdict: 'done' });
    expect(client.warnings).toHaveLength(2);
  });

  test('a waiting token request is reported, though nine of ten deliveries only wait for another one', async () => {
    const issue = wire.token();
    const down = Array(8).fill(wire.reply(503)) as wire.Step[];
    await using store = await wire.adversary({ script: [only2nd], token: [issue, ...down, issue] });
    const client = testClient({ baseUrl: store.url, concurrency: 10, giveUpAfterMs: 600_000 });
    await client.authenticate();
    const ends = await Promise.all(Array.from({ length: 10 }, () => deliver(client, 'create')));
    expect(ends.map(({ verdict }) => verdict)).toEqual(Array(10).fill('done'));
    expect(client.waits[0]).toEqual({ reason: 'answers with status 503', until: expect.any(Number) });
    expect(client.waits.at(-1)).toBeUndefined();
  });

  test('an outage during a run is reported once, though ten wait', async () => {
    const issue = wire.token();
    const down = Array(8).fill(wire.reply(503)) as wire.Step[];
    await using store = await wire.adversary({ script: [only2nd], token: [issue, ...down, issue] });
    const client = testClient({ baseUrl: store.url, giveUpAfterMs: 600_000, concurrency: 10 });
    await Promise.all(Array.from({ length: 10 }, () => deliver(client, 'create')));
    expect(client.warnings).toHaveLength(2);
  });

  const spoilt: readonly [string, wire.Step, string][] = [
    ['a web page', wire.html, 'HTML page, status 200'],
    ['nothing', wire.reply(200), 'empty answer, status 200'],
    ['a truncated answer', wire.truncated(200), 'an answer that was cut off, status 200'],
    ['JSON without a token', wire.json(200, { hello: 1 }), 'an answer of another shape, status 200'],
  ];
  for (const [what, step, words] of spoilt) {
    test(`${what} instead of a token during a run is waited for`, async () => {
      const issue = wire.token();
      await using store = await wire.adversary({
        script: [only2nd],
        // Refused first, so that the credentials are needed again.
        token: [issue, wire.reply(401), ...(Array(8).fill(step) as wire.Step[]), issue],
      });
      const client = testClient({ baseUrl: store.url, giveUpAfterMs: 600_000 });
      expect(await deliver(client, 'create')).toMatchObject({ verdict: 'done', attempts: 2 });
      expect(client.warnings[0]).toBe(
        `Waiting for the store: it answers a request for a token with ${words}. Trying again until it answers.`,
      );
      expect(client.warnings).toHaveLength(2);
    });
  }

  test('credentials that are refused during a run stop the run at once', async () => {
    const refusal = wire.json(200, { status: 'error', message: 'no such client' });
    await using store = await wire.adversary({
      script: [only2nd],
      token: [wire.token(), wire.reply(401), refusal],
    });
    const client = testClient({ baseUrl: store.url });
    await expect(deliver(client, 'create')).rejects.toMatchObject({ reason: 'credentials-refused' });
    expect(store.tokenRequests).toHaveLength(3);
  });

  test('a 401 for a token that was replaced meanwhile does not refuse the credentials', async () => {
    const fail = wire.reply(401);
    await using store = await wire.adversary({
      script: [wire.created(), fail, wire.reply(429), fail, wire.created()],
    });
    const client = testClient({ baseUrl: store.url });
    await deliver(client, 'create');
    expect(await client.deliver(REQUESTS.create)).toMatchObject({ verdict: 'done', attempts: 4 });
  });
});
