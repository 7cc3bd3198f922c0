import http, { request, type Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { type ApiRoute, readJsonBody, serve } from '../../src/http/index.ts';
import { ConfigError, RunStopped } from '../../src/model/index.ts';
import { createGuard } from '../../src/ui/guard.ts';

/** A server with one route. `bugs`: texts that the terminal shows. */
async function serverOf(run: ApiRoute['run']) {
  const bugs: string[] = [];
  const { createServer } = http;
  let server: Server | undefined;
  http.createServer = ((...args: []) => {
    server = createServer(...args);
    return server;
  }) as never;
  syncBuiltinESMExports();
  const { link, close } = await serve({
    ...{ command: 'storeport ui', page: 'index.html', gate: createGuard },
    ...{ port: 0, routes: [{ method: 'GET', path: '/x', run }] },
    onBug: (text) => void bugs.push(text),
    mask: (text) => text.replaceAll('hunter2', '***'),
  });
  http.createServer = createServer;
  syncBuiltinESMExports();
  onTestFinished(close);
  const { origin } = new URL(link);
  const first = await fetch(link, { redirect: 'manual' });
  const [cookie = ''] = (first.headers.get('set-cookie') ?? '').split(';');
  const address = `${origin}/api/v1/x`;
  return { bugs, address, cookie, server, get: () => fetch(address, { headers: { cookie } }) };
}

test.each([
  [new ConfigError('Wrong.', ['Do this.']), 400, { message: 'Wrong.', hints: ['Do this.'] }],
  [new RunStopped('output-failed', 'Full.'), 409, { message: 'Full.', hints: [] }],
])('%s is answered in its words, and is no bug', async (error, status, expected) => {
  const { get, bugs } = await serverOf(() => {
    throw error;
  });
  const answer = await get();
  expect([answer.status, await answer.json()]).toEqual([status, { error: expected }]);
  expect(bugs).toEqual([]);
});

test('a bug is answered without secrets', async () => {
  const { get, bugs } = await serverOf(() => {
    throw new TypeError('no hunter2');
  });
  const answer = await get();
  expect(answer.status).toBe(500);
  const { error } = (await answer.json()) as { error: { message: string } };
  expect(error.message).toBe('This is a bug in storeport: no ***');
  expect(bugs).toEqual([expect.stringContaining('TypeError')]);
});

test.each([
  ['is reported', () => new TypeError('no'), 1],
  [
    'is none if the page has ended the task',
    () => Object.assign(new Error('aborted'), { code: 'ECONNRESET' }),
    0,
  ],
])('a bug in a request whose page was closed %s', async (_name, error, count) => {
  let wait = () => {};
  const closed = new Promise<void>((resolve) => {
    wait = resolve;
  });
  let enter = () => {};
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  const { address, cookie, bugs } = await serverOf(async ({ left }) => {
    left.addEventListener('abort', () => wait());
    enter();
    await closed;
    throw error();
  });
  const call = request(address, { headers: { cookie } }).on('error', () => {});
  call.end();
  await entered;
  call.destroy();
  await closed;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(bugs).toHaveLength(count);
});

test('an error of the socket is reported, and the server answers on', async () => {
  const { server, bugs, get } = await serverOf(() => 'here');
  for (const name of ['one', 'two']) server?.emit('error', new Error(name));
  expect(bugs).toEqual([expect.stringContaining('one'), expect.stringContaining('two')]);
  expect((await get()).status).toBe(200);
});

test('JSON that is nested too deeply is refused before it is parsed', async () => {
  const headers = { 'content-type': 'application/json' };
  const request = (text: string) => Object.assign(Readable.from([Buffer.from(text)]), { headers }) as never;
  expect(await readJsonBody(request('[[1]]'))).toEqual([[1]]);
  await expect(readJsonBody(request('['.repeat(100_000)))).rejects.toThrow(
    'The body of the request has objects or lists inside each other more than 100 deep.',
  );
});
