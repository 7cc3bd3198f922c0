import type { Fleet } from './fleet.ts';
import { type TaskState, tasksOf } from './ledger.ts';
import { isStopped } from './machines/processes.ts';

/** A user who looks after a fleet: resumes tasks that stopped, and starts workers that ended by themselves. */
export interface Keeper {
  /** Problems that no fault explains. */
  readonly found: readonly string[];
  /** How many tasks were resumed, by the reason for which they had stopped. */
  readonly resumed: ReadonlyMap<string, number>;
  /** Waits until every task is done. Gives up after this time, and returns the tasks that are not. */
  allDone(patienceMs: number): Promise<readonly TaskState[]>;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 1500;
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** `isBusy`: true for a worker to which a fault happens now. */
export function createKeeper(fleet: Fleet, isBusy: (worker: number) => boolean): Keeper {
  const found: string[] = [];
  const resumed = new Map<string, number>();
  let isOver = false;

  async function resumeStopped(): Promise<void> {
    const stopped = (await tasksOf(fleet)).filter(({ state }) => state === 'stopped');
    for (const { id, stop_reason: reason } of stopped) {
      const { code, said } = await fleet.command('resume', id);
      // The database may be away. Null: it was killed, since it took too long.
      if (code === 0) resumed.set(reason ?? 'no reason', (resumed.get(reason ?? 'no reason') ?? 0) + 1);
      else if (code !== 2 && code !== 3) found.push(`fleet resume ${id} ended with ${code}: ${said.trim()}`);
    }
  }

  function tendWorkers(): void {
    for (const [n, place] of fleet.workers.entries()) {
      if (isBusy(n)) continue;
      const { pid } = place;
      if (pid === undefined) {
        if (!place.foundNoDatabase()) found.push(`the worker at ${place.name} ended by itself`);
        place.start();
        // It was to be paused before a create, and sent none until now.
      } else if (isStopped(pid)) place.resume();
    }
  }

  const tending = (async () => {
    while (!isOver) {
      tendWorkers();
      await resumeStopped().catch((error: Error) => found.push(`the keeper failed: ${error.message}`));
      await sleep(LOOK_EVERY_MS);
    }
  })();

  return {
    ...{ found, resumed },
    async allDone(patienceMs) {
      for (const until = performance.now() + patienceMs; ; ) {
        const open = (await tasksOf(fleet)).filter(({ state }) => state !== 'done');
        if (open.length === 0 || performance.now() > until) return open;
        await sleep(500);
      }
    },
    async stop() {
      isOver = true;
      await tending;
    },
  };
}
