import type { FleetFigures } from './figures.ts';

type Labels = Readonly<Record<string, string>>;
/** `suffix`: what follows the name, in a histogram. */
type Sample = readonly [value: number, labels?: Labels, suffix?: string];
interface Metric {
  readonly name: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly help: string;
  readonly samples: (figures: FleetFigures) => readonly Sample[];
}

/** Metrics of `/metrics`. Their names are a contract: add at the end only. */
const METRICS: readonly Metric[] = [
  gauge('tasks', 'Tasks by state; done: in the last 24 hours.', ({ tasks }) => [
    [tasks.queued, { state: 'queued' }],
    [tasks.running, { state: 'running' }],
    [tasks.stopped, { state: 'stopped' }],
    [tasks.doneOfDay, { state: 'done' }],
  ]),
  gauge('tasks_later', 'Queued tasks that are to begin later.', ({ tasks }) => [[tasks.later]]),
  gauge(
    'queue_age_seconds',
    'Age of the queued task that has waited longest since it could begin; 0 if none waits.',
    ({ oldestWaitMs }) => [[(oldestWaitMs ?? 0) / 1000]],
  ),
  gauge('stopped_tasks', 'Tasks that stopped and were not continued, by reason.', ({ stopReasons }) =>
    stopReasons.map(({ reason, tasks }) => [tasks, { reason }]),
  ),
  gauge('doubts', 'Records in doubt, by store.', ({ doubts }) =>
    doubts.map(({ store, records }) => [records, { store }]),
  ),
  gauge('stores', 'Stores of the fleet.', ({ stores }) => [[stores]]),
  gauge('workers', 'Workers by state; silent: no sign of life for longer than a lease.', ({ workers }) => {
    const of = (fits: (worker: (typeof workers)[number]) => boolean) => workers.filter(fits).length;
    return [
      [of(({ isAlive, isDraining }) => isAlive && !isDraining), { state: 'working' }],
      [of(({ isAlive, isDraining }) => isAlive && isDraining), { state: 'draining' }],
      [of(({ isAlive }) => !isAlive), { state: 'silent' }],
    ];
  }),
  gauge('worker_slots', 'Stores that the workers that live serve at once.', ({ workers }) => [
    [workers.filter(({ isAlive }) => isAlive).reduce((sum, { slots }) => sum + slots, 0)],
  ]),
  gauge('leases_held', 'Stores whose lease a worker holds.', ({ leases }) => [[leases.held]]),
  gauge('leases_expired', 'Leases that were not renewed in time and that nobody has taken.', ({ leases }) => [
    [leases.expired],
  ]),
  {
    name: 'storeport_fleet_lease_takeovers_total',
    type: 'counter',
    help: 'Leases that were taken from a worker that had not released them.',
    samples: ({ leases }) => [[leases.takeovers]],
  },
  gauge('tasks_with_lost_leases', 'Queued and running tasks that lost a lease.', ({ leases }) => [
    [leases.tasksThatLost],
  ]),
  gauge('records_per_second', 'Records a second of the tasks that run.', ({ rate }) => [
    [rate.recordsPerSecond],
  ]),
  gauge('refused_per_second', 'Answers a second that say "too many requests".', ({ rate }) => [
    [rate.refusedPerSecond],
  ]),
  gauge(
    'records_of_day',
    'Records of tasks that ended in the last 24 hours, by outcome.',
    ({ outcomesOfDay }) => Object.entries(outcomesOfDay).map(([outcome, records]) => [records, { outcome }]),
  ),
  {
    name: 'storeport_fleet_commit_seconds',
    type: 'histogram',
    help: 'Time of commits of intents and outcomes, of each worker since it began.',
    samples: ({ commits: all }) =>
      all.flatMap(({ worker, commits, seconds, within }): Sample[] => [
        // Postgres does not keep the order of keys, and the bounds of a histogram must grow.
        ...Object.entries(within)
          .sort(([one], [other]) => Number(one) - Number(other))
          .map(([le, count]): Sample => [count, { worker, le }, '_bucket']),
        [commits, { worker, le: '+Inf' }, '_bucket'],
        [seconds, { worker }, '_sum'],
        [commits, { worker }, '_count'],
      ]),
  },
];

function gauge(name: string, help: string, samples: Metric['samples']): Metric {
  return { name: `storeport_fleet_${name}`, type: 'gauge', help, samples };
}

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The figures in Prometheus's text format. */
export function metricsText(figures: FleetFigures): string {
  const lines = METRICS.flatMap(({ name, type, help, samples }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples(figures).map(
      ([value, labels = {}, suffix = '']) => `${name}${suffix}${labelText(labels)} ${value}`,
    ),
  ]);
  return `${lines.join('\n')}\n`;
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return parts.length > 0 ? `{${parts.join(',')}}` : '';
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
