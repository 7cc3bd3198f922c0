import type { LookupFunction, Socket } from 'node:net';
import type { buildConnector as connectorApi, Dispatcher } from 'undici';
import { withLateTierUp } from './parser-tiering.ts';
import type { ProxyServer } from './proxy.ts';
import type { HttpRequest } from './types.ts';
import { buildConnector, Pool, ProxyAgent } from './undici.ts';

export interface ConnectionOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Sockets, each with one request at a time. */
  readonly concurrency: number;
  readonly connectTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly proxy?: ProxyServer | undefined;
  /** Replaces the look-up of names. A proxy looks them up itself. */
  readonly lookup?: LookupFunction | undefined;
  /** True if flags of V8 may be set, which the whole process shares. */
  readonly ownsProcess?: boolean | undefined;
}

/** The sockets to one origin. */
export interface Connections {
  dispatch(call: HttpRequest, handler: Dispatcher.DispatchHandler): void;
  /** Ends connections that are being made; requests that wait for them fail as not sent. */
  stopConnecting(): void;
  destroy(): Promise<void>;
}

/** Error code of requests that were ended because the client closes. */
export const CLOSED = 'CLOSED';

type Connector = connectorApi.connector;

/**
 * Tracks sockets that are connecting, or in their TLS handshake. undici does not end them when their pool is destroyed:
 * until their timeout they keep the process alive.
 */
function connectingSockets({ ownsProcess = false }: ConnectionOptions) {
  const sockets = new Set<Socket>();
  return {
    watched:
      (connect: Connector): Connector =>
      (to, done) => {
        // Its type says that it returns nothing.
        const socket = connect(to, (...result) => {
          sockets.delete(socket);
          if (ownsProcess) withLateTierUp(() => done(...result));
          else done(...result);
        }) as unknown as Socket;
        sockets.add(socket);
      },
    stop() {
      for (const socket of sockets) socket.destroy(withCode(CLOSED, 'the client was closed'));
    },
  };
}

/** Prefix of codes for trouble with the proxy. The code or the status follows. */
export const PROXY_TROUBLE = 'PROXY_';

/** Opens HTTP/1.1 sockets to the store, or to the proxy on the way to it. */
export function openConnections(options: ConnectionOptions): Connections {
  const { origin, proxy } = options;
  if (proxy === undefined) return direct(options);
  const isPlain = origin.startsWith('http:') && proxy.origin.startsWith('http:');
  return isPlain ? forwarded(options, proxy) : tunnelled(options, proxy);
}

function poolOptions({ concurrency, keepAliveMs }: ConnectionOptions) {
  return {
    connections: concurrency,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: keepAliveMs,
    // A server's own hint may shorten this but not lengthen it.
    keepAliveMaxTimeout: keepAliveMs,
    keepAliveTimeoutThreshold: keepAliveMs,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

/**
 * undici closes the socket after a HEAD, since some servers send a body all the same. Here it stays open: the next request on
 * such a socket fails and can be sent again, which is rare, and a new connection for each HEAD is slow.
 */
function optionsOf({ method, body }: HttpRequest, path: string, headers: string[]) {
  const options = { method, path, headers, body: body ?? null };
  return method === 'HEAD' ? { ...options, reset: false } : options;
}

function direct(options: ConnectionOptions): Connections {
  const connecting = connectingSockets(options);
  const { connectTimeoutMs: timeout, lookup } = options;
  const connect = connecting.watched(buildConnector({ timeout, ...(lookup && { lookup }) }));
  const pool = new Pool(options.origin, { ...poolOptions(options), connect });
  return {
    dispatch(call, handler) {
      pool.dispatch(optionsOf(call, call.path, call.headers), handler);
    },
    stopConnecting: connecting.stop,
    destroy: () => pool.destroy(),
  };
}

/** Uses plain http all the way: the proxy gets the whole URL, and its socket counts as the store's. */
function forwarded(options: ConnectionOptions, proxy: ProxyServer): Connections {
  const connecting = connectingSockets(options);
  const connect = connecting.watched(buildConnector({ timeout: options.connectTimeoutMs }));
  const pool = new Pool(proxy.origin, {
    ...poolOptions(options),
    connect: (to, done) =>
      connect(to, (error, socket) => (error === null ? done(null, socket) : done(proxyTrouble(error), null))),
  });
  const extra = ['host', new URL(options.origin).host];
  if (proxy.authorization !== undefined) extra.push('proxy-authorization', proxy.authorization);
  return {
    dispatch(call, handler) {
      pool.dispatch(optionsOf(call, options.origin + call.path, [...extra, ...call.headers]), handler);
    },
    stopConnecting: connecting.stop,
    destroy: () => pool.destroy(),
  };
}

/**
 * Uses a tunnel that the proxy opens on CONNECT. A request begins once the tunnel and the TLS in it are established, so
 * that any earlier failure counts as not sent.
 */
function tunnelled(options: ConnectionOptions, proxy: ProxyServer): Connections {
  const { origin, connectTimeoutMs: timeout } = options;
  const connecting = connectingSockets(options);
  const tunnels = new Set<Socket>();
  const agent = new ProxyAgent({
    ...poolOptions(options),
    uri: proxy.origin,
    ...(proxy.authorization !== undefined && { token: proxy.authorization }),
    proxyTls: { timeout },
    requestTls: { timeout },
    factory: (to, poolOptions) => new Pool(to, poolOptions),
    clientFactory(to, poolOptions) {
      const connect = connecting.watched((poolOptions as { readonly connect: Connector }).connect);
      return new TunnelPool(to, { ...poolOptions, connect, headersTimeout: timeout }, tunnels);
    },
  });
  return {
    dispatch(call, handler) {
      agent.dispatch({ origin, ...optionsOf(call, call.path, call.headers) }, handler);
    },
    stopConnecting: connecting.stop,
    async destroy() {
      // undici does not end a TLS handshake in a tunnel either.
      for (const socket of tunnels) socket.destroy(withCode(CLOSED, 'the client was closed'));
      await agent.destroy();
    },
  };
}

/** Sockets to a proxy that become tunnels. All their errors are marked as the proxy's. */
class TunnelPool extends Pool {
  private readonly tunnels: Set<Socket>;

  constructor(to: URL, options: Pool.Options, tunnels: Set<Socket>) {
    super(to, options);
    this.tunnels = tunnels;
  }

  override async connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
    const answer = await super.connect(options).catch((error: Error) => {
      throw proxyTrouble(error);
    });
    if (answer.statusCode === 200) {
      const socket = answer.socket as Socket;
      this.tunnels.add(socket);
      socket.once('close', () => this.tunnels.delete(socket));
      return answer;
    }
    answer.socket.on('error', () => {}).destroy();
    throw withCode(`${PROXY_TROUBLE}${answer.statusCode}`, `the proxy answered with ${answer.statusCode}`);
  }
}

function proxyTrouble(error: Error & { code?: string }): Error {
  return withCode(`${PROXY_TROUBLE}${error.code ?? error.name}`, error.message);
}

export function withCode(code: string, message: string): Error & { code: string } {
  return Object.assign(new Error(message), { code });
}
