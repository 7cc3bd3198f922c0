import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FaultEnding } from './misbehave/endings.ts';
import type { Reply } from './reply.ts';

const TRICKLE_MS = 20;

/** Writes a whole answer. `isLast`: the connection ends with it. */
export function sendReply(
  response: ServerResponse,
  { status, text, headers = [], type = 'application/json; charset=utf-8' }: Reply,
  isLast: boolean,
): void {
  response.writeHead(status, [
    'content-type',
    type,
    'content-length',
    String(Buffer.byteLength(text)),
    ...headers,
    ...(isLast ? ['connection', 'close'] : []),
  ]);
  response.end(text);
}

/**
 * Ends an exchange in whatever way. `socket` is the request's: a response whose turn has not come yet, on a
 * connection that carries several requests, has none. Where the connection is gone nothing is left to end.
 */
export function sendEnding(
  response: ServerResponse,
  socket: Socket,
  ending: FaultEnding,
  isLast: boolean,
): void {
  if (socket.destroyed) return;
  switch (ending.how) {
    case 'answer':
      sendReply(response, ending.reply, isLast);
      return;
    case 'reset':
      socket.resetAndDestroy();
      return;
    case 'hang':
      return;
    case 'garbage':
      socket.end(Buffer.from([0x00, 0xff, 0x13, 0x37, 0x0d, 0x0a, 0x0d, 0x0a]));
      return;
    case 'cut':
      sendHalf(response, socket, ending.reply, ending.delimited);
      return;
    case 'trickle':
      sendSlowly(response, ending.reply);
      return;
  }
}

function sendHalf(
  response: ServerResponse,
  socket: Socket,
  { status, text, type = 'application/json' }: Reply,
  delimited: boolean,
) {
  const bytes = Buffer.from(text);
  // Without a length, and not in chunks, the answer ends where the connection does.
  response.useChunkedEncodingByDefault = false;
  response.writeHead(status, [
    ...['content-type', type],
    ...(delimited ? ['content-length', String(bytes.length)] : ['connection', 'close']),
  ]);
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => socket.end());
}

function sendSlowly(response: ServerResponse, { status, text, type = 'application/json' }: Reply): void {
  const bytes = Buffer.from(text);
  response.writeHead(status, ['content-type', type, 'content-length', String(bytes.length)]);
  let at = 0;
  const timer = setInterval(() => {
    if (at < bytes.length && !response.destroyed) {
      response.write(bytes.subarray(at, ++at));
    } else {
      clearInterval(timer);
      response.end();
    }
  }, TRICKLE_MS);
}
