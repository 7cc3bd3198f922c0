import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createTransport, type Transport, type TransportOptions } from '../../../src/store/http/transport.ts';
import { passTimeByTurns } from '../../support/quick-time.ts';
import * as wire from '../../support/store/adversary.ts';
import { testProxy } from '../../support/store/proxy-server.ts';

const open: Transport[] = [];
afterEach(async () => {
  for (const transport of open.splice(0)) await transport.close();
});

function transportTo(store: wire.Adversary, options: Partial<TransportOptions> = {}): Transport {
  const transport = createTransport({ origin: store.url, concurrency: 2, timeoutMs: 5_000, ...options });
  open.push(transport);
  return transport;
}

const POST = { method: 'POST', path: '/api/x', headers: ['a', 'b'], body: '{"ü":1}' } as const;
const post = () => ({ ...POST, headers: [...POST.headers] });

describe('one exchange', () => {
  test('returns status, headers and body', async () => {
    await using store = await wire.adversary({ script: [wire.reply(201, '{"ü":2}', { 'x-y': 'z' })] });
    expect(await transportTo(store).exchange(post())).toEqual({
      sent: true,
      status: 201,
      headers: expect.objectContaining({ 'x-y': 'z' }),
      body: '{"ü":2}',
    });
    expect(store.requests[0]).toMatchObject({ method: 'POST', target: '/api/x', body: '{"ü":1}' });
  });

  test('skips interim answers', async () => {
    const hints: wire.Step = (socket, request) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n');
      wire.reply(200, 'ok')(socket, request);
    };
    await using store = await wire.adversary({ script: [hints] });
    expect(await transportTo(store).exchange(post())).toMatchObject({ status: 200, body: 'ok' });
  });

  const trouble: readonly [string, wire.Step, object][] = [
    ['a reset', wire.reset, { sent: true, error: { code: 'ECONNRESET' } }],
    ['a hang-up', wire.hangUp, { sent: true, error: { code: 'UND_ERR_SOCKET' } }],
    ['bytes that are not HTTP', wire.garbage, { sent: true }],
    ['a truncated answer', wire.truncated(200), { sent: true, status: 200 }],
    [
      'a huge answer',
      wire.huge(3 * 1024 * 1024),
      { sent: true, status: 200, error: { code: 'ANSWER_TOO_LARGE' } },
    ],
    [
      'a deeply nested answer',
      wire.reply(200, '['.repeat(300_000)),
      { sent: true, status: 200, error: { code: 'ANSWER_TOO_COMPLEX' } },
    ],
  ];
  for (const [what, step, expected] of trouble) {
    test(`returns a value and does not throw for ${what}`, async () => {
      await using store = await wire.adversary({ script: [step, wire.reply(200, 'next')] });
      const transport = transportTo(store);
      const got = await transport.exchange(post());
      expect(got).toMatchObject(expected);
      expect(got.error).toBeDefined();
      expect(got.body).toBeUndefined();
      // The next request is not affected.
      expect(await transport.exchange(post())).toMatchObject({ status: 200, body: 'next' });
    });
  }

  test('may have 8 MiB if the request has no body, unless it says otherwise', async () => {
    const large = wire.reply(200, 'x'.repeat(3 * 1024 * 1024));
    await using store = await wire.adversary({ script: [large, large, wire.huge(9 * 1024 * 1024)] });
    const transport = transportTo(store);
    const get = { method: 'GET', path: '/api/x', headers: ['a', 'b'] } as const;
    const exchange = (more = {}) => transport.exchange({ ...get, headers: [...get.headers], ...more });
    expect((await exchange()).body).toHaveLength(3 * 1024 * 1024);
    expect(await exchange({ maxAnswerBytes: 1024 })).toMatchObject({ error: { code: 'ANSWER_TOO_LARGE' } });
    expect(await exchange()).toMatchObject({ error: { code: 'ANSWER_TOO_LARGE' } });
  });

  test('ends with an error if answers to several requests are too large together', async () => {
    const unfinished = `HTTP/1.1 200 OK\r\ncontent-length: 8000000\r\n\r\n${'x'.repeat(7_000_000)}`;
    await using store = await wire.adversary({ script: [wire.bytes(unfinished, 'silence')] });
    const transport = transportTo(store, { concurrency: 8, timeoutMs: 60_000 });
    const get = () => transport.exchange({ method: 'GET', path: '/api/x', headers: ['a', 'b'] });
    const first = await Promise.race(Array.from({ length: 8 }, get));
    expect(first).toMatchObject({ sent: true, error: { code: 'ANSWER_TOO_LARGE' } });
  });

  test('counts as not sent if the port is closed', async () => {
    await using store = await wire.adversary({ script: [wire.stall] });
    const transport = transportTo(store, { origin: `http://127.0.0.1:${await wire.closedPort()}` });
    expect(await transport.exchange(post())).toMatchObject({ sent: false, error: { code: 'ECONNREFUSED' } });
  });

  test('counts as not sent if the request is invalid', async () => {
    await using store = await wire.adversary({ script: [wire.stall] });
    const got = await transportTo(store).exchange({ ...post(), path: '/a b' });
    expect(got).toMatchObject({ sent: false, error: { code: 'UND_ERR_INVALID_ARG' } });
  });
});

