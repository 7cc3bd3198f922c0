import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createJournal, type JournalEntry } from '../../src/sandbox/journal.ts';
import { temporaryFolder } from '../support/run.ts';
import { type OpenSandbox, openSandbox } from '../support/sandbox/open-sandbox.ts';

const PRODUCT = { name: 'A', reference: 'a' };

function linesOf(file: string): JournalEntry[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

async function withFile(): Promise<{ sandbox: OpenSandbox; lines: () => JournalEntry[] }> {
  const file = join(temporaryFolder(), 'journal.ndjson');
  const sandbox = await openSandbox({ journalFile: file });
  return { sandbox, lines: () => linesOf(file) };
}

function send({ url }: OpenSandbox, text: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
  });
  socket.on('error', () => {});
  socket.write(text);
  return socket;
}

const head = (method: string, path: string, { token }: OpenSandbox, more = '') =>
  `${method} ${path} HTTP/1.1\r\nhost: a\r\nx-auth-token: ${token}\r\n${more}\r\n`;

describe('a request that the client aborts', () => {
  test('in the middle of a create is in the journal, without effect and without fault', async () => {
    const { sandbox, lines } = await withFile();
    const socket = send(
      sandbox,
      `${head('POST', '/api/products/create', sandbox, 'content-length: 99\r\n')}{"name"`,
    );
    // An answer to another request: the store has received half of the create by then.
    await sandbox.get('/api/images');
    socket.destroy();
    await expect.poll(() => sandbox.journal.length).toBe(3);
    const { at: _at, ...entry } = sandbox.journal[2] as JournalEntry;
    expect(entry).toEqual({
      ...{ n: 3, method: 'POST', path: '/api/products/create', kind: 'create' },
      ...{ status: null, whole: false },
    });
    await expect.poll(() => lines()[2]).toEqual(sandbox.journal[2]);
    expect(sandbox.count('products')).toBe(0);
  });

  test('does not count for faults', async () => {
    const { sandbox } = await withFile();
    sandbox.misbehave({ 'error-500': '#1@create' });
    const socket = send(sandbox, head('POST', '/api/products/create', sandbox, 'content-length: 9\r\n'));
    await sandbox.get('/api/images');
    socket.destroy();
    await expect.poll(() => sandbox.journal.length).toBe(3);
    const { statusCode } = await create(sandbox);
    expect(statusCode).toBe(500);
  });

  test('while it waits has its effect in the journal, and no status', async () => {
    const { sandbox, lines } = await withFile();
    sandbox.misbehave({ latency: '1h' });
    const body = JSON.stringify(PRODUCT);
    const socket = send(
      sandbox,
      `${head('POST', '/api/products/create', sandbox, `content-length: ${body.length}\r\n`)}${body}`,
    );
    await expect.poll(() => sandbox.count('products')).toBe(1);
    expect(lines()).toHaveLength(1);
    socket.destroy();
    await expect
      .poll(() => lines()[1])
      .toMatchObject({ kind: 'create', did: { key: 'a' }, status: null, whole: false });
    expect([lines().length, sandbox.journal.length]).toEqual([2, 2]);
  });

  test.each([
    ['without a body', 'GET', '/api/images', ''],
    ['with one', 'POST', '/api/products/create', JSON.stringify(PRODUCT)],
  ])('with many requests %s in flight has a line for each', async (_how, method, path, body) => {
    const { sandbox, lines } = await withFile();
    sandbox.misbehave({ latency: '1h' });
    const length = body === '' ? '' : `content-length: ${body.length}\r\n`;
    const socket = send(sandbox, `${head(method, path, sandbox, length)}${body}`.repeat(30));
    await expect.poll(() => sandbox.journal.length).toBe(31);
    socket.destroy();
    await expect.poll(() => lines().length).toBe(31);
    expect(new Set(lines().map(({ n }) => n)).size).toBe(31);
    expect(
      lines()
        .slice(1)
        .map(({ status }) => status),
    ).toEqual(Array(30).fill(null));
  });
});

describe('the journal file', () => {
  test('has requests that are never answered at once, so that a kill does not lose them', async () => {
    const { sandbox, lines } = await withFile();
    sandbox.misbehave({ 'late-hang': '#1' });
    const answer = expect(create(sandbox)).rejects.toThrow();
    await expect
      .poll(() => lines()[1])
      .toMatchObject({ fault: 'late-hang', did: { key: 'a' }, status: null });
    await sandbox.close();
    await answer;
    expect(lines()).toHaveLength(2);
  });

  test('has every entry of the memory once after the store is closed, and more than the memory keeps', () => {
    const file = join(temporaryFolder(), 'journal.ndjson');
    let now = 0;
    const journal = createJournal({ file, now: () => now++ });
    for (let n = 1; n <= 100_010; n++) {
      const over = journal.record({ method: 'GET', url: '/api/images', kind: 'list' });
      if (n % 2 === 0) over(200, true);
    }
    journal.close();
    const lines = linesOf(file).sort((a, b) => a.n - b.n);
    expect(lines.map(({ n }) => n)).toEqual(Array.from({ length: 100_010 }, (_, index) => index + 1));
    expect(journal.entries).toHaveLength(100_000);
    expect(lines.slice(0, 100_000)).toEqual(journal.entries);
    expect(lines.at(-1)).toMatchObject({ at: 100_009, status: 200, whole: true });
    expect(lines.at(-2)).toMatchObject({ status: null, whole: false });
  });

  test('is appended to, and ignores a second end of a request', () => {
    const file = join(temporaryFolder(), 'journal.ndjson');
    for (const method of ['GET', 'PUT']) {
      const journal = createJournal({ file, now: () => 0 });
      const over = journal.record({ method, url: '/', kind: 'other' });
      journal.close();
      over(200, true);
      journal.close();
    }
    expect(linesOf(file).map(({ method, status }) => [method, status])).toEqual([
      ['GET', null],
      ['PUT', null],
    ]);
  });

  test('that cannot be opened is an error', async () => {
    await expect(openSandbox({ journalFile: join(temporaryFolder(), 'no', 'folder') })).rejects.toThrow(
      /ENOENT/,
    );
  });
});

async function create({ url, token }: OpenSandbox) {
  const answer = await request(`${url}/api/products/create`, {
    method: 'POST',
    headers: { 'x-auth-token': token },
    body: JSON.stringify(PRODUCT),
  });
  await answer.body.dump();
  return answer;
}
