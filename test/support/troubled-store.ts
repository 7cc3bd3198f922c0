import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readReports, storeport, temporaryFolder } from './run.ts';

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
export async function troubledStore() {
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

/** Imports a product for each of these answers. Returns the outcomes and the number of creates, by reference. */
export async function importIntoTroubledStore(args: string[] = []) {
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
