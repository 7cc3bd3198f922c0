import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAttempts } from '../../../src/fleet/serve/attempts.ts';
import { createSessions } from '../../../src/fleet/serve/sessions.ts';
import { ConfigError } from '../../../src/model/index.ts';
import type { Sql } from '../../../src/postgres/index.ts';
import {
  OPERATOR_TOKEN,
  type SeededFleet,
  type ServedFleet,
  seedFleet,
  serveFleet,
  signIn,
  VIEWER_TOKEN,
} from '../../support/fleet-serve.ts';
import { testSql } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/run.ts';
import { rawRequest } from '../../support/ui.ts';

let sql: Sql;
let ids: SeededFleet;
let fleet: ServedFleet;
const cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  sql = await testSql();
  ids = await seedFleet(
    sql,
    temporaryFolder((clean) => cleanups.push(clean)),
  );
});
afterAll(async () => {
  for (const clean of cleanups.reverse()) await clean();
  await sql.close();
});
/** A server of its own for each test, so that failed attempts of one do not count in another. */
beforeEach(async () => {
  fleet = await serveFleet({ sql });
});

type Headers = Readonly<Record<string, string>>;
const call = (path: string, headers: Headers = {}, method = 'GET', body?: string) =>
  rawRequest(fleet.origin, path, {
    method,
    headers: { host: new URL(fleet.origin).host, ...headers },
    ...(body === undefined ? {} : { body }),
  });
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const session = (token: string, headers: Headers = {}) =>
  call(
    '/api/v1/session',
    { origin: fleet.origin, 'content-type': 'application/json', ...headers },
    'POST',
    JSON.stringify({ token }),
  );
const stop = (headers: Headers) => call(`/api/v1/tasks/${ids.queued}/stop`, headers, 'POST');
const stateOf = async (id: string) =>
  (await sql.query<{ state: string }>('select state from task where id = $1', [id]))[0]?.state;

const DATA = ['/overview', '/tasks', '/stores', '/schedules']
  .map((path) => `/api/v1${path}`)
  .concat('/metrics');

describe('without signing in', () => {
  test('the page and the health are answered, and no data', async () => {
    for (const path of [...DATA, `/api/v1/tasks/${ids.done}`, `/api/v1/tasks/${ids.done}/files/results.csv`])
      expect({ path, ...(await call(path)) }).toMatchObject({ path, status: 401 });
    expect(await call('/healthz')).toMatchObject({ status: 200 });
    expect(JSON.parse((await call('/api/v1/session')).text)).toMatchObject({ role: null, takesTokens: true });
  });

  test('nothing can be changed', async () => {
    expect(await stop({})).toMatchObject({ status: 403 });
    expect(await stop({ origin: fleet.origin })).toMatchObject({ status: 401 });
    expect(await stop({ ...bearer('wrong') })).toMatchObject({ status: 401 });
    expect(await stateOf(ids.queued)).toBe('queued');
  });
});

describe('a viewer', () => {
  test('sees everything', async () => {
    const cookie = await signIn(fleet.origin, VIEWER_TOKEN);
    for (const path of DATA) {
      expect(await call(path, { cookie })).toMatchObject({ status: 200 });
      expect(await call(path, bearer(VIEWER_TOKEN))).toMatchObject({ status: 200 });
    }
    expect(JSON.parse((await call('/api/v1/session', { cookie })).text)).toMatchObject({ role: 'viewer' });
  });

  test('a viewer gets reports without rows only', async () => {
    const isRefused = async (name: string, token = VIEWER_TOKEN) => {
      const path = `/api/v1/tasks/${ids.done}/files/${encodeURIComponent(name)}`;
      return (await call(path, bearer(token))).status === 403;
    };
    for (const name of ['errors.csv', 'errors.xlsx', 'in-doubt.csv', 'reports/errors.csv', 'report.html']) {
      expect([name, await isRefused(name)]).toEqual([name, true]);
      expect([name, await isRefused(name, OPERATOR_TOKEN)]).toEqual([name, false]);
    }
    expect(await isRefused('reports/results.csv')).toBe(false);
    await sql.query(`update task set options = options || '{"reportWithoutRows": true}' where id = $1`, [
      ids.done,
    ]);
    expect([await isRefused('report.html'), await isRefused('errors.csv')]).toEqual([false, true]);
  });

  test('cannot stop, resume or retry, by cookie or by token', async () => {
    const cookie = await signIn(fleet.origin, VIEWER_TOKEN);
    for (const action of ['stop', 'resume', 'retry'])
      for (const headers of [{ cookie, origin: fleet.origin }, bearer(VIEWER_TOKEN)]) {
        const answer = await call(`/api/v1/tasks/${ids.queued}/${action}`, headers, 'POST');
        expect(answer).toMatchObject({ status: 403, text: expect.stringContaining('looking only') });
      }
    expect(await stateOf(ids.queued)).toBe('queued');
    expect(fleet.actions).toEqual([]);
  });
});

