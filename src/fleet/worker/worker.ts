import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { type ConfigError, packageVersion } from '../../model/index.ts';
import {
  currentIncarnation,
  findNewerSchema,
  KNOWN_SCHEMA,
  type Lease,
  type Sql,
  takeLease,
} from '../../postgres/index.ts';
import { fireSchedules } from '../schedules/fire.ts';
import { requestTimeoutMs } from '../stores/settings.ts';
import { startWakeUps } from '../wake-ups.ts';
import { hasOrphans, longestWaiting, waitingStores } from './due-stores.ts';
import {
  type CommitTimes,
  type StoreToServe,
  WORKER_TIMING,
  type WorkerEnd,
  type WorkerLog,
  type WorkerOptions,
} from './options.ts';
import { seenDatabase } from './seen-database.ts';
import { type RunningTask, serveStore } from './serve-store.ts';
import { forgiveLosses } from './task-lines.ts';
import { tidy } from './tidy.ts';

const SILENT: WorkerLog = { info() {}, warn() {}, error() {} };

/**
 * Serves stores until it is drained: takes leases, does their tasks, and looks for work that nobody does. Resolves when all
 * its leases are given back. Throws if the database cannot be used at the beginning, and ConfigError after draining if a newer
 * version has changed the schema in a way that this one cannot work with.
 */
export async function runWorker(options: WorkerOptions): Promise<WorkerEnd> {
  const { sql, slots, execute, drain, log = SILENT, mask = (text) => text, id = newWorkerId() } = options;
  const timing = { ...WORKER_TIMING, ...options.timing };
  const seen = seenDatabase(options.seenFile, log);
  await seen.read();
  const onTrouble = (error: unknown) => log.warn({ error: String(error) }, 'trouble with the job engine');
  const wakeUps =
    options.wakeUps ?? (await startWakeUps(sql, { onTrouble, maintains: true, pollMs: timing.watchMs / 4 }));
  await register(sql, { id, slots, sources: options.sources });

  const running = new Set<RunningTask>();
  /** One promise for each slot that is in use. */
  const busy = new Set<Promise<void>>();
  const draining = new AbortController();
  let executions = 0;
  let newerSchema: ConfigError | undefined;

  const hasRoom = () => !draining.signal.aborted && busy.size < slots;

  /** True if the store has had this worker long enough, and another one waits while no slot is free. */
  async function isTurnOver(heldSince: number): Promise<boolean> {
    if (performance.now() - heldSince < timing.yieldMs || busy.size < slots) return false;
    return (await longestWaiting(sql)) !== undefined;
  }

  /** Takes the lease of the store that waited longest; undefined if none waits. */
  async function takeNext(): Promise<{ readonly store: StoreToServe; readonly lease: Lease } | undefined> {
    for (;;) {
      const store = await longestWaiting(sql);
      if (store === undefined) return undefined;
      const lease = await takeLease(sql, {
        ...{ store: store.number, holder: id },
        timing: { requestMs: requestTimeoutMs(store.settings), ...timing.lease },
      });
      // Otherwise another worker was faster.
      if (lease !== undefined) return { store, lease };
    }
  }

  // One slot at a time: they would all want the same store.
  let taking: Promise<unknown> = Promise.resolve();
  function takeInTurn(): ReturnType<typeof takeNext> {
    const turn = taking.then(takeNext);
    taking = turn.catch(() => {});
    return turn;
  }

  async function useSlot(): Promise<void> {
    while (!draining.signal.aborted) {
      const next = await takeInTurn();
      if (next === undefined) return;
      const served = await serveStore({
        ...{ ...next, sql, execute, log, mask, running, draining: draining.signal },
        isOver: async (heldSince) => draining.signal.aborted || (await isTurnOver(heldSince)),
      });
      executions += served;
    }
  }

  function fill(): void {
    if (!hasRoom()) return;
    const slot: Promise<void> = useSlot()
      .catch((error: unknown) => log.warn({ error: String(error) }, 'could not look for work'))
      .finally(() => busy.delete(slot));
    busy.add(slot);
  }

  async function sweep(): Promise<void> {
    await currentIncarnation(sql);
    await seen.write();
    await fireSchedules(sql, (schedule, error) =>
      log.warn({ schedule, error: String(error) }, 'a schedule could not fire'),
    );
    const waiting = await waitingStores(sql);
    await wakeUps.wake(waiting);
    for (const _ of waiting) fill();
  }

  async function watch(): Promise<void> {
    newerSchema ??= await findNewerSchema(sql);
    if (newerSchema !== undefined && !draining.signal.aborted) {
      log.error(
        { worker: id, error: newerSchema.message },
        'this version can work with the database no more',
      );
      draining.abort();
    }
    const sign = { id, isDraining: draining.signal.aborted, commits: options.commits?.() };
    if (!(await signOfLife(sql, sign))) {
      log.error({ worker: id }, 'a user declared this worker ended');
      draining.abort();
    }
    for (const task of await wantedToStop(sql, running)) task.interrupt('stop');
    await forgiveLosses(sql, id);
    for (const task of running)
      if (task.canYield && (await isTurnOver(task.heldSince))) task.interrupt('yield');
    // Work continues soon after a worker is gone.
    if (hasRoom() && (await hasOrphans(sql))) fill();
  }

  const timers = [
    repeat(sweep, timing.sweepMs, (error) =>
      log.warn({ error: String(error) }, 'could not look for lost work'),
    ),
    repeat(watch, timing.watchMs, (error) =>
      log.warn({ error: String(error) }, 'could not give a sign of life'),
    ),
    repeat(
      () => tidy(sql, options.storage, log),
      timing.tidyMs,
      (error) => log.warn({ error: String(error) }, 'could not tidy up'),
    ),
  ];
  wakeUps.onWake(fill, hasRoom);
  draining.signal.addEventListener('abort', () => {
    for (const task of running) task.interrupt('drain');
  });
  if (drain.aborted) draining.abort();
  else drain.addEventListener('abort', () => draining.abort(), { once: true });
  log.info({ worker: id, slots }, 'worker began');

  await whenAborted(draining.signal);
  log.info({ worker: id, running: running.size }, 'worker drains');
  await Promise.all(busy);
  for (const timer of timers) await timer.stop();
  if (options.wakeUps === undefined) await wakeUps.stop();
  await seen.write();
  await forgiveLosses(sql, id)
    .then(() => sql.query('delete from worker where id = $1', [id]))
    .catch((error: unknown) => log.warn({ error: String(error) }, 'could not sign off'));
  if (newerSchema !== undefined) throw newerSchema;
  return { id, executions };
}

