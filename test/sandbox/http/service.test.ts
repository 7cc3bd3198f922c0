import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exchange, type OpenSandbox, openSandbox } from '../../support/sandbox/open-sandbox.ts';

/** A bare connection, and the text received so far. */
async function dial({ url }: OpenSandbox): Promise<{ socket: Socket; text: () => string }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  let got = '';
  socket.on('data', (chunk) => {
    got += String(chunk);
  });
  return { socket, text: () => got };
}

const listing = ({ token }: OpenSandbox, page: number) =>
  `GET /api/images?page=${page} HTTP/1.1\r\nhost: a\r\nx-auth-token: ${token}\r\n\r\n`;

const pagesIn = (text: string) => [...text.matchAll(/"current_page":(\d+)/g)].map(([, page]) => Number(page));

describe('pipelined requests', () => {
  test.each([
    ['behaves', {}],
    ['is slow', { latency: '5ms', jitter: '5ms' }],
  ])('are all answered in order by a store that %s', async (_how, faults) => {
    const sandbox = await openSandbox({ faults });
    const { socket, text } = await dial(sandbox);
    socket.write([1, 2, 3, 4, 5].map((page) => listing(sandbox, page)).join(''));
    await expect.poll(() => pagesIn(text())).toEqual([1, 2, 3, 4, 5]);
    await expect
      .poll(() => sandbox.journal.slice(1).map(({ status, whole }) => [status, whole]))
      .toEqual(Array(5).fill([200, true]));
  });

  test('are lost together if an earlier one is reset', async () => {
    const sandbox = await openSandbox();
    sandbox.misbehave({ reset: '#1' });
    const { socket } = await dial(sandbox);
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.write(listing(sandbox, 1) + listing(sandbox, 2));
    await ended;
    await expect.poll(() => sandbox.journal.slice(1)).toMatchObject([{ fault: 'reset', status: null }, {}]);
    expect(sandbox.journal.filter(({ path, whole }) => path.includes('page=') && whole)).toEqual([]);
  });
});

describe('closing', () => {
  test('answers requests in flight first, also those that are delayed', async () => {
    const sandbox = await openSandbox();
    sandbox.misbehave({ latency: '60ms' });
    const answer = sandbox.post('/api/products/create', { name: 'A', reference: 'a' });
    await expect.poll(() => sandbox.count('products'), { interval: 1 }).toBe(1);
    const [{ status }] = await Promise.all([answer, sandbox.close()]);
    expect(status).toBe(200);
  });

  test('does not wait for requests that are never answered', async () => {
    const sandbox = await openSandbox();
    sandbox.misbehave({ hang: '#1', latency: '1h@create' });
    const left = [sandbox.post('/api/products/create', {}), sandbox.post('/api/products/create', {})].map(
      (answer) => expect(answer).rejects.toThrow(),
    );
    await expect.poll(() => sandbox.journal.length).toBe(3);
    await sandbox.close();
    await Promise.all(left);
  });
});

describe('an outage', () => {
  const state = async ({ url }: OpenSandbox) =>
    exchange(url, 'GET', '/openapi.json').then(
      ({ status }) => status,
      ({ code }: { code: string }) => code,
    );

  test('that refuses connections ends when other faults are set', async () => {
    const sandbox = await openSandbox();
    sandbox.misbehave({ outage: 'refuse:1h' });
    await expect.poll(() => state(sandbox)).toBe('ECONNREFUSED');
    sandbox.misbehave({});
    await expect.poll(() => state(sandbox)).toBe(200);
  });

  test('that has not begun never begins when other faults are set', async () => {
    const sandbox = await openSandbox();
    sandbox.misbehave({ outage: 'refuse:1h:30ms' });
    sandbox.misbehave({ outage: 'refuse:1h:100ms' });
    sandbox.misbehave({ latency: '150ms@other' });
    // This answer is sent after the times at which the outages would have begun.
    expect(await state(sandbox)).toBe(200);
  });

  test('that refuses connections can begin with a request, which is dropped without effect', async () => {
    const sandbox = await openSandbox();
    sandbox.misbehave({ outage: 'refuse:1h:#2' });
    expect(await state(sandbox)).toBe(200);
    expect(await state(sandbox)).toBe('ECONNRESET');
    await expect.poll(() => state(sandbox)).toBe('ECONNREFUSED');
    sandbox.misbehave({});
    await expect.poll(() => state(sandbox)).toBe(200);
  });

  test('closes all connections, and the store can be closed during it', async () => {
    const sandbox = await openSandbox();
    const { socket } = await dial(sandbox);
    const ended = new Promise((resolve) => socket.once('close', resolve));
    sandbox.misbehave({ outage: 'refuse:1h' });
    await ended;
    await sandbox.close();
    expect(await state(sandbox)).toBe('ECONNREFUSED');
  });
});

test('the text too-large is answered as invalid JSON, not as too large', async () => {
  const sandbox = await openSandbox();
  const { status, json } = await sandbox.post('/api/products/create', 'too-large');
  expect([status, json.code]).toEqual([400, 'BAD_JSON']);
});
