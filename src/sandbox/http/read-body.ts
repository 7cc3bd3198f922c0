import type { IncomingMessage } from 'node:http';

/** Larger than any useful payload, and small enough for a hundred in memory. */
export const MAX_BODY_BYTES = 5_000_000;

/** Listeners for the end of a request. One of them is called, once. */
export interface BodyListeners {
  /** Called with the body, or with undefined if it was larger than `MAX_BODY_BYTES`. */
  readonly onWhole: (body: string | undefined) => void;
  /** Called when the client left before the body was complete. Such a request has no effect. */
  readonly onAborted: () => void;
}

/** Reads a body. One that is too large is read to its end as well: clients do not read an answer earlier. */
export function readBody(request: IncomingMessage, { onWhole, onAborted }: BodyListeners): void {
  const { headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
    onWhole('');
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
    if (size > MAX_BODY_BYTES) onWhole(undefined);
    else onWhole((chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString());
  });
  // Emitted only before the end of the body: a request that was read is not aborted if its connection breaks later.
  request.on('error', onAborted);
}
