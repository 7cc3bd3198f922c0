import type { Fleet } from './fleet.ts';
import type { Injector } from './inject.ts';
import type { FleetHistory, LedgerRecord, LedgerRun } from './judge.ts';

export interface TaskState {
  readonly id: string;
  readonly store: string;
  readonly command: 'import' | 'export';
  readonly state: 'queued' | 'running' | 'done' | 'stopped';
  readonly stop_reason: string | null;
  readonly stop_message: string | null;
  readonly lost: number;
  readonly exit_code: number | null;
}

/** The tasks as the database has them now. */
export function tasksOf({ observer }: Fleet): Promise<TaskState[]> {
  return observer.query<TaskState>(
    `select task.id, store.name as store, command, state, stop_reason, stop_message, lost, exit_code
    from task join store on store.number = task.store order by task.number`,
  );
}

interface RunLine {
  id: string;
  number: number;
  store: string;
  state: string;
  files: readonly string[];
  summary: { readonly outcomes?: Readonly<Record<string, number>> } | null;
}

/** The imports that the ledger has. `recordsIn`: number of records in a file. */
async function runsOf(fleet: Fleet, recordsIn: (file: string) => number): Promise<LedgerRun[]> {
  const lines = await fleet.observer.query<RunLine>(
    `select run.id, run.number, store.name as store, run.state, task.options->'files' as files, task.summary
    from task join store on store.number = task.store join run on run.id = task.id where task.command = 'import'`,
  );
  const runs: LedgerRun[] = [];
  for (const { id, number, store, state, files, summary } of lines)
    runs.push({
      ...{ id, store, state },
      wanted: files.reduce((sum, file) => sum + recordsIn(file), 0),
      records: await fleet.observer.query<LedgerRecord>(
        `select record.seq, record.key, record.outcome, coalesce(later.outcome, record.outcome) as current,
           later.run is not null as shares, record.id
         from record left join sequel on sequel.run = record.run and sequel.seq = record.seq
           left join record as later on later.run = by_run and later.seq = by_seq
         where record.run = $1`,
        [number],
      ),
      outcomes: summary?.outcomes,
    });
  return runs;
}

/** Everything by which a fleet is judged, after all its tasks have ended. */
export async function historyOf(
  fleet: Fleet,
  {
    injected,
    concurrency,
    recordsIn,
  }: {
    readonly injected: Injector['injected'];
    readonly concurrency: number;
    readonly recordsIn: (file: string) => number;
  },
): Promise<FleetHistory> {
  const facts = await Promise.all(
    fleet.stores.map(async ({ name, facts }) => [name, await facts()] as const),
  );
  const faultsAt = new Map<string, number>();
  for (const { stores, waves } of injected)
    for (const store of stores) faultsAt.set(store, (faultsAt.get(store) ?? 0) + waves);
  return {
    stores: new Map(facts),
    runs: await runsOf(fleet, recordsIn),
    tasks: await tasksOf(fleet),
    losses: fleet.observer.losses(),
    sent: fleet.traffic.sent,
    ...{ concurrency, faultsAt },
  };
}

/** Time in ms from each kill of a worker to the next request of another one, for each store that it served. */
export function recoveryTimes(fleet: Fleet, injected: Injector['injected']): number[] {
  return injected
    .filter(({ kind }) => kind === 'kill-worker')
    .flatMap(({ fromMs, pid, stores }) =>
      [...stores].flatMap((store) => {
        const wasBusy = fleet.traffic.sent.some(
          (each) => each.store === store && each.pid === pid && each.ms > fromMs - 1000 && each.ms <= fromMs,
        );
        const next = fleet.traffic.sent.find(
          (each) => each.store === store && each.pid !== pid && each.ms > fromMs,
        );
        return wasBusy && next !== undefined ? [next.ms - fromMs] : [];
      }),
    );
}
