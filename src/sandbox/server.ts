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
  /** Drops all connections and refuses new ones, until `comeBack`. */
  leave(): void;
  /** Listens again on the same port, unless it does. */
  comeBack(): void;
  close(): Promise<void>;
}

/** Longer than a client's pause between two batches, so that connections last for a run. */
const KEEP_ALIVE_MS = 65_000;

/** After `close`, how long a request that is still being sent may take. */
const CLOSE_GRACE_MS = 500;

/** Between two tries to come back to a port that something else has taken meanwhile. */
const COME_BACK_MS = 100;

/** Serves over HTTP. Resolves when connections are accepted; rejects when the port is taken. */
export async function startServer({ host, port, service }: ServerOptions): Promise<RunningServer> {
  let closing: Promise<void> | undefined;
  let nextTry: NodeJS.Timeout | undefined;
  const isClosing = () => closing !== undefined;

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    readBody(request, {
      whole: (body) => service.serve(request, response, body, isClosing),
      brokenOff: () => service.brokenOff(request),
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

  function comeBack(): void {
    clearTimeout(nextTry);
    if (!isClosing() && !server.listening) server.listen(address.port, host);
  }
  server.on('error', () => {
    nextTry = setTimeout(comeBack, COME_BACK_MS);
  });

  return {
    url: `http://${hostname}:${address.port}`,
    leave() {
      if (isClosing() || !server.listening) return;
      server.close();
      server.closeAllConnections();
    },
    comeBack,
    close() {
      closing ??= new Promise((resolve, reject) => {
        clearTimeout(nextTry);
        if (!server.listening) return resolve();
        const impatience = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
        server.close((error) => {
          clearTimeout(impatience);
          if (error) reject(error);
          else resolve();
        });
        server.closeIdleConnections();
      });
      return closing;
    },
  };
}
