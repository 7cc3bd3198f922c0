import { once } from 'node:events';
import { connect } from 'node:net';
import { Client } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { exchange, openSandbox } from '../../support/sandbox/open-sandbox.ts';

/** A bare connection, for requests that HTTP clients would normalise. */
async function dial(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.on('error', () => {});
  onTestFinished(() => {
    socket.destroy();
  });
  return socket;
}

describe('paths and methods (API document: Endpoints)', () => {
  test.each(['/', '/api', '/api/products/', '/api/products/creates', '/api/api/products', '//api/products'])(
    '%s is 404 in JSON, with or without a token',
    async (path) => {
      const sandbox = await openSandbox();
      for (const answer of [await sandbox.get(path), await exchange(sandbox.url, 'GET', path)]) {
        expect([answer.status, answer.json.code]).toEqual([404, 'NOT_FOUND']);
        await sandbox.expectToBe('Refusal', answer.json);
      }
    },
  );

  test.each([
    ['GET', '/api/products/create', 'POST'],
    ['POST', '/api/products/update/?id=1', 'PUT'],
    ['DELETE', '/api/products', 'GET'],
    ['POST', '/api/images', 'GET'],
    ['PUT', '/api/stores/authentication', 'GET, POST'],
    ['PATCH', '/openapi.json', 'GET'],
  ])('%s %s is 405 and lists the allowed methods', async (method, path, allowed) => {
    const sandbox = await openSandbox();
    const answer = await sandbox.call(method, path, method === 'GET' ? undefined : {});
    expect([answer.status, answer.json.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(answer.headers.allow).toBe(allowed);
  });

  test('answers have the content type of JSON', async () => {
    const sandbox = await openSandbox();
    for (const path of ['/api/products', '/openapi.json', '/nowhere']) {
      expect((await sandbox.get(path)).headers['content-type']).toBe('application/json; charset=utf-8');
    }
  });
});

describe('the size of a body', () => {
  const padded = (bytes: number) => {
    const empty = JSON.stringify({ name: 'A', reference: 'B', html: '' });
    return JSON.stringify({ name: 'A', reference: 'B', html: 'x'.repeat(bytes - empty.length) });
  };

  test('5,000,000 bytes are accepted', async () => {
    const sandbox = await openSandbox();
    expect((await sandbox.post('/api/products/create', padded(5_000_000))).status).toBe(200);
  });

  test('one byte more is 413, and the connection stays usable', async () => {
    const sandbox = await openSandbox();
    const answer = await sandbox.post('/api/products/create', padded(5_000_001));
    expect([answer.status, answer.json.code]).toEqual([413, 'BODY_TOO_LARGE']);
    expect(sandbox.count('products')).toBe(0);
    expect((await sandbox.get('/api/products')).status).toBe(200);
  });

  test('the limit counts bytes, not letters, in chunked bodies too', async () => {
    const sandbox = await openSandbox();
    const client = new Client(sandbox.url);
    onTestFinished(() => client.destroy());
    async function* chunks() {
      for (let n = 0; n < 6; n += 1) yield 'é'.repeat(500_000);
    }
    const { statusCode, body } = await client.request({
      method: 'POST',
      path: '/api/products/create',
      headers: { 'x-auth-token': sandbox.token },
      body: chunks() as never,
    });
    await body.dump();
    expect(statusCode).toBe(413);
  });

  test('a letter that is split between two chunks arrives whole', async () => {
    const sandbox = await openSandbox();
    const socket = await dial(sandbox.url);
    const body = Buffer.from('{"name":"é","reference":"B"}');
    const cut = body.indexOf('é') + 1;
    socket.write(
      `POST /api/products/create HTTP/1.1\r\nhost: x\r\nx-auth-token: ${sandbox.token}\r\ntransfer-encoding: chunked\r\n\r\n`,
    );
    for (const chunk of [body.subarray(0, cut), body.subarray(cut), Buffer.alloc(0)]) {
      socket.write(`${chunk.length.toString(16)}\r\n`);
      socket.write(chunk);
      socket.write('\r\n');
    }
    await once(socket, 'data');
    expect(sandbox.records('products')).toMatchObject([{ name: 'é' }]);
  });
});

describe('connections', () => {
  test('pipelined requests are all answered in order', async () => {
    const sandbox = await openSandbox();
    const client = new Client(sandbox.url, { pipelining: 20 });
    onTestFinished(() => client.destroy());
    const names = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const { body } = await client.request({
          method: 'POST',
          path: '/api/products/create',
          headers: { 'x-auth-token': sandbox.token },
          body: JSON.stringify({ name: `P${index}`, reference: 'B' }),
          idempotent: true,
          blocking: false,
        });
        return ((await body.json()) as { data: { name: string } }).data.name;
      }),
    );
    expect(names).toEqual(Array.from({ length: 200 }, (_, index) => `P${index}`));
    expect(sandbox.records('products').map((product) => (product as { name: string }).name)).toEqual(names);
  });

  test('a create that is aborted in its body stores nothing', async () => {
    const sandbox = await openSandbox();
    const socket = await dial(sandbox.url);
    const body = '{"name":"A","reference":"B"}';
    socket.write(
      `POST /api/products/create HTTP/1.1\r\nhost: x\r\nx-auth-token: ${sandbox.token}\r\ncontent-length: ${body.length + 1}\r\n\r\n${body}`,
    );
    socket.end();
    await once(socket.resume(), 'close');
    await sandbox.close();
    expect(sandbox.count('products')).toBe(0);
  });

  test('connections stay open for more than a minute', async () => {
    const sandbox = await openSandbox();
    expect((await sandbox.get('/api/products')).headers['keep-alive']).toBe('timeout=65');
  });

  test('close ends idle connections, and can be called twice', async () => {
    const sandbox = await openSandbox();
    const socket = await dial(sandbox.url);
    socket.write('GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(socket, 'data');
    const ended = once(socket.resume(), 'close');
    await Promise.all([sandbox.close(), sandbox.close()]);
    await ended;
    await expect(exchange(sandbox.url, 'GET', '/openapi.json')).rejects.toThrow();
  });

  test('close does not wait for a request that is never complete', async () => {
    const sandbox = await openSandbox();
    const socket = await dial(sandbox.url);
    socket.write('POST /api/products/create HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{');
    await sandbox.get('/api/products');
    await sandbox.close();
    expect(sandbox.count('products')).toBe(0);
  });

  test('the records of a sandbox can be read after it is closed', async () => {
    const sandbox = await openSandbox();
    await sandbox.post('/api/products/create', { name: 'A', reference: 'B' });
    await sandbox.close();
    expect(sandbox.records('products')).toMatchObject([{ name: 'A' }]);
  });

  test('a port that is in use is an error', async () => {
    const first = await openSandbox();
    await expect(startSandbox({ port: Number(new URL(first.url).port) })).rejects.toThrow(/EADDRINUSE/);
  });

  test('two sandboxes share no records and no tokens', async () => {
    const [first, second] = [await openSandbox(), await openSandbox()];
    await first.post('/api/products/create', { name: 'A', reference: 'B' });
    expect([first.count('products'), second.count('products')]).toEqual([1, 0]);
  });
});

