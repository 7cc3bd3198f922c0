import { setTimeout as delay } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import {
  type AddressGuard,
  ANY_ADDRESS,
  type AnswerHeaders,
  Pool,
  PRIVATE_ADDRESS,
  ProxyAgent,
  proxyFor,
  retryDelay,
} from '../../../store/index.ts';
import type { ArtifactEnvironment } from '../types.ts';

export interface FileRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface FileReply {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Must be read to its end, dumped or destroyed. */
  readonly body: Dispatcher.ResponseData['body'];
}

/** HTTP for whole files: bodies are streams, and never decompressed. */
export interface FileClient {
  /** Rejects with TransferError if there is no answer. */
  request(request: FileRequest): Promise<FileReply>;
  /** Waits before the attempt after `attempt`, which counts from 1. */
  waitAfter(attempt: number, headers?: AnswerHeaders, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface FileClientOptions {
  readonly env: ArtifactEnvironment;
  /** Default: any address. */
  readonly guard?: AddressGuard | undefined;
  readonly idleMs?: number | undefined;
  readonly wait?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

/**
 * Error of a transfer. Its text has only what the caller gave as a name, and codes: answers of a server may repeat a
 * key, and a URL may be signed.
 */
export class TransferError extends Error {
  override readonly name = 'TransferError';
  /** Code of Node, undici or the server. */
  readonly code: string;
  readonly status: number | undefined;
  constructor(message: string, code: string, status?: number) {
    super(message);
    this.code = code;
    this.status = status;
  }
  /** True if another attempt may succeed. */
  get isPassing(): boolean {
    return this.status === undefined || isPassingStatus(this.status) || this.code === 'RequestTimeout';
  }
}

export const MOST_ATTEMPTS = 5;
const IDLE_MS = 60_000;
/** An answer to a large body may only come when the body was sent, over a slow line. */
const UPLOAD_FACTOR = 10;
const MOST_CONNECTIONS = 8;
const KEEP_ALIVE_MS = 4_000;
const LONGEST_WAIT_MS = 60_000;

function isPassingStatus(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

export function createFileClient({
  env,
  guard = ANY_ADDRESS,
  idleMs = IDLE_MS,
  wait = pause,
}: FileClientOptions): FileClient {
  const dispatchers = new Map<string, Dispatcher>();

  function dispatcherFor({ origin }: URL): Dispatcher {
    const known = dispatchers.get(origin);
    if (known !== undefined) return known;
    const proxy = proxyFor(origin, env);
    const options = {
      connections: MOST_CONNECTIONS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      allowH2: false,
      bodyTimeout: idleMs,
    };
    const made =
      proxy === undefined
        ? new Pool(origin, { ...options, connect: { ...(guard.lookup && { lookup: guard.lookup }) } })
        : new ProxyAgent({
            ...options,
            uri: proxy.origin,
            ...(proxy.authorization !== undefined && { token: proxy.authorization }),
          });
    dispatchers.set(origin, made);
    return made;
  }

  async function request({ method, url, headers, body, signal }: FileRequest): Promise<FileReply> {
    if (guard.refuses(url.hostname)) throw privateAddress(url.host);
    try {
      const { statusCode, ...answer } = await dispatcherFor(url).request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: { ...headers },
        body: body ?? null,
        headersTimeout: body === undefined ? idleMs : idleMs * UPLOAD_FACTOR,
        ...(signal && { signal }),
      });
      // A body that is destroyed, or breaks off before anybody reads it, must not end the process. Its reader gets the error too.
      answer.body.on('error', () => {});
      return { status: statusCode, headers: answer.headers, body: answer.body };
    } catch (error) {
      throw asTransferError(error, url.host, signal);
    }
  }

  return {
    request,
    waitAfter: (attempt, headers, signal) =>
      // The date is only used for an HTTP-date in an answer that has no date itself; the limit covers that.
      wait(
        Math.min(LONGEST_WAIT_MS, retryDelay(attempt, headers, { wallNow: () => 0, random: Math.random })),
        signal,
      ),
    async close() {
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.destroy()));
    },
  };
}

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, signal && { signal });
  } finally {
    // Its own error is not the reason of the signal.
    signal?.throwIfAborted();
  }
}

/** Names an error by its code. An aborted signal's own reason is thrown instead. */
export function asTransferError(error: unknown, name: string, signal?: AbortSignal): TransferError {
  signal?.throwIfAborted();
  if (error instanceof TransferError) return error;
  const { code, name: kind } = error as NodeJS.ErrnoException;
  if (code === PRIVATE_ADDRESS) return privateAddress(name);
  const known = code ?? kind;
  return new TransferError(`${name} cannot be reached, or broke the connection (${known}).`, known);
}

function privateAddress(host: string): TransferError {
  return new TransferError(
    `${host} is on this machine or in a private network, where this worker reads no files of tasks. Start it with --allow-private-sources if it may.`,
    PRIVATE_ADDRESS,
    400,
  );
}

/** Reads a short body, such as an error or a list. */
export async function readShortBody({ body }: FileReply, name: string, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes)
        throw new TransferError(`${name} sent a longer answer than expected.`, 'TOO_LONG', 400);
      chunks.push(chunk);
    }
  } catch (error) {
    throw asTransferError(error, name);
  }
  return Buffer.concat(chunks).toString();
}

/** Returns a header that occurs once. */
export function singleHeader(headers: AnswerHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** The entity tag of an answer, if it identifies the bytes: weak ones do not. */
export function strongTagOf(headers: AnswerHeaders): string | undefined {
  const tag = singleHeader(headers, 'etag');
  return tag === undefined || tag.startsWith('W/') ? undefined : tag;
}

/** Size of the body by its header. */
export function lengthOf(headers: AnswerHeaders): number | undefined {
  const text = singleHeader(headers, 'content-length');
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
