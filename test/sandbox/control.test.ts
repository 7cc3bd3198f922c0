import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/run.ts';
import { exchange, openSandbox } from '../support/sandbox/open-sandbox.ts';

const PRODUCT = { name: 'A', reference: 'a' };

describe('the control endpoint', () => {
  test('exists only if it was requested', async () => {
    const sandbox = await openSandbox();
    for (const path of ['/sandbox/faults', '/sandbox/journal', '/sandbox/records/products'])
      expect((await exchange(sandbox.url, 'GET', path)).status).toBe(404);
  });

  test('changes faults while the store runs, is exempt from them, and is not in the journal', async () => {
    const sandbox = await openSandbox({ control: true });
    const put = await exchange(sandbox.url, 'PUT', '/sandbox/faults', { 'error-503-json': '100%', rate: 5 });
    expect([put.status, put.json]).toEqual([200, { 'error-503-json': '100%', rate: 5 }]);
    expect((await sandbox.post('/api/products/create', PRODUCT)).status).toBe(503);
    expect((await exchange(sandbox.url, 'GET', '/sandbox/faults')).json).toEqual(put.json);
    await exchange(sandbox.url, 'PUT', '/sandbox/faults', {});
    expect((await sandbox.post('/api/products/create', PRODUCT)).status).toBe(200);
    expect(sandbox.journal.every(({ path }) => !path.startsWith('/sandbox'))).toBe(true);
  });

  test.each([
    ['{"rate": "fast"}', 400, /rate takes a number above 0; found "fast"/],
    ['{"rate": null}', 400, /texts and numbers/],
    ['[1]', 400, /texts and numbers/],
    ['{', 400, /not JSON/],
  ])('refuses %s and keeps the previous faults', async (body, status, message) => {
    const sandbox = await openSandbox({ control: true, faults: { 'page-limit': 3 } });
    const answer = await exchange(sandbox.url, 'PUT', '/sandbox/faults', body);
    expect([answer.status, answer.json.message]).toEqual([status, expect.stringMatching(message)]);
    expect((await exchange(sandbox.url, 'GET', '/sandbox/faults')).json).toEqual({ 'page-limit': 3 });
  });

  test('returns the journal and the records as lines, and revokes tokens', async () => {
    const sandbox = await openSandbox({ control: true });
    await sandbox.post('/api/products/create', PRODUCT);
    await sandbox.post('/api/products/create', { ...PRODUCT, reference: 'b' });
    const lines = async (path: string) =>
      (await (await fetch(`${sandbox.url}${path}`)).text())
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
    expect(await lines('/sandbox/records/products')).toEqual(sandbox.records('products'));
    expect(await lines('/sandbox/journal')).toEqual(sandbox.journal);
    expect((await exchange(sandbox.url, 'POST', '/sandbox/revoke-tokens', {})).status).toBe(200);
    expect((await sandbox.get('/api/images')).status).toBe(401);
    expect((await exchange(sandbox.url, 'GET', '/sandbox/records/nothing')).status).toBe(404);
  });
});

test('writes every request to the journal file, also those that do not fit in memory', async () => {
  const journalFile = join(temporaryFolder(), 'journal.ndjson');
  const sandbox = await openSandbox({ journalFile });
  for (let n = 0; n < 5; n++) await sandbox.post('/api/products/create', { ...PRODUCT, reference: `${n}` });
  await sandbox.close();
  const lines = readFileSync(journalFile, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(sandbox.journal);
  expect(lines).toHaveLength(6);
});
