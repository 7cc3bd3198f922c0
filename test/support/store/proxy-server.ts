import { createServer, type Server as HttpServer, type IncomingMessage, request as send } from 'node:http';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface ProxyOptions {
  /** Port of this machine that receives all connections, whatever host is requested. */
  readonly to: number;
  /** Answers a CONNECT, or a forwarded request, instead of forwarding it. */
  readonly refuse?: number;
  /** The `user:password` that it requires. */
  readonly login?: string;
  /** Reaction to a CONNECT instead of an answer. */
  readonly onConnect?: (socket: Duplex) => void;
  /** Closes the tunnel after this number of chunks from the client. */
  readonly cutAfterChunks?: number;
}

export interface TestProxy {
  readonly url: string;
  readonly port: number;
  /** Request lines: `CONNECT host:port` and `GET http://…`. */
  readonly asked: string[];
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A proxy on a free port of this machine. */
export async function testProxy(options: ProxyOptions): Promise<TestProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const mayPass = ({ headers }: IncomingMessage) =>
    options.login === undefined ||
    headers['proxy-authorization'] === `Basic ${Buffer.from(options.login).toString('base64')}`;
  const refusal = (request: IncomingMessage) => options.refuse ?? (mayPass(request) ? undefined : 407);

  const server: HttpServer = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const status = refusal(request);
    if (status !== undefined) return void response.writeHead(status).end();
    const { pathname, search } = new URL(request.url ?? '');
    const { 'proxy-authorization': _, ...headers } = request.headers;
    const onward = send(
      { host: '127.0.0.1', port: options.to, method: request.method, path: pathname + search, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  server.on('connect', (request: IncomingMessage, client: Duplex) => {
    asked.push(`CONNECT ${request.url}`);
    client.on('error', () => {});
    if (options.onConnect) return options.onConnect(client);
    const status = refusal(request);
    if (status !== undefined) return void client.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    const store = connect(options.to, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      let chunks = 0;
      client.on('data', () => {
        chunks++;
        if (chunks === options.cutAfterChunks) client.destroy();
      });
      client.pipe(store).pipe(client);
    });
    sockets.add(store);
    store.on('error', () => {}).on('close', () => client.destroy());
    client.on('close', () => store.destroy());
  });
  await new Promise<void>((resolve) => (server as Server).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  async function stop(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }

  return { url: `http://127.0.0.1:${port}`, port, asked, stop, [Symbol.asyncDispose]: stop };
}