test('an operator signs in, acts, and signs out', async () => {
  const answer = await session(OPERATOR_TOKEN);
  expect(answer).toMatchObject({ status: 200 });
  const [header = ''] = answer.headers['set-cookie'] as string[];
  expect(header).toMatch(/; HttpOnly; SameSite=Strict; Path=\/; Max-Age=\d+$/);
  expect(header).not.toContain(OPERATOR_TOKEN);
  const headers = { cookie: header.split(';')[0] ?? '', origin: fleet.origin };
  expect(await stop(headers)).toMatchObject({ status: 200 });
  expect(await stateOf(ids.queued)).toBe('stopped');
  await sql.query("update task set state = 'queued' where id = $1", [ids.queued]);
  const out = await call('/api/v1/session', headers, 'DELETE');
  expect(out).toMatchObject({
    status: 204,
    headers: { 'set-cookie': [expect.stringContaining('Max-Age=0')] },
  });
  // The session is over on the server too, whatever the browser does with its cookie.
  expect(await stop(headers)).toMatchObject({ status: 401 });
});

test('whoever signs in again has one session', async () => {
  const first = await signIn(fleet.origin, OPERATOR_TOKEN);
  expect(await session(VIEWER_TOKEN, { cookie: first })).toMatchObject({ status: 200 });
  expect(await call('/api/v1/overview', { cookie: first })).toMatchObject({ status: 401 });
});

test('behind https the cookie is for https only', async () => {
  const { headers } = await session(VIEWER_TOKEN, { 'x-forwarded-proto': 'https' });
  expect((headers['set-cookie'] as string[])[0]).toMatch(/^__Host-storeport-fleet=.*; Secure$/);
});

