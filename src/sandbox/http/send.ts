import type { ServerResponse } from 'node:http';
import type { FaultEnding } from '../misbehave/endings.ts';
import type { Reply } from '../reply.ts';

/** Delay between two bytes. */
const TRICKLE_MS = 20;

/** Sends a whole answer. With `isLast`, its connection ends after it. */
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

/** Ends an exchange in the given way. Does nothing if the connection is gone. `isLast` as in `sendReply`. */
export function sendEnding(response: ServerResponse, ending: FaultEnding, isLast: boolean): void {
  // The response itself has no socket while it waits for earlier ones on its connection.
  const { socket } = response.req;
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
      sendHalf(response, ending);
      return;
    case 'trickle':
      sendSlowly(response, ending.reply);
      return;
  }
}

function sendHalf(
  response: ServerResponse,
  { reply, delimited }: Extract<FaultEnding, { how: 'cut' }>,
): void {
  const { status, text, type = 'application/json' } = reply;
  const { socket } = response.req;
  const bytes = Buffer.from(text);
  // Without a length and without chunks, the end of the connection is the end of the answer.
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
