import { type ApiRequest, type ApiRoute, NotFound, numberIn } from '../../http/index.ts';
import { ConfigError, printedCommand } from '../../model/index.ts';
import type { Sql } from '../../postgres/index.ts';
import { listSchedules } from '../schedules/schedules.ts';
import { TASK_STATES, type TaskState } from '../states.ts';
import { listStores } from '../stores/stores.ts';
import { type ChangedTask, resumeTasks, retryTasks, stopTasks } from '../tasks/change-tasks.ts';
import type { TaskFilter } from '../tasks/filter.ts';
import { followUpOf } from '../tasks/follow-up.ts';
import { findTask, listTasks, showTask } from '../tasks/list-tasks.ts';
import type { TaskDetails } from '../tasks/task.ts';
import { wakeStores } from '../wake-ups.ts';
import type {
  ChangedTaskView,
  FleetStoreLine,
  FleetView,
  ScheduleLine,
  TaskAction,
  TaskDoubtsView,
  TaskPageView,
  TasksView,
} from './api.ts';
import { settleTaskDoubts, taskDoubtsView } from './doubts.ts';
import {
  addressOfStore,
  doubtsByStore,
  type FleetFigures,
  readFigures,
  stoppedByStore,
  tasksOfLastSlots,
  workedMsOf,
} from './figures.ts';
import type { FleetRouteOptions } from './route-options.ts';
import { fileAnswer } from './task-files.ts';
import { endedCommand, isoOf, taskLine, taskPageView } from './task-views.ts';

const PAGE = 50;
const MOST_TASKS = 200;
const MOST_DOUBTFUL_STORES = 20;

/** The API of `fleet serve`. The gate lets only operators call routes that are no GET. */
export function fleetRoutes(options: FleetRouteOptions): ApiRoute[] {
  const { sql } = options;
  return [
    { method: 'GET', path: '/overview', run: async () => fleetView(await readFigures(sql)) },
    { method: 'GET', path: '/tasks', run: ({ query }) => tasksView(sql, query) },
    { method: 'GET', path: '/tasks/:id', run: (request) => pageOf(sql, request) },
    {
      method: 'GET',
      path: '/tasks/:id/files/:name',
      isRaw: true,
      run: async (request) => fileAnswer(options, await taskIn(sql, request), request),
    },
    ...actionRoutes(options),
    {
      method: 'GET',
      path: '/tasks/:id/doubts',
      run: async (request) => taskDoubtsView(sql, (await taskIn(sql, request)).id),
    },
    { method: 'POST', path: '/tasks/:id/doubts', run: (request) => settle(options, request) },
    { method: 'GET', path: '/stores', run: () => storeLines(sql) },
    { method: 'GET', path: '/schedules', run: () => scheduleLines(sql) },
  ];
}

const CHANGES: Readonly<Record<TaskAction, (sql: Sql, filter: TaskFilter) => Promise<ChangedTask[]>>> = {
  stop: stopTasks,
  resume: resumeTasks,
  retry: retryTasks,
};

function actionRoutes({ sql, onAction, onBug }: FleetRouteOptions): ApiRoute[] {
  return Object.entries(CHANGES).map(([action, change]) => ({
    method: 'POST',
    path: `/tasks/:id/${action}`,
    async run(request): Promise<ChangedTaskView> {
      const { id } = await taskIn(sql, request);
      const [task] = await change(sql, { ids: [id] });
      if (!task) throw new NotFound(`There is no task "${id}".`);
      onAction?.(
        `${action} ${id}: ${task.changed ? `${task.before} → ${task.after}` : `still ${task.after}`}`,
      );
      // The task is queued all the same: workers look for work every minute without being woken.
      if (task.changed && task.after === 'queued')
        await wakeStores(sql, [task.storeNumber]).catch((error: Error) =>
          onBug(error.stack ?? String(error)),
        );
      return { id, state: task.after, changed: task.changed };
    },
  }));
}

async function settle(options: FleetRouteOptions, request: ApiRequest): Promise<TaskDoubtsView> {
  const { sql, files, executor, onAction } = options;
  const { id } = await taskIn(sql, request);
  const storage = await files('write');
  const view = await settleTaskDoubts({ ...executor, sql, storage }, id, request.body);
  onAction?.(`resolve ${id}: ${view.total} still in doubt`);
  return view;
}

/** Throws NotFound. */
async function taskIn(
  sql: Sql,
  { params: { id = '' } }: ApiRequest,
  read: typeof showTask = findTask,
): Promise<TaskDetails> {
  try {
    return await read(sql, id);
  } catch (error) {
    if (!(error instanceof ConfigError) || error instanceof NotFound || error.reason !== undefined)
      throw error;
    throw new NotFound(error.message, ['The list of tasks shows all.']);
  }
}

async function pageOf(sql: Sql, request: ApiRequest): Promise<TaskPageView> {
  const task = await taskIn(sql, request, showTask);
  const [storeUrl, workedMs, followUp] = await Promise.all([
    addressOfStore(sql, task.storeNumber),
    workedMsOf(sql, task.id),
    followUpOf(sql, task),
  ]);
  return taskPageView(task, { storeUrl, workedMs, followUp });
}

