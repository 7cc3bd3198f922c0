import type { Sql } from '../../postgres/index.ts';
import { listWorkers, type WorkerLine } from '../overview.ts';
import type { TaskState } from '../states.ts';
import type { CommitTimes } from '../worker/options.ts';

/** The state of all stores at one moment, by the clock of Postgres. Ages are milliseconds. */
export interface FleetFigures {
  readonly at: Date;
  readonly tasks: TaskCounts;
  /** Age of the queued task that has waited longest since it could begin; null if none waits. */
  readonly oldestWaitMs: number | null;
  /** Why tasks stopped that were not continued, the most frequent first. */
  readonly stopReasons: readonly { readonly reason: string; readonly tasks: number }[];
  readonly doubts: readonly StoreDoubts[];
  readonly leases: LeaseCounts;
  readonly rate: { readonly recordsPerSecond: number; readonly refusedPerSecond: number };
  /** Records of tasks that ended in the last 24 hours, by outcome. */
  readonly outcomesOfDay: Readonly<Record<string, number>>;
  readonly workers: readonly WorkerLine[];
  /** Of the workers that count them, by the ids of the workers. */
  readonly commits: readonly (CommitTimes & { readonly worker: string })[];
  readonly stores: number;
}

export interface TaskCounts {
  readonly queued: number;
  /** Those of the queued tasks that are to begin later. */
  readonly later: number;
  readonly running: number;
  /** All that stopped and were not continued. */
  readonly stopped: number;
  /** Done in the last 24 hours. */
  readonly doneOfDay: number;
}

export interface StoreDoubts {
  readonly store: string;
  readonly records: number;
  /** Until then the worker that left some of them may still send them; null if none is so. */
  readonly until: Date | null;
}

export interface LeaseCounts {
  readonly held: number;
  /** Not renewed in time, and not taken since. */
  readonly expired: number;
  /** Queued and running tasks that lost a lease since an execution last ended. */
  readonly tasksThatLost: number;
  /** How often leases were taken from a holder that had not released them. */
  readonly takeovers: number;
}

/** Reads the state of the whole fleet. Each query uses an index, so that millions of tasks that ended cost nothing. */
export async function readFigures(sql: Sql): Promise<FleetFigures> {
  const [figures] = await sql.query<FiguresRow>(FIGURES);
  if (!figures) throw new Error('A query of aggregates returned no row.');
  const { at, queued, later, running, stopped, done_of_day: doneOfDay, oldest_ms: oldestMs } = figures;
  const { held, expired, lost, takeovers, stores, records_per_s, refused_per_s } = figures;
  return {
    at,
    tasks: { queued, later, running, stopped, doneOfDay },
    oldestWaitMs: oldestMs === null ? null : Math.max(0, Number(oldestMs)),
    stopReasons: await sql.query(STOP_REASONS),
    doubts: await doubtsByStore(sql),
    leases: { held, expired, tasksThatLost: lost, takeovers: Number(takeovers) },
    rate: { recordsPerSecond: Number(records_per_s ?? 0), refusedPerSecond: Number(refused_per_s ?? 0) },
    outcomesOfDay: await outcomesOfDay(sql),
    workers: await listWorkers(sql),
    commits: await sql.query(COMMITS),
    stores,
  };
}

interface FiguresRow {
  at: Date;
  queued: number;
  later: number;
  running: number;
  stopped: number;
  done_of_day: number;
  oldest_ms: string | number | null;
  held: number;
  expired: number;
  lost: number;
  takeovers: string | number;
  stores: number;
  records_per_s: number | null;
  refused_per_s: number | null;
}

/** `clock_timestamp()` would differ in each row, so no index would be used. */
const A_DAY_AGO = "now() - interval '24 hours'";