function newWorkerId(): string {
  return `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
}

async function register(
  sql: Sql,
  { id, slots, sources }: Pick<WorkerOptions, 'slots' | 'sources'> & { readonly id: string },
): Promise<void> {
  await sql.query(
    `insert into worker (id, host, version, schema_version, slots, sources) values ($1, $2, $3, $4, $5, $6::text[])`,
    [...[id, hostname(), packageVersion(), KNOWN_SCHEMA, slots, sources ?? null]],
  );
}

/** Returns false if the line of this worker is gone. */
async function signOfLife(
  sql: Sql,
  {
    id,
    isDraining,
    commits,
  }: { readonly id: string; readonly isDraining: boolean; readonly commits?: CommitTimes | undefined },
): Promise<boolean> {
  const lines = await sql.query(
    'update worker set seen_at = clock_timestamp(), draining = $2, commits = $3::jsonb where id = $1 returning id',
    [id, isDraining, commits === undefined ? null : JSON.stringify(commits)],
  );
  return lines.length > 0;
}

async function wantedToStop(sql: Sql, running: ReadonlySet<RunningTask>): Promise<RunningTask[]> {
  if (running.size === 0) return [];
  const lines = await sql.query<{ id: string }>(
    `select id from task where state = 'running' and stop_wanted and id = any ($1::text[])`,
    [[...running].map(({ id }) => id)],
  );
  const wanted = new Set(lines.map(({ id }) => id));
  return [...running].filter(({ id }) => wanted.has(id));
}

/** Calls `work` now and again and again, never twice at the same time. */
function repeat(work: () => Promise<void>, everyMs: number, onError: (error: unknown) => void) {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  let current = Promise.resolve();
  function turn(): void {
    current = work()
      .catch(onError)
      .finally(() => {
        if (!isOver) timer = setTimeout(turn, everyMs);
      });
  }
  turn();
  return {
    async stop() {
      isOver = true;
      clearTimeout(timer);
      await current;
    },
  };
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
