import { connect } from 'node:net';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import type { GivenFaults } from '../../../src/sandbox/index.ts';
import {
  authentication,
  exchange,
  type OpenSandbox,
  openSandbox,
} from '../../support/sandbox/open-sandbox.ts';

const PRODUCT = { name: 'A', reference: 'a' };

/** The result of one create for a client: status and text, or the code of the error. */
async function create(
  sandbox: OpenSandbox,
  signal?: AbortSignal,
): Promise<{ status?: number; text?: string; error?: string }> {
  try {
    const { statusCode, body } = await request(`${sandbox.url}/api/products/create`, {
      method: 'POST',
      headers: { 'x-auth-token': sandbox.token, 'content-type': 'application/json' },
      body: JSON.stringify(PRODUCT),
      signal: signal ?? null,
      reset: true,
    });
    return { status: statusCode, text: await body.text() };
  } catch (error) {
    const { code, name } = error as Error & { code?: string };
    return { error: code ?? name };
  }
}

const GAVE_UP = Object.assign(new Error(), { code: 'GAVE_UP' });

/** Time to wait for an answer that must not come, after the store received the request. */
const MORE_MS = 100;

/** The same for a client that gives up. It waits until the store has its request, however long that takes. */
async function createInVain(sandbox: OpenSandbox): ReturnType<typeof create> {
  const controller = new AbortController();
  const before = sandbox.journal.length;
  const seen = create(sandbox, controller.signal);
  await expect.poll(() => sandbox.journal.length, { timeout: 30_000 }).toBeGreaterThan(before);
  await new Promise((resolve) => setTimeout(resolve, MORE_MS));
  controller.abort(GAVE_UP);
  return seen;
}

/** One create, by a client that waits as long as the expected result needs. */
function createFor(
  sandbox: OpenSandbox,
  seen: { readonly error?: unknown; readonly status?: number },
): ReturnType<typeof create> {
  return seen.error === 'GAVE_UP' ? createInVain(sandbox) : create(sandbox);
}

async function misbehaving(faults: GivenFaults): Promise<OpenSandbox> {
  const sandbox = await openSandbox();
  sandbox.misbehave(faults);
  return sandbox;
}

describe('before processing: the client gets no result, and the request has no effect', () => {
  test.each([
    ['reset', { error: 'ECONNRESET' }],
    ['hang', { error: 'GAVE_UP' }],
    ['error-408', { status: 408, text: expect.stringContaining('<h1>Request Timeout') }],
    ['error-500', { status: 500, text: expect.stringContaining('<!DOCTYPE html>') }],
    ['error-502', { status: 502, text: expect.stringContaining('<!DOCTYPE html>') }],
    ['error-503', { status: 503, text: expect.stringContaining('<!DOCTYPE html>') }],
    ['error-504', { status: 504, text: expect.stringContaining('<!DOCTYPE html>') }],
    ['error-429', { status: 429, text: expect.stringContaining('"status":"error"') }],
    ['error-503-json', { status: 503, text: expect.stringContaining('"code":"UNAVAILABLE"') }],
    ['redirect', { status: 302 }],
  ])('%s', async (fault, seen) => {
    const sandbox = await misbehaving({ [fault]: '#1' });
    expect(await createFor(sandbox, seen)).toMatchObject(seen);
    expect(sandbox.count('products')).toBe(0);
    expect(sandbox.journal.at(-1)).toMatchObject({ kind: 'create', fault });
    expect(sandbox.journal.at(-1)?.did).toBeUndefined();
    expect(await create(sandbox)).toMatchObject({ status: 200 });
  });
});

describe('after processing: the record exists, and the answer is lost or damaged', () => {
  test.each([
    ['late-reset', { error: 'ECONNRESET' }],
    ['late-hang', { error: 'GAVE_UP' }],
    ['late-500', { status: 500 }],
    ['late-502', { status: 502 }],
    ['late-503', { status: 503 }],
    ['late-504', { status: 504 }],
    [
      'truncated',
      { error: expect.stringMatching(/^(UND_ERR_SOCKET|ECONNRESET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/) },
    ],
    ['cut', { status: 200, text: expect.not.stringMatching(/}$/) }],
    ['trickle', { error: 'GAVE_UP' }],
    ['html', { status: 200, text: expect.stringContaining('<!DOCTYPE html>') }],
    ['empty', { status: 200, text: '' }],
    ['no-id', { status: 200, text: expect.not.stringContaining('_id') }],
    ['other-record', { status: 200, text: expect.stringContaining('"reference":"other a"') }],
    // The name or the code, as the undici says that opened the first connection: that of the package, or that of Node.
    ['garbage', { error: expect.stringMatching(/^(?:HTTPParserError|HPE_)/) }],
  ])('%s', async (fault, seen) => {
    const sandbox = await misbehaving({ [fault]: '#1' });
    expect(await createFor(sandbox, seen)).toMatchObject(seen);
    expect(sandbox.records('products')).toMatchObject([PRODUCT]);
    const [{ _id: id }] = sandbox.records('products') as [{ _id: string }];
    const entry = sandbox.journal.at(-1);
    expect(entry).toMatchObject({ fault, did: { collection: 'products', id, key: 'a' } });
    expect(await create(sandbox)).toMatchObject({ status: 200 });
  });

  test('a slow answer arrives whole in the end', async () => {
    const sandbox = await misbehaving({ trickle: '#1@list' });
    const { body } = await request(`${sandbox.url}/api/images?limit=1`, {
      headers: { 'x-auth-token': sandbox.token },
    });
    expect(await body.json()).toEqual({
      results: [],
      paginate: { total: 0, per_page: 1, current_page: 1, last_page: 1 },
    });
  });
});

