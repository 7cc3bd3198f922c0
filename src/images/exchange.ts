import type {
  AddressGuard,
  AnswerHeaders,
  ConnectionOptions,
  Connections,
  HttpRequest,
  ProxyServer,
} from '../store/index.ts';
import { BYTES_TO_RECOGNISE } from './recognise.ts';

/** One request for an image. */
export interface ImageRequest {
  readonly method: 'GET' | 'HEAD';
  readonly url: URL;
  /** True to ask for the first bytes only. Servers may send all nevertheless. */
  readonly isPart: boolean;
  /** Milliseconds until it is cut off. */
  readonly timeoutMs: number;
}

/** How a request ended. `error` is a code of Node or undici, `status` may be set beside it. */
export interface ImageAnswer {
  readonly status?: number;
  readonly headers: AnswerHeaders;
  /** The first bytes of the body. */
  readonly start: Buffer;
  /** Bytes of the whole image; undefined if unknown. */
  readonly size?: number | undefined;
  /** True if it was not read further, since it has more bytes than are allowed. */
  readonly isTooLong?: boolean;
  readonly error?: string;
  /** True if a redirect led to the address that was asked last. */
  readonly isRedirected?: boolean;
}

/** Fetches parts of images from any host. */
export interface ImageFetcher {
  /** Never rejects for trouble on the network. */
  fetch(request: ImageRequest): Promise<ImageAnswer>;
  /** Cuts off all requests. */
  close(): Promise<void>;
}

export interface FetcherOptions {
  readonly openConnections: (options: ConnectionOptions) => Connections;
  /** Throws ConfigError if the settings of the proxy are wrong. */
  readonly proxyFor: (origin: string) => ProxyServer | undefined;
  /** Applies to each address, also to targets of redirects. */
  readonly guard: AddressGuard;
  /** Sockets for each host. */
  readonly most: number;
  readonly connectTimeoutMs: number;
  /** The largest image that is allowed, in bytes. */
  readonly mostBytes: number;
  readonly userAgent: string;
}

/** The code with which the guard refuses a host. Its module is loaded with the client only. */
export const PRIVATE_HOST = 'PRIVATE_ADDRESS';

/** The code of a request that did not end in time. */
export const IMAGE_DEADLINE = 'DEADLINE';

/** An answer of another status, or the rest of a small image, is read to its end, so that the socket can be used again. */
const READ_ON_BYTES = 64 * 1024;

const KEEP_ALIVE_MS = 4000;

/** Hosts with open sockets. Those that were not used for longest are closed first. */
const MOST_HOSTS = 128;

interface Host {
  readonly connections: Connections;
  inUse: number;
}

export function createImageFetcher(options: FetcherOptions): ImageFetcher {
  const hosts = new Map<string, Host>();
  const running = new Set<Reader>();
  let isClosed = false;

  function hostOf(origin: string): Host {
    const known = hosts.get(origin);
    const { most: concurrency, connectTimeoutMs, guard } = options;
    const host = known ?? {
      connections: options.openConnections({
        ...{ origin, concurrency, connectTimeoutMs, keepAliveMs: KEEP_ALIVE_MS },
        ...{ proxy: options.proxyFor(origin), lookup: guard.lookup },
      }),
      inUse: 0,
    };
    // The last one of the map is the one that was used last.
    hosts.delete(origin);
    hosts.set(origin, host);
    if (hosts.size > MOST_HOSTS) closeOldest();
    return host;
  }

  function closeOldest(): void {
    for (const [origin, { connections, inUse }] of hosts) {
      if (inUse > 0) continue;
      hosts.delete(origin);
      void connections.destroy();
      return;
    }
  }

  return {
    async fetch(request) {
      const { url } = request;
      if (isClosed) return unsent('CLOSED');
      if (options.guard.refuses(url.hostname)) return unsent(PRIVATE_HOST);
      const host = hostOf(url.origin);
      host.inUse++;
      try {
        return await new Promise((resolve) => {
          const reader = new Reader(request, options.mostBytes, (answer) => {
            running.delete(reader);
            resolve(answer);
          });
          running.add(reader);
          host.connections.dispatch(callOf(request, options.userAgent), reader);
        });
      } finally {
        host.inUse--;
      }
    },
    async close() {
      isClosed = true;
      for (const reader of [...running]) reader.end('CLOSED');
      for (const { connections } of hosts.values()) connections.stopConnecting();
      await Promise.all([...hosts.values()].map(({ connections }) => connections.destroy()));
      hosts.clear();
    },
  };
}

