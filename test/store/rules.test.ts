import { describe, expect, test } from 'vitest';
import type { Delivery, OperationKind } from '../../src/model/index.ts';
import { classify } from '../../src/store/classify.ts';
import { createTransport } from '../../src/store/exchange.ts';
import { actionFor, RULES, type Situation } from '../../src/store/rules.ts';
import * as wire from './adversary.ts';
import { deliver, testClient } from './support.ts';

const KINDS: readonly OperationKind[] = ['create', 'update', 'read'];

/** How a delivery ends when the first answer is this and all further ones are good. */
interface Row {
  readonly what: string;
  readonly step: wire.Step;
  readonly timeoutMs?: number;
  /** Verdict, code and the number of requests that the store saw whole. */
  readonly create: readonly [Delivery['verdict'], string | undefined, number];
  readonly update: readonly [Delivery['verdict'], string | undefined, number];
  readonly read: readonly [Delivery['verdict'], string | undefined, number];
}

const AGAIN = ['done', undefined, 2] as const;
const ONCE = ['done', undefined, 1] as const;
const REFUSED = ['rejected', 'store-refused', 1] as const;
const NO_ANSWER = ['in-doubt', 'no-answer', 1] as const;
const SERVER_ERROR = ['in-doubt', 'server-error', 1] as const;
const UNREADABLE = ['in-doubt', 'accepted-unreadable', 1] as const;

const error = { status: 'error', message: 'no' };
const failedOnce = { update: AGAIN, read: AGAIN };
const refused = { create: REFUSED, update: REFUSED, read: REFUSED };
const waits = { create: AGAIN, update: AGAIN, read: AGAIN };
const MIB = 1024 * 1024;
const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;
const HALF = '{"status":"success","data":{"_id":"66f0';
const SHORT = { timeoutMs: 150 };

