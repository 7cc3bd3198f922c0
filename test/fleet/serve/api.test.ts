import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addTasks } from '../../../src/fleet/index.ts';
import type {
  ChangedTaskView,
  FleetStoreLine,
  FleetView,
  ScheduleLine,
  TaskPageView,
  TasksView,
} from '../../../src/fleet/serve/api.ts';
import type { Sql } from '../../../src/postgres/index.ts';
import {
  addRun,
  FILE_TEXT,
  OPERATOR_TOKEN,
  SECRETS,
  type SeededFleet,
  type ServedFleet,
  seedFleet,
  serveFleet,
  VIEWER_TOKEN,
} from '../../support/fleet-serve.ts';
import { testSql } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/run.ts';

let sql: Sql;
let ids: SeededFleet;
let fleet: ServedFleet;
const cleanups: (() => unknown)[] = [];

/** Serves a new fleet, which the requests below then ask. */
async function serveSeededFleet(): Promise<void> {
  sql = await testSql();
  const folder = temporaryFolder((clean) => cleanups.push(clean));
  ids = await seedFleet(sql, folder);
  fleet = await serveFleet({ sql, folder }, (stop) => cleanups.push(stop));
}
async function closeFleet(): Promise<void> {
  for (const clean of cleanups.splice(0).reverse()) await clean();
  await sql.close();
}

