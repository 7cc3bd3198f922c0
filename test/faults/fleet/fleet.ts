import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkerTiming } from '../../../src/fleet/index.ts';
import { type Ended, storeport } from '../command.ts';
import { binary } from '../store.ts';
import { type FleetStore, startStores } from './machines/stores.ts';
import { createTraffic, type Traffic } from './machines/traffic.ts';
import { openWorkerPlace, type WorkerPlace } from './machines/workers.ts';
import { type Observer, startObserver } from './observer.ts';

/** The database of a fleet. */
export interface FleetDatabase {
  readonly port: number;
  readonly url: (port?: number) => string;
  /** Schema of its tables. Default: `public`, of a database of its own. */
  readonly schema?: string | undefined;
}

export interface FleetOptions {
  readonly database: FleetDatabase;
  readonly stores: number;
  readonly workers: number;
  /** Stores that a worker serves at the same time. */
  readonly slots: number;
  readonly concurrency: number;
  /** Default: the real one. */
  readonly timing?: Partial<WorkerTiming>;
  /** Faults of every sandbox, such as `latency=100ms`. */
  readonly faults: readonly string[];
  /** Further options of every sandbox. */
  readonly storeOptions?: readonly string[];
  /** The program of the workers. Default: the one of the commands. */
  readonly workerBinary?: string | undefined;
}

/** Durations short enough for tests. */
export const SHORT_TIMING: Partial<WorkerTiming> = {
  sweepMs: 2000,
  watchMs: 500,
  lease: { ttlMs: 3000, renewMs: 500, staleMs: 2000, requestMs: 2000, graceMs: 6000 },
};

/** Workers, sandboxes and a database, as processes of their own. */
export interface Fleet {
  readonly folder: string;
  readonly database: FleetDatabase;
  readonly stores: readonly FleetStore[];
  readonly workers: readonly WorkerPlace[];
  readonly traffic: Traffic;
  readonly observer: Observer;
  /** Runs `fleet …` by the real binary, on the database itself. */
  command(...args: string[]): Promise<Ended>;
  /** The same for a command that prints JSON. Throws if it fails. */
  ask<Answer>(...args: string[]): Promise<Answer>;
  /** The end of the log of each worker. */
  logs(): string;
  /** Starts a worker at each place. */
  startWorkers(): void;
  /** `keeps`: leave the folder with the logs. */
  stop(keeps?: boolean): Promise<void>;
}

/** A command that takes longer hangs. */
const COMMAND_MS = 60_000;

export async function openFleet(options: FleetOptions): Promise<Fleet> {
  const { database, concurrency, slots, timing = {}, workerBinary = binary } = options;
  const { schema } = database;
  const folder = mkdtempSync(join(tmpdir(), 'storeport-fleet-'));
  const artifacts = join(folder, 'artifacts');
  mkdirSync(artifacts);
  const workers: WorkerPlace[] = [];
  const traffic = createTraffic(() => workers.flatMap(({ pid }) => pid ?? []));
  const shared = {
    STOREPORT_FAULTS_TIMING: JSON.stringify(timing),
    SANDBOX_SECRET: 'sandbox-secret',
  };
  const command: Fleet['command'] = (...args) =>
    storeport(['fleet', ...args, ...(schema ? ['--database-schema', schema] : [])], {
      cwd: folder,
      environment: { STOREPORT_DATABASE: database.url(), ...shared },
      killAfterMs: COMMAND_MS,
    });
  const ask = async <Answer>(...args: string[]): Promise<Answer> => {
    const { code, said } = await command(...args, '--json');
    if (code !== 0) throw new Error(`fleet ${args.join(' ')} ended with ${code}: ${said}`);
    return JSON.parse(said) as Answer;
  };

  await ask('init');
  const stores = await startStores(options.stores, traffic, options.faults, options.storeOptions);
  for (const { name, baseUrl, clientId } of stores)
    await ask(
      ...['store', 'add', name, '--base-url', baseUrl, '--client-id', clientId],
      ...['--secret', 'env:SANDBOX_SECRET', '--concurrency', `${concurrency}`, '--timeout', '2s'],
    );
  const observer = await startObserver(database.url(), {
    ...(schema === undefined ? {} : { schema }),
    pidOf: pidIn,
  });
  for (let n = 1; n <= options.workers; n++)
    workers.push(
      await openWorkerPlace(`w${n}`, {
        ...{ databasePort: database.port, url: database.url, schema, slots, folder },
        environment: shared,
        binary: workerBinary,
        args: ['--artifacts', artifacts],
      }),
    );

  return {
    ...{ folder, database, stores, workers, traffic, observer, command, ask },
    logs: () =>
      workers
        .map(({ name }) => join(folder, `${name}.log`))
        .filter((file) => existsSync(file))
        .map((file) => readFileSync(file, 'utf8').slice(-3000))
        .join('\n---\n'),
    startWorkers() {
      for (const place of workers) place.start();
    },
    async stop(keeps = false) {
      await Promise.all(workers.map((place) => place.stop()));
      await observer.stop();
      await Promise.all(stores.map((store) => store.stop()));
      if (!keeps) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The process id in the name of a worker: `HOST-PID-RANDOM`. */
function pidIn(holder: string): number {
  return Number(/-(\d+)-[0-9a-f]+$/.exec(holder)?.[1] ?? 0);
}
