import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { childrenOf, isAlive, signalAll } from './processes.ts';

/** The programs of the newest version that Debian or Ubuntu installed, or those in `PG_BIN`. */
const BINARIES = process.env.PG_BIN ?? newestPrograms('/usr/lib/postgresql');

function newestPrograms(folder: string): string {
  const versions = existsSync(folder) ? readdirSync(folder) : [];
  return join(folder, versions.sort((a, b) => Number(b) - Number(a))[0] ?? '', 'bin');
}

/** True if this machine has the programs of Postgres, so that a test can have a server of its own. */
export const hasPostgresPrograms = existsSync(join(BINARIES, 'initdb'));

/** A Postgres server of its own in a temporary folder, which may be killed and frozen. Its database is `fleet`. */
export interface Cluster {
  readonly port: number;
  /** Address of the database, at another port if a proxy is in between. */
  url(port?: number): string;
  /** Kills the server and all its processes, as when the machine loses power. */
  kill(): Promise<void>;
  /** Starts the server after `kill`, and waits until it answers. */
  start(): Promise<void>;
  /** Kills one process that serves a client; the server ends all others and recovers. Returns false if there is none. */
  killBackend(random: () => number): boolean;
  /** Stops the processes, as a disk that no longer answers does. `backends`: only those that serve clients now. */
  freeze(which: 'all' | 'backends'): void;
  thaw(): void;
  /** Process ids of the server and its children. */
  processes(): readonly number[];
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

/** Settings that keep a small server small. `fsync` stays on: a test also kills it. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  shared_buffers: '64MB',
  unix_socket_directories: '',
  max_wal_size: '256MB',
  log_min_messages: 'fatal',
};

export async function startCluster(settings: Readonly<Record<string, string>> = {}): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'storeport-cluster-'));
  const owner = ownerOfServer();
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  chmodSync(folder, 0o700);
  const data = join(folder, 'data');
  const asOwner = { ...owner, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  execFileSync(
    join(BINARIES, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    { ...asOwner, stdio: 'ignore' },
  );
  const port = await freePort();
  const url = (at = port, database = 'fleet') => `postgres://postgres@127.0.0.1:${at}/${database}`;
  let server: ChildProcess | undefined;
  let frozen: readonly number[] = [];

  const processes = () => (server?.pid === undefined ? [] : [server.pid, ...childrenOf(server.pid)]);
  const backends = () => (server?.pid === undefined ? [] : childrenOf(server.pid, /postgres: postgres /));

  async function start(): Promise<void> {
    const options = Object.entries({ ...SETTINGS, ...settings, port: `${port}` });
    const child = spawn(
      join(BINARIES, 'postgres'),
      ['-D', data, ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { ...asOwner, stdio: 'ignore' },
    );
    server = child;
    for (let tries = 0; ; tries++) {
      if (await answers(url(port, 'postgres'))) return;
      if (child.exitCode !== null) throw new Error(`the server of Postgres ended with ${child.exitCode}`);
      if (tries > 600) throw new Error('the server of Postgres does not answer');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async function kill(): Promise<void> {
    const all = processes();
    signalAll(all, 'SIGKILL');
    frozen = [];
    server = undefined;
    // The next server refuses to start while a process of this one has the shared memory.
    while (all.some(isAlive)) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  await start();
  const client = new pg.Client({ connectionString: url(port, 'postgres') });
  await client.connect();
  await client.query('create database fleet');
  await client.end();

  return {
    port,
    url,
    kill,
    start,
    processes,
    killBackend(random) {
      const all = backends();
      const chosen = all[Math.floor(random() * all.length)];
      if (chosen !== undefined) signalAll([chosen], 'SIGKILL');
      return chosen !== undefined;
    },
    freeze(which) {
      frozen = which === 'all' ? processes() : backends();
      signalAll(frozen, 'SIGSTOP');
    },
    thaw() {
      signalAll(frozen, 'SIGCONT');
      frozen = [];
    },
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Postgres refuses to run as root. Undefined for every other user: the server runs as that user. */
function ownerOfServer(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    // It is still starting: the caller tries again, and fails after a minute.
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