const ROWS: readonly Row[] = [
  { what: '401', step: wire.json(401, error), ...waits },
  {
    what: '400 of a token that has run out',
    step: wire.json(400, { message: 'Token has expired' }),
    ...waits,
  },
  { what: '403 of a token that has run out', step: wire.json(403, { code: 'TOKEN_EXPIRED' }), ...waits },
  { what: '429 without Retry-After', step: wire.reply(429), ...waits },
  { what: '429 with Retry-After', step: wire.reply(429, '', { 'retry-after': '3' }), ...waits },
  { what: '503 with Retry-After', step: wire.reply(503, 'busy', { 'retry-after': '1' }), ...waits },
  { what: "503 in the API's own JSON", step: wire.json(503, error), ...waits },
  { what: 'bare 503', step: wire.reply(503, 'no healthy upstream'), create: SERVER_ERROR, ...failedOnce },
  {
    what: "503 in a gateway's JSON",
    step: wire.json(503, { message: 'Service Unavailable' }),
    create: SERVER_ERROR,
    ...failedOnce,
  },
  {
    what: '503 of a proxy that lost the answer, with Retry-After',
    step: wire.reply(503, 'upstream connect error or disconnect/reset before headers', {
      'retry-after': '1',
    }),
    create: SERVER_ERROR,
    ...failedOnce,
  },
  { what: '408', step: wire.reply(408), create: SERVER_ERROR, ...failedOnce },
  { what: '500', step: wire.json(500, error), create: SERVER_ERROR, ...failedOnce },
  { what: '502', step: wire.reply(502), create: SERVER_ERROR, ...failedOnce },
  { what: '504', step: wire.reply(504), create: SERVER_ERROR, ...failedOnce },
  { what: '501', step: wire.reply(501), create: SERVER_ERROR, ...failedOnce },
  { what: '507', step: wire.reply(507), create: SERVER_ERROR, ...failedOnce },
  { what: '520', step: wire.reply(520, '<html>Unknown error</html>'), create: SERVER_ERROR, ...failedOnce },
  { what: '500 that is cut off', step: wire.truncated(500), create: SERVER_ERROR, ...failedOnce },
  { what: 'a reset after the whole request', step: wire.reset, create: NO_ANSWER, ...failedOnce },
  {
    what: 'the end of the connection instead of an answer',
    step: wire.hangUp,
    create: NO_ANSWER,
    ...failedOnce,
  },
  { what: 'something that is not HTTP', step: wire.garbage, create: NO_ANSWER, ...failedOnce },
  { what: 'a status line without an end', step: wire.bytes(OK), create: NO_ANSWER, ...failedOnce },
  {
    what: 'headers that are none',
    step: wire.bytes(`${OK}no header\r\n\r\n{}`),
    create: NO_ANSWER,
    ...failedOnce,
  },
  {
    what: 'headers without end',
    step: wire.bytes(`${OK}x: ${'y'.repeat(64 * 1024)}`),
    create: NO_ANSWER,
    ...failedOnce,
  },
  {
    what: 'a hint that an answer comes, and then none',
    step: wire.bytes('HTTP/1.1 103 Early Hints\r\n\r\n'),
    create: NO_ANSWER,
    ...failedOnce,
  },
  { what: 'silence', step: wire.stall, ...SHORT, create: NO_ANSWER, ...failedOnce },
  {
    what: 'headers byte by byte',
    step: wire.trickle(20, 'headers'),
    ...SHORT,
    create: NO_ANSWER,
    ...failedOnce,
  },
  { what: 'an answer byte by byte', step: wire.trickle(20), ...SHORT, create: UNREADABLE, ...failedOnce },
  {
    what: 'headers, and then silence',
    step: wire.bytes(`${OK}content-length: 9\r\n\r\n`, 'silence'),
    ...SHORT,
    create: UNREADABLE,
    ...failedOnce,
  },
  {
    what: 'half of a 200 without a length',
    step: wire.bytes(`${OK}\r\n${HALF}`),
    create: UNREADABLE,
    ...failedOnce,
  },
  {
    what: 'a 200 in chunks without the last one',
    step: wire.bytes(`${CHUNKED}${HALF.length.toString(16)}\r\n${HALF}\r\n`),
    create: UNREADABLE,
    ...failedOnce,
  },
  {
    what: 'a 200 in chunks that are none',
    step: wire.bytes(`${CHUNKED}what?\r\n${HALF}`),
    create: UNREADABLE,
    ...failedOnce,
  },
  { what: 'a 200 that is cut off', step: wire.truncated(200), create: UNREADABLE, ...failedOnce },
  { what: 'a 500 of 17 MiB', step: wire.huge(17 * MIB, 500), create: SERVER_ERROR, ...failedOnce },
  { what: 'a 200 of 17 MiB', step: wire.huge(17 * MIB), create: UNREADABLE, ...failedOnce },
  { what: 'an HTML page with 200', step: wire.html, create: UNREADABLE, ...failedOnce },
  { what: 'an empty 200', step: wire.reply(200), create: UNREADABLE, ...failedOnce },
  { what: '204', step: wire.reply(204), create: UNREADABLE, ...failedOnce },
  // A list has no identifier of its own, so for a read this is an answer.
  {
    what: 'a 200 without identifier',
    step: wire.json(200, { results: [] }),
    create: UNREADABLE,
    update: AGAIN,
    read: ONCE,
  },
  ...[400, 402, 403, 404, 405, 409, 410, 413, 415, 422, 451].map((status) => ({
    ...{ what: String(status), step: wire.json(status, error) },
    ...refused,
  })),
  { what: "a web server's own 404", step: wire.html404(), ...refused },
  {
    what: 'a 422 that is cut off',
    step: wire.truncated(422),
    ...refused,
  },
  {
    what: 'a 200 that says it failed',
    step: wire.json(200, error),
    ...refused,
  },
];

describe('the rules of delivery', () => {
  for (const row of ROWS) {
    for (const kind of KINDS) {
      const [verdict, code, sent] = row[kind];
      test(`${row.what}: a ${kind} ends ${verdict}${code === undefined ? '' : ` (${code})`}, sent ${sent} times`, async () => {
        const good = kind === 'read' ? wire.json(200, { results: [] }) : wire.created();
        await using store = await wire.adversary({ script: [row.step, good] });
        const client = testClient({ baseUrl: store.url, ...(row.timeoutMs && { timeoutMs: row.timeoutMs }) });
        const delivery = await deliver(client, kind);
        expect(delivery).toMatchObject({ verdict, attempts: sent });
        expect(delivery.code).toBe(code);
        expect(store.requests).toHaveLength(sent);
        if (verdict === 'done' && kind !== 'read') expect(delivery.id).toBe('66f000000000000000000001');
        if (verdict !== 'done') expect(delivery.message).toMatch(/^The (?:store|request) .*/);
      });
    }
  }
});

