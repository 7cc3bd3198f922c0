import type { Sql } from '../postgres/index.ts';
import type { TaskState } from './states.ts';
import { countTasks } from './tasks/list-tasks.ts';
import { GONE_S } from './tasks/resolve.ts';

/** A process that does tasks. */
export interface WorkerLine {
  readonly id: string;
  readonly host: string;
  readonly version: string;
  /** Stores that it serves at once. */
  readonly slots: number;
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** False if it was not seen for so long that its leases have expired. */
  readonly isAlive: boolean;
  /** True if it ends its work, and takes no more. */
  readonly isDraining: boolean;
  /** Names of the stores whose leases it holds. */
  readonly stores: readonly string[];
}

/** The state of a fleet at one moment. */
export interface FleetOverview {
  readonly stores: number;
  readonly tasks: Readonly<Record<TaskState, number>>;
  /** Tasks that could begin now. */
  readonly due: number;
  /** How long the one that waits longest has been due, in seconds; null if none is. */
  readonly oldestDueS: number | null;
  /** Running tasks whose lease has expired: the next sweep finds them. */
  readonly orphaned: number;
  /** Stores that create nothing since a backup was restored, see `declareReviewed`. */
  readonly unreviewed: number;
  readonly workers: readonly WorkerLine[];
}

export async function fleetOverview(sql: Sql): Promise<FleetOverview> {
  const [figures] = await sql.query<Omit<FleetOverview, 'tasks' | 'workers'>>(
    `select
       (select count(*)::int from store where removed_at is null) as stores,
       (select count(*)::int from store, cluster where removed_at is null and reviewed < incarnation) as unreviewed,
       (select count(*)::int from task where state = 'queued' and not_before <= clock_timestamp()) as due,
       (select extract(epoch from clock_timestamp() - min(greatest(not_before, queued_at)))::float8
        from task where state = 'queued' and not_before <= clock_timestamp()) as "oldestDueS",
       (select count(*)::int from task join lease on lease.store = task.store
        where state = 'running' and (lease.holder is null or lease.epoch <> task.epoch or lease.expires < clock_timestamp())
       ) as orphaned`,
  );
  return {
    ...(figures as Omit<FleetOverview, 'tasks' | 'workers'>),
    tasks: await countTasks(sql),
    workers: await listWorkers(sql),
  };
}

/** Workers that have not been removed, latest first. One that ended in good order removes itself. */
export async function listWorkers(sql: Sql): Promise<WorkerLine[]> {
  return sql.query<WorkerLine>(
    `select id, host, version, slots, started_at as "startedAt", seen_at as "seenAt", draining as "isDraining",
       seen_at > clock_timestamp() - make_interval(secs => ${GONE_S}) as "isAlive",
       array(select name from lease join store on store.number = lease.store
             where holder = worker.id and expires > clock_timestamp() order by name) as stores
     from worker order by started_at desc, id`,
  );
}