describe('sockets', () => {
  /** Sends 20 requests with numbered paths, all at once. Returns the paths in the order of the store. */
  async function sendMany(
    concurrency: number,
    step: wire.Step,
  ): Promise<{ seen: string[]; sockets: number }> {
    let inFlight = 0;
    let sockets = 0;
    const counted: wire.Step = (socket, request) => {
      sockets = Math.max(sockets, ++inFlight);
      setTimeout(() => {
        inFlight--;
        step(socket, request);
      }, 5);
    };
    await using store = await wire.adversary({ script: [counted] });
    const transport = transportTo(store, { concurrency });
    await Promise.all(PATHS.map((path) => transport.exchange({ ...post(), path })));
    return { seen: store.requests.map(({ target }) => target), sockets };
  }

  const PATHS = Array.from({ length: 20 }, (_, at) => `/api/${at}`);

  test('are as many as allowed', async () => {
    const { seen, sockets } = await sendMany(3, wire.reply(200, 'ok'));
    expect({ seen: seen.toSorted(), sockets }).toEqual({ seen: PATHS.toSorted(), sockets: 3 });
  });

  test('are given to waiting requests in their order', async () => {
    expect(await sendMany(1, wire.reply(200, 'ok'))).toEqual({ seen: PATHS, sockets: 1 });
  });

  test('that break are free again for waiting requests', async () => {
    const { seen } = await sendMany(3, wire.reset);
    expect(seen.toSorted()).toEqual(PATHS.toSorted());
  });
});

describe('the deadline', () => {
  for (const [what, step] of [
    ['silence', wire.stall],
    ['an answer that arrives byte by byte', wire.trickle(10)],
  ] as const) {
    test(`ends ${what}`, async () => {
      await using store = await wire.adversary({ script: [step] });
      const got = await transportTo(store, { timeoutMs: 100 }).exchange(post());
      expect(got).toMatchObject({ sent: true, error: { code: 'DEADLINE' } });
    });
  }

  describe('of each request', () => {
    passTimeByTurns();

    test('does not include the wait for a socket', async () => {
      const slow: wire.Step = (socket, request) => {
        setTimeout(() => wire.reply(200, 'ok')(socket, request), 60);
      };
      await using store = await wire.adversary({ script: [slow] });
      const transport = transportTo(store, { timeoutMs: 2_000, concurrency: 1 });
      // Together they take longer than one request may; the deadline is generous, for slow machines.
      const all = await Promise.all(Array.from({ length: 40 }, () => transport.exchange(post())));
      expect(all.every(({ status }) => status === 200)).toBe(true);
    });
  });

  test('does not include time in which the process was blocked', async () => {
    // The answer arrives, and then the process is blocked for longer than the deadline.
    const answerThenBlock: wire.Step = (socket, request) => {
      wire.reply(200, 'ok')(socket, request);
      block(450);
    };
    await using store = await wire.adversary({ script: [answerThenBlock] });
    expect(await transportTo(store, { timeoutMs: 200 }).exchange(post())).toMatchObject({ status: 200 });
  });
});

