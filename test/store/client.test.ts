import { describe, expect, test } from 'vitest';
import { RunStopped } from '../../src/model/index.ts';
import type { StoreClient } from '../../src/store/index.ts';
import { passTimeByTurns } from '../support/quick-time.ts';
import * as wire from '../support/store/adversary.ts';
import { deliver, REQUESTS, SECRET, testClient } from '../support/store/client.ts';

passTimeByTurns();

describe('a delivery', () => {
  test('sends token, user agent and body', async () => {
    await using store = await wire.adversary({ script: [wire.created()] });
    await deliver(testClient({ baseUrl: store.url }), 'create');
    expect(store.requests[0]).toMatchObject({
      method: 'POST',
      target: '/api/products/create',
      headers: {
        'x-auth-token': expect.stringMatching(/^access-token-1-/),
        'user-agent': 'storeport-test',
        'content-type': 'application/json',
      },
      body: '{"name":"Lamp"}',
    });
  });

  test('returns the answer of a read, and the identifier of a create', async () => {
    await using store = await wire.adversary({ script: [wire.created('abc')] });
    const client = testClient({ baseUrl: store.url });
    expect(await deliver(client, 'create')).toEqual({
      verdict: 'done',
      attempts: 1,
      durationMs: expect.any(Number),
      httpStatus: 200,
      id: 'abc',
    });
    expect((await deliver(client, 'read')).answer).toEqual({ status: 'success', data: { _id: 'abc' } });
  });

  test('of an update is done if the store reports success without an identifier', async () => {
    await using store = await wire.adversary({ script: [wire.json(200, { status: 'success' })] });
    expect(await deliver(testClient({ baseUrl: store.url }), 'update')).toMatchObject({
      verdict: 'done',
      attempts: 1,
    });
  });

  test('that is refused returns the message of the store, its status and the field', async () => {
    const body = {
      status: 'error',
      message: 'The body was refused',
      errors: [{ field: 'price.salePrice', reason: 'x' }],
    };
    await using store = await wire.adversary({ script: [wire.json(400, body)] });
    expect(await deliver(testClient({ baseUrl: store.url }), 'create')).toMatchObject({
      verdict: 'rejected',
      code: 'store-refused',
      httpStatus: 400,
      field: 'price.salePrice',
      message: 'The store refused the request (400): The body was refused',
    });
  });

  test('that is redirected names the target without its query', async () => {
    const location = `https://user:pw@elsewhere.example/login?back=${encodeURIComponent(SECRET)}#x`;
    await using store = await wire.adversary({ script: [wire.reply(302, '', { location })] });
    expect(await deliver(testClient({ baseUrl: store.url }), 'create')).toMatchObject({
      message:
        'The store answered with a redirect (302) to https://elsewhere.example/login, which is not followed. Is the base URL right?',
    });
  });

  test('masks secrets that the store repeats', async () => {
    const echo: wire.Step = (socket, request) =>
      wire.json(422, { message: `bad ${request.headers['x-auth-token']} and ${SECRET}`, field: SECRET })(
        socket,
        request,
      );
    await using store = await wire.adversary({ script: [echo] });
    const delivery = await deliver(testClient({ baseUrl: store.url }), 'create');
    expect(delivery.message).toBe('The store refused the request (422): bad *** and ***');
    expect(delivery.field).toBe('***');
  });

  test('leaves a create in doubt if its identifier is a secret or has one, in any writing', async () => {
    const hex = (text: string) => Buffer.from(text).toString('hex');
    for (const idOf of [(token: string) => token, () => `a-${encodeURIComponent(SECRET)}`, hex]) {
      const answer: wire.Step = (socket, request) =>
        wire.json(200, { data: { _id: idOf(String(request.headers['x-auth-token'])) } })(socket, request);
      await using store = await wire.adversary({ script: [answer] });
      const delivery = await deliver(testClient({ baseUrl: store.url }), 'create');
      expect(delivery).toMatchObject({ verdict: 'in-doubt', code: 'accepted-unreadable' });
      expect(delivery.id).toBeUndefined();
    }
  });

  test('fails at once if it is not a valid request', async () => {
    await using store = await wire.adversary({ script: [wire.created()] });
    const client = testClient({ baseUrl: store.url });
    const delivery = await client.deliver({ ...REQUESTS.create, path: '/api/a b' });
    expect(delivery).toMatchObject({ verdict: 'failed', code: 'unsendable', attempts: 1 });
  });

  const useless = [
    ['the store fails', wire.reply(500), 'server-error'],
    ['no answer comes', wire.reset, 'no-answer'],
  ] as const;

  test.each(useless)('of an update gives up after six attempts when %s', async (_what, step, code) => {
    await using store = await wire.adversary({ script: [step] });
    const client = testClient({ baseUrl: store.url });
    expect(await deliver(client, 'update')).toMatchObject({ verdict: 'failed', code, attempts: 6 });
    expect(client.slept).toEqual([250, 500, 1000, 2000, 4000]);
  });

  // If a read fails, the whole list fails.
  describe('of a read', () => {
    const isProbe = ({ target }: wire.WireRequest) => target.startsWith('/api/products?');

    test.each(useless)('gives up after two rounds if %s for that page only', async (_what, step, code) => {
      const page: wire.Step = (socket, request) =>
        (isProbe(request) ? wire.json(200, { results: [] }) : step)(socket, request);
      await using store = await wire.adversary({ script: [page] });
      const client = testClient({ baseUrl: store.url });
      expect(await deliver(client, 'read')).toMatchObject({ verdict: 'failed', code, attempts: 12 });
      expect(client.warnings).toEqual([]);
    });

    test.each(useless)(
      'continues after an outage in which %s, if it is shorter than the limit',
      async (_what, step) => {
        const list = wire.json(200, { results: [] });
        const away: wire.Step = (socket, request) =>
          (store.requests.length <= 40 ? step : list)(socket, request);
        await using store = await wire.adversary({ script: [list, away] });
        const client = testClient({ baseUrl: store.url, giveUpAfterMs: 3_600_000 });
        await deliver(client, 'read');
        const pages = await Promise.all([1, 2, 3].map(() => deliver(client, 'read')));
        expect(pages.map(({ verdict }) => verdict)).toEqual(['done', 'done', 'done']);
        // All deliveries together ask no more often than one.
        expect(store.requests.filter(isProbe).length).toBeGreaterThan(10);
        expect(client.waits.filter((wait) => wait !== undefined)).toHaveLength(1);
        expect(client.warnings.at(-1)).toMatch(/^The store answers again, after/);
      },
    );

    test('does not count attempts during an outage against the delivery', async () => {
      // Each probe fails at first, and succeeds a moment later.
      let probes = 0;
      const list = wire.json(200, { results: [] });
      const flapping: wire.Step = (socket, request) => {
        const isBack = isProbe(request) ? ++probes % 2 === 0 : store.requests.length - probes > 20;
        (isBack ? list : wire.reset)(socket, request);
      };
      await using store = await wire.adversary({ script: [flapping] });
      const client = testClient({ baseUrl: store.url });
      expect(await deliver(client, 'read')).toMatchObject({ verdict: 'done', attempts: 21 });
      expect(probes).toBe(6);
    });

    test.each(useless)('ends the run after the limit when %s', async (_what, step) => {
      await using store = await wire.adversary({ script: [step] });
      const client = testClient({ baseUrl: store.url, giveUpAfterMs: 60_000 });
      await expect(deliver(client, 'read')).rejects.toMatchObject({ reason: 'store-unreachable' });
      expect(client.slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(55_000);
    });
  });

  test('logs one line for each attempt, without secrets', async () => {
    await using store = await wire.adversary({ script: [wire.reply(429), wire.created()] });
    const client = testClient({ baseUrl: store.url });
    await client.deliver({ ...REQUESTS.update, path: '/api/products/update/?id=66f0&accessToken=oops' });
    const lines = client.said.filter((line) => line.startsWith('attempt '));
    expect(lines.map((line) => JSON.parse(line.slice(8)))).toEqual([
      {
        method: 'PUT',
        path: '/api/products/update/?id=66f0&accessToken=***',
        status: 429,
        ms: expect.any(Number),
        attempt: 1,
        situation: 'throttled',
      },
      {
        method: 'PUT',
        path: '/api/products/update/?id=66f0&accessToken=***',
        status: 200,
        ms: expect.any(Number),
        attempt: 2,
        situation: 'done',
      },
    ]);
  });

  test('sends as many requests at once as its concurrency, and never more', async () => {
    // The first answer waits until three requests have arrived, however slow the machine is; then all three are
    // answered.
    const waiting: (() => void)[] = [];
    let most = 0;
    const together: wire.Step = (socket, request) => {
      waiting.push(() => wire.created()(socket, request));
      most = Math.max(most, waiting.length);
      if (waiting.length === 3) setTimeout(() => waiting.splice(0).forEach((answer) => void answer()), 5);
    };
    await using store = await wire.adversary({ script: [together] });
    const client = testClient({ baseUrl: store.url, concurrency: 3 });
    await Promise.all(Array.from({ length: 30 }, () => deliver(client, 'create')));
    expect(most).toBe(3);
  });
});

describe('while the store is away', () => {
  test('one message reports it, and one its end', async () => {
    const busy = wire.reply(503, '', { 'retry-after': '2' });
    await using store = await wire.adversary({ script: [busy, busy, busy, wire.created()] });
    const client = testClient({ baseUrl: store.url });
    expect(await deliver(client, 'create')).toMatchObject({ verdict: 'done', attempts: 4 });
    expect(client.warnings).toEqual([
      'Waiting for the store: it is not available for the moment (503). Trying again until it answers.',
      expect.stringMatching(/^The store answers again, after [67] seconds\.$/),
    ]);
    expect(client.waits).toEqual([
      { reason: 'is not available for the moment (503)', until: expect.any(Number) },
      undefined,
    ]);
  });

  test('a short wait for a 429 causes no message', async () => {
    await using store = await wire.adversary({
      script: [wire.reply(429, '', { 'retry-after': '1' }), wire.created()],
    });
    const client = testClient({ baseUrl: store.url });
    await deliver(client, 'create');
    expect(client.warnings).toEqual([]);
    expect(client.slept[0]).toBeGreaterThanOrEqual(1_000);
  });

  test('the run ends after the limit and gives the reason', async () => {
    await using store = await wire.adversary({ script: [wire.reply(429)] });
    const client = testClient({ baseUrl: store.url, giveUpAfterMs: 60_000 });
    await expect(deliver(client, 'create')).rejects.toMatchObject({
      reason: 'store-unreachable',
      message: 'The store has given no usable answer for 60 seconds: it asks for fewer requests (429).',
    });
    expect(client.slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(55_000);
  });

  test('the time before the first failure does not count', async () => {
    await using store = await wire.adversary({ script: [wire.created(), wire.reply(429), wire.created()] });
    let skipped = 0;
    const client = testClient({
      baseUrl: store.url,
      giveUpAfterMs: 1_000,
      now: () => performance.now() + skipped,
    });
    await deliver(client, 'create');
    skipped = 3_600_000;
    expect(await deliver(client, 'create')).toMatchObject({ verdict: 'done' });
  });

  test('one waiting delivery is not an outage while others are answered', async () => {
    // Not 429, which would slow down all deliveries.
    const busy = wire.json(503, { status: 'error', message: 'Service unavailable' });
    const one: wire.Step = (socket, request) =>
      (request.body.includes('unlucky') && store.requests.length < 24 ? busy : wire.created())(
        socket,
        request,
      );
    await using store = await wire.adversary({ script: [one] });
    const client = testClient({ baseUrl: store.url, giveUpAfterMs: 40_000 });
    const unlucky = client.deliver({ ...REQUESTS.create, body: '"unlucky"' });
    while (store.requests.length < 24) await deliver(client, 'create');
    expect(client.slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(40_000);
    expect(await unlucky).toMatchObject({ verdict: 'done' });
  });
});

describe('a permanent 503 for one record', () => {
  const unlucky = { ...REQUESTS.create, body: '"unlucky"' };
  const refusal = wire.json(503, { status: 'error', message: 'Service unavailable' });
  const step: wire.Step = (socket, request) =>
    (request.body.includes('unlucky') ? refusal : wire.created())(socket, request);

  test('fails that record once others have succeeded several times', async () => {
    await using store = await wire.adversary({ script: [step] });
    const client = testClient({ baseUrl: store.url });
    let over = false;
    const one = client.deliver(unlucky).finally(() => {
      over = true;
    });
    while (!over) await deliver(client, 'create');
    expect(await one).toMatchObject({
      verdict: 'failed',
      code: 'unavailable',
      httpStatus: 503,
      message: 'The store is not available for the moment (503): Service unavailable',
    });
    // A busy store refuses at random as well.
    expect(store.requests.filter(({ body }) => body.includes('unlucky')).length).toBeGreaterThan(20);
    expect(await deliver(client, 'create')).toMatchObject({ verdict: 'done' });
  });

  test('fails after the outage limit if no other record could be sent, and the run continues', async () => {
    await using store = await wire.adversary({ script: [step] });
    const client = testClient({ baseUrl: store.url, concurrency: 1 });
    await deliver(client, 'create');
    expect(await client.deliver(unlucky)).toMatchObject({ verdict: 'failed', code: 'unavailable' });
    expect(await deliver(client, 'create')).toMatchObject({ verdict: 'done' });
  });

  test('is an outage if the next record fails too, or if none ever succeeded', async () => {
    await using store = await wire.adversary({ script: [step] });
    const away = { reason: 'store-unreachable' };
    const client = testClient({ baseUrl: store.url, concurrency: 1 });
    await expect(client.deliver(unlucky)).rejects.toMatchObject(away);
    await deliver(client, 'create');
    expect(await client.deliver(unlucky)).toMatchObject({ verdict: 'failed' });
    await expect(client.deliver(unlucky)).rejects.toMatchObject(away);
  });

  test('leaves a create in doubt that was sent before without an answer', async () => {
    let sent = 0;
    const resetFirst: wire.Step = (socket, request) =>
      (request.body.includes('unlucky') && ++sent === 1 ? wire.reset : step)(socket, request);
    await using store = await wire.adversary({ script: [resetFirst] });
    const client = testClient({ baseUrl: store.url, inDoubt: 'resend' });
    let over = false;
    const one = client.deliver(unlucky).finally(() => {
      over = true;
    });
    while (!over) await deliver(client, 'create');
    expect(await one).toMatchObject({ verdict: 'in-doubt', code: 'no-answer' });
  });
});

describe('the number of doubts', () => {
  const concurrency = 4;

  /** Creates one after the other at full concurrency, until the run stops. */
  async function importInto(store: wire.Adversary, options: object = {}) {
    const client = testClient({ baseUrl: store.url, concurrency, ...options });
    const ends = await Promise.allSettled(Array.from({ length: 50 }, () => deliver(client, 'create')));
    const deliveries = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    const stops = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    return { deliveries, stops, client };
  }

  const creates = (store: wire.Adversary) => store.requests.filter(({ method }) => method === 'POST');

  test('is at most twice the concurrency when creates fail and reads do not', async () => {
    const step: wire.Step = (socket, request) =>
      (request.method === 'GET' ? wire.json(200, { results: [] }) : wire.reply(500))(socket, request);
    await using store = await wire.adversary({ script: [step] });
    const { deliveries, stops } = await importInto(store);
    expect(deliveries.every(({ verdict }) => verdict === 'in-doubt')).toBe(true);
    expect(deliveries).toHaveLength(2 * concurrency);
    expect(creates(store)).toHaveLength(2 * concurrency);
    expect(stops.every(({ reason }) => reason === 'store-unreachable')).toBe(true);
    expect(stops[0].message).toBe(
      '8 new records in a row were sent without a usable answer. Stopped, to leave no more of them in doubt.',
    );
  });

  test('is about the concurrency when the store is away; other records are unsent', async () => {
    await using store = await wire.adversary({ script: [wire.reset] });
    const { deliveries, stops, client } = await importInto(store);
    expect(deliveries.every(({ verdict }) => verdict === 'in-doubt')).toBe(true);
    expect(deliveries.length).toBeLessThan(2 * concurrency);
    // One delivery probes the store while all wait. The outage is reported once, and so is its end.
    expect(client.warnings).toEqual([
      'Waiting for the store: it closed the connection (ECONNRESET). Trying again until it answers.',
    ]);
    expect(client.waits).toEqual([
      { reason: 'closed the connection (ECONNRESET)', until: expect.any(Number) },
    ]);
    expect(creates(store)).toHaveLength(deliveries.length);
    expect(stops.every(({ reason }) => reason === 'store-unreachable')).toBe(true);
  });

  test('does not grow after the store is back, and the run continues', async () => {
    let seen = 0;
    const step: wire.Step = (socket, request) =>
      (++seen <= 12 ? wire.reset : wire.created())(socket, request);
    await using store = await wire.adversary({ script: [step] });
    const { deliveries, stops, client } = await importInto(store);
    expect(stops).toEqual([]);
    // Reported once, since only one delivery probes the store while the others wait for it.
    expect(client.warnings).toEqual([
      expect.stringMatching(/^Waiting for the store: it closed the connection/),
      expect.stringMatching(/^The store answers again, after/),
    ]);
    const doubts = deliveries.filter(({ verdict }) => verdict === 'in-doubt');
    expect(doubts.length).toBeLessThan(2 * concurrency);
    expect(deliveries.filter(({ verdict }) => verdict === 'done')).toHaveLength(50 - doubts.length);
  });

  test('a store that answers every create in another format is reported as not the API', async () => {
    await using store = await wire.adversary({ script: [wire.html] });
    const { deliveries, stops } = await importInto(store);
    expect(deliveries.length).toBeLessThanOrEqual(2 * concurrency);
    expect(stops[0]).toMatchObject({
      reason: 'not-the-api',
      message: expect.stringContaining('(HTML page, status 200). Is the base URL right?'),
    });
  });

  test('a store that answers every read in another format is reported as not the API', async () => {
    await using store = await wire.adversary({ script: [wire.html] });
    await expect(deliver(testClient({ baseUrl: store.url }), 'read')).rejects.toMatchObject({
      reason: 'not-the-api',
    });
  });
});

describe('a web page or redirect of a server in between', () => {
  const page = '<!doctype html><html><title>Log in</title></html>';
  const walls: readonly [string, wire.Step, string][] = [
    ['a page with 200', wire.html, 'in-doubt'],
    ['a page with 403', wire.reply(403, page), 'rejected'],
    ['a page with 404', wire.reply(404, page), 'rejected'],
    ['a page with 405', wire.reply(405, page), 'rejected'],
    ['a redirect', wire.reply(302, '', { location: 'http://login.example/' }), 'rejected'],
  ];
  const concurrency = 4;

  for (const [what, wall, verdict] of walls) {
    test(`${what} from the first answer on ends the run after a few records`, async () => {
      await using store = await wire.adversary({ script: [wall] });
      const client = testClient({ baseUrl: store.url, concurrency });
      const ends = await Promise.allSettled(Array.from({ length: 50 }, () => deliver(client, 'create')));
      const stops = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
      expect(store.requests.length).toBeLessThanOrEqual(2 * concurrency);
      expect(stops[0]).toMatchObject({ reason: 'not-the-api', hints: [expect.stringContaining('login')] });
    });

    test(`${what} during a run is waited for, and the run continues afterwards`, async () => {
      const issue = wire.token();
      let closed = false;
      let asked = 0;
      const behind =
        (step: wire.Step): wire.Step =>
        (socket, request) => {
          // It closes after ten records, and opens after ten probes.
          if (store.requests.length === 10) closed = asked === 0;
          if (closed && request.target !== REQUESTS.create.path) closed = ++asked < 10;
          (closed ? wall : step)(socket, request);
        };
      await using store = await wire.adversary({ script: [behind(wire.created())], token: [behind(issue)] });
      const client = testClient({ baseUrl: store.url, concurrency, giveUpAfterMs: 900_000 });
      const ends = await Promise.all(Array.from({ length: 60 }, () => deliver(client, 'create')));
      const bad = ends.filter((end) => end.verdict !== 'done');
      expect(asked).toBe(10);
      expect(bad.length).toBeGreaterThan(0);
      expect(bad.length).toBeLessThan(2 * concurrency);
      expect(new Set(bad.map((end) => end.verdict))).toEqual(new Set([verdict]));
      expect(client.warnings[0]).toMatch(
        /^Waiting for the store: it (?:does not answer like its API does|answers a request for a token with HTML)/,
      );
      expect(client.waits.at(-1)).toBeUndefined();
    });
  }
});

describe('closing', () => {
  test('ends a wait; records that were not sent reject', async () => {
    await using store = await wire.adversary({ script: [wire.reply(429, '', { 'retry-after': '60' })] });
    const client = testClient({ baseUrl: store.url, sleep: undefined });
    const work = deliver(client, 'create');
    const ended = expect(work).rejects.toMatchObject({ reason: 'interrupted' });
    await expect.poll(() => store.requests.length).toBe(1);
    await client.close();
    await ended;
  });

  test.each<[string, (client: StoreClient) => void]>([
    ['closed', (client) => void client.close()],
    ['stopped', (client) => client.stop(new RunStopped('interrupted', 'The lease is lost.'))],
  ])('a client that is %s during the sync of an intent sends nothing', async (_, end) => {
    await using store = await wire.adversary({ script: [wire.created()] });
    const client = testClient({ baseUrl: store.url });
    const ending = async () => end(client);
    await expect(client.deliver(REQUESTS.create, ending)).rejects.toMatchObject({ reason: 'interrupted' });
    expect(store.requests).toHaveLength(0);
  });

  test('leaves an aborted create in doubt', async () => {
    await using store = await wire.adversary({ script: [wire.stall] });
    const client = testClient({ baseUrl: store.url });
    const work = deliver(client, 'create');
    await expect.poll(() => store.requests.length).toBe(1);
    await client.close(20);
    expect(await work).toMatchObject({ verdict: 'in-doubt', code: 'no-answer' });
  });

  test('waits for an answer that is in flight', async () => {
    const slow: wire.Step = (socket, request) => {
      setTimeout(() => wire.created()(socket, request), 50);
    };
    await using store = await wire.adversary({ script: [slow] });
    const client = testClient({ baseUrl: store.url });
    const work = deliver(client, 'create');
    await expect.poll(() => store.requests.length).toBe(1);
    await client.close(10_000);
    expect(await work).toMatchObject({ verdict: 'done' });
  });
});

test('a token that expires at a rate of one a second is renewed, though all permits are taken', async () => {
  await using store = await wire.adversary({
    script: [wire.created()],
    token: [wire.token({ expireTime: 100 })],
  });
  let skipped = 0;
  const now = () => performance.now() + skipped;
  const client = testClient({ baseUrl: store.url, rate: 1, sleep: undefined, now });
  await deliver(client, 'create');
  skipped = 200_000;
  // The delivery with the permit waits for the token, and the token request waits for a permit.
  expect(await deliver(client, 'create')).toMatchObject({ verdict: 'done' });
  expect(store.tokenRequests).toHaveLength(2);
}, 20_000);

test('deliveries and token requests together keep the rate', async () => {
  await using store = await wire.adversary({ script: [wire.created()] });
  const client = testClient({ baseUrl: store.url, rate: 40, sleep: undefined });
  const started = performance.now();
  await Promise.all(Array.from({ length: 20 }, () => deliver(client, 'create')));
  // 21 requests at 40 a second: the last one starts after half a second at the earliest.
  expect(performance.now() - started).toBeGreaterThan(490);
});
