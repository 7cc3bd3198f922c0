import type { Dispatcher } from 'undici';
import { exceededLimit, JSON_LIMIT_WORDS, removeUnordered } from '../../model/index.ts';
import { CLOSED, openConnections, PROXY_TROUBLE, withCode } from './connections.ts';
import type { ProxyServer } from './proxy.ts';
import type { AnswerHeaders, HttpRequest, HttpResult } from './types.ts';

export interface TransportOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Sockets, each with one request at a time. */
  readonly concurrency: number;
  /** From the first byte of the request to the last one of the answer. */
  readonly timeoutMs: number;
  readonly connectTimeoutMs?: number;
  readonly proxy?: ProxyServer | undefined;
  /** As in `ConnectionOptions`. */
  readonly ownsProcess?: boolean | undefined;
}

export interface Transport {
  /** Sends once. Never rejects for trouble on the network. */
  exchange(call: HttpRequest): Promise<HttpResult>;
  /** Cuts off expendable requests, lets the others in flight end for up to `graceMs`, then cuts them off too. */
  close(graceMs?: number): Promise<void>;
}

/** Our own error codes, beside those of Node (ECONNREFUSED, …) and undici (UND_ERR_…, HPE_…). */
export const DEADLINE = 'DEADLINE';
export const ANSWER_TOO_LARGE = 'ANSWER_TOO_LARGE';
/** The answer has more levels or values than JSON from outside may have. */
export const ANSWER_TOO_COMPLEX = 'ANSWER_TOO_COMPLEX';
const WRITTEN_TWICE = 'WRITTEN_TWICE';
/** The request waited for a socket until it was too old. Nothing was written. */
export const TOO_OLD = 'TOO_OLD';

/** Longest page of records. A longer answer is cut off and counts as unreadable. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** Longest answer to a request with a body, which may return the record. The bytes of the body are added twice. */
const MAX_WRITE_ANSWER_BYTES = 1024 * 1024;
/** Bytes of all answers that are being read. A store that sends more at once is cut off. */
const MAX_UNREAD_BYTES = 3 * MAX_ANSWER_BYTES;

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Sockets that have been idle for this long are closed. Servers close idle sockets too, after 5 s (Node), 15 s or 75 s,
 * and a create that is sent at that moment is in doubt: the commonest cause of doubt. So a create must not be sent on a
 * socket that has been idle long enough for the server to have closed it.
 */
const KEEP_ALIVE_MS = 1_000;

/** A process that was blocked for longer than this could not close its idle sockets in time. */
const BLOCKED_MS = 1_000;

/**
 * The HTTP transport: HTTP/1.1 sockets to one origin. Redirects are never followed, answers are always
 * read or cut off, and each exchange has one deadline for headers and body together, so that an answer which trickles
 * in byte by byte ends as well. All deadlines are watched by one timer: a timer for each request would cost more than
 * the rest of this file. Waiting for a free socket is not part of the deadline; connecting has its own.
 */
export function createTransport(options: TransportOptions): Transport {
  const { timeoutMs } = options;
  const { proxy } = options;
  const connections = openConnections({
    origin: options.origin,
    concurrency: options.concurrency,
    connectTimeoutMs: options.connectTimeoutMs ?? Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
    keepAliveMs: KEEP_ALIVE_MS,
    proxy,
    ownsProcess: options.ownsProcess,
  });

  // Requests that were written to a socket and are not over yet.
  const inFlight: Handler[] = [];
  let unreadBytes = 0;
  const sweepMs = Math.min(250, Math.max(10, Math.round(timeoutMs / 20)));
  let clockMs = 0;
  let lastSweep = performance.now();
  let idle: (() => void) | undefined;
  let isClosing = false;

  // The clock of the deadlines advances by two turns at most: while the process is blocked or the machine asleep,
  // answers that have arrived cannot be read, and that is not the store's fault.
  const sweep = setInterval(() => {
    const now = performance.now();
    clockMs += Math.min(now - lastSweep, 2 * sweepMs);
    lastSweep = now;
    for (const handler of inFlight.filter(({ startedMs }) => clockMs - startedMs >= timeoutMs))
      handler.cutOff(DEADLINE, `no complete answer within ${timeoutMs} ms`);
  }, sweepMs).unref();

  const watch: Watch = {
    begin(handler) {
      handler.startedMs = clockMs;
      inFlight.push(handler);
      // The request waited for a socket when `close` cut off the others.
      if (isClosing && handler.expendable) cutOffAtEnd(handler);
    },
    hasRoom(bytes) {
      unreadBytes += bytes;
      return unreadBytes <= MAX_UNREAD_BYTES;
    },
    end(handler) {
      unreadBytes -= handler.bytes;
      removeUnordered(inFlight, inFlight.indexOf(handler));
      if (inFlight.length === 0) idle?.();
    },
  };

  function exchange(call: HttpRequest): Promise<HttpResult> {
    if (performance.now() - lastSweep > BLOCKED_MS + sweepMs) return afterBlock(call);
    return dispatch(call);
  }

  function dispatch(call: HttpRequest): Promise<HttpResult> {
    const ended = new Promise<HttpResult>((resolve) => {
      connections.dispatch(call, new Handler(resolve, watch, call));
    });
    return proxy === undefined ? ended : ended.then(refusedByProxy);
  }

  /** Lets overdue timers close the idle sockets, and notices of closed ones arrive, before anything is written. */
  async function afterBlock(call: HttpRequest): Promise<HttpResult> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    await new Promise((resolve) => setImmediate(resolve));
    return dispatch(call);
  }

  async function close(graceMs = 0): Promise<void> {
    isClosing = true;
    connections.stopConnecting();
    for (const handler of inFlight.filter(({ expendable }) => expendable)) cutOffAtEnd(handler);
    if (inFlight.length > 0 && graceMs > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, graceMs);
        idle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    clearInterval(sweep);
    for (const handler of [...inFlight]) cutOffAtEnd(handler);
    await connections.destroy();
  }

  return { exchange, close };
}

