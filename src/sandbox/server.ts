import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBody } from './read-body.ts';
import type { Service } from './service.ts';

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly serve: Service;
}

export interface RunningServer {
  /** Origin, without a slash at the end. */
  readonly url: string;
  /** Refuses connections for so long, and drops those that there are; then listens on the same port again. */
  refuseFor(ms: number): void;
  /** Ends such an absence at once. */
  comeBack(): void;
  close(): Promise<void>;
}

/** Longer than a client's pause between two batches, so that connections last for a run. */
const KEEP_ALIVE_MS = 65_000;

/** After `close`, how long a request that is still being sent may take. */
const CLOSE_GRACE_MS = 500;

/** Serves over HTTP. Resolves when connections are accepted; rejects when the port is taken. */
export async function startServer({ host, port, serve }: ServerOptions): Promise<RunningServer> {
  let closing: Promise<void> | undefined;
  let absence: NodeJS.Timeout | undefined;

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    readBody(request, (body) => serve(request, response, body, closing !== undefined));
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
    if (absence === undefined) return;
    clearTimeout(absence);
    absence = undefined;
    server.listen(address.port, host);
  }

  return {
    url: `http://${hostname}:${address.port}`,
    refuseFor(ms) {
      if (closing !== undefined || absence !== undefined) return;
      server.close();
      server.closeAllConnections();
      absence = setTimeout(comeBack, ms);
    },
    comeBack,
    close() {
      closing ??= new Promise((resolve, reject) => {
        clearTimeout(absence);
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
