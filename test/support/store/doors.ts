import dns from 'node:dns';
import { connect, createServer, type Server, type Socket } from 'node:net';
import tls from 'node:tls';
import { Worker } from 'node:worker_threads';
import { vi } from 'vitest';
import { CERTIFICATES } from '../certificates.ts';
import { listen } from './adversary.ts';

/** One way in which a connection to a store fails. */
export interface Door {
  /** Address of the store, on a port of this machine. */
  readonly url: (port: number) => string;
  /** Closes the way to a port on which no process listens any more; returns a function that opens it. */
  readonly shut: (port: number) => Promise<() => Promise<unknown>>;
  /** Expected message about the store. */
  readonly words: RegExp;
  /** How long connecting takes. */
  readonly timeoutMs?: number;
}

/** A host name that only this file resolves. */
const NAME = 'shop.test';

const plain = (port: number) => `http://127.0.0.1:${port}`;
const secure = (port: number) => `https://127.0.0.1:${port}`;

export const DOORS = {
  nobodyListens: { url: plain, shut: async () => async () => {}, words: /refused the connection/ },
  unknownName: named('ENOTFOUND', /its host name is unknown/),
  noNameServer: named('EAI_AGAIN', /the name server does not answer/),
  nobodyAccepts: { url: plain, shut: fullQueue, words: /could not be reached in time/, timeoutMs: 200 },
  resetsHandshake: {
    url: secure,
    shut: (port) => serving(port, (socket) => socket.once('data', () => socket.resetAndDestroy())),
    words: /closed the connection/,
  },
  otherHost: { url: secure, shut: (port) => certified(port, 'other'), words: /is for another host/ },
  expired: { url: secure, shut: (port) => certified(port, 'expired'), words: /has expired/ },
  noTls: {
    url: secure,
    shut: (port) => serving(port, (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    words: /does not speak https there/,
  },
} satisfies Record<string, Door>;

/** Resolves the name, and trusts the certificates of the tests, until mocks are restored. */
export function knowNamesAndCertificates(): void {
  nameServer(undefined);
  const connectTls = tls.connect as (options: tls.ConnectionOptions) => tls.TLSSocket;
  const ca = Object.values(CERTIFICATES).map(({ cert }) => cert);
  vi.spyOn(tls, 'connect').mockImplementation(((options: tls.ConnectionOptions) =>
    connectTls({ ...options, ca })) as typeof tls.connect);
}

/** Resolves all names to this machine; with a code, resolving ours fails with it. */
function nameServer(code: string | undefined): void {
  type Done = (error: Error | null, found?: unknown, family?: number) => void;
  const lookup = (host: string, options: { all?: boolean }, done: Done) => {
    if (host === NAME && code !== undefined)
      done(Object.assign(new Error(`getaddrinfo ${code} ${host}`), { code }));
    else if (options.all === true) done(null, [{ address: '127.0.0.1', family: 4 }]);
    else done(null, '127.0.0.1', 4);
  };
  vi.spyOn(dns, 'lookup').mockImplementation(((host: string, options: object, done?: Done) =>
    typeof options === 'function'
      ? lookup(host, {}, options as Done)
      : lookup(host, options, done as Done)) as typeof dns.lookup);
}

function named(code: string, words: RegExp): Door {
  return {
    url: (port) => `http://${NAME}:${port}`,
    async shut() {
      nameServer(code);
      return async () => nameServer(undefined);
    },
    words,
  };
}

function certified(port: number, certificate: keyof typeof CERTIFICATES) {
  return served(
    tls.createServer(CERTIFICATES[certificate]).on('tlsClientError', () => {}),
    port,
  );
}

function serving(port: number, receive: (socket: Socket) => void) {
  return served(
    createServer((socket) => receive(socket.on('error', () => {}))),
    port,
  );
}

async function served(server: Server, port: number): Promise<() => Promise<unknown>> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await listen(server, port);
  return () => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  };
}

/** Listens, and is then too busy to accept a connection. */
const BUSY = `
  const { parentPort, workerData } = require('node:worker_threads');
  require('node:net').createServer().listen({ port: workerData, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage('listens');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;

/** More than may wait to be accepted; the rest get no answer at all. */
const WAITING = 8;

async function fullQueue(port: number): Promise<() => Promise<unknown>> {
  const worker = new Worker(BUSY, { eval: true, workerData: port });
  await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  const waiting = Array.from({ length: WAITING }, () => connect(port, '127.0.0.1').on('error', () => {}));
  // The queue takes one more than requested: the first two are in it.
  await Promise.all(
    waiting.slice(0, 2).map((socket) => new Promise((resolve) => socket.once('connect', resolve))),
  );
  return async () => {
    for (const socket of waiting) socket.destroy();
    await worker.terminate();
  };
}