describe('a request that could not be sent', () => {
  for (const kind of KINDS) {
    test(`is sent again: a ${kind} ends done once the store is back, sent once`, async () => {
      await using first = await wire.adversary({ script: [wire.created()] });
      let second: wire.Adversary | undefined;
      let waited = 0;
      const client = testClient({
        baseUrl: first.url,
        sleep: async () => {
          if (++waited === 3) second = await wire.adversary({ script: [wire.created()], port: first.port });
        },
      });
      await client.authenticate();
      await first.stop();
      expect(await deliver(client, kind)).toMatchObject({ verdict: 'done', attempts: 4 });
      expect(second?.requests).toHaveLength(1);
      await second?.stop();
    });

    test(`ends the run when the store stays away: a ${kind} rejects, since nothing was sent`, async () => {
      await using store = await wire.adversary({ script: [wire.created()] });
      const client = testClient({ baseUrl: store.url });
      await client.authenticate();
      await store.stop();
      await expect(deliver(client, kind)).rejects.toMatchObject({
        name: 'RunStopped',
        reason: 'store-unreachable',
        message: expect.stringContaining('refused the connection (ECONNREFUSED)'),
      });
    });
  }

  test('goes out again after a failed TLS handshake', async () => {
    await using plain = await wire.adversary({ script: [wire.created()] });
    plain.resetNext('accept');
    const transport = createTransport({
      origin: `https://127.0.0.1:${plain.port}`,
      concurrency: 1,
      timeoutMs: 1000,
    });
    const got = await transport.exchange({ method: 'POST', path: '/', headers: [], body: '{}' });
    expect(got).toMatchObject({ sent: false });
    expect(classify(got, 'create').situation).toBe('not-sent');
    await transport.close();
  });
});

describe('--in-doubt resend', () => {
  const cases: readonly [string, wire.Step][] = [
    ['no answer', wire.reset],
    ['a server error', wire.reply(500)],
  ];
  for (const [what, step] of cases) {
    test(`sends a create again after ${what}`, async () => {
      await using store = await wire.adversary({ script: [step, wire.created()] });
      const client = testClient({ baseUrl: store.url, inDoubt: 'resend' });
      expect(await deliver(client, 'create')).toMatchObject({ verdict: 'done', attempts: 2 });
    });
  }

  const taken: readonly [string, wire.Step][] = [
    ['without an identifier', wire.json(200, { status: 'success' })],
    ['unreadably', wire.html],
  ];
  for (const [what, step] of taken) {
    test(`never sends a create again that was accepted ${what}`, async () => {
      await using store = await wire.adversary({ script: [step, wire.created()] });
      const client = testClient({ baseUrl: store.url, inDoubt: 'resend' });
      expect(await deliver(client, 'create')).toMatchObject({
        verdict: 'in-doubt',
        code: 'accepted-unreadable',
      });
      expect(store.requests).toHaveLength(1);
    });
  }

  test('leaves a create in doubt when the second one is refused: the first may be why', async () => {
    await using store = await wire.adversary({
      script: [wire.reset, wire.json(409, { message: 'reference exists' })],
    });
    const client = testClient({ baseUrl: store.url, inDoubt: 'resend' });
    const delivery = await deliver(client, 'create');
    expect(delivery).toMatchObject({ verdict: 'in-doubt', code: 'no-answer', attempts: 2 });
    expect(delivery.message).toContain('reference exists');
  });

  test('leaves a create in doubt, and does not call it unsent, when the store then stays away', async () => {
    await using store = await wire.adversary({ script: [wire.reset, wire.reply(429)] });
    const client = testClient({ baseUrl: store.url, inDoubt: 'resend' });
    expect(await deliver(client, 'create')).toMatchObject({ verdict: 'in-doubt', code: 'no-answer' });
  });

  test('changes nothing in the table but those two cells', () => {
    const changed = (Object.keys(RULES) as Situation[]).flatMap((situation) =>
      KINDS.filter((kind) => actionFor(situation, kind, 'resend') !== RULES[situation][kind]).map(
        (kind) => `${situation} ${kind}`,
      ),
    );
    expect(changed.sort()).toEqual(['no-answer create', 'server-error create']);
  });
});
