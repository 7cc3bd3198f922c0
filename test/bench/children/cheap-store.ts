/**
 * A store that costs next to nothing: it counts creates and answers each at once, without reading its body. What is left is
 * the cost of the program that is measured.
 *
 *     node cheap-store.js      first message: {url, clientId, clientSecret}
 */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { EMPTY_LIST, TOKEN } from './cheap-answers.ts';

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: *(\d+)/i;
const TOKEN_ANSWER = answerOf(TOKEN);
const LIST_ANSWER = answerOf(EMPTY_LIST);

let creates = 0;
let firstMs = 0;
let lastMs = 0;

function answerOf(body: unknown): string {
  const text = JSON.stringify(body);
  return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${text.length}${HEAD_END}${text}`;
}

function created(): string {
  lastMs = performance.now();
  if (creates === 0) firstMs = lastMs;
  creates++;
  return answerOf({ status: 'success', data: { _id: creates.toString(16).padStart(24, '0') } });
}

function serve(socket: Socket): void {
  let waiting = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    let bytes = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
    for (;;) {
      const headEnd = bytes.indexOf(HEAD_END);
      if (headEnd < 0) break;
      const head = bytes.toString('latin1', 0, headEnd);
      const end = headEnd + HEAD_END.length + Number(LENGTH.exec(head)?.[1] ?? 0);
      if (bytes.length < end) break;
      if (head.startsWith('POST')) socket.write(created());
      else socket.write(head.includes('/authentication') ? TOKEN_ANSWER : LIST_ANSWER);
      bytes = bytes.subarray(end);
    }
    waiting = Buffer.from(bytes);
  });
}

const server = createServer(serve).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `http://127.0.0.1:${port}`, clientId: 'cheap', clientSecret: 'cheap-secret' });
});
process.on('message', () => process.send?.({ creates, ms: lastMs - firstMs }));
process.on('disconnect', () => process.exit());
