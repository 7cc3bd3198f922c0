import { performance } from 'node:perf_hooks';
import type { Metric } from '../../../model/index.ts';
import type { Fleet } from './open-fleet.ts';

type WorkerOptions = Parameters<Fleet['runWorker']>[0];
type Sql = WorkerOptions['sql'];
type ExecuteTask = WorkerOptions['execute'];
type Overview = Awaited<ReturnType<Fleet['fleetOverview']>>;

/** Figures of a worker for its metrics file. */
export interface WorkerFigures {
  /** The same database, with the time of each commit of a run's log noted. */
  watchCommits(sql: Sql): Sql;
  /** The same executor, with its outcomes and lost leases counted. */
  watchTasks(execute: ExecuteTask): ExecuteTask;
  /** For the metrics of the whole fleet. */
  commitTimes(): ReturnType<NonNullable<WorkerOptions['commits']>>;
  metricsOf(overview: Overview, worker: string): Metric[];
}

/** Upper bounds of the buckets of commits, in seconds. */
const BOUNDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2];

/** Statements that commit intents and outcomes of a run. */
const COMMIT = /\binsert into log\b/i;

export function createWorkerFigures(): WorkerFigures {
  const outcomes = new Map<string, number>();
  const ends = new Map<string, number>();
  const buckets = BOUNDS.map(() => 0);
  let [commits, commitSeconds, lostLeases] = [0, 0, 0];

  function noteCommit(seconds: number): void {
    commits += 1;
    commitSeconds += seconds;
    for (const [index, bound] of BOUNDS.entries())
      if (seconds <= bound) buckets[index] = (buckets[index] ?? 0) + 1;
  }

  function watchCommits(sql: Sql): Sql {
    return {
      ...sql,
      async query(text, values) {
        if (!COMMIT.test(text)) return sql.query(text, values);
        const began = performance.now();
        const rows = await sql.query(text, values);
        noteCommit((performance.now() - began) / 1000);
        return rows as never;
      },
      transaction: (work) => sql.transaction((inside) => work(watchCommits(inside))),
    };
  }

  return {
    watchCommits,
    commitTimes: () => ({
      commits,
      seconds: commitSeconds,
      within: Object.fromEntries(BOUNDS.map((bound, index) => [String(bound), buckets[index] ?? 0])),
    }),
    watchTasks: (execute) => async (task, context) => {
      const onLost = () => {
        lostLeases += 1;
      };
      context.lease.lost.addEventListener('abort', onLost, { once: true });
      try {
        const end = await execute(task, context);
        add(ends, end.stopped?.reason ?? 'done', 1);
        for (const [word, count] of Object.entries(end.summary?.outcomes ?? {}))
          add(outcomes, word, Number(count));
        if (typeof end.summary?.items === 'number') add(outcomes, 'exported', end.summary.items);
        return end;
      } finally {
        context.lease.lost.removeEventListener('abort', onLost);
      }
    },
    metricsOf({ tasks, due, oldestDueS, orphaned, workers }, worker) {
      const one = (name: string, help: string, value: number): Metric => ({
        name,
        help,
        samples: [[{ worker }, value]],
      });
      const byWord = (
        name: string,
        help: string,
        label: string,
        counts: ReadonlyMap<string, number>,
      ): Metric => ({
        ...{ name, help },
        samples: [...counts].map(([word, count]) => [{ worker, [label]: word }, count]),
      });
      return [
        {
          name: 'storeport_fleet_tasks',
          help: 'Tasks of the fleet by state.',
          samples: Object.entries(tasks).map(([state, count]) => [{ worker, state }, count]),
        },
        one('storeport_fleet_due_tasks', 'Tasks that could begin now.', due),
        one(
          'storeport_fleet_queue_age_seconds',
          'Age of the task that is due longest; 0 if none is.',
          oldestDueS ?? 0,
        ),
        one('storeport_fleet_orphaned_tasks', 'Running tasks whose worker lost its lease.', orphaned),
        one(
          'storeport_fleet_worker_stores',
          'Stores whose lease this worker holds.',
          workers.find(({ id }) => id === worker)?.stores.length ?? 0,
        ),
        one(
          'storeport_fleet_lost_leases',
          'Leases that this worker lost in the middle of a task.',
          lostLeases,
        ),
        byWord('storeport_fleet_task_ends', 'Executions of this worker by their end.', 'end', ends),
        byWord(
          'storeport_fleet_records',
          'Records of the executions of this worker by outcome.',
          'outcome',
          outcomes,
        ),
        {
          name: 'storeport_fleet_commit_seconds_bucket',
          help: 'Commits of the log of this worker that took at most so long.',
          samples: [
            ...BOUNDS.map((bound, index): Metric['samples'][number] => [
              { worker, le: String(bound) },
              buckets[index] ?? 0,
            ]),
            [{ worker, le: '+Inf' }, commits],
          ],
        },
        one('storeport_fleet_commit_seconds_sum', 'Time of the commits of this worker.', commitSeconds),
      ];
    },
  };
}

function add(counts: Map<string, number>, word: string, count: number): void {
  counts.set(word, (counts.get(word) ?? 0) + count);
}