describe('the journal', () => {
  test('has whether the answer was sent whole, and whether the client left', async () => {
    const sandbox = await misbehaving({ truncated: '#2@create', latency: '20s@update' });
    await create(sandbox);
    await create(sandbox);
    const [{ _id: id }] = sandbox.records('products') as [{ _id: string }];
    const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
    socket.write(
      `PUT /api/products/update/?id=${id} HTTP/1.1\r\nhost: a\r\nx-auth-token: ${sandbox.token}\r\ncontent-length: 12\r\n\r\n{"name":"B"}`,
    );
    await expect.poll(() => sandbox.journal.at(-1)?.kind).toBe('update');
    socket.destroy();
    await expect.poll(() => sandbox.journal.map(({ whole }) => whole)).toEqual([true, true, false, false]);
    expect(sandbox.journal.at(-1)).toMatchObject({ did: { id }, status: null });
    expect(sandbox.records('products')).toMatchObject([{ name: 'B' }, {}]);
  });
});

describe('rate limits', () => {
  const answers = async (sandbox: OpenSandbox, count: number) => {
    const all = [];
    for (let n = 0; n < count; n++) all.push(await sandbox.post('/api/products/create', PRODUCT));
    return all;
  };

  test.each([
    ['none', undefined],
    ['seconds', expect.stringMatching(/^\d+$/)],
    ['date', expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} .* GMT$/)],
    ['junk', 'soon'],
  ])('a request above the limit is 429, with Retry-After: %s', async (form, header) => {
    const sandbox = await misbehaving({ rate: '0.01', burst: 2, 'retry-after': form });
    const all = await answers(sandbox, 4);
    expect(all.map(({ status }) => status)).toEqual([200, 200, 429, 429]);
    expect(all[3]?.headers['retry-after']).toEqual(header);
    if (form === 'seconds') expect(Number(all[3]?.headers['retry-after'])).toBeGreaterThan(90);
    expect(sandbox.count('products')).toBe(2);
    expect(sandbox.journal.at(-1)).toMatchObject({ fault: 'rate', status: 429 });
  });

  test('a fixed window refuses requests above its number; token requests do not count', async () => {
    const sandbox = await misbehaving({ window: '3/1h', 'retry-after': 'seconds' });
    for (let n = 0; n < 5; n++)
      expect((await exchange(sandbox.url, 'GET', authentication(sandbox))).status).toBe(200);
    const all = await answers(sandbox, 5);
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
    expect(Number(all[4]?.headers['retry-after'])).toBeGreaterThan(3500);
  });

  test('headers report the remaining number, in either form', async () => {
    const draft = await misbehaving({ window: '10/1h', 'rate-headers': 'ratelimit' });
    const [first] = await answers(draft, 1);
    expect(first?.headers.ratelimit).toMatch(/^"default";r=9;t=3[56]\d\d$/);
    const old = await misbehaving({ window: '1/1h', 'rate-headers': 'x-ratelimit' });
    const [, refused] = await answers(old, 2);
    expect(refused?.headers).toMatchObject({ 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0' });
    const resetsIn = Number(refused?.headers['x-ratelimit-reset']) - Date.now() / 1000;
    expect(resetsIn).toBeGreaterThan(3500);
    expect(resetsIn).toBeLessThan(3700);
  });
});