function unsent(error: string): ImageAnswer {
  return { headers: {}, start: Buffer.alloc(0), error };
}

function callOf({ method, url, isPart }: ImageRequest, userAgent: string): HttpRequest {
  return {
    method,
    path: `${url.pathname}${url.search}`,
    headers: [
      ...['accept', 'image/*,*/*;q=0.5', 'accept-encoding', 'identity', 'user-agent', userAgent],
      ...(isPart ? ['range', `bytes=0-${BYTES_TO_RECOGNISE - 1}`] : []),
    ],
  };
}

type Handler = Parameters<Connections['dispatch']>[1];
type Controller = Parameters<NonNullable<Handler['onRequestStart']>>[0];

/** Reads an answer as far as it is needed. */
class Reader implements Handler {
  private readonly isHead: boolean;
  private readonly mostBytes: number;
  private readonly done: (answer: ImageAnswer) => void;
  private readonly deadline: NodeJS.Timeout;
  private controller: Controller | undefined;
  private status: number | undefined;
  private headers: AnswerHeaders = {};
  private readonly chunks: Buffer[] = [];
  private kept = 0;
  private read = 0;
  private stated: number | undefined;
  private isOver = false;

  constructor({ method, timeoutMs }: ImageRequest, mostBytes: number, done: (answer: ImageAnswer) => void) {
    this.isHead = method === 'HEAD';
    this.mostBytes = mostBytes;
    this.done = done;
    this.deadline = setTimeout(() => this.end(IMAGE_DEADLINE), timeoutMs);
  }

  onRequestStart(controller: Controller): void {
    this.controller = controller;
    if (this.isOver) controller.abort(new Error('it is over'));
  }

  onResponseStart(_: Controller, status: number, headers: AnswerHeaders): void {
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
    this.stated = statedSize(status, headers);
  }

  onResponseData(_: Controller, chunk: Buffer): void {
    this.read += chunk.length;
    if (this.kept < BYTES_TO_RECOGNISE) {
      this.chunks.push(chunk);
      this.kept += chunk.length;
    }
    if (this.isEnough()) this.end();
  }

  onResponseEnd(): void {
    // It is over by itself: cutting it off would close the socket.
    this.controller = undefined;
    this.end();
  }

  onResponseError(_: Controller, error: Error & { code?: string }): void {
    this.end(error.code ?? error.name);
  }

  /** Ends the request. `error`: undefined if enough was read. */
  end(error?: string): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.deadline);
    const isTooLong = this.stated === undefined && this.status === 200 && this.read > this.mostBytes;
    const isWhole = error === undefined && this.status === 200 && !this.isHead && !isTooLong;
    this.done({
      ...(this.status === undefined ? {} : { status: this.status }),
      ...(error === undefined ? {} : { error }),
      headers: this.headers,
      start: Buffer.concat(this.chunks).subarray(0, BYTES_TO_RECOGNISE),
      size: this.stated ?? (isWhole ? this.read : undefined),
      isTooLong,
    });
    this.controller?.abort(new Error('enough was read'));
  }

  private isEnough(): boolean {
    const { status, stated, read } = this;
    if (status !== 200 && status !== 206) return read > READ_ON_BYTES;
    if (this.kept < BYTES_TO_RECOGNISE) return false;
    if (stated === undefined && status === 200) return read > this.mostBytes;
    return (stated ?? read) > READ_ON_BYTES;
  }
}

/** Bytes of the whole, from `content-range: bytes 0-4095/70000` or `content-length`; undefined if neither says so. */
function statedSize(status: number, headers: AnswerHeaders): number | undefined {
  const text =
    status === 206 ? /\/(\d+)\s*$/.exec(String(headers['content-range']))?.[1] : headers['content-length'];
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