/** Ages that the list can be cut by, in seconds. */
const HOUR_S = 3600;
const AGES: Readonly<Record<string, Pick<TaskFilter, 'newerThanS' | 'olderThanS'>>> = {
  'last-hour': { newerThanS: HOUR_S },
  'last-day': { newerThanS: 24 * HOUR_S },
  'last-week': { newerThanS: 7 * 24 * HOUR_S },
  'older-hour': { olderThanS: HOUR_S },
  'older-day': { olderThanS: 24 * HOUR_S },
};

async function tasksView(sql: Sql, query: URLSearchParams): Promise<TasksView> {
  const limit = Math.max(1, numberIn(query, 'count', { default: PAGE, most: MOST_TASKS }));
  const before = query.has('before')
    ? numberIn(query, 'before', { default: 0, most: Number.MAX_SAFE_INTEGER })
    : undefined;
  const filter = filterIn(query);
  const found = await listTasks(sql, { ...filter, limit: limit + 1, before });
  const tasks = found.slice(0, limit);
  return {
    tasks: tasks.map(taskLine),
    next: found.length > limit ? (tasks.at(-1)?.number ?? null) : null,
    command: printedCommand('fleet list', [], {
      // The option takes one state.
      state: filter.states?.length === 1 ? filter.states[0] : undefined,
      ...{ stores: filter.stores, schedule: filter.schedule, doubts: filter.inDoubt },
    }),
  };
}

function filterIn(query: URLSearchParams): TaskFilter {
  // Postgres has no text with it.
  if ([...query.values()].some((value) => value.includes('\0')))
    throw new ConfigError('A value in the address has a NUL character.', ['Remove it from the address.']);
  const states = query.getAll('state').flatMap((text) => text.split(','));
  const command = query.get('command') ?? undefined;
  if (command !== undefined && command !== 'import' && command !== 'export')
    throw new ConfigError('A command is import or export.');
  const age = query.get('age');
  if (age !== null && !Object.hasOwn(AGES, age))
    throw new ConfigError(`An age is one of ${Object.keys(AGES).join(', ')}.`);
  return {
    states: states.length > 0 ? states.map(stateOf) : undefined,
    stores: query.get('store') ?? undefined,
    schedule: query.get('schedule') ?? undefined,
    command,
    inDoubt: query.get('doubts') === '1' ? true : undefined,
    ...(age === null ? {} : AGES[age]),
  };
}

function stateOf(text: string): TaskState {
  const state = TASK_STATES.find((each) => each === text);
  if (!state) throw new ConfigError(`A state is one of ${TASK_STATES.join(', ')}.`);
  return state;
}

export function fleetView(figures: FleetFigures): FleetView {
  const { at, doubts, workers, commits: _, ...others } = figures;
  return {
    ...others,
    at: at.toISOString(),
    doubts: {
      records: doubts.reduce((sum, { records }) => sum + records, 0),
      stores: doubts
        .slice(0, MOST_DOUBTFUL_STORES)
        .map(({ store, records, until }) => ({ store, records, until: isoOf(until) })),
    },
    workers: workers.map(({ startedAt, seenAt, isAlive, isDraining, ...worker }) => ({
      ...{
        id: worker.id,
        host: worker.host,
        version: worker.version,
        slots: worker.slots,
        stores: worker.stores,
      },
      startedAt: startedAt.toISOString(),
      seenAt: seenAt.toISOString(),
      seenMs: Math.max(0, at.getTime() - seenAt.getTime()),
      state: isAlive ? (isDraining ? 'draining' : 'working') : 'silent',
      endedCommand: isAlive ? null : endedCommand(worker.id),
    })),
  };
}

async function storeLines(sql: Sql): Promise<FleetStoreLine[]> {
  const [stores, stopped, doubts] = await Promise.all([
    listStores(sql),
    stoppedByStore(sql),
    doubtsByStore(sql),
  ]);
  const inDoubt = new Map(doubts.map(({ store, records }) => [store, records]));
  return stores.map(
    ({ number, name, baseUrl, tags, rateKey, sharedRate, isReviewed, holder, queued, running }) => ({
      ...{ name, baseUrl, tags, isReviewed, worker: holder, queued, running },
      shared: rateKey === null ? null : { key: rateKey, perSecond: sharedRate },
      stopped: stopped.get(number) ?? 0,
      doubts: inDoubt.get(name) ?? 0,
    }),
  );
}

async function scheduleLines(sql: Sql): Promise<ScheduleLine[]> {
  const [schedules, lastTasks] = await Promise.all([listSchedules(sql), tasksOfLastSlots(sql)]);
  return schedules.map(({ number, nextSlot, lastSlot, ...schedule }) => {
    const { name, cron, zone, spreadS, stores, command, resource, isPaused, selected, gone, trouble } =
      schedule;
    return {
      ...{ name, cron, zone, spreadS, stores, command, resource, isPaused, selected, gone },
      trouble: trouble && { ...trouble, at: trouble.at.toISOString() },
      nextSlot: isoOf(nextSlot),
      lastSlot: isoOf(lastSlot),
      lastTasks: lastTasks.get(number) ?? {},
    };
  });
}
