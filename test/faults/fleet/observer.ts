import pg from 'pg';
import type { Loss } from './judge.ts';

/** The lease of a store from one moment on, as it was seen. */
export interface LeaseSeen {
  readonly store: string;
  readonly epoch: number;
  /** Worker that has it; null after a release. */
  readonly holder: string | null;
  readonly ms: number;
  /** When it was last seen so; between two looks, or while the database is away, other epochs may pass. */
  lastMs: number;
}

/** Watches the leases by a connection of its own, which no fault of a worker affects. */
export interface Observer {
  readonly seen: readonly LeaseSeen[];
  /** Stores whose lease a process had when they were last looked at. */
  storesOf(pid: number): string[];
  losses(): Loss[];
  /** Asks the database; waits while it is away. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Renewals are watched too seldom to be seen: only changes of epoch and holder are. */
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 150;
const PATIENCE_MS = 120_000;

/** `pidOf`: the process of a worker, by the name under which it takes leases. */
export async function startObserver(
  url: string,
  { schema = 'public', pidOf }: { readonly schema?: string; readonly pidOf: (holder: string) => number },
): Promise<Observer> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 2,
    connectionTimeoutMillis: 2000,
    options: `-c search_path=${schema}`,
  });
  pool.on('error', () => {});
  const seen: LeaseSeen[] = [];
  const now = new Map<string, LeaseSeen>();
  let isOver = false;

  async function query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    for (const until = performance.now() + PATIENCE_MS; ; ) {
      try {
        return (await pool.query<Row & pg.QueryResultRow>(text, [...values])).rows;
      } catch (error) {
        if (!isAway(error as NodeJS.ErrnoException) || isOver || performance.now() > until) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  async function look(): Promise<void> {
    const askedAt = performance.now();
    const leases = await query<{ name: string; epoch: string; holder: string | null }>(
      'select store.name, lease.epoch, lease.holder from lease join store on store.number = lease.store',
    );
    const ms = performance.now();
    for (const { name, epoch, holder } of leases) {
      const last = now.get(name);
      if (last?.epoch === Number(epoch) && last.holder === holder) {
        last.lastMs = askedAt;
        continue;
      }
      const lease: LeaseSeen = { store: name, epoch: Number(epoch), holder, ms, lastMs: ms };
      now.set(name, lease);
      seen.push(lease);
    }
  }

  const watching = (async () => {
    while (!isOver) {
      await look();
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  })().catch((error: Error) => {
    if (!isOver) throw error;
  });

  return {
    seen,
    query,
    storesOf: (pid) =>
      [...now.values()].flatMap(({ store, holder }) => (holder && pidOf(holder) === pid ? [store] : [])),
    losses: () => lossesIn(seen, pidOf),
    async stop() {
      isOver = true;
      await watching;
      await pool.end();
    },
  };
}

/**
 * Each time that another worker was seen with a lease that a worker had before and did not release. Only while the other one was
 * seen: the former one may have had it again in between.
 */
export function lossesIn(seen: readonly LeaseSeen[], pidOf: (holder: string) => number): Loss[] {
  const wasReleased = ({ store, epoch }: LeaseSeen) =>
    seen.some((each) => each.store === store && each.epoch === epoch && each.holder === null);
  return seen.flatMap((lease, at) => {
    if (lease.holder === null) return [];
    const pid = pidOf(lease.holder);
    const former = new Map<number, LeaseSeen>();
    for (const each of seen.slice(0, at))
      if (each.store === lease.store && each.holder !== null) former.set(pidOf(each.holder), each);
    former.delete(pid);
    return [...former]
      .filter(([, each]) => each.epoch < lease.epoch && !wasReleased(each))
      .map(([other, { epoch }]) => ({
        ...{ store: lease.store, pid: other, epoch, fromMs: lease.ms, untilMs: lease.lastMs },
      }));
  });
}

/** True for errors of a database that is killed, frozen or starting. */
function isAway({ code = '', message }: NodeJS.ErrnoException): boolean {
  return (
    /^(ECONN|EPIPE|ETIMEDOUT|57P|08|3D000)/.test(code) || /terminated|timeout|Connection ended/i.test(message)
  );
}
