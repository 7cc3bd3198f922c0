import type { IncomingMessage } from 'node:http';

/** Above the largest payload anyone has a use for, and small enough to hold a hundred at once. */
export const MAX_BODY_BYTES = 5_000_000;

/** What becomes of reading a request; one of the two is called, once. */
export interface BodyReader {
  /** `body` is undefined where it was larger than `MAX_BODY_BYTES`. */
  readonly whole: (body: string | undefined) => void;
  /** The client left before the body was complete, so the request was never made. */
  readonly brokenOff: () => void;
}

/** A body that is too large is read to its end all the same: clients do not look for an answer before. */
export function readBody(request: IncomingMessage, { whole, brokenOff }: BodyReader): void {
  const { headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
    whole('');
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
    if (size > MAX_BODY_BYTES) whole(undefined);
    else whole((chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString());
  });
  // Only before the end: what was read to it is over for the request, whatever becomes of the connection.
  request.on('error', brokenOff);
}
