import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { randomFrom } from '../products.ts';
import { openFleet, SHORT_TIMING } from './fleet.ts';
import { createInjector, type Injected } from './inject.ts';
import { doubles, fleetViolations } from './judge.ts';
import { historyOf, recoveryTimes, tasksOf } from './ledger.ts';
import { type Cluster, startCluster } from './machines/cluster.ts';
import { planFaults } from './plan.ts';
import { createKeeper } from './tend.ts';
import { buildWithoutFence } from './unfenced.ts';
import { createWorkload } from './workload.ts';

export interface FleetFaultOptions {
  readonly seed: number;
  /** Number of faults. */
  readonly count: number;
  readonly stores: number;
  readonly workers: number;
  /** Records of each import. */
  readonly records: number;
  /** Mean time from one fault to the next, in ms. */
  readonly everyMs: number;
  /** Switches the fence off, so that the judge must find doubles. Ends with the first one. */
  readonly noFence: boolean;
  readonly keep: boolean;
  readonly say: (line: string) => void;
}

export interface FleetFaultResult {
  readonly found: readonly string[];
  readonly doubles: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly resumed: Readonly<Record<string, number>>;
  readonly tasks: number;
  readonly made: number;
  readonly inDoubt: number;
  readonly recoveryMs: readonly number[];
  readonly ms: number;
}

const CONCURRENCY = 4;
const TTL_MS = SHORT_TIMING.lease?.ttlMs ?? 0;
const SLOTS = 20;
/** Tasks that wait for each store. */
const AHEAD = 2;
/** Time in which the fleet must be done after the last fault. */
const PATIENCE_MS = 240_000;
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Imports and exports of many stores by several workers, with faults, and the verdict of the stores' journals. */
export async function runFleetFaults(options: FleetFaultOptions): Promise<FleetFaultResult> {
  const { seed, count, records, everyMs, noFence, say } = options;
  const startedAt = performance.now();
  const random = randomFrom(seed ^ 0x5eed);
  const cluster = await startCluster();
  const fleet = await openFleet({
    ...{ database: cluster, stores: options.stores, workers: options.workers, slots: SLOTS },
    ...{ concurrency: CONCURRENCY, timing: SHORT_TIMING, faults: ['latency=60ms', 'jitter=60ms'] },
    workerBinary: noFence ? buildWithoutFence() : undefined,
  });
  try {
    const injector = createInjector(fleet, cluster, random);
    fleet.startWorkers();
    const keeper = createKeeper(fleet, injector.isBusy);
    const workload = createWorkload(fleet.folder, records);
    const problems: string[] = [];

    const add = async (...work: string[]) => {
      const { code, said } = await fleet.command('run', ...work, '--stores', 'all');
      if (code !== 0 && !isDatabaseAway(said)) problems.push(`fleet run ended with ${code}: ${said.trim()}`);
    };
    let isFed = false;
    const feeding = (async () => {
      for (let round = 1; !isFed; round++) {
        await add('import', 'products', workload.next());
        if (round % 2 === 0) await add('export', 'products', '--out', 'products.csv');
        while (!isFed && (await waiting(fleet)) > AHEAD * options.stores) await sleep(1000);
      }
    })();

    await sleep(5000);
    const faults = planFaults(seed, { count, workers: options.workers, ttlMs: TTL_MS });
    let done = 0;
    for (const fault of faults) {
      await injector.begin(fault);
      done++;
      if (done % 20 === 0) say(`${done} faults, ${await progress(fleet)}`);
      if (noFence && done % 5 === 0 && (await doublesOf(fleet)).length > 0) break;
      await sleep(everyMs * (0.5 + random()));
    }
    isFed = true;
    await injector.over();
    await feeding;
    if (noFence) return await result([], await doublesOf(fleet));

    say(`all faults are over, ${await progress(fleet)}`);
    let open = await keeper.allDone(PATIENCE_MS);
    if (open.length === 0) {
      const before = madeBy(await historyOf(fleet, judged()));
      await add('import', 'products', workload.whole());
      open = await keeper.allDone(PATIENCE_MS);
      const history = await historyOf(fleet, judged());
      const after = madeBy(history);
      const unsent = history.runs.flatMap(({ records }) =>
        records.filter((each) => each.outcome === 'unsent'),
      );
      if (after - before > unsent.length)
        problems.push(`importing everything again made ${after - before} records`);
    }
    for (const { id, store, state, stop_reason: reason, stop_message: message } of open)
      problems.push(`${store}: task ${id} is still ${state} (${reason}: ${message})`);
    await keeper.stop();
    const history = await historyOf(fleet, judged());
    return await result([...keeper.found, ...problems, ...fleetViolations(history)], []);

    function judged() {
      return {
        injected: injector.injected,
        concurrency: CONCURRENCY,
        recordsIn: workload.recordsIn,
      };
    }

    async function result(found: readonly string[], twice: readonly string[]): Promise<FleetFaultResult> {
      await keeper.stop();
      const history = await historyOf(fleet, judged());
      return {
        ...{ found, doubles: twice.length, faults: countsOf(injector.injected) },
        resumed: Object.fromEntries(keeper.resumed),
        tasks: history.tasks.length,
        made: madeBy(history),
        inDoubt: new Set(
          history.runs.flatMap(({ store, records }) =>
            records.filter(({ outcome }) => outcome === 'in-doubt').map(({ key }) => `${store} ${key}`),
          ),
        ).size,
        recoveryMs: recoveryTimes(fleet, injector.injected),
        ms: performance.now() - startedAt,
      };
    }
  } finally {
    if (options.keep) {
      await dumpLedger(cluster, fleet.folder);
      say(`kept: ${fleet.folder}`);
    }
    await fleet.stop(options.keep);
    await cluster.stop();
  }
}

/** Keeps the tables beside the logs. */
async function dumpLedger(cluster: Cluster, folder: string): Promise<void> {
  await promisify(execFile)('pg_dump', ['--dbname', cluster.url(), '--file', join(folder, 'tables.sql')]);
}

type OpenFleet = Awaited<ReturnType<typeof openFleet>>;

/** A command that finds the database away adds nothing. */
function isDatabaseAway(said: string): boolean {
  return /database|ECONN|terminat/i.test(said);
}

async function waiting(fleet: OpenFleet): Promise<number> {
  const tasks = await tasksOf(fleet);
  return tasks.filter(({ state }) => state === 'queued' || state === 'running').length;
}

async function progress(fleet: OpenFleet): Promise<string> {
  const counts: Record<string, number> = {};
  for (const { state } of await tasksOf(fleet)) counts[state] = (counts[state] ?? 0) + 1;
  return `tasks: ${Object.entries(counts)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ')}`;
}

async function doublesOf({ stores }: OpenFleet): Promise<string[]> {
  const all = await Promise.all(stores.map(async ({ name, facts }) => doubles(name, await facts())));
  return all.flat();
}

function madeBy({ stores }: Awaited<ReturnType<typeof historyOf>>): number {
  return [...stores.values()].reduce((sum, { references }) => sum + references.length, 0);
}

function countsOf(injected: readonly Injected[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of injected) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
