import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { authentication, exchange, openSandbox, refusedFields } from '../support/sandbox/open-sandbox.ts';
import { ENDPOINTS, TOKEN_PATH } from './api-document/endpoints.ts';

const NOON = Date.UTC(2026, 0, 31, 12);

function claimsOf(jwt: string) {
  const [header, claims, signature] = jwt.split('.').map((part) => Buffer.from(part, 'base64url'));
  return { header: JSON.parse(String(header)), claims: JSON.parse(String(claims)), signature };
}

describe('obtaining tokens (API document: Authentication, step 2)', () => {
  test('returns a refresh token, an access token and its lifetime in seconds', async () => {
    const sandbox = await openSandbox({ tokenLifeSeconds: 90, now: () => NOON });
    const answer = await exchange(sandbox.url, 'GET', authentication(sandbox));
    expect(answer.status).toBe(200);
    expect(answer.json.expireTime).toBe(90);
    await sandbox.expectToBe('Tokens', answer.json);
  });

  test('the access token is a JWT with the store id and its expiry', async () => {
    const sandbox = await openSandbox({ tokenLifeSeconds: 90, now: () => NOON, storeId: 'store-7' });
    const { header, claims, signature } = claimsOf(sandbox.token);
    expect(header).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(claims).toMatchObject({ iat: NOON / 1000, exp: NOON / 1000 + 90, store: { _id: 'store-7' } });
    expect(signature?.length).toBe(createHmac('sha256', 'any').digest().length);
  });

  test('two tokens of the same moment differ', async () => {
    const sandbox = await openSandbox({ now: () => NOON });
    const { json } = await exchange(sandbox.url, 'GET', authentication(sandbox));
    expect(json.accessToken).not.toBe(sandbox.token);
  });

  test.each([
    ['id', { clientId: 'someone-else' }],
    ['secret', { clientSecret: 'guess' }],
  ])('a wrong client %s is 401, without saying which of the two was wrong', async (_what, wrong) => {
    const sandbox = await openSandbox();
    const answer = await exchange(sandbox.url, 'GET', authentication({ ...sandbox, ...wrong }));
    expect(answer.status).toBe(401);
    expect(answer.json).toEqual({
      status: 'error',
      code: 'INVALID_CREDENTIALS',
      message: 'The client id or the client secret is wrong.',
    });
  });

  test.each(['clientId', 'clientSecret'])('without %s it is 400 and names it', async (missing) => {
    const sandbox = await openSandbox();
    const { clientId, clientSecret } = sandbox;
    const given = missing === 'clientId' ? { clientSecret } : { clientId };
    const answer = await exchange(sandbox.url, 'GET', authentication(given));
    expect([answer.status, answer.json.code]).toEqual([400, 'BAD_QUERY']);
    expect(refusedFields(answer)).toEqual({ [missing]: 'is required' });
  });

  test('accepts the credentials of the options, and no longer the demo ones', async () => {
    const own = await openSandbox({ clientId: 'own', clientSecret: 'a secret & more' });
    const demo = await openSandbox();
    expect((await own.get('/api/products')).status).toBe(200);
    expect((await exchange(own.url, 'GET', authentication(demo))).status).toBe(401);
  });

  test('the demo client id has the shape of a real one', async () => {
    const { clientId } = await openSandbox();
    expect(clientId).toMatch(/^[0-9a-f]{24}-sandbox$/);
  });
});