describe('delays', () => {
  test('an answer may be delayed after its effect, and others may overtake it', async () => {
    const sandbox = await misbehaving({ latency: '1h@create' });
    const client = new AbortController();
    const slow = create(sandbox, client.signal);
    await expect.poll(() => sandbox.count('products'), { interval: 5, timeout: 30_000 }).toBe(1);
    expect((await sandbox.get('/api/images')).status).toBe(200);
    client.abort(GAVE_UP);
    expect(await slow).toMatchObject({ error: 'GAVE_UP' });
  });

  test('an answer arrives whole, and not before the delay', async () => {
    const sandbox = await misbehaving({ latency: '150ms@create' });
    const begun = performance.now();
    expect(await create(sandbox)).toMatchObject({ status: 200 });
    expect(performance.now() - begun).toBeGreaterThan(145);
  });

  test.each([
    ['reset', { error: 'ECONNRESET' }],
    ['hang', { error: 'GAVE_UP' }],
    ['503', { status: 503 }],
    ['refuse', { error: 'ECONNREFUSED' }],
  ])('an outage of the kind %s ends by itself', async (how, seen) => {
    const sandbox = await misbehaving({ outage: `${how}:1h` });
    // The port closes a moment later.
    await expect.poll(() => createFor(sandbox, seen), { interval: 5, timeout: 30_000 }).toMatchObject(seen);
    sandbox.misbehave({ outage: `${how}:50ms` });
    await expect
      .poll(() => create(sandbox, AbortSignal.timeout(1_000)), { timeout: 30_000 })
      .toMatchObject({ status: 200 });
  });
});

describe('tokens', () => {
  const tokens = async (sandbox: OpenSandbox) =>
    (await exchange(sandbox.url, 'GET', authentication(sandbox))).json;

  test.each([
    ['seconds', 2],
    ['milliseconds', 2000],
    ['epoch-seconds', expect.closeTo((Date.now() + 2000) / 1000, -2)],
    ['epoch-milliseconds', expect.closeTo(Date.now() + 2000, -5)],
    ['text', '2s'],
    ['absent', undefined],
    ['absurd', -1e21],
  ])('expireTime in %s', async (unit, value) => {
    const sandbox = await misbehaving({ 'token-life': '2s', 'expire-time': unit });
    expect((await tokens(sandbox)).expireTime).toEqual(value);
  });

  test('a token without claims, and an expired token, answered with the requested status', async () => {
    let now = Date.UTC(2026, 0, 1);
    const sandbox = await openSandbox({ now: () => now });
    sandbox.misbehave({ 'token-life': '2s', 'token-form': 'opaque', 'expired-status': '400' });
    const { accessToken } = await tokens(sandbox);
    expect(accessToken).not.toContain('.');
    const status = async () =>
      (await exchange(sandbox.url, 'GET', '/api/images', undefined, { 'x-auth-token': accessToken })).status;
    expect(await status()).toBe(200);
    now += 2001;
    expect(await status()).toBe(400);
  });

  test('refresh tokens can be revoked, and access tokens too', async () => {
    const sandbox = await misbehaving({ refresh: 'revoked' });
    const { refreshToken } = await tokens(sandbox);
    const refused = await exchange(sandbox.url, 'POST', authentication(sandbox, '&refresh=true'), {
      refreshToken,
    });
    expect([refused.status, refused.json.code]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
    expect((await sandbox.get('/api/images')).status).toBe(200);
    sandbox.revokeTokens();
    expect((await sandbox.get('/api/images')).status).toBe(401);
  });
});

describe('envelopes', () => {
  test.each([
    ['data', 'data'],
    ['result', 'result'],
    ['named', 'product'],
    ['bare', undefined],
  ])('%s', async (form, name) => {
    const sandbox = await misbehaving({ envelope: form });
    // biome-ignore lint/suspicious/noExplicitAny: an answer of any shape
    const recordIn = (json: any) => (name === undefined ? json : json[name]);
    const created = recordIn((await sandbox.post('/api/products/create', PRODUCT)).json);
    expect(created).toMatchObject(PRODUCT);
    const { json } = await sandbox.put(`/api/products/update/?id=${created._id}`, { name: 'B' });
    expect(recordIn(json)).toMatchObject({ _id: created._id, name: 'B' });
  });
});

describe('the same seed', () => {
  test('gives the same faults to the same requests, in two stores', async () => {
    const faults = { seed: 11, 'late-502': '20%@create', 'error-500': '20%', latency: '1ms', jitter: '3ms' };
    const run = async () => {
      const sandbox = await misbehaving(faults);
      const seen = [];
      for (let n = 0; n < 60; n++) seen.push((await create(sandbox)).status);
      return [seen, sandbox.journal.map(({ fault }) => fault)];
    };
    const first = await run();
    expect(await run()).toEqual(first);
    expect(new Set<unknown>(first[1])).toEqual(new Set<unknown>([undefined, 'late-502', 'error-500']));
  });
});

test('faults that are not set change nothing', async () => {
  const sandbox = await misbehaving({ 'error-500': '#1' });
  expect(() => sandbox.misbehave({ nonsense: 1 })).toThrow(/There is no fault "nonsense"/);
  expect(await create(sandbox)).toMatchObject({ status: 500 });
  sandbox.misbehave({});
  expect(await create(sandbox)).toMatchObject({ status: 200 });
});