describe('other sites', () => {
  const own = async () => ({ cookie: await signIn(fleet.origin, OPERATOR_TOKEN), origin: fleet.origin });

  test.each<[string, Headers]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin without a name', { origin: 'null' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['its own word', { 'sec-fetch-site': 'cross-site' }],
    ['its own word, on this machine', { 'sec-fetch-site': 'same-site' }],
  ])('are refused by %s, also with the cookie', async (_, headers) => {
    expect(await stop({ ...(await own()), ...headers })).toMatchObject({ status: 403 });
    expect(await call('/api/v1/tasks', { ...(await own()), ...headers })).toMatchObject({ status: 403 });
    expect(await session(OPERATOR_TOKEN, headers)).toMatchObject({ status: 403 });
    expect(await stateOf(ids.queued)).toBe('queued');
  });

  test('can neither embed nor read an answer', async () => {
    for (const path of ['/', '/api/v1/session', '/api/v1/tasks', '/metrics', '/healthz', '/nothing']) {
      const { headers } = await call(path);
      expect(headers).toMatchObject({
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      });
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});

describe('wrong tokens', () => {
  test('a wrong token is refused, and only that one has to wait after ten times', async () => {
    for (let n = 0; n < 10; n++) expect(await session('stale')).toMatchObject({ status: 401 });
    const answer = await session('stale');
    expect(answer.status).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(await session('mistyped')).toMatchObject({ status: 401 });
  });

  test('wrong tokens never keep a right one from the same address out', async () => {
    for (let n = 0; n < 12; n++) {
      await session('stale');
      await session(`guess-${n}`);
    }
    expect(await session(OPERATOR_TOKEN)).toMatchObject({ status: 200 });
    expect(await call('/api/v1/tasks', bearer(VIEWER_TOKEN))).toMatchObject({ status: 200 });
  });

  test('do not sign anybody out', async () => {
    const cookie = await signIn(fleet.origin, VIEWER_TOKEN);
    for (let n = 0; n < 12; n++) await call('/api/v1/tasks', bearer(`guess-${n}`));
    expect(await call('/api/v1/tasks', { cookie })).toMatchObject({ status: 200 });
  });

  test('wrong tokens are forgotten after a minute, and counted for each address and token', () => {
    let now = 0;
    const attempts = createAttempts(() => now);
    for (let n = 0; n < 10; n++) attempts.note('10.0.0.1', 'a');
    expect([
      ...[attempts.waitS('10.0.0.1', 'a'), attempts.waitS('10.0.0.2', 'a'), attempts.waitS('10.0.0.1', 'b')],
    ]).toEqual([60, 0, 0]);
    for (let n = 0; n < 10; n++) attempts.note(`2001:db8:1:2::${n}`, 'a');
    expect([attempts.waitS('2001:db8:1:2::ff', 'a'), attempts.waitS('2001:db8:1:3::1', 'a')]).toEqual([
      60, 0,
    ]);
    now = 60_000;
    expect([attempts.waitS('10.0.0.1', 'a'), attempts.waitS('2001:db8:1:2::1', 'a')]).toEqual([0, 0]);
  });

  test('of the wrong kind are wrong requests', async () => {
    const headers = { origin: fleet.origin, 'content-type': 'application/json' };
    for (const body of ['{}', '[]', '{"token": 1}', '{', ''])
      expect(await call('/api/v1/session', headers, 'POST', body)).toMatchObject({ status: 400 });
  });
});

test('a session ends after a working day', () => {
  let now = 0;
  const sessions = createSessions(() => now);
  const secret = sessions.begin('operator');
  now = 12 * 3_600_000 - 1;
  expect(sessions.roleOf(secret)).toBe('operator');
  now += 1;
  expect(sessions.roleOf(secret)).toBeUndefined();
});

describe('without tokens', () => {
  test('only the address with its key signs in, as an operator, under names of this machine', async () => {
    fleet = await serveFleet({ sql, tokens: {} });
    const { search } = new URL(fleet.link);
    expect(search).toMatch(/^\?token=[\w-]{43}$/);
    expect(await call('/api/v1/tasks')).toMatchObject({ status: 401 });
    expect(await call(`/${search}`, { host: 'evil.example' })).not.toMatchObject({ status: 303 });
    expect((await call('/?token=guess')).headers['set-cookie']).toBeUndefined();
    const answer = await call(`/${search}`);
    expect(answer).toMatchObject({ status: 303, headers: { location: '/' } });
    const cookie = (answer.headers['set-cookie'] as string[])[0]?.split(';')[0] ?? '';
    expect(await call('/api/v1/tasks', { cookie })).toMatchObject({ status: 200 });
    expect(await call('/api/v1/tasks', { cookie, host: 'evil.example' })).toMatchObject({ status: 421 });
  });

  test.each([{ host: '0.0.0.0' }, { host: '192.168.0.1' }, { publicUrl: 'https://fleet.example' }])(
    'it is not served to others: %o',
    async (options) => {
      await expect(serveFleet({ sql, tokens: {}, ...options })).rejects.toThrow(ConfigError);
    },
  );
});

test.each([
  ['short', { operator: 'short' }],
  ['the same for both', { viewer: OPERATOR_TOKEN, operator: OPERATOR_TOKEN }],
  ['with a blank', { viewer: 'looks only 0123456789abcdef' }],
])('tokens that are no protection are refused: %s', async (_, tokens) => {
  const refused = serveFleet({ sql, tokens });
  await expect(refused).rejects.toThrow(ConfigError);
  await expect(refused).rejects.not.toThrow(/0123456789/);
});
