/**
 * One sandbox that is many stores: `/s1/api/…` is the same as `/s2/api/…`.
 *
 *     node many-stores.js <reviews>      first message: {url, clientId, clientSecret}
 */
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSandbox } from '../../../../src/sandbox/index.ts';

const sandbox = await startSandbox({ seed: { reviews: Number(process.argv[2] ?? 0) }, journal: false });
const { hostname, port } = new URL(sandbox.url);
const agent = new Agent({ keepAlive: true });

const server = createServer((asked, reply) => {
  const path = (asked.url ?? '/').replace(/^\/s\d+/, '');
  const { host: _, ...headers } = asked.headers;
  const onward = request({ hostname, port, path, method: asked.method, headers, agent }, (answer) => {
    reply.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(reply);
  });
  onward.on('error', () => reply.destroy());
  asked.pipe(onward);
}).listen(0, '127.0.0.1', () => {
  const { clientId, clientSecret } = sandbox;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.send?.({ url, clientId, clientSecret });
});
process.on('disconnect', () => process.exit());
