import { cpuMsOf, rssMb } from '../../faults/fleet/machines/processes.ts';
import { openBenchFleet, startBenchStore, startWorkersOf } from './bench-fleet.ts';

/** One export for each of many stores, as a nightly schedule adds them: time, connections and load of the database. */
export async function measureNightly(stores: number, workers: number, reviews: number): Promise<void> {
  const store = await startBenchStore('many-stores', `${reviews}`);
  const bench = await openBenchFleet({ workers, slots: 20 });
  const { cluster, fleet } = bench;
  let isOver = false;
  try {
    await bench.addStores(stores, store);
    await startWorkersOf(bench);
    const pids = fleet.workers.flatMap(({ pid }) => pid ?? []);
    let connections = 0;
    let memory = 0;
    const watching = (async () => {
      while (!isOver) {
        const [line] = await fleet.observer.query<{ count: string }>(
          `select count(*) as count from pg_stat_activity where datname = 'fleet' and pid <> pg_backend_pid()`,
        );
        connections = Math.max(connections, Number(line?.count));
        memory = Math.max(memory, ...pids.map(rssMb));
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    })();
    watching.catch(() => {});
    const before = { ...(await databaseLoad(bench)), worker: cpuMsOf(pids) };
    const startedAt = performance.now();
    await bench.add({ command: 'export', resource: 'reviews', options: {} }, 'all');
    const addedMs = performance.now() - startedAt;
    await bench.allDone();
    const seconds = (performance.now() - startedAt) / 1000;
    const after = { ...(await databaseLoad(bench)), worker: cpuMsOf(pids) };
    isOver = true;
    await watching;
    console.log(
      [
        `${stores} stores, one export of ${reviews} reviews each, ${workers} workers of 20 slots`,
        '',
        '| | |',
        '|---|--:|',
        `| adding the tasks | ${Math.round(addedMs)} ms |`,
        `| until all were done | ${seconds.toFixed(1)} s |`,
        `| most connections to Postgres, with 2 of the benchmark | ${connections} |`,
        `| transactions | ${after.commits - before.commits}, ${((after.commits - before.commits) / seconds).toFixed(0)} a second |`,
        `| CPU of Postgres | ${((after.cpuMs - before.cpuMs) / 1000).toFixed(1)} s, ${((after.cpuMs - before.cpuMs) / seconds / 10).toFixed(0)} % of a core |`,
        `| CPU of the workers | ${((after.worker - before.worker) / 1000).toFixed(1)} s |`,
        `| most RSS of a worker | ${Math.round(memory)} MB |`,
      ].join('\n'),
    );
  } finally {
    isOver = true;
    await bench.stop();
    await store.stop();
  }

  async function databaseLoad({ fleet: { observer } }: typeof bench) {
    const [line] = await observer.query<{ commits: string }>(
      `select xact_commit as commits from pg_stat_database where datname = 'fleet'`,
    );
    return { commits: Number(line?.commits), cpuMs: cpuMsOf(cluster.processes()) };
  }
}