async function ask(path: string, { token = VIEWER_TOKEN, method = 'GET' } = {}) {
  const answer = await fetch(`${fleet.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}
/** Adds a task with two doubts in its summary; one was resolved since. */
async function seedFleetTask(): Promise<string> {
  const [task] = await addTasks(sql, {
    ...{ stores: 'paris', command: 'import', resource: 'products', options: { files: ['/data/a.csv'] } },
  });
  const id = task?.id ?? '';
  await sql.query(
    `update task set state = 'done', summary = '{"outcomes": {"created": 1, "in-doubt": 2}}' where id = $1`,
    [id],
  );
  await addRun(sql, id, 'paris', ['created', 'created', 'in-doubt']);
  return id;
}
async function get<Value>(path: string): Promise<Value> {
  const { status, text } = await ask(`/api/v1${path}`);
  if (status !== 200) throw new Error(text);
  return JSON.parse(text) as Value;
}

describe('what a viewer reads', () => {
  beforeAll(serveSeededFleet);
  afterAll(closeFleet);

  test('the overview has counts, the oldest wait, doubts, lost leases, the rate and workers', async () => {
    const view = await get<FleetView>('/overview');
    expect(view).toMatchObject({
      tasks: { queued: 2, later: 1, running: 1, stopped: 1, doneOfDay: 1 },
      stopReasons: [{ reason: 'lease-lost', tasks: 1 }],
      doubts: { records: 2, stores: [{ store: 'lyon', records: 2, until: expect.any(String) }] },
      leases: { held: 1, expired: 1, tasksThatLost: 1, takeovers: 2 },
      rate: { recordsPerSecond: 120, refusedPerSecond: 1 },
      outcomesOfDay: { created: 1278, 'in-doubt': 2, invalid: 3 },
      stores: 3,
    });
    expect(view.oldestWaitMs).toBeGreaterThanOrEqual(90_000);
    expect(view.oldestWaitMs).toBeLessThan(3_600_000);
    expect(Object.fromEntries(view.workers.map(({ id, state }) => [id, state]))).toEqual({
      'worker-a': 'working',
      'worker-b': 'silent',
    });
    expect(view.workers.find(({ id }) => id === 'worker-a')?.stores).toEqual(['oslo']);
    expect(Object.fromEntries(view.workers.map(({ id, endedCommand }) => [id, endedCommand]))).toEqual({
      'worker-a': null,
      'worker-b': 'storeport fleet resume --ended worker-b',
    });
  });

  describe('the list of tasks', () => {
    test.each<[string, (ids: SeededFleet) => string[]]>([
      ['', ({ done, stopped, running, queued, later }) => [later, queued, running, stopped, done]],
      ['state=queued', ({ queued, later }) => [later, queued]],
      ['state=running,stopped', ({ running, stopped }) => [running, stopped]],
      ['store=paris', ({ done, queued }) => [queued, done]],
      ['store=tag:eu&command=import', ({ done, stopped, running }) => [running, stopped, done]],
      ['doubts=1', ({ stopped }) => [stopped]],
      ['age=older-hour', ({ stopped }) => [stopped]],
      ['age=last-hour&state=done', ({ done }) => [done]],
    ])('with the filter "%s" has the tasks that fit, latest first', async (query, expected) => {
      const { tasks, next } = await get<TasksView>(`/tasks?${query}`);
      expect(tasks.map(({ id }) => id)).toEqual(expected(ids));
      expect(next).toBeNull();
    });

    test.each([
      ['', 'storeport fleet list'],
      ['state=queued&store=tag:eu', 'storeport fleet list --state queued --stores tag:eu'],
      ['state=running,stopped', 'storeport fleet list'],
      ['doubts=1', 'storeport fleet list --doubts'],
    ])('with the filter "%s" has its command', async (query, command) => {
      expect(await get<TasksView>(`/tasks?${query}`)).toMatchObject({ command });
    });

    test('comes in pages, each after the last task of the one before', async () => {
      const seen: string[] = [];
      let before: number | null = null;
      do {
        const page: TasksView = await get(`/tasks?count=2${before === null ? '' : `&before=${before}`}`);
        expect(page.tasks.length).toBeLessThanOrEqual(2);
        seen.push(...page.tasks.map(({ id }) => id));
        before = page.next;
      } while (before !== null);
      expect(seen).toEqual([ids.later, ids.queued, ids.running, ids.stopped, ids.done]);
    });

    test.each(['state=lost', 'store=rome', 'age=old', 'command=undo'])(
      'refuses the filter "%s"',
      async (query) => {
        expect(await ask(`/api/v1/tasks?${query}`)).toMatchObject({ status: 400 });
      },
    );
  });

  describe('one task', () => {
    test('has its outcomes, its files without credentials, and what can be done', async () => {
      expect(await get<TaskPageView>(`/tasks/${ids.stopped}`)).toMatchObject({
        state: 'stopped',
        stopReason: 'lease-lost',
        storeUrl: 'https://lyon.example',
        files: ['https://files.example/spring.csv?…'],
        outcomes: { created: 38, 'in-doubt': 2 },
        workedMs: 61_000,
        actions: ['resume'],
        problems: [{ outcome: 'in-doubt', code: 'no-answer', field: '', count: 2, row: 3, example: 'lost' }],
        steps: [
          { command: `storeport fleet resume ${ids.stopped}` },
          { command: `storeport fleet resolve ${ids.stopped}` },
        ],
        commands: [
          { does: 'resume', command: `storeport fleet resume ${ids.stopped}` },
          { does: 'resolve' },
          { does: 'show' },
        ],
      });
    });

    test('that runs has the outcomes so far and its worker', async () => {
      const view = await get<TaskPageView>(`/tasks/${ids.running}`);
      expect(view).toMatchObject({
        outcomes: { created: 2 },
        worker: 'worker-a',
        lost: 1,
        actions: ['stop'],
      });
    });

    test('has its options as the command line has them', async () => {
      const { optionWords } = await get<TaskPageView>(`/tasks/${ids.queued}`);
      expect([...optionWords].sort()).toEqual([
        "'--filter=product=new ones'",
        '--format=ndjson',
        '--out-bom',
      ]);
    });

    test('has its outcomes as they are now, also after doubts were resolved', async () => {
      const settled = await seedFleetTask();
      const outcomes = { created: 2, 'in-doubt': 1 };
      expect(await get<TaskPageView>(`/tasks/${settled}`)).toMatchObject({ outcomes });
      const { tasks } = await get<TasksView>('/tasks');
      expect(tasks.find(({ id }) => id === settled)).toMatchObject({ outcomes });
      await sql.query('delete from record where run = (select number from run where id = $1)', [settled]);
      await sql.query('delete from task where id = $1', [settled]);
    });

    test('that does not exist is not found', async () => {
      expect(await ask('/api/v1/tasks/none')).toMatchObject({ status: 404 });
    });
  });

  describe('files of a task', () => {
    const file = (task: string, name: string) =>
      ask(`/api/v1/tasks/${task}/files/${encodeURIComponent(name)}`);

    test('are those of the manifest, to be saved and never to be shown', async () => {
      const { artifacts } = await get<TaskPageView>(`/tasks/${ids.done}`);
      expect(artifacts).toMatchObject([{ name: 'reports/results.csv', bytes: FILE_TEXT.length }]);
      const { status, text, headers } = await file(ids.done, 'reports/results.csv');
      expect([status, text]).toEqual([200, FILE_TEXT]);
      expect(headers.get('content-disposition')).toMatch(/^attachment/);
      expect(headers.get('content-security-policy')).toMatch(/^sandbox/);
    });

    test.each(['secret.txt', '../secret.txt', 'kept/results.csv', '/etc/passwd', 'reports/../../secret.txt'])(
      'do not include %s',
      async (name) => {
        expect(await file(ids.done, name)).toMatchObject({ status: 404 });
        expect(await file(ids.stopped, 'reports/results.csv')).toMatchObject({ status: 404 });
      },
    );
  });

  test('stores have their work, their doubts and the limit that they share', async () => {
    expect(await get<FleetStoreLine[]>('/stores')).toMatchObject([
      { name: 'lyon', queued: 1, stopped: 1, doubts: 2, worker: null },
      { name: 'oslo', running: 1, worker: 'worker-a', shared: { key: 'host-1', perSecond: 4 } },
      { name: 'paris', queued: 1, stopped: 0, doubts: 0, tags: ['eu'] },
    ]);
  });

  test('schedules have their stores and their next moment', async () => {
    const [nightly, ...others] = await get<ScheduleLine[]>('/schedules');
    expect(others).toEqual([]);
    expect(nightly).toMatchObject({
      name: 'nightly',
      stores: 'tag:eu',
      spreadS: 7200,
      lastSlot: null,
      lastTasks: {},
    });
    expect(Date.parse(nightly?.nextSlot ?? '')).toBeGreaterThan(Date.parse('2020-01-01'));
  });

  test('metrics are in the text format of Prometheus', async () => {
    const { status, text, headers } = await ask('/metrics');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    for (const line of [
      'storeport_fleet_tasks{state="queued"} 2',
      'storeport_fleet_doubts{store="lyon"} 2',
      'storeport_fleet_lease_takeovers_total 2',
      'storeport_fleet_workers{state="silent"} 1',
      'storeport_fleet_records_of_day{outcome="created"} 1278',
      'storeport_fleet_commit_seconds_bucket{worker="worker-a",le="0.02"} 99',
      'storeport_fleet_commit_seconds_bucket{worker="worker-a",le="+Inf"} 100',
      'storeport_fleet_commit_seconds_sum{worker="worker-a"} 0.5',
      'storeport_fleet_commit_seconds_count{worker="worker-a"} 100',
    ])
      expect(text.split('\n')).toContain(line);
    expect(Number(/^storeport_fleet_queue_age_seconds (\S+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(90);
    const bounds = [...text.matchAll(/^storeport_fleet_commit_seconds_bucket\{.*le="([^"]+)"\}/gm)].map(
      ([, le]) => le,
    );
    expect(bounds).toEqual(['0.005', '0.02', '2', '+Inf']);
    // Every line is a comment or a sample.
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(
        /^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? -?[\d.e+-]+)$/,
      );
  });

  test('a NUL in the address, and a number that is none, are refused and no bug', async () => {
    for (const path of ["/tasks?before=x'", '/tasks?count=abc', '/tasks?store=a%00b', '/tasks?state=%00'])
      expect({ path, ...(await ask(`/api/v1${path}`)) }).toMatchObject({ path, status: 400 });
    for (const path of [`/tasks/${ids.done}%00`, `/tasks/${ids.done}/files/a%00b`])
      expect({ path, ...(await ask(`/api/v1${path}`)) }).toMatchObject({ path, status: 404 });
    expect(fleet.bugs).toEqual([]);
  });

  test('health says that the database answers, and nothing else', async () => {
    const answer = await fetch(`${fleet.origin}/healthz`);
    expect([answer.status, await answer.text()]).toEqual([200, 'ok\n']);
  });

  test('health is bad when the database is away', async () => {
    const away = async () => {
      throw new Error('password=hunter2');
    };
    const { origin } = await serveFleet({ sql: { ...sql, query: away } });
    const answer = await fetch(`${origin}/healthz`);
    expect([answer.status, await answer.text()]).toEqual([503, 'The database does not answer.\n']);
  });

  test('no answer has a secret', async () => {
    const paths = ['/overview', '/tasks', '/stores', '/schedules', '/session', '/tasks/none', '/x'].concat(
      Object.values(ids).map((id) => `/tasks/${id}`),
    );
    for (const path of [...paths.map((path) => `/api/v1${path}`), '/metrics', '/healthz', '/']) {
      const { text, headers } = await ask(path);
      const all = text + JSON.stringify([...headers]);
      for (const secret of SECRETS) expect(`${path}: ${all.includes(secret)}`).toBe(`${path}: false`);
    }
  });
});

describe('actions', () => {
  beforeEach(serveSeededFleet);
  afterEach(closeFleet);
  const act = (id: string, action: string) =>
    ask(`/api/v1/tasks/${id}/${action}`, { method: 'POST', token: OPERATOR_TOKEN });
  const changed = async (id: string, action: string) =>
    JSON.parse((await act(id, action)).text) as ChangedTaskView;

  test('stop a queued task, resume it, and are noted', async () => {
    expect(await changed(ids.later, 'stop')).toEqual({ id: ids.later, state: 'stopped', changed: true });
    expect(await changed(ids.later, 'stop')).toEqual({ id: ids.later, state: 'stopped', changed: false });
    expect(await changed(ids.later, 'resume')).toEqual({ id: ids.later, state: 'queued', changed: true });
    expect(await changed(ids.done, 'retry')).toEqual({ id: ids.done, state: 'queued', changed: true });
    expect(fleet.actions).toContain(`stop ${ids.later}: queued → stopped`);
    expect(fleet.bugs).toEqual([]);
  });

  test('ask the worker to stop a running task', async () => {
    expect(await changed(ids.running, 'stop')).toMatchObject({ state: 'running', changed: true });
    expect(await get<TaskPageView>(`/tasks/${ids.running}`)).toMatchObject({ isStopping: true, actions: [] });
  });

  test('of tasks that do not exist are not found', async () => {
    expect(await act('none', 'stop')).toMatchObject({ status: 404 });
    expect(await act(ids.done, 'remove')).toMatchObject({ status: 404 });
  });
});
