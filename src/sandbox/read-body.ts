import type { IncomingMessage } from 'node:http';

/** Above the largest payload anyone has a use for, and small enough to hold a hundred at once. */
export const MAX_BODY_BYTES = 5_000_000;

/**
 * Calls back once the body is complete; never for a request that broke off, so that a half-sent create does
 * nothing. A body that is too large is read to its end all the same: clients do not look for an answer before.
 */
export function readBody(request: IncomingMessage, done: (body: string | 'too-large') => void): void {
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
