import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { createObjects, operationOf, type S3Answer, type S3Objects, type S3Operation } from './objects.ts';
import { type S3Keys, signatureFault } from './signature.ts';

/** Trouble that the server makes for one request. */
export type S3Fault =
  /** Answers with an error, and does nothing. */
  | { readonly kind: 'status'; readonly status: number; readonly code?: string }
  /** Cuts the connection in the middle of the request's body, or of the answer's. */
  | { readonly kind: 'reset' }
  /** Does what is asked, and cuts the connection instead of answering. */
  | { readonly kind: 'lost-answer' }
  /** Answers only when `until` resolves. */
  | { readonly kind: 'hold'; readonly until: Promise<void> }
  /** Sends an entity tag that is not the object's. */
  | { readonly kind: 'wrong-etag' }
  /** Reports an error in the body of an answer with status 200. */
  | { readonly kind: 'error-in-200' };

export interface S3Server extends S3Objects {
  readonly url: string;
  readonly bucket: string;
  /** Variables with which a client reaches it. */
  readonly env: Readonly<Record<string, string>>;
  /** Operations in the order in which their requests ended, with refused ones. */
  readonly operations: readonly S3Operation[];
  /** Bytes of bodies that have arrived. */
  receivedBytes(): number;
  /** Bytes of bodies that were handed to the sockets. */
  sentBytes(): number;
  /** Makes trouble for the next requests for an operation: each fault is for one. */
  inject(operation: S3Operation, ...faults: S3Fault[]): void;
}

export const TEST_KEYS: S3Keys = {
  accessKeyId: 'AKIATESTTESTTEST',
  secretAccessKey: 'test+secret/access=key',
  sessionToken: 'test-session-token',
  region: 'eu-test-1',
};

/** An S3-compatible store with one bucket, which checks every signature. It closes after the test. */
export async function s3Server({ pageSize = 1000 } = {}): Promise<S3Server> {
  const bucket = 'test-bucket';
  const objects = createObjects(pageSize);
  const operations: S3Operation[] = [];
  const faults = new Map<S3Operation, S3Fault[]>();
  let received = 0;
  let sent = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://store.invalid');
    const query = Object.fromEntries(url.searchParams);
    const path = decodeURIComponent(url.pathname);
    const key = path.slice(`/${bucket}/`.length);
    const operation = operationOf(request.method ?? '', key, query);
    const fault = faults.get(operation)?.shift();
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk as Buffer);
      received += (chunk as Buffer).length;
      if (fault?.kind === 'reset') {
        operations.push(operation);
        return void request.socket.destroy();
      }
    }
    const body = Buffer.concat(chunks);
    operations.push(operation);
    const refused = path.startsWith(`/${bucket}/`)
      ? signatureFault(request, body, TEST_KEYS)
      : 'NoSuchBucket';
    if (refused !== undefined) return error(response, refused === 'NoSuchBucket' ? 404 : 403, refused);
    if (fault?.kind === 'status') return error(response, fault.status, fault.code ?? 'InternalError');
    if (fault?.kind === 'error-in-200') return error(response, 200, 'InternalError');
    if (fault?.kind === 'hold') await fault.until;
    const answer = objects.carryOut(operation, { key, query, headers: request.headers, body });
    if (fault?.kind === 'lost-answer') return void request.socket.destroy();
    if (answer.code !== undefined) return error(response, answer.status, answer.code);
    send(request, response, answer, {
      fault,
      onSent: (bytes) => {
        sent += bytes;
      },
    });
  }

  /** Repeats keys and signatures, as real stores do. */
  function error(response: ServerResponse, status: number, code: string): void {
    const text = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${TEST_KEYS.accessKeyId}</Message><StringToSign>${response.req.headers.authorization} ${TEST_KEYS.sessionToken}</StringToSign></Error>`;
    response.writeHead(status, { 'content-type': 'application/xml' }).end(text);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...objects,
    url,
    bucket,
    env: {
      AWS_ENDPOINT_URL: url,
      AWS_REGION: TEST_KEYS.region,
      AWS_ACCESS_KEY_ID: TEST_KEYS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: TEST_KEYS.secretAccessKey,
      AWS_SESSION_TOKEN: TEST_KEYS.sessionToken ?? '',
    },
    operations,
    receivedBytes: () => received,
    sentBytes: () => sent,
    inject(operation, ...more) {
      faults.set(operation, [...(faults.get(operation) ?? []), ...more]);
    },
  };
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers = {}, body = Buffer.alloc(0) }: S3Answer,
  { fault, onSent }: { readonly fault: S3Fault | undefined; readonly onSent: (bytes: number) => void },
): void {
  const tag = fault?.kind === 'wrong-etag' && headers.etag !== undefined ? { etag: `"${randomUUID()}"` } : {};
  response.writeHead(status, { 'content-length': body.length, ...headers, ...tag });
  if (request.method === 'HEAD') return void response.end();
  if (fault?.kind === 'reset')
    return void response.write(body.subarray(0, Math.ceil(body.length / 2)), () => request.socket.destroy());
  pipeline(Readable.from(pieces(body, onSent)), response, () => {});
}

function* pieces(body: Buffer, onSent: (bytes: number) => void): Generator<Buffer> {
  for (let at = 0; at < body.length; at += PIECE) {
    const piece = body.subarray(at, at + PIECE);
    onSent(piece.length);
    yield piece;
  }
}

const PIECE = 256 * 1024;
