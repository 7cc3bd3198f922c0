import { exitCodeOf, type JsonObject } from '../../model/index.ts';
import { fenced, type Lease, type Sql } from '../../postgres/index.ts';
import { afterEvent, type TaskEvent, type TaskState, type TaskStep } from '../states.ts';
import type { TaskCommand } from '../tasks/task.ts';
import { withoutSignatures } from '../tasks/visible-options.ts';
import type { StoreToServe, TaskEnd, TaskToRun } from './options.ts';

interface TaskLine {
  number: number | string;
  id: string;
  command: TaskCommand;
  resource: string;
  options: JsonObject;
  state: TaskState;
  next: TaskStep;
  stop_wanted: boolean;
  lost: number;
  lost_to: string[];
}

const LINE = 'number, id, command, resource, options, state, next, stop_wanted, lost, lost_to';

/** A task whose worker is gone, as it is then. */
export interface SettledTask {
  readonly id: string;
  readonly state: TaskState;
  readonly stopped: TaskEnd['stopped'];
}

interface LostLine extends TaskLine {
  begun_by: string | null;
  /** True if that worker gave a sign of life when its lease can no longer have been renewed. */
  lives: boolean;
  /** True if records were settled since a worker was gone before. */
  advanced: boolean;
}

/**
 * A worker that is gone gave its last sign of life about when it renewed its lease last, so before the lease expired. Records of the
 * log that are not in the tables yet count when a worker is gone next.
 */
const LOST = `
  with lost as (select * from task where store = $1 and state = 'running' and epoch is distinct from $2 for update),
  now as (
    select lost.number, count(*) filter (where outcome <> 'unsent')
      + count(*) filter (where outcome in ('created', 'updated', 'unchanged')) as settled
    from lost join run on run.id = lost.id join record on record.run = run.number group by lost.number
  ),
  noted as (
    update task set settled = greatest(task.settled, now.settled) from now where task.number = now.number
  )
  select ${LINE}, begun_by, coalesce(now.settled, 0) > lost.settled as advanced, exists (
    select 1 from worker where id = begun_by and seen_at > clock_timestamp() - make_interval(secs => $3)
  ) as lives
  from lost left join now using (number) order by number`;

/** Settles tasks whose lease is over: this one is newer. */
export function settleLostTasks(sql: Sql, lease: Lease): Promise<SettledTask[]> {
  const { ttlMs, renewMs } = lease.timing;
  return fenced(sql, lease, async (inside) => {
    const lines = await inside.query<LostLine>(LOST, [lease.store, lease.epoch, (ttlMs - renewMs) / 1000]);
    const settled: SettledTask[] = [];
    for (const { begun_by: holder, lives, advanced, ...line } of lines) {
      const before = advanced ? { ...line, lost: 0, lost_to: [] } : line;
      const after =
        lives || holder === lease.holder
          ? await change(inside, before, 'expire')
          : await change(inside, before, 'lose', { lostTo: holder ?? undefined });
      settled.push({ id: line.id, ...after });
    }
    return settled;
  });
}

/** A worker that gives a sign of life was not gone in the middle of a task, though its lease ended there: the database was away. */
export async function forgiveLosses(sql: Sql, worker: string): Promise<void> {
  await sql.query(
    `update task set lost = greatest(0, lost - 1), lost_to = array_remove(lost_to, $1)
     where number in (
       select number from task where lost > 0 and $1 = any (lost_to) and state in ('queued', 'running') for update skip locked)`,
    [worker],
  );
}

/** Begins the next task of the store; undefined if none is due. */
export function beginNextTask(sql: Sql, lease: Lease, store: StoreToServe): Promise<TaskToRun | undefined> {
  return fenced(sql, lease, async (inside) => {
    const [line] = await inside.query<TaskLine>(
      `select ${LINE} from task where store = $1 and state = 'queued' and not_before <= clock_timestamp()
       order by not_before, number limit 1 for update`,
      [lease.store],
    );
    if (line === undefined) return undefined;
    await change(inside, line, 'begin', { lease });
    const { id, command, resource, options, next } = line;
    return { number: Number(line.number), id, command, resource, options, next, store };
  });
}

/** Ends an execution of a task in one transaction with what it publishes. Throws RunStopped if the lease is lost. */
export function endTask(sql: Sql, lease: Lease, { id }: TaskToRun, end: TaskEnd | 'yield'): Promise<void> {
  return fenced(sql, lease, async (inside) => {
    const [line] = await inside.query<TaskLine>(
      `select ${LINE} from task where id = $1 and state = 'running' and epoch = $2 for update`,
      [id, lease.epoch],
    );
    // A commit whose answer was lost is repeated.
    if (line === undefined) return;
    if (end === 'yield') {
      await change(inside, line, 'yield');
      return;
    }
    await change(inside, line, end.stopped ? 'fail' : 'finish', { end });
    if (!end.stopped) await forgetSignatures(inside, line);
    await end.publish?.(inside);
  });
}

