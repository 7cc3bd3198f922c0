import type { Fleet } from './fleet.ts';
import type { Cluster } from './machines/cluster.ts';
import type { WorkerPlace } from './machines/workers.ts';
import type { FaultKind, FleetFault } from './plan.ts';

/** A fault that happened. */
export interface Injected {
  readonly kind: FaultKind;
  readonly fromMs: number;
  untilMs: number;
  /** Worker whose process the fault concerns; undefined for other faults. */
  readonly pid: number | undefined;
  /** Stores that it may have affected. */
  readonly stores: ReadonlySet<string>;
  /** How often the requests in flight may have lost their answers: again when the time of the first ones is over. */
  readonly waves: number;
}

export interface Injector {
  readonly injected: readonly Injected[];
  /** True while a fault happens to this worker. */
  isBusy(worker: number): boolean;
  /** Begins a fault as soon as an earlier one of the same target is over. Resolves when it has begun. */
  begin(fault: FleetFault): Promise<void>;
  /** Waits until all are over. */
  over(): Promise<void>;
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** How long after the beginning of a fault a worker may still take further stores, by what it knew. */
const AFTERMATH_MS = 500;

/** Deadline of a request of these fleets. */
export const REQUEST_MS = 2000;

/** Makes the faults of a plan happen. `cluster`: the server of the database, for its own faults. */
export function createInjector(fleet: Fleet, cluster: Cluster | undefined, random: () => number): Injector {
  const { workers, stores, observer } = fleet;
  const injected: Injected[] = [];
  /** The last fault of each target. */
  const last = new Map<string, Promise<void>>();
  const all = stores.map(({ name }) => name);

  async function ofWorker(
    place: WorkerPlace,
    { kind }: FleetFault,
    work: () => Promise<void>,
  ): Promise<void> {
    const { pid = 0 } = place;
    const held = new Set(observer.storesOf(pid));
    const entry: Injected = { kind, fromMs: performance.now(), untilMs: 0, pid, stores: held, waves: 1 };
    injected.push(entry);
    const later = sleep(AFTERMATH_MS).then(() => {
      for (const store of observer.storesOf(pid)) held.add(store);
    });
    await work();
    await later;
    for (const store of observer.storesOf(pid)) held.add(store);
    entry.untilMs = performance.now();
  }

  async function ofStores(
    names: readonly string[],
    fault: FleetFault,
    work: () => Promise<void>,
  ): Promise<void> {
    const entry: Injected = {
      ...{ kind: fault.kind, fromMs: performance.now(), untilMs: 0, pid: undefined },
      stores: new Set(names),
      waves: fault.kind === 'cut-stores' ? 1 + Math.floor(fault.ms / REQUEST_MS) : 1,
    };
    injected.push(entry);
    await work();
    entry.untilMs = performance.now();
  }

  function ofDatabase(fault: FleetFault, work: (cluster: Cluster) => Promise<void>): Promise<void> {
    if (cluster === undefined) throw new Error(`${fault.kind} needs a server of its own`);
    return ofStores(all, fault, () => work(cluster));
  }

  function happen(fault: FleetFault): Promise<void> {
    switch (fault.kind) {
      case 'kill-worker': {
        const place = placeOf(fault.worker);
        return ofWorker(place, fault, async () => {
          await place.kill();
          await sleep(fault.ms);
          place.start();
        });
      }
      case 'pause-worker':
      case 'pause-before-send': {
        const place = placeOf(fault.worker);
        return ofWorker(place, fault, async () => {
          // Without a create to send it is paused anywhere.
          if (fault.kind === 'pause-worker' || !(await place.pauseBeforeSend(2000))) place.pause();
          await sleep(fault.ms);
          place.resume();
        });
      }
      case 'cut-database': {
        const place = placeOf(fault.worker);
        return ofWorker(place, fault, async () => {
          place.proxy.cut(fault.how);
          await sleep(fault.ms);
          place.proxy.heal();
        });
      }
      case 'cut-stores': {
        const cut = stores.filter(() => random() < fault.stores);
        const names = cut.map(({ name }) => name);
        return ofStores(names, fault, async () => {
          for (const { proxy } of cut) proxy.cut(fault.how);
          await sleep(fault.ms);
          for (const { proxy } of cut) proxy.heal();
        });
      }
      case 'kill-database':
        return ofDatabase(fault, async (server) => {
          await server.kill();
          await sleep(fault.ms);
          await server.start();
        });
      case 'kill-backend':
        return ofDatabase(fault, async (server) => {
          server.killBackend(random);
          // The server ends all other connections and recovers.
          await observer.query('select 1');
        });
      case 'freeze-database':
        return ofDatabase(fault, async (server) => {
          server.freeze(fault.which);
          await sleep(fault.ms);
          server.thaw();
        });
    }
  }

  const busy = new Set<string>();
  const placeOf = (worker: number) => workers[worker % workers.length] as WorkerPlace;

  return {
    injected,
    isBusy: (worker) => busy.has(`worker ${worker}`),
    async begin(fault) {
      const target = targetOf(fault);
      await last.get(target);
      // A rejection ends the program in `over`, not here.
      busy.add(target);
      const happening = happen(fault).finally(() => busy.delete(target));
      happening.catch(() => {});
      last.set(target, happening);
    },
    async over() {
      await Promise.all(last.values());
    },
  };
}

/** Faults of the same target happen one after the other. */
function targetOf(fault: FleetFault): string {
  if ('worker' in fault) return `worker ${fault.worker}`;
  return fault.kind === 'cut-stores' ? 'stores' : 'database';
}