function cutOffAtEnd(handler: Handler): void {
  handler.cutOff(CLOSED, 'the client was closed');
}

interface Watch {
  begin(handler: Handler): void;
  /** Adds bytes to those of all answers. Returns false if there are too many. */
  hasRoom(bytes: number): boolean;
  end(handler: Handler): void;
}

/** Collects one exchange from undici's events. A class, since closures for each request are measurably slower. */
class Handler implements Dispatcher.DispatchHandler {
  startedMs = 0;
  readonly expendable: boolean;
  private readonly onBegin: (() => void) | undefined;
  private readonly isTooOld: (() => boolean) | undefined;
  private readonly resolve: (exchange: HttpResult) => void;
  private readonly watch: Watch;
  private controller: Dispatcher.DispatchController | undefined;
  private status: number | undefined;
  private headers: AnswerHeaders | undefined;
  private firstChunk: Buffer | undefined;
  private moreChunks: Buffer[] | undefined;
  bytes = 0;
  private readonly mostBytes: number;

  constructor(resolve: (exchange: HttpResult) => void, watch: Watch, call: HttpRequest) {
    const { expendable, onBegin, isTooOld, body, maxAnswerBytes } = call;
    const mostBytes = body === undefined ? MAX_ANSWER_BYTES : MAX_WRITE_ANSWER_BYTES + 2 * body.length;
    this.mostBytes = Math.min(MAX_ANSWER_BYTES, maxAnswerBytes ?? mostBytes);
    this.resolve = resolve;
    this.watch = watch;
    this.expendable = expendable === true;
    this.onBegin = onBegin;
    this.isTooOld = isTooOld;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.controller !== undefined) {
      // undici puts a request back in its queue in some cases of pipelining. Never for us, and never twice.
      controller.abort(withCode(WRITTEN_TWICE, 'the connection was lost after the request was written'));
      return;
    }
    if (this.isTooOld?.()) {
      controller.abort(withCode(TOO_OLD, 'the request waited too long for a connection'));
      return;
    }
    this.controller = controller;
    this.watch.begin(this);
    this.onBegin?.();
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    if (status < 200) return; // 103 Early Hints and the like come before the answer.
    this.status = status;
    this.headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.bytes += chunk.length;
    const hasRoom = this.watch.hasRoom(chunk.length);
    if (this.bytes > this.mostBytes || !hasRoom) {
      this.cutOff(ANSWER_TOO_LARGE, `the answer is larger than ${this.mostBytes} bytes, or others are`);
    } else if (this.firstChunk === undefined) {
      this.firstChunk = chunk;
    } else {
      this.moreChunks ??= [this.firstChunk];
      this.moreChunks.push(chunk);
    }
  }

  onResponseEnd(): void {
    this.watch.end(this);
    if (this.status === undefined) {
      this.fail('NO_STATUS', 'the answer has no status');
      return;
    }
    const whole = this.moreChunks === undefined ? this.firstChunk : Buffer.concat(this.moreChunks);
    this.firstChunk = undefined;
    this.moreChunks = undefined;
    const limit = whole && exceededLimit(whole);
    if (limit) {
      this.fail(ANSWER_TOO_COMPLEX, `the answer ${JSON_LIMIT_WORDS[limit]}`);
      return;
    }
    this.resolve({
      sent: true,
      status: this.status,
      headers: this.headers ?? {},
      body: whole === undefined ? '' : whole.toString('utf8'),
    });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error & { code?: string }): void {
    this.watch.end(this);
    this.fail(error.code ?? error.name, error.message);
  }

  cutOff(code: string, message: string): void {
    this.controller?.abort(withCode(code, message));
  }

  private fail(code: string, message: string): void {
    this.resolve({
      sent: this.controller !== undefined,
      ...(this.status !== undefined && { status: this.status, headers: this.headers ?? {} }),
      error: { code, message },
    });
  }
}

/** No store asks for a proxy's password, so the request did not pass the proxy. */
function refusedByProxy(ended: HttpResult): HttpResult {
  if (ended.status !== 407) return ended;
  return { sent: false, error: { code: `${PROXY_TROUBLE}407`, message: 'the proxy wants a password' } };
}
