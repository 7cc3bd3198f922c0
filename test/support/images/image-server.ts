import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { CERTIFICATES } from '../certificates.ts';
import { IMAGE_BYTES, JPEG, OTHER_BYTES } from './image-bytes.ts';

/** A request for an image as it was received. */
export interface ImageHit {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

export interface ImageServer {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly hits: readonly ImageHit[];
  /** Number of sockets that were opened. */
  readonly sockets: number;
  /** Largest number of requests that were open at once. */
  readonly mostOpen: number;
  close(): Promise<void>;
}

type Respond = (request: IncomingMessage, response: ServerResponse, earlier: number) => void;

/** Answers with these bytes, and with a part of them if that is asked for. */
export function serveBytes(
  bytes: Buffer,
  { type = 'image/jpeg', parts = true, total = bytes.length } = {},
): Respond {
  return ({ method, headers }, response) => {
    const range = /^bytes=0-(\d+)$/.exec(headers.range ?? '');
    response.setHeader('content-type', type);
    const part = parts && range && bytes.length > 0 ? bytes.subarray(0, Number(range[1]) + 1) : undefined;
    if (part) response.setHeader('content-range', `bytes 0-${part.length - 1}/${total}`);
    response.setHeader('content-length', part?.length ?? total);
    response.statusCode = part ? 206 : 200;
    if (method === 'HEAD') response.end();
    else if (part || total === bytes.length) response.end(part ?? bytes);
    // The rest would follow if somebody read it.
    else response.write(bytes);
  };
}

const status =
  (code: number, headers: Record<string, string> = {}): Respond =>
  (_, response) =>
    response.writeHead(code, headers).end('<html>no</html>');

const PAGE = OTHER_BYTES['an HTML page'] as Buffer;
/** Bytes of no kind that is recognised. */
const RARE = Buffer.from([10, 5, 1, 8, 0, 0, 0]);
const MANY = 30_000_000;
const image = serveBytes(JPEG);

/** Ways to serve an image, by the first part of the path. All others are served well. `earlier`: requests for the path before. */
const WAYS: Readonly<Record<string, Respond>> = {
  'octet-stream': serveBytes(JPEG, { type: 'application/octet-stream' }),
  'no-parts': serveBytes(Buffer.concat([JPEG, Buffer.alloc(200_000)]), { parts: false }),
  'head-405': (request, ...rest) => (request.method === 'HEAD' ? status(405) : image)(request, ...rest),
  'head-404': (request, ...rest) => (request.method === 'HEAD' ? status(404) : image)(request, ...rest),
  'head-html': (request, ...rest) =>
    (request.method === 'HEAD' ? serveBytes(PAGE, { type: 'text/html' }) : image)(request, ...rest),
  'head-hangs': (request, ...rest) => {
    if (request.method !== 'HEAD') image(request, ...rest);
  },
  slow: (...all) => void setTimeout(() => image(...all), 100),
  busy: (...all) => (all[2] < 2 ? status(429, { 'retry-after': '1' }) : image)(...all),
  'fails-once': (...all) => (all[2] < 2 ? status(503) : image)(...all),
  'no-range': (request, ...rest) => (request.headers.range ? status(416) : image)(request, ...rest),
  redirected: ({ url = '' }, response) =>
    response.writeHead(302, { location: url.replace('redirected', 'ok') }).end(),
  chunked: (_, response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg' });
    response.write(JPEG);
    response.end(Buffer.alloc(100_000));
  },
  packed: (_, response) =>
    response
      .writeHead(200, { 'content-type': 'image/svg+xml', 'content-encoding': 'gzip' })
      .end(gzipSync(IMAGE_BYTES.SVG as Buffer)),
  'rare-as-image': serveBytes(RARE, { type: 'image/x-pcx' }),
  five: ({ url = '' }, response) => {
    const step = Number(/(\d)\.jpg$/.exec(url)?.[1]);
    const location = step < 4 ? `/five/${step + 1}.jpg` : '/ok/five-end.jpg';
    response.writeHead(307, { location, 'set-cookie': 'a=b' }).end();
  },
  rare: serveBytes(RARE, { type: 'application/octet-stream' }),
  trickle: (_, response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': 5000 });
    response.flushHeaders();
  },
  404: status(404),
  410: status(410),
  400: status(400),
  hangs: () => {},
  circle: ({ url = '' }, response) => response.writeHead(302, { location: url }).end(),
  chain: ({ url = '' }, response) => response.writeHead(301, { location: `${url}1` }).end(),
  elsewhere: ({ url = '' }, response) =>
    response.writeHead(302, { location: decodeURIComponent(url.slice('/elsewhere/'.length)) }).end(),
  nowhere: (_, response) => response.writeHead(302, { location: 'ftp://files.example/a.jpg' }).end(),
  html: serveBytes(PAGE, { type: 'text/html; charset=utf-8' }),
  'html-as-jpeg': serveBytes(PAGE, { parts: false }),
  empty: serveBytes(Buffer.alloc(0)),
  huge: serveBytes(JPEG, { total: MANY }),
  'huge-chunked': (_, response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg' });
    response.write(JPEG);
    for (let sent = 0; sent < MANY; sent += 1_000_000) response.write(Buffer.alloc(1_000_000));
    response.end();
  },
  401: status(401),
  403: status(403),
  500: status(500),
  429: status(429, { 'retry-after': '1' }),
  cut: (_, response) => void response.destroy(),
};

/** Starts a server on 127.0.0.1 that serves images in every way: `/404/a.jpg` is dead, `/ok/a.jpg` is fine. */
export async function startImageServer({
  tls,
}: {
  readonly tls?: keyof typeof CERTIFICATES;
} = {}): Promise<ImageServer> {
  const hits: ImageHit[] = [];
  const counts = new Map<string, number>();
  let open = 0;
  let mostOpen = 0;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const { url: path = '', method = '', headers } = request;
    hits.push({ method, path, headers });
    mostOpen = Math.max(mostOpen, ++open);
    response.once('close', () => open--);
    const earlier = counts.get(path) ?? 0;
    counts.set(path, earlier + 1);
    const respond = WAYS[path.split('/')[1] ?? ''] ?? image;
    respond(request, response, earlier);
  };
  const server: Server = tls
    ? (createTlsServer(CERTIFICATES[tls], answer) as unknown as Server)
    : createServer(answer);
  let sockets = 0;
  server.on('connection', () => sockets++);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    hits,
    get sockets() {
      return sockets;
    },
    get mostOpen() {
      return mostOpen;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An address of this machine on which nothing listens. */
export async function refusedOrigin(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return `http://127.0.0.1:${port}`;
}
