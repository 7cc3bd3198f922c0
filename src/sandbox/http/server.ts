import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBody } from './read-body.ts';
import type { Service } from './service.ts';

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly service: Service;
}

export interface RunningServer {
  /** Origin, without a slash at the end. */
  readonly url: string;
  /** Drops all connections and refuses new ones until `goOnline`. */
  goOffline(): void;
  /** Listens on the same port again. Does nothing if it listens. */
  goOnline(): void;
  close(): Promise<void>;
}

/** Longer than the pause of a client between two batches, so that connections last for a run. */
const KEEP_ALIVE_MS = 65_000;

/** Time for requests in flight to end after `close`. */
const CLOSE_GRACE_MS = 500;

/** Delay between two attempts to listen on a port that another process uses in the meantime. */
const LISTEN_RETRY_MS = 100;

/** Starts an HTTP server. Resolves when it accepts connections; rejects if the port is in use. */
export async function startServer({ host, port, service }: ServerOptions): Promise<RunningServer> {
  let closing: Promise<void> | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  const isClosing = () => closing !== undefined;

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    readBody(request, {
      onWhole: (body) => service.serve(request, response, body),
      onAborted: () => service.onAborted(request),
    });
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  const hostname = address.family === 'IPv6' ? `[${address.address}]` : address.address;

  function goOnline(): void {
    clearTimeout(retryTimer);
    if (!isClosing() && !server.listening) server.listen(address.port, host);
  }
  server.on('error', () => {
    retryTimer = setTimeout(goOnline, LISTEN_RETRY_MS);
  });

  return {
    url: `http://${hostname}:${address.port}`,
    goOffline() {
      if (isClosing() || !server.listening) return;
      server.close();
      server.closeAllConnections();
    },
    goOnline,
    close() {
      closing ??= new Promise((resolve, reject) => {
        clearTimeout(retryTimer);
        if (!server.listening) return resolve();
        const graceTimer = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
        server.close((error) => {
          clearTimeout(graceTimer);
          if (error) reject(error);
          else resolve();
        });
        server.closeIdleConnections();
      });
      return closing;
    },
  };
}
