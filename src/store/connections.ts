import type { Dispatcher } from 'undici';
import type { Call } from './exchange.ts';
import type { ProxyServer } from './proxy.ts';
import { buildConnector, Pool, ProxyAgent } from './undici.ts';

export interface ConnectionOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Sockets, each with one request at a time. */
  readonly concurrency: number;
  readonly connectTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly proxy?: ProxyServer | undefined;
}

/** The sockets to one origin. */
export interface Connections {
  dispatch(call: Call, handler: Dispatcher.DispatchHandler): void;
  destroy(): Promise<void>;
}

/** Codes of trouble with the proxy begin so; the code or the status behind it says which. */
export const PROXY_TROUBLE = 'PROXY_';

/** HTTP/1.1 sockets to the store, or to where the proxy takes over. */
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

function direct(options: ConnectionOptions): Connections {
  const connect = { timeout: options.connectTimeoutMs };
  const pool = new Pool(options.origin, { ...poolOptions(options), connect });
  return {
    dispatch(call, handler) {
      pool.dispatch(
        { method: call.method, path: call.path, headers: call.headers, body: call.body ?? null },
        handler,
      );
    },
    destroy: () => pool.destroy(),
  };
}

/** Plain http all the way: the proxy is sent the whole URL, and its socket counts as the store's. */
function forwarded(options: ConnectionOptions, proxy: ProxyServer): Connections {
  const connect = buildConnector({ timeout: options.connectTimeoutMs });
  const pool = new Pool(proxy.origin, {
    ...poolOptions(options),
    connect: (to, done) =>
      connect(to, (error, socket) => (error === null ? done(null, socket) : done(proxyTrouble(error), null))),
  });
  const extra = ['host', new URL(options.origin).host];
  if (proxy.authorization !== undefined) extra.push('proxy-authorization', proxy.authorization);
  return {
    dispatch(call, handler) {
      pool.dispatch(
        {
          method: call.method,
          path: options.origin + call.path,
          headers: [...extra, ...call.headers],
          body: call.body ?? null,
        },
        handler,
      );
    },
    destroy: () => pool.destroy(),
  };
}

/**
 * Through a tunnel that the proxy opens on CONNECT. A request begins when the tunnel and the TLS in it stand, so that
 * whatever happens before counts as not sent.
 */
function tunnelled(options: ConnectionOptions, proxy: ProxyServer): Connections {
  const { origin, connectTimeoutMs: timeout } = options;
  const agent = new ProxyAgent({
    ...poolOptions(options),
    uri: proxy.origin,
    ...(proxy.authorization !== undefined && { token: proxy.authorization }),
    proxyTls: { timeout },
    requestTls: { timeout },
    factory: (to, poolOptions) => new Pool(to, poolOptions),
    clientFactory: (to, poolOptions) => new TunnelPool(to, { ...poolOptions, headersTimeout: timeout }),
  });
  return {
    dispatch(call, handler) {
      agent.dispatch(
        { origin, method: call.method, path: call.path, headers: call.headers, body: call.body ?? null },
        handler,
      );
    },
    destroy: () => agent.destroy(),
  };
}

/** Sockets to a proxy that become tunnels; says of all its trouble that it is the proxy's. */
class TunnelPool extends Pool {
  override async connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
    const answer = await super.connect(options).catch((error: Error) => {
      throw proxyTrouble(error);
    });
    if (answer.statusCode === 200) return answer;
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
