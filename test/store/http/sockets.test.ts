import { describe, expect, test } from 'vitest';
import type { Delivery, OperationKind, StoreRequest } from '../../../src/model/index.ts';
import { passTimeByTurns } from '../../support/quick-time.ts';
import * as wire from '../../support/store/adversary.ts';
import { REQUESTS, testClient } from '../../support/store/client.ts';

passTimeByTurns();

const KINDS: readonly OperationKind[] = ['create', 'update', 'read'];

/** Much larger than one read: when the headers arrive, most of the body is still in flight. */
const LARGE = JSON.stringify({ name: 'Lamp', html: 'x'.repeat(4 * 1024 * 1024) });

/** A store that closes its sockets after each token, so that the next request opens a new connection. */
async function storeAndClient(script: readonly wire.Step[], options: { timeoutMs?: number } = {}) {
  const store = await wire.adversary({ script, token: [wire.thenCloses(wire.token())] });
  const client = testClient({ baseUrl: store.url, ...options });
  await client.authenticate();
  await expect.poll(store.connections, { interval: 1 }).toBe(0);
  return { store, client };
}

const goodFor = (kind: OperationKind) => (kind === 'read' ? wire.json(200, { results: [] }) : wire.created());

describe('a connection that is reset', () => {
  for (const kind of KINDS) {
    // The client knows whether it wrote a byte of the request; this server does not.
    test(`when it is accepted: a ${kind} is neither lost nor sent twice`, async () => {
      const { store, client } = await storeAndClient([goodFor(kind)]);
      await using _ = store;
      store.resetNext('accept');
      const { verdict, code, attempts } = await client.deliver(REQUESTS[kind]);
      if (kind === 'create' && verdict === 'in-doubt') {
        expect({ code, attempts, seen: store.requests.length }).toEqual({
          code: 'no-answer',
          attempts: 1,
          seen: 0,
        });
      } else {
        expect({ verdict, attempts, seen: store.requests.length }).toEqual({
          verdict: 'done',
          attempts: 2,
          seen: 1,
        });
      }
    });
  }

  const AFTER_HEADERS: readonly [OperationKind, string, StoreRequest, Partial<Delivery>][] = [
    ['create', '', REQUESTS.create, { verdict: 'in-doubt', code: 'no-answer', attempts: 1 }],
    [
      'create',
      ' with its body half-way',
      { ...REQUESTS.create, body: LARGE },
      { verdict: 'in-doubt', code: 'no-answer', attempts: 1 },
    ],
    ['update', '', REQUESTS.update, { verdict: 'done', attempts: 2 }],
    [
      'update',
      ' with its body half-way',
      { ...REQUESTS.update, body: LARGE },
      { verdict: 'done', attempts: 2 },
    ],
    ['read', '', REQUESTS.read, { verdict: 'done', attempts: 2 }],
  ];
  test.each(AFTER_HEADERS)('after the headers: a %s%s', async (kind, _what, request, expected) => {
    const { store, client } = await storeAndClient([goodFor(kind)]);
    await using _ = store;
    store.resetNext('headers');
    expect(await client.deliver(request)).toMatchObject(expected);
    expect(store.requests).toHaveLength(expected.verdict === 'done' ? 1 : 0);
  });
});

describe('a store that stops reading in the middle of a body', () => {
  const ENDS: readonly [OperationKind, Partial<Delivery>][] = [
    ['create', { verdict: 'in-doubt', code: 'no-answer', attempts: 1 }],
    ['update', { verdict: 'failed', code: 'no-answer', attempts: 6 }],
  ];
  test.each(ENDS)('has the same deadline: a %s', async (kind, expected) => {
    const { store, client } = await storeAndClient([wire.stall], { timeoutMs: 150 });
    await using _ = store;
    store.stopReading();
    expect(await client.deliver({ ...REQUESTS[kind], body: LARGE })).toMatchObject(expected);
    expect(store.requests).toHaveLength(0);
  });
});

/** Closes the connection shortly after every third answer, mostly when the next request is in flight. */
function closesLater(step: wire.Step): wire.Step {
  let answers = 0;
  return (socket, request) => {
    step(socket, request);
    if (++answers % 3 !== 0) return;
    const close = (moments: number) => (moments === 0 ? socket.destroy() : setImmediate(close, moments - 1));
    close((answers / 3) % 8);
  };
}

describe('a socket that the store closes after an answer', () => {
  const COUNT = 25;
  const requestNo = (kind: OperationKind, n: number): StoreRequest => ({
    ...REQUESTS[kind],
    ...(kind === 'read' ? { path: `/api/reviews/search?page=${n}` } : { body: `{"n":${n}}` }),
  });
  const seen = (store: wire.Adversary) => store.requests.map(({ target, body }) => `${target} ${body}`);

  for (const kind of KINDS) {
    test(`while the next ${kind} is sent: none is lost, and no create is sent twice`, async () => {
      const { store, client } = await storeAndClient([closesLater(goodFor(kind))]);
      await using _ = store;
      const numbers = Array.from({ length: 8 * COUNT }, (_each, n) => n);
      const ends = await Promise.all(numbers.map((n) => client.deliver(requestNo(kind, n))));
      const ended = new Set(ends.map(({ verdict }) => verdict));
      if (kind === 'create') {
        expect([...ended].filter((verdict) => verdict !== 'done' && verdict !== 'in-doubt')).toEqual([]);
        expect(ends.every(({ attempts }) => attempts === 1)).toBe(true);
        expect(new Set(seen(store)).size).toBe(store.requests.length);
      } else {
        expect(ended).toEqual(new Set(['done']));
        expect(new Set(seen(store)).size).toBe(numbers.length);
      }
    });

    test(`before the next request: each ${kind} is sent once, on a new socket`, async () => {
      const { store, client } = await storeAndClient([wire.thenCloses(goodFor(kind))]);
      await using _ = store;
      for (let n = 1; n <= COUNT; n++) {
        expect(await client.deliver(requestNo(kind, n))).toMatchObject({ verdict: 'done', attempts: 1 });
        await expect.poll(store.connections, { interval: 1 }).toBe(0);
      }
      expect(store.requests).toHaveLength(COUNT);
    });
  }
});
