import { type Metric, type MetricSample, prometheusText } from '../../model/index.ts';
import type { FleetFigures } from './figures.ts';

/** A metric, with its samples by the figures of a fleet. */
type FleetMetric = Omit<Metric, 'samples'> & {
  readonly samples: (figures: FleetFigures) => readonly MetricSample[];
};

/** Metrics of `/metrics`. Their names are a contract: add at the end only. */
const METRICS: readonly FleetMetric[] = [
  gauge('tasks', 'Tasks by state; done: in the last 24 hours.', ({ tasks }) => [
    [{ state: 'queued' }, tasks.queued],
    [{ state: 'running' }, tasks.running],
    [{ state: 'stopped' }, tasks.stopped],
    [{ state: 'done' }, tasks.doneOfDay],
  ]),
  gauge('tasks_later', 'Queued tasks that are to begin later.', ({ tasks }) => [[{}, tasks.later]]),
  gauge(
    'queue_age_seconds',
    'Age of the queued task that has waited longest since it could begin; 0 if none waits.',
    ({ oldestWaitMs }) => [[{}, (oldestWaitMs ?? 0) / 1000]],
  ),
  gauge('stopped_tasks', 'Tasks that stopped and were not continued, by reason.', ({ stopReasons }) =>
    stopReasons.map(({ reason, tasks }) => [{ reason }, tasks]),
  ),
  gauge('doubts', 'Records in doubt, by store.', ({ doubts }) =>
    doubts.map(({ store, records }) => [{ store }, records]),
  ),
  gauge('stores', 'Stores of the fleet.', ({ stores }) => [[{}, stores]]),
  gauge('workers', 'Workers by state; silent: no sign of life for longer than a lease.', ({ workers }) => {
    const of = (fits: (worker: (typeof workers)[number]) => boolean) => workers.filter(fits).length;
    return [
      [{ state: 'working' }, of(({ isAlive, isDraining }) => isAlive && !isDraining)],
      [{ state: 'draining' }, of(({ isAlive, isDraining }) => isAlive && isDraining)],
      [{ state: 'silent' }, of(({ isAlive }) => !isAlive)],
    ];
  }),
  gauge('worker_slots', 'Stores that the workers that live serve at once.', ({ workers }) => [
    [{}, workers.filter(({ isAlive }) => isAlive).reduce((sum, { slots }) => sum + slots, 0)],
  ]),
  gauge('leases_held', 'Stores whose lease a worker holds.', ({ leases }) => [[{}, leases.held]]),
  gauge('leases_expired', 'Leases that were not renewed in time and that nobody has taken.', ({ leases }) => [
    [{}, leases.expired],
  ]),
  {
    name: 'storeport_fleet_lease_takeovers_total',
    type: 'counter',
    help: 'Leases that were taken from a worker that had not released them.',
    samples: ({ leases }) => [[{}, leases.takeovers]],
  },
  gauge('tasks_with_lost_leases', 'Queued and running tasks that lost a lease.', ({ leases }) => [
    [{}, leases.tasksThatLost],
  ]),
  gauge('records_per_second', 'Records a second of the tasks that run.', ({ rate }) => [
    [{}, rate.recordsPerSecond],
  ]),
  gauge('refused_per_second', 'Answers a second that say "too many requests".', ({ rate }) => [
    [{}, rate.refusedPerSecond],
  ]),
  gauge(
    'records_of_day',
    'Records of tasks that ended in the last 24 hours, by outcome.',
    ({ outcomesOfDay }) => Object.entries(outcomesOfDay).map(([outcome, records]) => [{ outcome }, records]),
  ),
  {
    name: 'storeport_fleet_commit_seconds',
    type: 'histogram',
    help: 'Time of commits of intents and outcomes, of each worker since it began.',
    samples: ({ commits: all }) =>
      all.flatMap(({ worker, commits, seconds, within }): MetricSample[] => [
        // Postgres does not keep the order of keys, and the bounds of a histogram must grow.
        ...Object.entries(within)
          .sort(([one], [other]) => Number(one) - Number(other))
          .map(([le, count]): MetricSample => [{ worker, le }, count, '_bucket']),
        [{ worker, le: '+Inf' }, commits, '_bucket'],
        [{ worker }, seconds, '_sum'],
        [{ worker }, commits, '_count'],
      ]),
  },
];

function gauge(name: string, help: string, samples: FleetMetric['samples']): FleetMetric {
  return { name: `storeport_fleet_${name}`, help, samples };
}

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The figures in Prometheus's text format. */
export function metricsText(figures: FleetFigures): string {
  return prometheusText(METRICS.map((metric) => ({ ...metric, samples: metric.samples(figures) })));
}
