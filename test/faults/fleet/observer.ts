import pg from 'pg';
import type { Loss } from './judge.ts';

/** The lease of a store from one moment on, as it was seen. */
export interface LeaseSeen {
  readonly store: string;
  readonly epoch: number;
  /** Worker that has it; null after a release. */
  readonly holder: string | null;
  readonly ms: number;
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
    const leases = await query<{ name: string; epoch: string; holder: string | null }>(
      'select store.name, lease.epoch, lease.holder from lease join store on store.number = lease.store',
    );
    const ms = performance.now();
    for (const { name, epoch, holder } of leases) {
      const last = now.get(name);
      if (last?.epoch === Number(epoch) && last.holder === holder) continue;
      const lease: LeaseSeen = { store: name, epoch: Number(epoch), holder, ms };
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

/** Each time that a lease passed from one worker to another without a release. */
export function lossesIn(seen: readonly LeaseSeen[], pidOf: (holder: string) => number): Loss[] {
  return seen.flatMap(({ store, epoch, holder }, at) => {
    if (holder === null) return [];
    const later = seen.slice(at + 1).filter((each) => each.store === store);
    const next = later.find((each) => each.epoch > epoch);
    const wasReleased = later.some((each) => each.epoch === epoch && each.holder === null);
    if (next === undefined || wasReleased) return [];
    const pid = pidOf(holder);
    const again = later.find(
      (each) => each.epoch > epoch && each.holder !== null && pidOf(each.holder) === pid,
    );
    return [{ store, pid, epoch, fromMs: next.ms, untilMs: again?.ms }];
  });
}

/** True for errors of a database that is killed, frozen or starting. */
function isAway({ code = '', message }: NodeJS.ErrnoException): boolean {
  return (
    /^(ECONN|EPIPE|ETIMEDOUT|57P|08|3D000)/.test(code) || /terminated|timeout|Connection ended/i.test(message)
  );
}
