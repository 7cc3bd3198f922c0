import { join } from 'node:path';
import { openFleet } from '../../faults/fleet/fleet.ts';
import { tasksOf } from '../../faults/fleet/ledger.ts';
import { startCluster } from '../../faults/fleet/machines/cluster.ts';
import { writeProducts } from '../../faults/products.ts';

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
/** Gives up if no other worker continues within this time. */
const PATIENCE_MS = 120_000;
/** The third lost lease in a row stops a task. */
const KILLS_OF_TASK = 2;

/** Time from the kill of a worker to the next request of another one to the same store, with the real lease. */
export async function measureRecovery(kills: number): Promise<void> {
  const cluster = await startCluster();
  const fleet = await openFleet({
    ...{ database: cluster, stores: Math.ceil(kills / KILLS_OF_TASK), workers: 2, slots: 5, concurrency: 4 },
    faults: ['latency=200ms'],
  });
  try {
    fleet.startWorkers();
    writeProducts(join(fleet.folder, 'in.csv'), 20_000);
    const { sent } = fleet.traffic;
    const times: number[] = [];
    for (let n = 0; n < kills; n++) {
      const store = `s${Math.floor(n / KILLS_OF_TASK) + 1}`;
      if (n % KILLS_OF_TASK === 0) {
        for (const { id } of await tasksOf(fleet)) await fleet.command('stop', id);
        await fleet.ask('run', 'import', 'products', 'in.csv', '--stores', store);
        await untilSent(() => sent.at(-1)?.store === store);
      }
      // A moment of the lease that differs from kill to kill.
      await untilSent(() => sent.length > 0 && performance.now() - (sent.at(-1)?.ms ?? 0) < 1000);
      await sleep(2000 + n * 1100);
      const pid = sent.at(-1)?.pid;
      const place = fleet.workers.find((each) => each.pid === pid);
      if (place === undefined) throw new Error('no worker sends');
      const killedAt = performance.now();
      await place.kill();
      await untilSent(() => sent.some((each) => each.ms > killedAt && each.pid !== pid));
      const next = sent.find((each) => each.ms > killedAt && each.pid !== pid);
      times.push(((next?.ms ?? 0) - killedAt) / 1000);
      console.error(`kill ${n + 1}: ${times.at(-1)?.toFixed(1)} s`);
      place.start();
    }
    times.sort((a, b) => a - b);
    console.log(
      `${kills} kills, lease of 30 s: work continued after ${times[0]?.toFixed(1)} to ${times.at(-1)?.toFixed(1)} s, median ${times[Math.floor(times.length / 2)]?.toFixed(1)} s`,
    );
  } finally {
    await fleet.stop();
    await cluster.stop();
  }
}

async function untilSent(isSo: () => boolean): Promise<void> {
  for (const until = performance.now() + PATIENCE_MS; !isSo(); ) {
    if (performance.now() > until) throw new Error('no worker continues');
    await sleep(20);
  }
}
