import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

/** One request as it was received. */
export interface WireRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Handles one request. `socket` is raw: a step may write anything to it, or nothing. */
export type Step = (socket: Socket, request: WireRequest) => void;

export interface AdversaryOptions {
  /** One step for each request in turn; the last one is repeated. Token requests are not counted. */
  readonly script: readonly Step[];
  /** Steps for token requests. If undefined, the answers are tokens with a counter: `token-1-…`. */
  readonly token?: readonly Step[];
  /** Any free port if undefined. */
  readonly port?: number;
  /** Uses TLS with these certificates. */
  readonly certificate?: { readonly key: string; readonly cert: string } | undefined;
}

export interface Adversary {
  readonly url: string;
  readonly port: number;
  /** Requests that were received whole, without token requests. */
  readonly requests: WireRequest[];
  readonly tokenRequests: WireRequest[];
  /** Open connections, and all connections so far. */
  connections(): number;
  accepted(): number;
  /** Stops reading from now on. */
  stopReading(): void;
  /** Resets the next connection when it is accepted, or the next request when its headers were received; once. */
  resetNext(at: ResetAt): void;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export type ResetAt = 'accept' | 'headers';

/** A TCP server on a port of this machine that runs a script, one step for each request. */
export async function adversary(options: AdversaryOptions): Promise<Adversary> {
  const sockets = new Set<Socket>();
  const requests: WireRequest[] = [];
  const tokenRequests: WireRequest[] = [];
  const tokenScript = options.token ?? [token()];
  let resetNext: ResetAt | undefined;
  let accepted = 0;
  let isReading = true;

  function resets(at: ResetAt, socket: Socket): boolean {
    if (resetNext !== at) return false;
    resetNext = undefined;
    socket.resetAndDestroy();
    return true;
  }

  function answer(socket: Socket, request: WireRequest): void {
    if (request.target.startsWith('/api/stores/authentication')) {
      tokenRequests.push(request);
      stepOf(tokenScript, tokenRequests.length)(socket, request);
    } else {
      requests.push(request);
      stepOf(options.script, requests.length)(socket, request);
    }
  }

  function receive(socket: Socket): void {
    sockets.add(socket);
    accepted++;
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    if (resets('accept', socket)) return;
    let received: Buffer = Buffer.alloc(0);
    if (isReading)
      socket.on('data', (chunk) => {
        received = Buffer.concat([received, chunk]);
        if (received.includes('x-auth-token') && resets('headers', socket)) return;
        for (let split = takeRequest(received); split !== undefined; split = takeRequest(received)) {
          received = split.rest;
          answer(socket, split.request);
        }
      });
  }

  const { certificate } = options;
  const server = certificate === undefined ? createServer(receive) : createTlsServer(certificate, receive);
  const port = await listen(server, options.port);

  async function stop(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }

  return {
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    requests,
    tokenRequests,
    connections: () => sockets.size,
    accepted: () => accepted,
    stopReading() {
      isReading = false;
    },
    resetNext(at) {
      resetNext = at;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** A port on which no process listens. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export function listen(server: Server, port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

function stepOf(script: readonly Step[], count: number): Step {
  const step = script[Math.min(count, script.length) - 1];
  if (step === undefined) throw new Error('the script is empty');
  return step;
}

function takeRequest(bytes: Buffer): { request: WireRequest; rest: Buffer } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [line = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers: Record<string, string> = {};
  for (const header of lines) {
    const colon = header.indexOf(':');
    headers[header.slice(0, colon).toLowerCase()] = header.slice(colon + 1).trim();
  }
  const length = Number(headers['content-length'] ?? 0);
  const from = end + 4;
  if (bytes.length < from + length) return undefined;
  const [method = '', target = ''] = line.split(' ');
  const body = bytes.subarray(from, from + length).toString('utf8');
  return { request: { method, target, headers, body }, rest: bytes.subarray(from + length) };
}

// Steps

type Headers = Readonly<Record<string, string>>;

/** A whole, correct HTTP answer. */
export function reply(status: number, body = '', headers: Headers = {}): Step {
  return (socket) => {
    socket.write(head(status, { 'content-length': String(Buffer.byteLength(body)), ...headers }) + body);
  };
}

export function json(status: number, body: unknown, headers: Headers = {}): Step {
  return reply(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
}

export function created(id = '66f000000000000000000001'): Step {
  return json(200, { status: 'success', data: { _id: id } });
}

/** Tokens with a counter, so that a test sees which one is in use. */
export function token(extra: object = {}): Step {
  let issued = 0;
  return (socket, request) => {
    issued++;
    const accessToken = `access-token-${issued}-${process.pid}`;
    const body =
      request.method === 'GET'
        ? { accessToken, refreshToken: `refresh-token-${issued}`, expireTime: 86_400, ...extra }
        : { accessToken, expireTime: 86_400, ...extra };
    json(200, body)(socket, request);
  };
}

export const reset: Step = (socket) => socket.resetAndDestroy();
export const hangUp: Step = (socket) => socket.end();
export const stall: Step = () => {};
export const garbage: Step = (socket) => socket.end('\u0000\u0001this is no HTTP at all\r\n\r\n');

/** Closes the connection after its answer without announcing it: the worst case of an idle timeout. */
export function thenCloses(step: Step): Step {
  return (socket, request) => {
    step(socket, request);
    socket.end();
  };
}

/** Sends bytes unchanged, and then ends the connection or stays silent. */
export function bytes(text: string, then: 'end' | 'silence' = 'end'): Step {
  return (socket) => {
    socket.write(text, 'latin1');
    if (then === 'end') socket.end();
  };
}

/** Announces 1000 bytes and closes the connection after a few. */
export function truncated(status: number): Step {
  return (socket) => socket.end(`${head(status, { 'content-length': '1000' })}{"status":"succ`);
}

/** Answers a byte at a time, without end; the headers are among them or sent at once. */
export function trickle(everyMs: number, from: 'headers' | 'body' = 'body'): Step {
  return (socket) => {
    if (from === 'body') socket.write(head(200, { 'content-length': '100000' }));
    else socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
    const timer = setInterval(() => socket.write(' '), everyMs);
    socket.on('close', () => clearInterval(timer));
  };
}

export function huge(bytes: number, status = 200): Step {
  return (socket) => {
    socket.write(head(status, { 'content-length': String(bytes) }));
    socket.write(Buffer.alloc(bytes, 32));
  };
}

export const html = reply(200, '<!doctype html><html><title>Welcome</title></html>', {
  'content-type': 'text/html',
});

function head(status: number, headers: Headers): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Whatever\r\n${lines.join('')}\r\n`;
}

/** The error page of a web server. */
export function html404(): Step {
  return reply(404, '<html><head><title>404 Not Found</title></head></html>', {
    'content-type': 'text/html',
  });
}
