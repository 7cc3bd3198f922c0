import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Counters of the operating system for one finished process. */
export interface Usage {
  /** Undefined for programs that were started by another one. */
  readonly peakKb?: number;
  readonly cpuUs: number;
  /** CPU time of the main thread and of each worker, by name; undefined if the system does not report it. */
  readonly threadUs?: Readonly<Record<string, number>>;
}

export interface Ended extends Usage {
  readonly stdout: string;
  /** From the start of the process to its end. */
  readonly wallMs: number;
}

/** A store in a process of its own. */
export interface Store {
  readonly env: Readonly<Record<string, string>>;
  /** Number of created products, and the time from the first to the last. */
  creates(): Promise<{ readonly creates: number; readonly ms: number }>;
  stop(): Promise<void>;
}

/** Runs one program to its end. Throws if it fails, since its figures would mean nothing. */
export async function run(
  built: string,
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const usage = join(folder, 'usage.json');
  const begunMs = performance.now();
  const child = spawn(process.execPath, ['--import', join(built, 'children', 'measure.js'), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, BENCH_USAGE: usage, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-2000);
  });
  const [code] = await once(child, 'close');
  const wallMs = performance.now() - begunMs;
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}\n${stdout.slice(-500)}\n${stderr}`);
  return { stdout, wallMs, ...(JSON.parse(readFileSync(usage, 'utf8')) as Usage) };
}

/** The sandbox, with this number of reviews. */
export function startStore(built: string, reviews: number, latencyMs: number): Promise<Store> {
  return storeOf(fork(join(built, 'children', 'store.js'), [`${reviews}`, `${latencyMs}`]));
}

/** A store that costs next to nothing, and can only create: nginx if it is installed, else a server of our own. */
export function startCheapStore(built: string): Promise<Store> {
  return storeOf(fork(join(built, 'children', `${cheapStore()}.js`)));
}

export function cheapStore(): 'nginx-store' | 'cheap-store' {
  return isInstalled('nginx') ? 'nginx-store' : 'cheap-store';
}

export function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program], { stdio: 'ignore' }).status === 0;
}

async function storeOf(child: ChildProcess): Promise<Store> {
  const { url, clientId, clientSecret } = (await answer(child)) as Record<
    'url' | 'clientId' | 'clientSecret',
    string
  >;
  return {
    env: {
      STOREPORT_BASE_URL: url,
      STOREPORT_CLIENT_ID: clientId,
      STOREPORT_CLIENT_SECRET: clientSecret,
    },
    async creates() {
      child.send('creates');
      return (await answer(child)) as { creates: number; ms: number };
    },
    async stop() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

/** Throws if the program ends instead. */
async function answer(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the store ended with ${code}`);
  });
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [unknown];
  return message;
}
