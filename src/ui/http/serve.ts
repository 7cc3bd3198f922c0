import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigError, RunStopped } from '../../model/index.ts';
import { API_BASE } from '../api/index.ts';
import { assetAt } from './assets.ts';
import { findRoute } from './find-route.ts';
import { createGuard, type Guard } from './guard.ts';
import { readJsonBody } from './read-body.ts';
import { sendFailure, sendJson, sendRaw, sendText } from './respond.ts';
import { type ApiRoute, NotFound, type RawAnswer } from './route.ts';

export interface HttpOptions {
  /** 0 for any free one. */
  readonly port: number;
  readonly routes: readonly ApiRoute[];
  /** Called with the stack of a bug. */
  readonly onBug: (text: string) => void;
  /** Hides secrets in the message of a bug. */
  readonly mask: (text: string) => string;
}

export interface HttpServer {
  /** The address to open, with the token. */
  readonly link: string;
  close(): Promise<void>;
}

/** Serves the page and its API on 127.0.0.1. Throws ConfigError if the port cannot be used. */
export async function serve({ port, routes, onBug, mask }: HttpOptions): Promise<HttpServer> {
  const server = createServer();
  // An upload may take longer than the default of five minutes.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  }).catch((error: Error) => {
    throw new ConfigError(`The page cannot be served on port ${port}: ${error.message}.`, [
      'Choose another with --port; 0 is any free one.',
    ]);
  });
  // Without a listener, an error of the socket, such as too many open files, would end the process.
  server.on('error', (error) => onBug(error.stack ?? String(error)));
  const guard = createGuard((server.address() as AddressInfo).port);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // A page that was closed is no fault. What is written to it afterwards is lost.
    response.on('error', () => {});
    answer(request, response, { guard, routes }).catch((error: Error) => {
      const { status, ...failure } = failureFor(error, mask);
      // Nobody reads an answer to a page that was closed in the middle of a request.
      const isLeft = response.destroyed;
      if (response.headersSent) response.destroy();
      else if (!isLeft) sendFailure(response, status, failure);
      if (status === BUG && !(isLeft && isOfClosedPage(error))) onBug(error.stack ?? String(error));
    });
  });
  return {
    link: guard.link,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Serving {
  readonly guard: Guard;
  readonly routes: readonly ApiRoute[];
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { guard, routes }: Serving,
): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const address = URL.canParse(url, 'http://127.0.0.1') ? new URL(url, 'http://127.0.0.1') : undefined;
  if (!address) return sendText(response, 400, 'This address cannot be read.');
  const cookie = guard.cookieFor(request, address);
  // The token leaves the address at once, so that it is in no history and no link.
  if (cookie !== undefined && address.pathname === '/')
    return sendText(response, 303, '', { 'Set-Cookie': cookie, Location: '/' });
  const refusal = guard.refusal(request);
  if (refusal) return sendText(response, refusal.status, refusal.message);
  const { pathname, searchParams: query } = address;
  if (!pathname.startsWith(`${API_BASE}/`)) {
    const asset = method === 'GET' ? assetAt(pathname) : undefined;
    if (!asset) return sendText(response, 404, 'There is nothing here.');
    return sendText(response, 200, asset.text, { 'Content-Type': asset.type });
  }
  const found = findRoute(routes, method, pathname.slice(API_BASE.length));
  if (!found)
    return sendFailure(response, 404, {
      message: `The server has no ${method} ${pathname}.`,
      hints: ['Reload the page: it may be of another version.'],
    });
  const { route, params } = found;
  const body = route.readsBody ? undefined : await readJsonBody(request);
  const left = new AbortController();
  response.once('close', () => left.abort());
  const result = await route.run({ params, query, body, incoming: request, left: left.signal });
  if (route.isRaw) return sendRaw(response, result as RawAnswer);
  sendJson(response, result === undefined ? 204 : 200, result);
}

const BUG = 500;

/** The answer to an error. A bug is answered without its stack, and without secrets. */
function failureFor(error: Error, mask: (text: string) => string) {
  const { message, hints } = error as Error & { hints?: readonly string[] };
  if (error instanceof NotFound) return { status: 404, message, hints };
  if (error instanceof ConfigError) return { status: 400, message, hints };
  if (error instanceof RunStopped) return { status: 409, message, hints };
  return {
    status: BUG,
    message: mask(`This is a bug in storeport: ${message}`),
    hints: ['The terminal that storeport ui runs in has the details. Nothing was sent by this request.'],
  };
}

/** True for the error of a task that ended because its page was closed, such as the rest of an upload. */
function isOfClosedPage({ name, code }: NodeJS.ErrnoException): boolean {
  return name === 'AbortError' || (code !== undefined && CLOSED.has(code));
}

const CLOSED: ReadonlySet<string> = new Set([
  'ABORT_ERR',
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
]);