/** Blocks the process. A loop would use the processor as well. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe.each([
  // With and without a `Keep-Alive: timeout=60` of the server.
  { serverKeepsMs: 60_000, how: 'for a minute' },
  { serverKeepsMs: 0, how: 'open' },
])('an idle socket that the server keeps $how', ({ serverKeepsMs }) => {
  /** Sends two requests, between which `pass` lets 1.6 seconds pass. Returns the number of connections for each. */
  async function connectionsOf(pass: (ms: number) => unknown): Promise<[number, number]> {
    let connections = 0;
    const server = createServer((_, response) => response.end('ok'));
    server.keepAliveTimeout = serverKeepsMs;
    server.on('connection', () => connections++);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const transport = createTransport({ origin, concurrency: 1, timeoutMs: 5_000 });
    open.push(transport);
    await transport.exchange(post());
    const before = connections;
    await new Promise((resolve) => setTimeout(resolve, 20));
    await pass(1_600);
    expect(await transport.exchange(post())).toMatchObject({ status: 200 });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    return [before, connections - before];
  }

  test('is not reused by a process that was blocked and could not close it', async () => {
    expect(await connectionsOf(block)).toEqual([1, 1]);
  });

  describe('and a process that is not blocked', () => {
    passTimeByTurns();

    test('is closed after a second', async () => {
      const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
      expect(await connectionsOf(wait)).toEqual([1, 1]);
    });
  });
});

describe('closing', () => {
  test('waits for answers in flight', async () => {
    const slow: wire.Step = (socket, request) => {
      setTimeout(() => wire.reply(200, 'ok')(socket, request), 50);
    };
    await using store = await wire.adversary({ script: [slow] });
    const transport = transportTo(store);
    const work = transport.exchange(post());
    await expect.poll(() => store.requests.length).toBe(1);
    await transport.close(10_000);
    expect(await work).toMatchObject({ status: 200 });
  });

  test('does not wait for expendable requests', async () => {
    const late: wire.Step = (socket, request) => {
      transport.close(600_000);
      setTimeout(() => wire.reply(200, 'late')(socket, request), 50);
    };
    await using store = await wire.adversary({ script: [wire.stall, late] });
    const transport = transportTo(store);
    const expendable = transport.exchange({ ...post(), expendable: true });
    await expect.poll(() => store.requests.length).toBe(1);
    const record = transport.exchange(post());
    expect(await expendable).toMatchObject({ error: { code: 'CLOSED' } });
    expect(await record).toMatchObject({ status: 200, body: 'late' });
  });

  test('aborts requests without an answer, and requests that were not sent yet', async () => {
    await using store = await wire.adversary({ script: [wire.stall] });
    const transport = transportTo(store, { concurrency: 1 });
    const work = [transport.exchange(post()), transport.exchange(post())];
    await expect.poll(() => store.requests.length).toBe(1);
    await transport.close(20);
    expect((await Promise.all(work)).map(({ sent }) => sent)).toEqual([true, false]);
  });

  // A socket in its handshake would keep the process alive until it times out, which never happens here.
  const HOUR = 3_600_000;
  test.each(['to the store', 'to a proxy', 'in a tunnel'])(
    'ends a TLS handshake %s that gets no answer',
    async (where) => {
      const sockets: Socket[] = [];
      const silent = createTcpServer((socket) => sockets.push(socket.on('error', () => {}).resume()));
      const port = await wire.listen(silent);
      const origin = `https://127.0.0.1:${port}`;
      await using tunnels = await testProxy({ to: port });
      const proxies: Readonly<Record<string, string>> = { 'to a proxy': origin, 'in a tunnel': tunnels.url };
      const proxy =
        proxies[where] === undefined
          ? undefined
          : { origin: proxies[where], variable: 'HTTP_PROXY', secrets: [] };
      const transport = createTransport({
        origin,
        concurrency: 2,
        timeoutMs: HOUR,
        connectTimeoutMs: HOUR,
        proxy,
      });
      const work = transport.exchange(post());
      await expect.poll(() => sockets.length).toBe(1);
      await transport.close();
      expect(await work).toMatchObject({ sent: false });
      await expect.poll(() => sockets[0]?.destroyed).toBe(true);
      silent.close();
    },
  );

  test('starts no expendable request on a socket that becomes free meanwhile', async () => {
    const answers: (() => void)[] = [];
    const held: wire.Step = (socket, request) => {
      answers.push(() => wire.reply(200, 'ok')(socket, request));
    };
    await using store = await wire.adversary({ script: [held, held, wire.stall] });
    const transport = transportTo(store, { timeoutMs: HOUR });
    const records = [transport.exchange(post()), transport.exchange(post())];
    const expendable = transport.exchange({ ...post(), expendable: true });
    await expect.poll(() => answers.length).toBe(2);
    const closed = transport.close(HOUR);
    answers[0]?.();
    expect(await expendable).toMatchObject({ error: { code: 'CLOSED' } });
    answers[1]?.();
    await closed;
    expect((await Promise.all(records)).map(({ status }) => status)).toEqual([200, 200]);
    expect(store.requests).toHaveLength(2);
  });
});
