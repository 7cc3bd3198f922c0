import { describe, expect, test } from 'vitest';
import * as wire from '../support/store/adversary.ts';
import { deliver, REQUESTS, SECRET, testClient } from '../support/store/client.ts';

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

  test('brings the answer of a read, and the identifier of a create', async () => {
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

  test('of an update is done when the store says so without repeating the identifier', async () => {
    await using store = await wire.adversary({ script: [wire.json(200, { status: 'success' })] });
    expect(await deliver(testClient({ baseUrl: store.url }), 'update')).toMatchObject({
      verdict: 'done',
      attempts: 1,
    });
  });

  test('that is refused brings the words of the store, its status and the field', async () => {
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

  test('that is redirected names the place, without its query', async () => {
    const location = `https://user:pw@elsewhere.example/login?back=${encodeURIComponent(SECRET)}#x`;
    await using store = await wire.adversary({ script: [wire.reply(302, '', { location })] });
    expect(await deliver(testClient({ baseUrl: store.url }), 'create')).toMatchObject({
      message:
        'The store answered with a redirect (302) to https://elsewhere.example/login, which is not followed. Is the base URL right?',
    });
  });

  test('hides secrets that the store repeats', async () => {
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

  test('fails at once when it is no valid request', async () => {
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

  // A whole list falls with one of its pages.
  describe('of a read', () => {
    const isProbe = ({ target }: wire.WireRequest) => target.startsWith('/api/products?');

    test.each(useless)(
      'gives up after two rounds when %s there, and not elsewhere',
      async (_what, step, code) => {
        const page: wire.Step = (socket, request) =>
          (isProbe(request) ? wire.json(200, { results: [] }) : step)(socket, request);
        await using store = await wire.adversary({ script: [page] });
        const client = testClient({ baseUrl: store.url });
        expect(await deliver(client, 'read')).toMatchObject({ verdict: 'failed', code, attempts: 12 });
        expect(client.warnings).toEqual([]);
      },
    );

    test.each(useless)(
      'goes on after an outage in which %s, however long within the limit',
      async (_what, step) => {
        const list = wire.json(200, { results: [] });
        const away: wire.Step = (socket, request) =>
          (store.requests.length <= 40 ? step : list)(socket, request);
        await using store = await wire.adversary({ script: [list, away] });
        const client = testClient({ baseUrl: store.url, giveUpAfterMs: 3_600_000 });
        await deliver(client, 'read');
        const pages = await Promise.all([1, 2, 3].map(() => deliver(client, 'read')));
        expect(pages.map(({ verdict }) => verdict)).toEqual(['done', 'done', 'done']);
        // Nobody asks more often than the others together.
        expect(store.requests.filter(isProbe).length).toBeGreaterThan(10);
        expect(client.waits.filter((wait) => wait !== undefined)).toHaveLength(1);
        expect(client.warnings.at(-1)).toMatch(/^The store answers again, after/);
      },
    );

    test('does not count what the store being away has cost', async () => {
      // Whenever it is asked whether it is there, it is not at first, and is again a moment later.
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

  test('writes one line for each attempt, without what must not be seen', async () => {
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

  test('has as many requests under way as its concurrency, and never more', async () => {
    // Nobody gets an answer before three have asked, however slow the machine is, and then all three do a moment later.
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
  test('one message says so, and one that it is over', async () => {
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

  test('a short wait for a 429 is not worth a message', async () => {
    await using store = await wire.adversary({
      script: [wire.reply(429, '', { 'retry-after': '1' }), wire.created()],
    });
    const client = testClient({ baseUrl: store.url });
    await deliver(client, 'create');
    expect(client.warnings).toEqual([]);
    expect(client.slept[0]).toBeGreaterThanOrEqual(1_000);
  });

  test('the run ends after the limit, and says why', async () => {
    await using store = await wire.adversary({ script: [wire.reply(429)] });
    const client = testClient({ baseUrl: store.url, giveUpAfterMs: 60_000 });
    await expect(deliver(client, 'create')).rejects.toMatchObject({
      reason: 'store-unreachable',
      message: 'The store has given no usable answer for 60 seconds: it asks for fewer requests (429).',
    });
    expect(client.slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(55_000);
  });

  test('the time before the first trouble does not count', async () => {
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

  test('one delivery that waits is no outage while others are answered', async () => {
    // Not 429, which would slow all down.
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

describe('a 503 for one record only, for ever', () => {
  const unlucky = { ...REQUESTS.create, body: '"unlucky"' };
  const refusal = wire.json(503, { status: 'error', message: 'Service unavailable' });
  const step: wire.Step = (socket, request) =>
    (request.body.includes('unlucky') ? refusal : wire.created())(socket, request);

  test('is a failure of that record, once others have got through time and again', async () => {
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
    // A busy store refuses by chance as well.
    expect(store.requests.filter(({ body }) => body.includes('unlucky')).length).toBeGreaterThan(20);
    expect(await deliver(client, 'create')).toMatchObject({ verdict: 'done' });
  });

  test('is given up after the time of an outage where nobody else could get through, and the run goes on', async () => {
    await using store = await wire.adversary({ script: [step] });
    const client = testClient({ baseUrl: store.url, concurrency: 1 });
    await deliver(client, 'create');
    expect(await client.deliver(unlucky)).toMatchObject({ verdict: 'failed', code: 'unavailable' });
    expect(await deliver(client, 'create')).toMatchObject({ verdict: 'done' });
  });

  test('is an outage when the next record meets it too, or when none ever got through', async () => {
    await using store = await wire.adversary({ script: [step] });
    const away = { reason: 'store-unreachable' };
    const client = testClient({ baseUrl: store.url, concurrency: 1 });
    await expect(client.deliver(unlucky)).rejects.toMatchObject(away);
    await deliver(client, 'create');
    expect(await client.deliver(unlucky)).toMatchObject({ verdict: 'failed' });
    await expect(client.deliver(unlucky)).rejects.toMatchObject(away);
  });

  test('does not make a create certain that was sent before without an answer', async () => {
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

describe('doubt is kept small', () => {
  const concurrency = 4;

  /** Many creates at once and one after the other, until the run stops. */
  async function importInto(store: wire.Adversary, options: object = {}) {
    const client = testClient({ baseUrl: store.url, concurrency, ...options });
    const ends = await Promise.allSettled(Array.from({ length: 50 }, () => deliver(client, 'create')));
    const deliveries = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    const stops = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    return { deliveries, stops, client };
  }

  const creates = (store: wire.Adversary) => store.requests.filter(({ method }) => method === 'POST');

  test('when creates fail and reads do not, no more than twice the concurrency', async () => {
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

  test('when the store is away altogether, about the concurrency; the rest was never sent', async () => {
    await using store = await wire.adversary({ script: [wire.reset] });
    const { deliveries, stops, client } = await importInto(store);
    expect(deliveries.every(({ verdict }) => verdict === 'in-doubt')).toBe(true);
    expect(deliveries.length).toBeLessThan(2 * concurrency);
    // Only one of them asks whether it is back, and yet all wait: that is said, and with its end.
    expect(client.warnings).toEqual([
      'Waiting for the store: it closed the connection (ECONNRESET). Trying again until it answers.',
    ]);
    expect(client.waits).toEqual([
      { reason: 'closed the connection (ECONNRESET)', until: expect.any(Number) },
    ]);
    expect(creates(store)).toHaveLength(deliveries.length);
    expect(stops.every(({ reason }) => reason === 'store-unreachable')).toBe(true);
  });

  test('and when it comes back, the run goes on', async () => {
    let seen = 0;
    const step: wire.Step = (socket, request) =>
      (++seen <= 12 ? wire.reset : wire.created())(socket, request);
    await using store = await wire.adversary({ script: [step] });
    const { deliveries, stops, client } = await importInto(store);
    expect(stops).toEqual([]);
    // Said once, though only one of them asks whether the store is back while the others wait for it.
    expect(client.warnings).toEqual([
      expect.stringMatching(/^Waiting for the store: it closed the connection/),
      expect.stringMatching(/^The store answers again, after/),
    ]);
    const doubts = deliveries.filter(({ verdict }) => verdict === 'in-doubt');
    expect(doubts.length).toBeLessThan(2 * concurrency);
    expect(deliveries.filter(({ verdict }) => verdict === 'done')).toHaveLength(50 - doubts.length);
  });

  test('a store that answers everything in another shape is not the API', async () => {
    await using store = await wire.adversary({ script: [wire.html] });
    const { deliveries, stops } = await importInto(store);
    expect(deliveries.length).toBeLessThanOrEqual(2 * concurrency);
    expect(stops[0]).toMatchObject({
      reason: 'not-the-api',
      message: expect.stringContaining('(HTML page, status 200). Is the base URL right?'),
    });
  });

  test('reads that bring something else end the same way', async () => {
    await using store = await wire.adversary({ script: [wire.html] });
    await expect(deliver(testClient({ baseUrl: store.url }), 'read')).rejects.toMatchObject({
      reason: 'not-the-api',
    });
  });
});

describe('what stands in between', () => {
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
    test(`${what} from the beginning ends the run after a few records`, async () => {
      await using store = await wire.adversary({ script: [wall] });
      const client = testClient({ baseUrl: store.url, concurrency });
      const ends = await Promise.allSettled(Array.from({ length: 50 }, () => deliver(client, 'create')));
      const stops = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
      expect(store.requests.length).toBeLessThanOrEqual(2 * concurrency);
      expect(stops[0]).toMatchObject({ reason: 'not-the-api', hints: [expect.stringContaining('login')] });
    });

    test(`${what} in mid-run is waited for, and the run goes on behind it`, async () => {
      const issue = wire.token();
      let closed = false;
      let asked = 0;
      const behind =
        (step: wire.Step): wire.Step =>
        (socket, request) => {
          // It closes after ten records, and opens when it was asked ten times whether it is open.
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
  test('ends a wait, and what was not sent rejects', async () => {
    await using store = await wire.adversary({ script: [wire.reply(429, '', { 'retry-after': '60' })] });
    const client = testClient({ baseUrl: store.url, sleep: undefined });
    const work = deliver(client, 'create');
    const ended = expect(work).rejects.toMatchObject({ reason: 'interrupted' });
    await expect.poll(() => store.requests.length).toBe(1);
    await client.close();
    await ended;
  });

  test('leaves a create that is cut off in doubt', async () => {
    await using store = await wire.adversary({ script: [wire.stall] });
    const client = testClient({ baseUrl: store.url });
    const work = deliver(client, 'create');
    await expect.poll(() => store.requests.length).toBe(1);
    await client.close(20);
    expect(await work).toMatchObject({ verdict: 'in-doubt', code: 'no-answer' });
  });

  test('waits for an answer that is on its way', async () => {
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

test('a token that ends at a rate of one a second is renewed, though all permits are held', async () => {
  await using store = await wire.adversary({
    script: [wire.created()],
    token: [wire.token({ expireTime: 100 })],
  });
  let skipped = 0;
  const now = () => performance.now() + skipped;
  const client = testClient({ baseUrl: store.url, rate: 1, sleep: undefined, now });
  await deliver(client, 'create');
  skipped = 200_000;
  // Whoever has the permit waits for the token, and the request for it waits for a permit.
  expect(await deliver(client, 'create')).toMatchObject({ verdict: 'done' });
  expect(store.tokenRequests).toHaveLength(2);
}, 20_000);

test('a rate is kept by deliveries and token requests together', async () => {
  await using store = await wire.adversary({ script: [wire.created()] });
  const client = testClient({ baseUrl: store.url, rate: 40, sleep: undefined });
  const started = performance.now();
  await Promise.all(Array.from({ length: 20 }, () => deliver(client, 'create')));
  // 21 requests, 40 a second: the last one starts after half a second at the earliest.
  expect(performance.now() - started).toBeGreaterThan(490);
});