const FIGURES = `
  with now as (select clock_timestamp() as at),
  waiting as (
    select count(*)::int as queued, (count(*) filter (where not_before > at))::int as later,
      (extract(epoch from max(at - greatest(not_before, queued_at)) filter (where not_before <= at)) * 1000)::float8
        as oldest_ms,
      (count(*) filter (where lost > 0))::int as lost
    from task, now where state = 'queued'
  ), active as (
    select count(*)::int as running, (count(*) filter (where lost > 0))::int as lost from task where state = 'running'
  ), leased as (
    select (count(*) filter (where expires > at))::int as held,
      (count(*) filter (where holder is not null and expires <= at))::int as expired,
      coalesce(sum(takeovers), 0)::bigint as takeovers
    from lease, now
  ), speed as (
    select sum((latest->>'records')::float8 * 1000 / width_ms) as records_per_s,
      sum((latest->'answers'->>'refused')::float8 * 1000 / width_ms) as refused_per_s
    from task join run on run.id = task.id, lateral (select activity::jsonb as facts) as of_run,
      lateral (select facts->'points'->-1 as latest, nullif((facts->>'widthMs')::float8, 0) as width_ms) as point
    where task.state = 'running' and activity is not null
  )
  select at, queued, later, running, oldest_ms, held, expired, waiting.lost + active.lost as lost, takeovers,
    records_per_s, refused_per_s,
    (select count(*)::int from task where state = 'stopped') as stopped,
    (select count(*)::int from task where state = 'done' and finished_at > ${A_DAY_AGO}) as done_of_day,
    (select count(*)::int from store where removed_at is null) as stores
  from now, waiting, active, leased, speed`;

const COMMITS = `
  select id as worker, (commits->>'commits')::float8 as commits, (commits->>'seconds')::float8 as seconds,
    commits->'within' as within
  from worker where commits is not null order by id`;

const STOP_REASONS = `
  select coalesce(stop_reason, 'unknown') as reason, count(*)::int as tasks
  from task where state = 'stopped' group by 1 order by 2 desc, 1 limit 20`;

/** Stores with records in doubt, those with most of them first. */
export async function doubtsByStore(sql: Sql): Promise<StoreDoubts[]> {
  return sql.query<{ store: string; records: number; until: Date | null }>(`
    with open as (
      select run, count(*)::int as records from record where outcome = 'in-doubt'
        and not exists (select 1 from sequel where sequel.run = record.run and sequel.seq = record.seq)
      group by run
    )
    select coalesce(store.name, run.store) as store, sum(records)::int as records,
      max(doubts_until) filter (where doubts_until > clock_timestamp()) as until
    from open join run on run.number = open.run left join store on store.base_url = run.store
    group by 1 order by 2 desc, 1`);
}

async function outcomesOfDay(sql: Sql): Promise<Record<string, number>> {
  const rows = await sql.query<{ outcome: string; records: string | number }>(`
    select outcome, sum(amount::bigint) as records
    from task, lateral jsonb_each_text(
      case when jsonb_typeof(summary->'outcomes') = 'object' then summary->'outcomes'
        when summary ? 'items' then jsonb_build_object('exported', summary->'items') else '{}' end
    ) as each (outcome, amount)
    where state in ('done', 'stopped') and finished_at > ${A_DAY_AGO}
    group by outcome order by outcome`);
  return Object.fromEntries(rows.map(({ outcome, records }) => [outcome, Number(records)]));
}

/** Time that the run of a task has worked; undefined if there is none. */
export async function workedMsOf(sql: Sql, id: string): Promise<number | undefined> {
  const [run] = await sql.query<{ worked_ms: string | number }>('select worked_ms from run where id = $1', [
    id,
  ]);
  return run && Number(run.worked_ms);
}

/** Tasks that stopped and were not continued, by the number of their store. */
export async function stoppedByStore(sql: Sql): Promise<ReadonlyMap<number, number>> {
  const rows = await sql.query<{ store: number; tasks: number }>(
    "select store, count(*)::int as tasks from task where state = 'stopped' group by store",
  );
  return new Map(rows.map(({ store, tasks }) => [store, tasks]));
}

/** Tasks of the latest slot of each schedule by state, by the number of the schedule. */
export async function tasksOfLastSlots(
  sql: Sql,
): Promise<ReadonlyMap<number, Readonly<Partial<Record<TaskState, number>>>>> {
  const rows = await sql.query<{ schedule: number; state: TaskState; tasks: number }>(
    `select schedule, task.state, count(*)::int as tasks
     from schedule join task on task.schedule = schedule.number and task.slot = schedule.last_slot
     group by schedule, task.state`,
  );
  const found = new Map<number, Partial<Record<TaskState, number>>>();
  for (const { schedule, state, tasks } of rows)
    found.set(schedule, { ...found.get(schedule), [state]: tasks });
  return found;
}

/** The address of a store by its number, also of one that was removed. */
export async function addressOfStore(sql: Sql, store: number): Promise<string> {
  const [row] = await sql.query<{ base_url: string }>('select base_url from store where number = $1', [
    store,
  ]);
  return row?.base_url ?? '';
}
