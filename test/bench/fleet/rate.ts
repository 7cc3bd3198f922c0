import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeport } from '../../faults/command.ts';
import { cpuMsOf } from '../../faults/fleet/machines/processes.ts';
import { writeProducts } from '../products.ts';
import { openBenchFleet, startBenchStore, startWorkersOf } from './bench-fleet.ts';

/** Figures of one way to import the same number of rows. */
interface RateFigures {
  readonly name: string;
  readonly rowsPerSecond: number;
  /** CPU of the process that imports, per row. */
  readonly cpuUs: number;
  /** CPU of Postgres, per row. */
  readonly databaseUs: number;
}

/** The ways to import, each for one store and for many: the worker's is compared with that of the plain command line before it. */
const STORES = [1, 20] as const;

/**
 * Rows a second and CPU a row: one worker, and the plain command line with one import after another, each with the same number
 * of rows in a store that costs next to nothing. All are measured in each round, since absolute figures mean little elsewhere.
 */
export async function measureRate(rows: number, rounds: number): Promise<void> {
  const figures: RateFigures[] = [];
  for (let round = 1; round <= rounds; round++) {
    for (const stores of STORES)
      for (const measure of [plain, fleetOf]) {
        const each = await measure(stores, rows);
        figures.push(each);
        console.error(
          `round ${round}: ${each.name}: ${Math.round(each.rowsPerSecond)} rows/s, ${each.cpuUs.toFixed(1)} µs, database ${each.databaseUs.toFixed(1)} µs`,
        );
      }
  }
  const names = [...new Set(figures.map(({ name }) => name))];
  const median = (name: string, field: 'rowsPerSecond' | 'cpuUs' | 'databaseUs') => {
    const all = figures.filter((each) => each.name === name).map((each) => each[field]);
    return all.sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
  };
  console.log(
    `${rows} rows, median of ${rounds}\n\n| | rows/s | CPU a row, µs | ÷ plain | CPU of Postgres a row, µs |\n|---|--:|--:|--:|--:|`,
  );
  for (const [n, name] of names.entries()) {
    const base = median(names[n - (n % 2)] ?? name, 'cpuUs');
    console.log(
      `| ${name} | ${Math.round(median(name, 'rowsPerSecond'))} | ${median(name, 'cpuUs').toFixed(1)} | ${(median(name, 'cpuUs') / base).toFixed(2)} | ${median(name, 'databaseUs').toFixed(1)} |`,
    );
  }
}

async function plain(stores: number, rows: number): Promise<RateFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'storeport-bench-'));
  const store = await startBenchStore('cheap-store');
  try {
    await writeProducts(join(folder, 'in.csv'), rows / stores);
    let cpuMs = 0;
    const startedAt = performance.now();
    for (let n = 1; n <= stores; n++)
      cpuMs += await importOnce(folder, { ...store.environment, STOREPORT_BASE_URL: `${store.url}/s${n}` });
    const seconds = (performance.now() - startedAt) / 1000;
    if ((await store.creates()) !== rows) throw new Error('not every row was created');
    return {
      name: `plain command line, ${storesText(stores)}`,
      rowsPerSecond: rows / seconds,
      cpuUs: (cpuMs * 1000) / rows,
      databaseUs: 0,
    };
  } finally {
    await store.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Returns the CPU of the process, in milliseconds. */
async function importOnce(cwd: string, environment: Readonly<Record<string, string>>): Promise<number> {
  let cpuMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const { code, said } = await storeport(['import', 'products', 'in.csv', '--quiet', '--no-progress'], {
    ...{ cwd, environment },
    // Read until it has ended: the counters of a process are gone with it.
    onStart: ({ pid = 0 }) => {
      timer = setInterval(() => {
        cpuMs = Math.max(cpuMs, cpuMsOf([pid]));
      }, 20);
    },
  });
  clearInterval(timer);
  if (code !== 0) throw new Error(said);
  return cpuMs;
}

function storesText(stores: number): string {
  return stores === 1 ? '1 store' : `${stores} stores`;
}

async function fleetOf(stores: number, rows: number): Promise<RateFigures> {
  const store = await startBenchStore('cheap-store');
  const bench = await openBenchFleet({ workers: 1, slots: 20 });
  try {
    const file = join(bench.fleet.folder, 'in.csv');
    await writeProducts(file, rows / stores);
    await bench.addStores(stores, store);
    await startWorkersOf(bench);
    const worker = bench.fleet.workers[0]?.pid ?? 0;
    const before = { worker: cpuMsOf([worker]), database: cpuMsOf(bench.cluster.processes()) };
    const startedAt = performance.now();
    await bench.add({ command: 'import', resource: 'products', options: { files: [file] } }, 'all');
    await bench.allDone();
    const seconds = (performance.now() - startedAt) / 1000;
    const workerMs = cpuMsOf([worker]) - before.worker;
    const databaseMs = cpuMsOf(bench.cluster.processes()) - before.database;
    if ((await store.creates()) !== rows) throw new Error('not every row was created');
    return {
      name: `worker, ${storesText(stores)}`,
      rowsPerSecond: rows / seconds,
      cpuUs: (workerMs * 1000) / rows,
      databaseUs: (databaseMs * 1000) / rows,
    };
  } finally {
    await bench.stop();
    await store.stop();
  }
}
