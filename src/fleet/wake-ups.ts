import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../postgres/index.ts';

/**
 * The job engine. Its jobs only say that a store may have work; a lost one is made up for by the next sweep. Safety rests on
 * leases, so another engine can take its place here.
 */
export interface WakeUps {
  /** Wakes a worker for each of these stores. A store that waits for a worker already is not added again. */
  wake(stores: readonly number[]): Promise<void>;
  /**
   * Calls `handler` for each store that was woken, while `hasRoom` returns true. One worker of all gets a wake-up. Both must
   * not throw.
   */
  onWake(handler: (store: number) => void, hasRoom: () => boolean): void;
  /** Waits for a call of the engine that is under way. */
  stop(): Promise<void>;
}

export interface WakeUpsOptions {
  /** Called with errors of the engine. Sweeps make up for the wake-ups that it loses. */
  readonly onTrouble?: ((error: unknown) => void) | undefined;
  /** True in workers: they also remove old jobs. */
  readonly maintains?: boolean | undefined;
  /** How often a worker with room looks for wake-ups. */
  readonly pollMs?: number | undefined;
}

const QUEUE = 'store';
const POLL_MS = 500;
/** Ended jobs are of no use to anybody. */
const KEPT_S = 60;
const EXPIRES_S = 60;

/** Starts the engine, and creates its tables in a schema of their own if they are not there. */
export async function startWakeUps(sql: Sql, options: WakeUpsOptions = {}): Promise<WakeUps> {
  const { onTrouble = () => {}, maintains = false, pollMs = POLL_MS } = options;
  const { default: PgBoss } = await import('pg-boss');
  const execute = executorOn(sql);
  const schema = await wakeUpSchema(sql);
  const boss = new PgBoss({
    ...{ db: { executeSql: execute }, schema, schedule: false },
    ...{ supervise: maintains, archiveCompletedAfterSeconds: KEPT_S, deleteAfterSeconds: KEPT_S },
  });
  // Some of its errors are objects of another kind.
  boss.on('error', (error) =>
    onTrouble(error instanceof Error ? error : new Error((error as Error).message)),
  );
  const stopEngine = () => boss.stop({ graceful: false, close: false });
  try {
    // `start` itself would take an existing schema without tables for a finished one.
    await untilAlone(async () => {
      if (!(await boss.isInstalled())) await execute(PgBoss.getConstructionPlans(schema));
    });
    await boss.start();
    // At most one job of a store waits.
    if ((await boss.getQueue(QUEUE)) === null)
      await untilAlone(() =>
        boss.createQueue(QUEUE, {
          ...{ name: QUEUE, policy: 'short', retryLimit: 0, expireInSeconds: EXPIRES_S },
        }),
      );
  } catch (error) {
    // Its timers would go on.
    await stopEngine();
    throw error;
  }

  // `fetch` itself takes an error for an empty queue.
  const reporting = {
    executeSql: (text: string, values: unknown[]) =>
      execute(text, values).catch((error: unknown) => {
        onTrouble(error);
        return { rows: [] };
      }),
  };
  let isOver = false;
  let polling: Promise<void> = Promise.resolve();
  let endWait: () => void = () => {};

  async function takeAll(handler: (store: number) => void, hasRoom: () => boolean): Promise<void> {
    while (!isOver && hasRoom()) {
      // One at a time while there is room: another worker may have more of it.
      const [job] = await boss.fetch<{ store: number }>(QUEUE, { db: reporting });
      if (job === undefined) return;
      handler(job.data.store);
      await boss.complete(QUEUE, job.id);
    }
  }

  async function poll(handler: (store: number) => void, hasRoom: () => boolean): Promise<void> {
    while (!isOver) {
      await takeAll(handler, hasRoom).catch(onTrouble);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, isOver ? 0 : pollMs);
        endWait = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  return {
    async wake(stores) {
      const jobs = [...new Set(stores)].map((store) => ({
        name: QUEUE,
        data: { store },
        singletonKey: String(store),
      }));
      if (jobs.length > 0) await boss.insert(jobs);
    },
    onWake(handler, hasRoom) {
      polling = poll(handler, hasRoom);
    },
    async stop() {
      isOver = true;
      endWait();
      await polling;
      await stopEngine();
    },
  };
}

/** Duplicate name of a schema, a table, another object, or a line of the catalogue; or a deadlock between two that create. */
const DISTURBED: ReadonlySet<string> = new Set(['42P06', '42P07', '42710', '23505', '40P01']);
const MOST_TRIES = 10;
const TRY_AGAIN_MS = 100;

/** Repeats what creates tables of the engine: two processes that do so for the first time disturb each other. */
async function untilAlone(create: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await create();
      return;
    } catch (error) {
      const { code = '' } = error as { readonly code?: string };
      if (!DISTURBED.has(code) || tries === MOST_TRIES) throw error;
      await sleep(TRY_AGAIN_MS * Math.random());
    }
  }
}

/** Wakes workers for these stores, from a process that is no worker. Does nothing without stores. */
export async function wakeStores(sql: Sql, stores: readonly number[]): Promise<void> {
  if (stores.length === 0) return;
  const wakeUps = await startWakeUps(sql);
  try {
    await wakeUps.wake(stores);
  } finally {
    await wakeUps.stop();
  }
}

/** The schema of the engine, named after that of the fleet. */
export async function wakeUpSchema(sql: Sql): Promise<string> {
  const [line] = await sql.query<{ schema: string }>('select current_schema() as schema');
  const { schema } = line as { schema: string };
  return `${schema === 'public' ? 'storeport' : schema}_wake_ups`;
}

/** Scripts of the engine begin a transaction of their own, which must not stay open on a connection if one fails. */
function executorOn(sql: Sql) {
  return async (text: string, values: unknown[] = []) => {
    if (values.length > 0 || !/^\s*begin\s*;/i.test(text)) return { rows: await sql.query(text, values) };
    await sql.transaction((inside) => inside.script(text));
    return { rows: [] };
  };
}