/** A task that is done reads its files no more. */
async function forgetSignatures(sql: Sql, { number, options }: TaskLine): Promise<void> {
  const plain = withoutSignatures(options);
  if (plain)
    await sql.query('update task set options = $2::jsonb where number = $1', [number, JSON.stringify(plain)]);
}

/**
 * Notes that ended runs have changed, so that the reports of their tasks are older than the ledger until `endReports`. `inside`:
 * the transaction that changes them. `runs`: their numbers.
 */
export async function outdateReports(
  inside: Sql,
  runs: readonly number[],
  messageFor: (task: string) => string,
): Promise<void> {
  const lines = await inside.query<TaskLine>(
    `select ${LINE} from task where id in (select id from run where number = any ($1::integer[])) and ${HAS_REPORTS}
     order by number for update`,
    [runs],
  );
  for (const line of lines) {
    const stopped = { reason: 'output-failed', message: messageFor(line.id) } as const;
    await change(inside, line, 'fail', { end: { exitCode: exitCodeOf({}, stopped.reason), stopped } });
  }
}

/** Notes what became of reports that were written anew for an ended task. `inside`: a fenced transaction. */
export async function endReports(inside: Sql, task: number, end: TaskEnd): Promise<void> {
  const [line] = await inside.query<TaskLine>(
    `select ${LINE} from task where number = $1 and ${HAS_REPORTS} for update`,
    [task],
  );
  if (line !== undefined) {
    await change(inside, line, end.stopped ? 'fail' : 'finish', { end });
    return;
  }
  // It is to be continued, which writes its reports.
  await inside.query(
    `update task set summary = coalesce($3::jsonb, summary),
       exit_code = case when state = 'stopped' then $2::int else exit_code end where number = $1`,
    [task, end.exitCode, end.summary ? JSON.stringify(end.summary) : null],
  );
}

/** True for a task that has nothing left to do but its reports. */
const HAS_REPORTS = "(state = 'done' or (state = 'stopped' and stop_reason = 'output-failed'))";

const POISON =
  'Three workers in a row were gone in the middle of it, and no record was settled between. Look at its data and at the memory of the workers, then resume it.';

interface ChangeDetails {
  /** Under which it begins. */
  readonly lease?: Lease;
  readonly end?: TaskEnd;
  /** Name of the worker that is gone. */
  readonly lostTo?: string | undefined;
}

/** Writes what an event makes of a task, and returns how it is then. */
async function change(
  sql: Sql,
  line: TaskLine,
  event: TaskEvent,
  { lease, end, lostTo: gone }: ChangeDetails = {},
): Promise<Omit<SettledTask, 'id'>> {
  const after = afterEvent({ ...line, stopWanted: line.stop_wanted }, event);
  if (after === undefined) throw new Error(`A task that is ${line.state} cannot ${event}.`);
  const reason = end?.stopped?.reason ?? after.reason ?? null;
  const message = end?.stopped?.message ?? (reason === 'poison' ? POISON : null);
  const lostTo = after.lost === 0 ? [] : [...line.lost_to, ...(gone === undefined ? [] : [gone])];
  await sql.query(
    `update task set state = $2, next = $3, stop_wanted = $4, lost = $5, stop_reason = $6, stop_message = $7,
       epoch = coalesce($8::bigint, epoch), begun_by = coalesce($11, begun_by), lost_to = $12::text[],
       exit_code = case when $2 = 'running' then null else coalesce($9::int, exit_code) end,
       summary = coalesce($10::jsonb, summary),
       queued_at = case when $2 = 'queued' then clock_timestamp() else queued_at end,
       started_at = case when $2 = 'running' then coalesce(started_at, clock_timestamp()) else started_at end,
       finished_at = case when $2 not in ('done', 'stopped') then null when state in ('done', 'stopped') then finished_at
         else clock_timestamp() end
     where number = $1`,
    [
      ...[line.number, after.state, after.next, after.stopWanted, after.lost, reason, message],
      ...[lease?.epoch ?? null, end?.exitCode ?? null, end?.summary ? JSON.stringify(end.summary) : null],
      ...[lease?.holder ?? null, lostTo],
    ],
  );
  return { state: after.state, stopped: reason === null ? undefined : { reason, message: message ?? '' } };
}
