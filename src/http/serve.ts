import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigError, ownValue, RunStopped } from '../model/index.ts';
import { API_BASE } from './api.ts';
import { assetAt } from './assets.ts';
import { findRoute } from './find-route.ts';
import type { Gate } from './gate.ts';
import { readJsonBody } from './read-body.ts';
import { sendFailure, sendJson, sendRaw, sendText } from './respond.ts';
import { type ApiRoute, Forbidden, NotFound, type RawAnswer, Stale, Unavailable } from './route.ts';

export interface HttpOptions {
  /** The command that serves, such as `storeport ui`. */
  readonly command: string;
  /** Address to listen on. Default: 127.0.0.1. */
  readonly host?: string;
  /** 0 for any free one. */
  readonly port: number;
  /** The HTML file of the page, such as `index.html`. */
  readonly page: string;
  /** Called with the port that was chosen. */
  readonly gate: (port: number) => Gate;
  readonly routes: readonly ApiRoute[];
  /** Answers at other paths than those of the API and the page, such as `/metrics`. The gate admits them too. */
  readonly others?: Readonly<Record<string, () => Promise<RawAnswer>>>;
  /** Called with the stack of a bug. */
  readonly onBug: (text: string) => void;
  /** Hides secrets in the message of a bug. */
  readonly mask: (text: string) => string;
}

export interface HttpServer {
  /** The address to open, as the gate made it. */
  readonly link: string;
  close(): Promise<void>;
}

/** Serves a page and its API. Throws ConfigError if the port cannot be used. */
export async function serve(options: HttpOptions): Promise<HttpServer> {
  const { command, host = '127.0.0.1', port, onBug, mask } = options;
  const server = createServer();
  // An upload may take longer than the default of five minutes.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  }).catch((error: Error) => {
    throw new ConfigError(`The page cannot be served on port ${port}: ${error.message}.`, [
      'Choose another with --port; 0 is any free one.',
    ]);
  });
  // Without a listener, an error of the socket, such as too many open files, would end the process.
  server.on('error', (error) => onBug(error.stack ?? String(error)));
  const gate = options.gate((server.address() as AddressInfo).port);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // A page that was closed is no fault. What is written to it afterwards is lost.
    response.on('error', () => {});
    answer(request, response, { ...options, gate }).catch((error: Error) => {
      const { status, ...failure } = failureFor(error, mask, command);
      // Nobody reads an answer to a page that was closed in the middle of a request.
      const isLeft = response.destroyed;
      if (response.headersSent) response.destroy();
      // A person who follows a link to a file reads the answer.
      else if (!isLeft && asksForPage(request)) sendText(response, status, wordsOf(failure));
      else if (!isLeft) sendFailure(response, status, failure);
      if (status === BUG && !(isLeft && isOfClosedPage(error))) onBug(error.stack ?? String(error));
    });
  });
  return {
    link: gate.link,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Serving = Pick<HttpOptions, 'page' | 'routes' | 'others'> & { readonly gate: Gate };

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { gate, page, routes, others = {} }: Serving,
): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const address = URL.canParse(url, 'http://127.0.0.1') ? new URL(url, 'http://127.0.0.1') : undefined;
  if (!address) return sendText(response, 400, 'This address cannot be read.');
  const own = await gate.answer(request, address);
  if (own) return sendJson(response, own.status, own.value, own.headers);
  const { pathname, searchParams: query } = address;
  const isApi = pathname.startsWith(`${API_BASE}/`);
  const refusal = gate.refusal(request, address);
  if (refusal && isApi) return sendFailure(response, refusal.status, refusal, refusal.headers);
  if (refusal) return sendText(response, refusal.status, refusal.message, refusal.headers);
  if (!isApi) {
    const other = method === 'GET' && ownValue(others, pathname);
    if (other) return sendRaw(response, await other());
    const asset = method === 'GET' ? assetAt(pathname, page) : undefined;
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
function failureFor(error: Error, mask: (text: string) => string, command: string) {
  const { message, hints } = error as Error & { hints?: readonly string[] };
  if (error instanceof Forbidden) return { status: 403, message, hints };
  if (error instanceof NotFound) return { status: 404, message, hints };
  if (error instanceof Stale) return { status: 409, message, hints };
  if (error instanceof Unavailable) return { status: 503, message, hints };
  if (error instanceof ConfigError) return { status: 400, message, hints };
  if (error instanceof RunStopped) return { status: 409, message, hints };
  return {
    status: BUG,
    message: mask(`This is a bug in storeport: ${message}`),
    hints: [`The terminal that ${command} runs in has the details. Nothing was sent by this request.`],
  };
}

/** True if a browser shows the answer to a person. Scripts of the page ask for anything. */
function asksForPage({ headers: { accept = '' } }: IncomingMessage): boolean {
  return accept.includes('text/html');
}

function wordsOf({
  message,
  hints = [],
}: {
  readonly message: string;
  readonly hints?: readonly string[] | undefined;
}) {
  return [message, ...hints].join('\n');
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
