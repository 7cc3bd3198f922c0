import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PAUSE_BEFORE_SEND } from '../../plan.ts';
import { isAlive, isStopped, signalAll } from './processes.ts';
import { type FaultyProxy, startProxy } from './proxy.ts';

/** One of the places at which a worker runs. A worker that was killed is followed by another one. */
export interface WorkerPlace {
  readonly name: string;
  /** The way to the database; each worker has its own. */
  readonly proxy: FaultyProxy;
  /** Process of the worker now; undefined while there is none. */
  readonly pid: number | undefined;
  /** True if the process found no database when it began, and ended; a service manager starts it again. */
  foundNoDatabase(): boolean;
  /** Processes of this place until now, the ended ones too. */
  readonly pids: readonly number[];
  start(): void;
  /** Ends the process as by `kill -9`, and waits for it. */
  kill(): Promise<void>;
  /** Stops the process at any moment. */
  pause(): void;
  /** Stops the process before its next create is sent. Resolves with false if it sends none within this time. */
  pauseBeforeSend(patienceMs: number): Promise<boolean>;
  resume(): void;
  /** Ends it in good order. Resolves with the exit code; null if it had to be killed. */
  drain(patienceMs: number): Promise<number | null>;
  stop(): Promise<void>;
}

export interface WorkerOptions {
  /** Port of the database. */
  readonly databasePort: number;
  /** Address of the database at a port, without a password. */
  readonly url: (port: number) => string;
  readonly schema?: string | undefined;
  readonly slots: number;
  /** Folder of logs and files of the workers. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The program of the workers. */
  readonly binary: string;
  /** Further arguments of `fleet worker`. */
  readonly args?: readonly string[];
}

export async function openWorkerPlace(name: string, options: WorkerOptions): Promise<WorkerPlace> {
  const { databasePort, url, schema, slots, folder, environment, binary, args = [] } = options;
  const proxy = await startProxy({ to: databasePort });
  const pids: number[] = [];
  /** Size of the log when the process began. */
  let logged = 0;
  let child: ChildProcess | undefined;
  let ended: Promise<number | null> = Promise.resolve(null);

  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  const signal = (name: NodeJS.Signals) => {
    if (child?.pid !== undefined && isRunning()) signalAll([child.pid], name);
  };

  const place: WorkerPlace = {
    name,
    proxy,
    get pid() {
      return isRunning() ? child?.pid : undefined;
    },
    pids,
    foundNoDatabase() {
      const said = readFileSync(join(folder, `${name}.log`), 'utf8').slice(logged);
      return (child?.exitCode === 2 || child?.exitCode === 3) && !said.includes('worker began');
    },
    start() {
      const file = join(folder, `${name}.log`);
      logged = existsSync(file) ? statSync(file).size : 0;
      const clean = Object.entries(process.env).filter(([key]) => !key.startsWith('STOREPORT_'));
      const log = openSync(file, 'a');
      child = spawn(
        process.execPath,
        [
          binary,
          'fleet',
          'worker',
          '--slots',
          `${slots}`,
          ...(schema ? ['--database-schema', schema] : []),
          ...args,
        ],
        {
          cwd: folder,
          stdio: ['ignore', log, log],
          env: {
            ...Object.fromEntries(clean),
            NODE_OPTIONS: `--import=${pathToFileURL(PAUSE_BEFORE_SEND)}`,
            STOREPORT_DATABASE: url(proxy.port),
            ...environment,
          },
        },
      );
      closeSync(log);
      const started = child;
      if (started.pid !== undefined) pids.push(started.pid);
      ended = new Promise((resolve) => started.once('exit', (code) => resolve(code)));
    },
    async kill() {
      signal('SIGKILL');
      await ended;
    },
    pause: () => signal('SIGSTOP'),
    async pauseBeforeSend(patienceMs) {
      const { pid } = place;
      if (pid === undefined) return false;
      signal('SIGUSR2');
      for (const until = performance.now() + patienceMs; performance.now() < until; ) {
        if (isStopped(pid)) return true;
        if (!isAlive(pid)) return false;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return false;
    },
    resume: () => signal('SIGCONT'),
    async drain(patienceMs) {
      signal('SIGCONT');
      signal('SIGTERM');
      const timer = setTimeout(() => signal('SIGKILL'), patienceMs);
      const code = await ended;
      clearTimeout(timer);
      return code;
    },
    async stop() {
      if (isRunning()) await place.kill();
      await proxy.stop();
    },
  };
  return place;
}