describe('the journal', () => {
  test('records method, path and status in order', async () => {
    const sandbox = await openSandbox();
    await sandbox.post('/api/products/create', { name: 'A', reference: 'B' });
    await sandbox.get('/api/reviews/search?page=2&rating=5');
    await sandbox.get('/nowhere');
    const did = { collection: 'products', id: '5a9d0b010000000000000000', key: 'B' };
    expect(sandbox.journal.slice(1).map(({ at: _at, ...entry }) => entry)).toEqual([
      { n: 2, method: 'POST', path: '/api/products/create', kind: 'create', did, status: 200, whole: true },
      {
        ...{ n: 3, method: 'GET', path: '/api/reviews/search?page=2&rating=5', kind: 'list' },
        ...{ status: 200, whole: true },
      },
      { n: 4, method: 'GET', path: '/nowhere', kind: 'other', status: 404, whole: true },
    ]);
    const times = sandbox.journal.map(({ at }) => at);
    expect([...times].sort((a, b) => a - b)).toEqual(times);
  });

  test('holds no credentials and no tokens, not even from a mistyped path', async () => {
    const sandbox = await openSandbox();
    await sandbox.get(`/api/api/stores/authentication?clientSecret=${sandbox.clientSecret}`);
    await sandbox.get(`/api/products?page=1&token=${sandbox.token}`);
    const text = JSON.stringify(sandbox.journal);
    expect(sandbox.journal.length).toBe(3);
    for (const secret of [sandbox.clientSecret, sandbox.token]) expect(text).not.toContain(secret);
  });

  test('can be switched off', async () => {
    const sandbox = await openSandbox({ journal: false });
    await sandbox.get('/api/products');
    expect(sandbox.journal).toEqual([]);
  });
});
