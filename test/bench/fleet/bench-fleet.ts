import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { addStore, addTasks, connect, type Work, wakeStores } from '../../../src/fleet/index.ts';
import { type Fleet, openFleet } from '../../faults/fleet/fleet.ts';
import { tasksOf } from '../../faults/fleet/ledger.ts';
import { type Cluster, startCluster } from '../../faults/fleet/machines/cluster.ts';

/** A fleet with a server of Postgres of its own, and stores that are served by one process. */
export interface BenchFleet {
  readonly cluster: Cluster;
  readonly fleet: Fleet;
  /** Adds stores `s1`, `s2` and so on at paths of this one. */
  addStores(count: number, store: BenchStore): Promise<void>;
  /** Adds a task for each of these stores. */
  add(work: Work, stores: string): Promise<void>;
  /** Waits until all tasks have ended. Throws if one stopped, since its figures would mean nothing. */
  allDone(): Promise<void>;
  stop(): Promise<void>;
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export async function openBenchFleet({
  workers,
  slots,
}: {
  readonly workers: number;
  readonly slots: number;
}): Promise<BenchFleet> {
  const cluster = await startCluster({ shared_buffers: '256MB', max_wal_size: '2GB' });
  const fleet = await openFleet({
    ...{ database: cluster, stores: 0, workers, slots, concurrency: 16, faults: [] },
  });
  const sql = connect(cluster.url());
  return {
    cluster,
    fleet,
    async addStores(count, { url, environment }) {
      const clientId = environment.STOREPORT_CLIENT_ID ?? '';
      for (let n = 1; n <= count; n++)
        await addStore(sql, {
          name: `s${n}`,
          baseUrl: `${url}/s${n}`,
          settings: { clientId, secret: 'env:SANDBOX_SECRET', concurrency: 16 },
        });
    },
    async add(work, stores) {
      const tasks = await addTasks(sql, { ...work, stores });
      await wakeStores(
        sql,
        tasks.map(({ storeNumber }) => storeNumber),
      );
    },
    async allDone() {
      for (;;) {
        const tasks = await tasksOf(fleet);
        const stopped = tasks.find(({ state }) => state === 'stopped');
        if (stopped) throw new Error(`${stopped.store}: ${stopped.stop_reason}: ${stopped.stop_message}`);
        if (tasks.every(({ state }) => state === 'done')) return;
        await sleep(200);
      }
    },
    async stop() {
      await sql.close();
      await fleet.stop();
      await cluster.stop();
    },
  };
}

export interface BenchStore {
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly pid: number;
  /** Number of creates until now. */
  creates(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts one of the programs in `children`. */
export async function startBenchStore(program: string, ...args: string[]): Promise<BenchStore> {
  const child = fork(join(import.meta.dirname, 'children', `${program}.js`), args);
  const { url, clientId, clientSecret } = (await answer(child)) as Record<string, string>;
  return {
    url: url ?? '',
    environment: {
      STOREPORT_BASE_URL: url ?? '',
      STOREPORT_CLIENT_ID: clientId ?? '',
      STOREPORT_CLIENT_SECRET: clientSecret ?? '',
    },
    pid: child.pid ?? 0,
    async creates() {
      child.send('creates');
      return ((await answer(child)) as { creates: number }).creates;
    },
    async stop() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

async function answer(child: ChildProcess): Promise<unknown> {
  const [message] = (await once(child, 'message')) as [unknown];
  return message;
}

/** Starts the workers, and waits until each has signed on. */
export async function startWorkersOf({ fleet }: BenchFleet): Promise<void> {
  fleet.startWorkers();
  for (;;) {
    const [line] = await fleet.observer.query<{ count: string }>('select count(*) as count from worker');
    if (Number(line?.count) === fleet.workers.length) return;
    await sleep(50);
  }
}
