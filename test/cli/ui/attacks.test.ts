import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { sample, storeport, temporaryFolder } from '../../support/run.ts';
import { type RunningUi, rawRequest, startUi } from '../../support/ui.ts';

let cwd: string;
let ui: RunningUi;

beforeEach(async () => {
  const folder = temporaryFolder();
  cwd = join(folder, 'shop');
  mkdirSync(cwd);
  writeFileSync(join(folder, 'secret.csv'), 'name,reference\nSecret,S-1\n');
  copyFileSync(sample('native-products.csv'), join(cwd, 'products.csv'));
  ui = await startUi(cwd);
});

/** Headers of a request that the page sends. */
const own = () => ({ host: new URL(ui.origin).host, cookie: ui.cookie, origin: ui.origin });

describe('requests from elsewhere are refused', () => {
  test('without the key, and with a wrong one', async () => {
    const { host } = own();
    for (const cookie of ['', 'storeport=x', ui.cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))])
      expect(await rawRequest(ui.origin, '/api/v1/start', { headers: { host, cookie } })).toMatchObject({
        status: 403,
      });
    const guess = await rawRequest(ui.origin, '/?token=guess', { headers: { host } });
    expect(guess).toMatchObject({ status: 403 });
    expect(guess.headers['set-cookie']).toBeUndefined();
    expect(await rawRequest(ui.origin, '/', { headers: { host } })).toMatchObject({ status: 403 });
    expect(await rawRequest(ui.origin, '/page/main.js', { headers: { host } })).toMatchObject({
      status: 403,
    });
  });

  test('under another name that resolves to this machine, also with the key', async () => {
    for (const host of [
      'evil.example',
      'evil.example:80',
      `evil.example:${new URL(ui.origin).port}`,
      '127.0.0.1',
      '[::1]',
    ]) {
      const headers = { ...own(), host };
      expect(await rawRequest(ui.origin, '/api/v1/start', { headers })).toMatchObject({ status: 421 });
      const token = new URL(ui.link).search;
      const answer = await rawRequest(ui.origin, `/${token}`, { headers: { host } });
      expect(answer).toMatchObject({ status: 421 });
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin without a name', { origin: 'null' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['a page of another site, by its own word', { 'sec-fetch-site': 'cross-site' }],
    ['another server of this machine, by its own word', { 'sec-fetch-site': 'same-site' }],
  ])('from %s, also with the key', async (_name, headers) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const answer = await rawRequest(ui.origin, '/api/v1/start', {
        method,
        headers: { ...own(), ...headers },
      });
      expect(answer.status).toBe(403);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  test('that change something and name no origin', async () => {
    const { origin: _, ...headers } = own();
    const body = JSON.stringify({ path: 'products.csv' });
    const answer = await rawRequest(ui.origin, '/api/v1/works', {
      ...{ method: 'POST', body },
      headers: { ...headers, 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(403);
  });

  test('with a body as a form of another site can send it', async () => {
    const answer = await rawRequest(ui.origin, '/api/v1/works', {
      ...{ method: 'POST', body: JSON.stringify({ path: 'products.csv' }) },
      headers: { ...own(), 'content-type': 'text/plain' },
    });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('must be JSON');
  });

  test('that are too large', async () => {
    const body = JSON.stringify({ path: 'x'.repeat(5 * 1024 * 1024) });
    const headers = { ...own(), 'content-type': 'application/json' };
    const answer = await rawRequest(ui.origin, '/api/v1/works', { method: 'POST', body, headers }).catch(
      () => undefined,
    );
    expect(answer?.status ?? 400).toBe(400);
    expect((await ui.call('GET', '/works')).value).toEqual([]);
  });
});

describe('the page itself', () => {
  test('takes the key out of the address, and keeps it in a cookie that scripts cannot read', async () => {
    const answer = await rawRequest(ui.origin, `/${new URL(ui.link).search}`, {
      headers: { host: own().host },
    });
    expect(answer).toMatchObject({ status: 303, headers: { location: '/' } });
    expect(String(answer.headers['set-cookie'])).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/);
  });

  test('may run its own scripts only, load nothing from elsewhere, and be in no frame', async () => {
    const { headers } = await rawRequest(ui.origin, '/', { headers: own() });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
  });
});

describe('paths that lead elsewhere are refused', () => {
  test.each(['../secret.csv', '/etc/passwd', './x/../../secret.csv', 'link.csv', 'folder/secret.csv'])(
    'a file to open: %s',
    async (path) => {
      symlinkSync(join(cwd, '../secret.csv'), join(cwd, 'link.csv'));
      symlinkSync(join(cwd, '..'), join(cwd, 'folder'));
      const { status, text } = await ui.call('POST', '/works', { path });
      expect(status).toBe(400);
      expect(text).toMatch(/is not in |There is no folder/);
      expect(text).not.toContain('S-1');
    },
  );

  test('files to write: a mapping and an export', async () => {
    const { id } = await ui.open('products.csv');
    await ui.call('POST', `/works/${id}/mapping`, {
      op: 'text',
      text: 'resource: products\nfields: { name: name }\n',
    });
    const mapping = await ui.call('POST', `/works/${id}/mapping/file`, { path: '../x.yaml' });
    expect(mapping).toMatchObject({ status: 400 });
    const job = {
      kind: 'export',
      resource: 'reviews',
      store: 'sandbox',
      format: 'csv',
      out: '../reviews.csv',
    };
    expect(await ui.call('POST', '/jobs', job)).toMatchObject({ status: 400 });
  });

  test.each([
    '/page/..%2f..%2fpackage.json',
    '/page/../../package.json',
    '/page/%2e%2e/%2e%2e/package.json',
    '/page/main.js%00',
    '//etc/passwd',
    '/../../etc/passwd',
  ])('a file of the page: %s', async (path) => {
    const answer = await rawRequest(ui.origin, path, { headers: own() });
    expect(answer.status).toBe(404);
  });

  test('a report, by its name or by the name of its run', async () => {
    const { id } = await ui.open('products.csv');
    const { run = '' } = await ui.finish({ kind: 'import', work: id, store: 'sandbox' });
    const page = await ui.call('GET', `/runs/${run}/files/report.html`);
    expect(page.headers.get('content-security-policy')).toContain('sandbox allow-scripts');
    expect(page.headers.get('content-security-policy')).not.toContain('allow-same-origin');
    for (const path of [
      `/runs/${run}/files/..%2f..%2fproducts.csv`,
      `/runs/${run}/files/%2fetc%2fpasswd`,
      `/runs/${run}/files/ledger.db`,
      '/runs/..%2f..%2f/files/report.html',
      '/runs/last/files/report.html',
      '/works/..%2f..%2fetc/mapping',
    ])
      expect((await ui.call('GET', path)).status).toBe(404);
  });

  test('the name of an upload', async () => {
    const bytes = new TextEncoder().encode('name,reference\nPen,P-1\n');
    const name = encodeURIComponent('../../../evil\u0000.csv');
    const { value, status } = await ui.call<{ name: string }>('PUT', `/uploads?name=${name}`, bytes);
    expect(status).toBe(200);
    expect(value.name).not.toMatch(/[/\\\u0000]|^\./);
  });
});

describe('one at a time', () => {
  test('a folder in place of a file is refused, and the command ends', async () => {
    const ended = await storeport(['ui', '.', '--home', 'other'], { cwd });
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('. is not a file.')]);
  });

  test('a second server for the same home ends at once, and says who has it', async () => {
    const { code, stderr } = await storeport(['ui'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(/the page for \.storeport is in use: storeport ui, process \d+/);
    expect((await ui.call('GET', '/start')).status).toBe(200);
  });

  test('a second job is refused while one runs, and a store needs the yes of a person to its address', async () => {
    writeFileSync(
      join(cwd, 'storeport.config.yaml'),
      'profiles: { shop: { base-url: "https://shop.example", client-id: a } }\n',
    );
    const { id } = await ui.open('products.csv');
    for (const agreed of [undefined, 'https://other.example']) {
      const job = { kind: 'import', work: id, store: 'profile:shop', ...(agreed ? { agreed } : {}) };
      const { status, text } = await ui.call('POST', '/jobs', job);
      expect(status).toBe(400);
      expect(text).toContain('Nothing was sent: you have not agreed to send to https://shop.example');
    }
    const started = await Promise.all(
      [1, 2].map(() => ui.call('POST', '/jobs', { kind: 'import', work: id, store: 'sandbox' })),
    );
    expect(started.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('what no file and no page can have', () => {
  const call = (method: string, path: string, body?: object) =>
    rawRequest(ui.origin, `/api/v1${path}`, {
      method,
      headers: { ...own(), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  test('a NUL in a path, a name or a value of the address is refused, and no bug', async () => {
    expect(await call('POST', '/works', { path: 'p\0.csv' })).toMatchObject({
      status: 400,
      text: expect.stringContaining('NUL'),
    });
    expect(await call('GET', '/works/a%00b')).toMatchObject({ status: 404 });
    expect(await call('GET', '/runs?from=1%00')).toMatchObject({ status: 400 });
  });

  test('a number in the address that is none is refused', async () => {
    for (const query of ['from=abc', 'count=1e3', 'count=-1', "from=x'"])
      expect({ query, ...(await call('GET', `/runs?${query}`)) }).toMatchObject({ query, status: 400 });
  });

  test.each(['.env', '.env.local', 'storeport.config.yaml', '.storeport/ledger.db'])(
    '%s cannot be opened, and nothing of it is shown',
    async (path) => {
      mkdirSync(join(cwd, '.storeport'), { recursive: true });
      writeFileSync(join(cwd, path), 'STOREPORT_CLIENT_SECRET=hunter2\nname,reference\n');
      const { status, text } = await call('POST', '/works', { path });
      expect(status).toBe(400);
      expect(text).toContain('is not for the page');
      expect(text).not.toContain('hunter2');
    },
  );
});
