import { onTestFinished } from 'vitest';
import { type Fleet, type FleetOptions, openFleet, SHORT_TIMING } from '../../faults/fleet/fleet.ts';
import type { Injected } from '../../faults/fleet/inject.ts';
import { fleetViolations } from '../../faults/fleet/judge.ts';
import { historyOf, tasksOf } from '../../faults/fleet/ledger.ts';
import { createWorkload, type Workload } from '../../faults/fleet/workload.ts';
import { testAddress } from '../../support/postgres.ts';

const CONCURRENCY = 4;

export interface ShortFleet {
  readonly fleet: Fleet;
  readonly workload: Workload;
  /** The process that sent the last create or update. */
  lastSender(): number;
  /** Waits for something that must happen. Throws after a minute, with the logs of the workers. */
  until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void>;
  allDone(): Promise<void>;
  /** Violations, if each store noticed this number of faults. */
  violations(faults: number): Promise<string[]>;
}

/** Workers and sandboxes for one test, on the server of the tests, in a schema of their own. */
export async function shortFleet(
  options: Partial<FleetOptions> & Pick<FleetOptions, 'stores' | 'workers'>,
): Promise<ShortFleet> {
  const { url, schema, drop } = testAddress();
  const at = (port?: number) => {
    const address = new URL(url);
    if (port !== undefined) address.host = `127.0.0.1:${port}`;
    return address.href;
  };
  const fleet = await openFleet({
    ...{ database: { port: Number(new URL(url).port || 5432), url: at, schema } },
    ...{ slots: 5, concurrency: CONCURRENCY, timing: SHORT_TIMING, faults: ['latency=50ms'] },
    ...options,
  });
  onTestFinished(async () => {
    await fleet.stop();
    await drop();
  });
  const workload = createWorkload(fleet.folder, 60);
  const until: ShortFleet['until'] = async (what, isSo) => {
    for (const end = performance.now() + 60_000; !(await isSo()); ) {
      if (performance.now() > end) throw new Error(`${what} did not happen\n${fleet.logs()}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return {
    ...{ fleet, workload, until },
    lastSender: () => fleet.traffic.sent.at(-1)?.pid ?? 0,
    allDone: () =>
      until('the end of all tasks', async () =>
        (await tasksOf(fleet)).every(({ state }) => state === 'done'),
      ),
    async violations(faults) {
      const injected: Injected[] = Array.from({ length: faults }, () => ({
        ...{ kind: 'kill-worker', fromMs: 0, untilMs: 0, pid: undefined, waves: 1 },
        stores: new Set(fleet.stores.map(({ name }) => name)),
      }));
      return fleetViolations(
        await historyOf(fleet, { injected, concurrency: CONCURRENCY, recordsIn: workload.recordsIn }),
      );
    },
  };
}