describe('refreshing (API document: Authentication, step 4)', () => {
  async function withRefreshToken(now: () => number = () => NOON) {
    const sandbox = await openSandbox({ now, tokenLifeSeconds: 60 });
    const { json } = await exchange(sandbox.url, 'GET', authentication(sandbox));
    const refresh = (body: unknown, query = '&refresh=true', credentials = {}) =>
      exchange(sandbox.url, 'POST', authentication({ ...sandbox, ...credentials }, query), body);
    return { sandbox, refreshToken: json.refreshToken as string, refresh };
  }

  test('returns a new access token that is accepted, and no refresh token', async () => {
    const { sandbox, refreshToken, refresh } = await withRefreshToken();
    const answer = await refresh({ refreshToken });
    expect(answer.status).toBe(200);
    await sandbox.expectToBe('RefreshedToken', answer.json);
    expect(answer.json.accessToken).not.toBe(sandbox.token);
    const list = await sandbox.call('GET', '/api/products', undefined, {
      'x-auth-token': answer.json.accessToken,
    });
    expect(list.status).toBe(200);
  });

  test('works more than once, and after the access token has expired', async () => {
    let now = NOON;
    const { refreshToken, refresh } = await withRefreshToken(() => now);
    expect((await refresh({ refreshToken })).status).toBe(200);
    now += 3_600_000;
    expect((await refresh({ refreshToken })).status).toBe(200);
  });

  test('a refresh token that was not issued here is 401', async () => {
    const { refresh } = await withRefreshToken();
    const answer = await refresh({ refreshToken: 'refresh-made-up' });
    expect([answer.status, answer.json.code]).toEqual([401, 'INVALID_REFRESH_TOKEN']);
  });

  test('an access token cannot be used to refresh', async () => {
    const { sandbox, refresh } = await withRefreshToken();
    expect((await refresh({ refreshToken: sandbox.token })).status).toBe(401);
  });

  test('wrong credentials are 401 even with a good refresh token', async () => {
    const { refreshToken, refresh } = await withRefreshToken();
    const answer = await refresh({ refreshToken }, '&refresh=true', { clientSecret: 'guess' });
    expect([answer.status, answer.json.code]).toEqual([401, 'INVALID_CREDENTIALS']);
  });

  test.each(['', '&refresh=false'])('without refresh=true (%j) it is 400', async (query) => {
    const { refreshToken, refresh } = await withRefreshToken();
    const answer = await refresh({ refreshToken }, query);
    expect(answer.status).toBe(400);
    expect(refusedFields(answer)).toEqual({ refresh: 'must be true' });
  });

  test('a body without the refresh token is 400', async () => {
    const { refresh } = await withRefreshToken();
    const answer = await refresh({});
    expect([answer.status, answer.json.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(refusedFields(answer)).toEqual({ refreshToken: 'is required' });
  });
});

describe('using a token (API document: Authentication, step 3)', () => {
  const guarded = ENDPOINTS.filter(({ path }) => path !== TOKEN_PATH);

  test.each(guarded)('$method $path needs a token and no other credentials', async ({ method, path }) => {
    const sandbox = await openSandbox();
    const body = method === 'GET' ? undefined : {};
    const refused = await exchange(sandbox.url, method, path, body);
    expect([refused.status, refused.json.code]).toEqual([401, 'INVALID_TOKEN']);
    expect([200, 400]).toContain((await sandbox.call(method, path, body)).status);
  });

  test('a token that was not issued here is 401', async () => {
    const sandbox = await openSandbox();
    const other = await openSandbox();
    const answer = await sandbox.call('GET', '/api/products', undefined, { 'x-auth-token': other.token });
    expect([answer.status, answer.json.code]).toEqual([401, 'INVALID_TOKEN']);
  });

  test('a token is valid to the last millisecond of its lifetime, and not longer', async () => {
    let now = NOON;
    const sandbox = await openSandbox({ now: () => now, tokenLifeSeconds: 60 });
    now = NOON + 59_999;
    expect((await sandbox.get('/api/products')).status).toBe(200);
    now = NOON + 60_000;
    const answer = await sandbox.get('/api/products');
    expect([answer.status, answer.json.code]).toEqual([401, 'TOKEN_EXPIRED']);
  });

  test('a create with an expired token stores nothing', async () => {
    let now = NOON;
    const sandbox = await openSandbox({ now: () => now, tokenLifeSeconds: 60 });
    now += 60_000;
    const answer = await sandbox.post('/api/products/create', { name: 'A', reference: 'B' });
    expect([answer.status, sandbox.count('products')]).toEqual([401, 0]);
  });
});
