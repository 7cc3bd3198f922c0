import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../src/model/index.ts';

/** A request as it was received. */
export interface Received {
  readonly method: string;
  /** Path without its query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

export interface HttpStore {
  readonly url: string;
  /** Settings that lead to this store. */
  readonly environment: Readonly<Record<string, string>>;
  /** Requests, without those for tokens. */
  readonly requests: readonly Received[];
}

type Answer = JsonObject | { readonly status: number; readonly body: JsonObject };

/** A store that issues tokens, records every request and answers with `answer`. It closes after the test. */
export async function httpStore(answer: (request: Received) => Answer | Promise<Answer>): Promise<HttpStore> {
  const requests: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { pathname: path, searchParams } = new URL(request.url ?? '', 'http://store.invalid');
    const reply = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (path.startsWith('/api/stores/'))
      return reply(200, { accessToken: 'token-1', refreshToken: 'refresh-1', expireTime: 3600 });
    const received = {
      method: request.method ?? '',
      path,
      query: Object.fromEntries(searchParams),
      body: text === '' ? {} : (JSON.parse(text) as JsonObject),
    };
    requests.push(received);
    const said = await answer(received);
    return typeof said.status === 'number' ? reply(said.status, said.body) : reply(200, said);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environment = {
    STOREPORT_BASE_URL: url,
    STOREPORT_CLIENT_ID: 'test-client',
    STOREPORT_CLIENT_SECRET: 'test-client-secret',
    STOREPORT_STORE_ID: 'store-1',
  };
  return { url, environment, requests };
}

/** One page of a list with `total` items, which `item` makes from their numbers. */
export function pageOf(
  total: number,
  query: Readonly<Record<string, string>>,
  item: (number: number) => JsonObject,
): JsonObject {
  const [page, size] = [Number(query.page), Number(query.limit)];
  const first = (page - 1) * size;
  const results = Array.from({ length: Math.max(0, Math.min(size, total - first)) }, (_, n) =>
    item(first + n),
  );
  const last = Math.max(1, Math.ceil(total / size));
  return { results, paginate: { total, per_page: size, current_page: page, last_page: last } };
}
