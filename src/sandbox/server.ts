import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Journal } from './journal.ts';
import { type Reply, refuse } from './reply.ts';
import type { Request } from './router/router.ts';

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly answer: (request: Request) => Reply;
  readonly journal: Journal;
}

export interface RunningServer {
  /** Origin, without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/** Above the largest payload anyone has a use for, and small enough to hold a hundred at once. */
export const MAX_BODY_BYTES = 5_000_000;

/** Longer than a client's pause between two batches, so that connections last for a run. */
const KEEP_ALIVE_MS = 65_000;

/** After `close`, how long a request that is still being sent may take. */
const CLOSE_GRACE_MS = 500;

/** Serves `answer` over HTTP. Resolves when connections are accepted; rejects when the port is taken. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, port, journal } = options;
  let closing: Promise<void> | undefined;

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    readBody(request, (body) => {
      const { method = '', url = '' } = request;
      const reply = body === 'too-large' ? tooLarge() : answerSafely(options.answer, request, body);
      journal.record(method, url, reply.status);
      send(response, reply, closing !== undefined);
    });
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  const hostname = address.family === 'IPv6' ? `[${address.address}]` : address.address;

  return {
    url: `http://${hostname}:${address.port}`,
    close() {
      closing ??= new Promise((resolve, reject) => {
        const impatience = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
        server.close((error) => {
          clearTimeout(impatience);
          if (error) reject(error);
          else resolve();
        });
        server.closeIdleConnections();
      });
      return closing;
    },
  };
}

/**
 * Calls back once the body is complete; never for a request that broke off, so that a half-sent create does
 * nothing. A body that is too large is read to its end all the same: clients do not look for an answer before.
 */
function readBody(request: IncomingMessage, done: (body: string | 'too-large') => void): void {
  const { headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
    done('');
    return;
  }
  let chunks: Buffer[] = [];
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    else chunks = [];
  });
  request.on('end', () => {
    if (size > MAX_BODY_BYTES) done('too-large');
    else done((chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString());
  });
  // A broken connection is the client's affair; without a listener it would end the process.
  request.on('error', () => {});
}

function tooLarge(): Reply {
  return refuse(413, 'BODY_TOO_LARGE', `The body is larger than ${MAX_BODY_BYTES} bytes.`);
}

/** A mistake of the sandbox must be seen as one, and must not end the process that hosts it. */
function answerSafely(answer: ServerOptions['answer'], request: IncomingMessage, body: string): Reply {
  const token = request.headers['x-auth-token'];
  try {
    return answer({
      method: request.method ?? '',
      url: request.url ?? '',
      token: typeof token === 'string' ? token : undefined,
      body,
    });
  } catch (error) {
    return refuse(500, 'INTERNAL_ERROR', `The sandbox failed: ${(error as Error).message}`);
  }
}

function send(response: ServerResponse, { status, text, headers = [] }: Reply, isLast: boolean): void {
  response.writeHead(status, [
    'content-type',
    'application/json; charset=utf-8',
    'content-length',
    String(Buffer.byteLength(text)),
    ...headers,
    ...(isLast ? ['connection', 'close'] : []),
  ]);
  response.end(text);
}
