import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { booksOf, readReports, storeport, temporaryFolder } from '../../support/run.ts';

type Answer = (response: ServerResponse, attempt: number) => void;

const json = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const created = (response: ServerResponse) =>
  json(response, 200, { status: 'success', data: { _id: 'id-1' } });

/** Answer of a store in trouble to a create, by the reference of the product. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  fine: created,
  cut: (response) => response.destroy(),
  broken: (response) => json(response, 500, { message: 'oops' }),
  gateway: (response) =>
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>'),
  nameless: (response) => json(response, 200, { status: 'success' }),
  moved: (response) => response.writeHead(302, { location: 'https://elsewhere.example/api' }).end(),
  limited: (response, attempt) =>
    attempt < 2 ? json(response, 429, {}, { 'retry-after': '0' }) : created(response),
  stale: (response, attempt) =>
    attempt < 2 ? json(response, 401, { message: 'expired' }) : created(response),
  refused: (response) =>
    json(response, 422, { message: 'no more of these', errors: [{ field: 'reference', reason: 'taken' }] }),
};

/** A store that treats each product as its reference says, and counts the requests. */
async function troubledStore() {
  const asked: Record<string, number> = {};
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.url?.startsWith('/api/stores/authentication'))
      return json(response, 200, { accessToken: 'token-a', refreshToken: 'token-r', expireTime: 3600 });
    if (request.method === 'GET')
      return json(response, 200, {
        results: [],
        paginate: { total: 0, per_page: 1, current_page: 1, last_page: 1 },
      });
    const { reference } = JSON.parse(body) as { reference: string };
    asked[reference] = (asked[reference] ?? 0) + 1;
    return ANSWERS[reference]?.(response, asked[reference]);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

async function importAll(args: string[] = []) {
  const { url, asked } = await troubledStore();
  const cwd = temporaryFolder();
  writeFileSync(
    join(cwd, 'in.csv'),
    `name,reference\n${Object.keys(ANSWERS)
      .map((key) => `Product,${key}`)
      .join('\n')}\n`,
  );
  const env = { STOREPORT_BASE_URL: url, STOREPORT_CLIENT_ID: 'c', STOREPORT_CLIENT_SECRET: 'a-secret' };
  const ended = await storeport(['import', 'products', 'in.csv', '--out', 'out', ...args], { cwd, env });
  const reports = readReports(join(cwd, 'out'));
  const outcomes = Object.fromEntries(
    reports.results.map(({ key, outcome, code }) => [key, `${outcome} ${code}`.trim()]),
  );
  return { ended, reports, asked, outcomes, cwd };
}

test('a create with a lost answer is sent once and in doubt; a refused or limited one is not', async () => {
  const { ended, reports, asked, outcomes } = await importAll();
  expect(outcomes).toEqual({
    fine: 'created',
    cut: 'in-doubt no-answer',
    broken: 'in-doubt server-error',
    gateway: 'in-doubt server-error',
    nameless: 'in-doubt accepted-unreadable',
    moved: 'rejected redirected',
    limited: 'created',
    stale: 'created',
    refused: 'rejected store-refused',
  });
  expect(asked).toEqual({
    fine: 1,
    cut: 1,
    broken: 1,
    gateway: 1,
    nameless: 1,
    moved: 1,
    limited: 2,
    stale: 2,
    refused: 1,
  });
  expect(ended.code).toBe(1);
  expect(booksOf(reports).balanced).toBe(true);
  expect(reports.inDoubt.map((row) => [row.reference, row.storeport_outcome, row.storeport_code])).toEqual([
    ['cut', 'in-doubt', 'no-answer'],
    ['broken', 'in-doubt', 'server-error'],
    ['gateway', 'in-doubt', 'server-error'],
    ['nameless', 'in-doubt', 'accepted-unreadable'],
  ]);
  expect(reports.errors.map((row) => row.reference)).toEqual(['moved', 'refused']);
  expect(reports.results.at(-1)).toMatchObject({ field: 'reference', http_status: '422' });
  expect(reports.results.at(-1)?.message).toContain('no more of these');
  expect(ended.stdout).toContain('look in the store for the records in in-doubt.csv');
});

test('importing in-doubt.csv sends nothing and leaves the records in doubt', async () => {
  const first = await importAll();
  const { url, asked } = await troubledStore();
  const cwd = temporaryFolder();
  const env = { STOREPORT_BASE_URL: url, STOREPORT_CLIENT_ID: 'c', STOREPORT_CLIENT_SECRET: 'a-secret' };
  const ended = await storeport(
    ['import', 'products', join(first.cwd, 'out', 'in-doubt.csv'), '--out', 'out'],
    { cwd, env },
  );
  const reports = readReports(join(cwd, 'out'));
  expect(asked).toEqual({});
  expect(ended.code).toBe(1);
  expect(reports.summary.outcomes).toEqual({ 'in-doubt': 4 });
  expect(reports.results[0]).toMatchObject({ key: 'cut', code: 'no-answer', attempts: '0' });
  expect(reports.results[0]?.message).toContain(first.reports.summary.run);
  expect(reports.inDoubt.map((row) => row.reference)).toEqual(['cut', 'broken', 'gateway', 'nameless']);
});

test('--in-doubt resend repeats creates in doubt, but never accepted ones', async () => {
  const { asked, outcomes } = await importAll(['--in-doubt', 'resend']);
  expect(asked.cut).toBeGreaterThan(1);
  expect(asked.broken).toBeGreaterThan(1);
  expect(asked.nameless).toBe(1);
  expect(outcomes).toMatchObject({
    cut: 'in-doubt no-answer',
    nameless: 'in-doubt accepted-unreadable',
    fine: 'created',
  });
});
