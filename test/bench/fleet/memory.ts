import { join } from 'node:path';
import { rssMb } from '../../faults/fleet/machines/processes.ts';
import { writeProducts } from '../products.ts';
import { openBenchFleet, startBenchStore, startWorkersOf } from './bench-fleet.ts';

/** Memory of a worker while it imports into 1, 5 and 20 stores at once, and without work. */
export async function measureMemory(rowsPerStore: number): Promise<void> {
  console.log('| stores at once | most RSS, MB | RSS at the end, MB |\n|---|--:|--:|');
  for (const stores of [0, 1, 5, 20]) {
    const store = await startBenchStore('cheap-store');
    const bench = await openBenchFleet({ workers: 1, slots: 20 });
    try {
      const file = join(bench.fleet.folder, 'in.csv');
      await writeProducts(file, rowsPerStore);
      await bench.addStores(stores, store);
      await startWorkersOf(bench);
      const pid = bench.fleet.workers[0]?.pid ?? 0;
      let most = 0;
      const timer = setInterval(() => {
        most = Math.max(most, rssMb(pid));
      }, 100);
      if (stores > 0)
        await bench.add({ command: 'import', resource: 'products', options: { files: [file] } }, 'all');
      else await new Promise((resolve) => setTimeout(resolve, 3000));
      await bench.allDone();
      clearInterval(timer);
      console.log(`| ${stores} | ${Math.round(most)} | ${Math.round(rssMb(pid))} |`);
    } finally {
      await bench.stop();
      await store.stop();
    }
  }
}
