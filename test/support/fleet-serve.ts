import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openArtifacts } from '../../src/fleet/artifacts/index.ts';
import { addSchedule, addTasks, oneStore } from '../../src/fleet/index.ts';
import { type FleetServerOptions, startFleetServer } from '../../src/fleet/serve/index.ts';
import type { HttpServer } from '../../src/http/index.ts';
import { encodeIntent } from '../../src/ledger/index.ts';
import { ConfigError, type OutcomeStatus } from '../../src/model/index.ts';
import { postgresLedger, type Sql, takeLease } from '../../src/postgres/index.ts';
import { createMask } from '../../src/store/index.ts';
import { addPlainStore } from '../fleet/fleet-parts.ts';
import { NEW_RUN } from './new-run.ts';
import { TEST_SEAL } from './postgres.ts';

export const VIEWER_TOKEN = 'looks-only-0123456789abcdef';
export const OPERATOR_TOKEN = 'operates-0123456789abcdef';
/** Must appear in no answer. */
export const SECRETS = [VIEWER_TOKEN, OPERATOR_TOKEN, 'hunter2', 'X-Amz-Signature'];

export const FILE_TEXT = 'sku,outcome\nA-1,created\n';

/** Ids of tasks, by what they are. */
export interface SeededFleet {
  readonly done: string;
  readonly stopped: string;
  readonly running: string;
  readonly queued: string;
  readonly later: string;
}

/** Fills a database with three stores and tasks in every state, with doubts, files, workers and a schedule. */
export async function seedFleet(sql: Sql, folder: string): Promise<SeededFleet> {
  for (const name of ['lyon', 'oslo', 'paris'])
    await addPlainStore(sql, name, {
      tags: ['eu'],
      ...(name === 'oslo' ? { rateKey: 'host-1', sharedRate: 4 } : {}),
    });
  await addSchedule(sql, {
    ...{ name: 'nightly', cron: '0 2 * * *', zone: 'Europe/Oslo', stores: 'tag:eu', spreadS: 7200 },
    ...{ command: 'export', resource: 'reviews', options: { format: 'ndjson' } },
  });
  const added = async (store: string, command: 'import' | 'export') => {
    const [task] = await addTasks(sql, {
      ...{ stores: store, command, resource: command === 'import' ? 'products' : 'reviews' },
      options:
        command === 'import'
          ? {
              files: ['https://files.example/spring.csv?X-Amz-Signature=hunter2'],
              mappingText: 'name: hunter2',
            }
          : { format: 'ndjson', filter: ['product=new ones'], outBom: true, retryRejected: false },
    });
    return task?.id ?? '';
  };
  const done = await added('paris', 'import');
  const stopped = await added('lyon', 'import');
  const running = await added('oslo', 'import');
  const queued = await added('paris', 'export');
  const later = await added('lyon', 'export');
  await sql.query(
    `update task set state = 'done', exit_code = 0, started_at = clock_timestamp() - interval '2 minutes',
       finished_at = clock_timestamp() - interval '1 minute',
       summary = '{"records": 1243, "outcomes": {"created": 1240, "invalid": 3}}' where id = $1`,
    [done],
  );
  await sql.query(
    `update task set state = 'stopped', exit_code = 5, stop_reason = 'lease-lost', stop_message = 'The lease was lost.',
       next = 'resume', started_at = clock_timestamp() - interval '2 hours', added_at = clock_timestamp() - interval '2 hours',
       finished_at = clock_timestamp() - interval '1 hour',
       summary = '{"records": 40, "outcomes": {"created": 38, "in-doubt": 2}, "finished_at": "1970-01-01T00:00:02.000Z"}'
     where id = $1`,
    [stopped],
  );
  await sql.query(
    "update task set state = 'running', epoch = 3, lost = 1, started_at = clock_timestamp() - interval '5 minutes' where id = $1",
    [running],
  );
  await sql.query(
    "update task set queued_at = clock_timestamp() - interval '90 seconds', not_before = clock_timestamp() - interval '90 seconds' where id = $1",
    [queued],
  );
  await sql.query("update task set not_before = clock_timestamp() + interval '1 hour' where id = $1", [
    later,
  ]);
  await addRun(sql, stopped, 'lyon', ['created', 'in-doubt', 'in-doubt']);
  await addRun(sql, running, 'oslo', ['created', 'created']);
  await sql.query(
    `insert into lease (store, epoch, holder, expires, takeovers)
     select number, 3, case name when 'oslo' then 'worker-a' else 'worker-b' end,
       clock_timestamp() + make_interval(secs => case name when 'oslo' then 600 else -60 end), 1
     from store where name in ('oslo', 'lyon')
     on conflict (store) do update set holder = excluded.holder, epoch = excluded.epoch, expires = excluded.expires,
       takeovers = excluded.takeovers`,
  );
  await sql.query(
    `insert into worker (id, host, version, schema_version, slots, seen_at, commits) values
       ('worker-a', 'node-1', '0.1.0', 2, 20, clock_timestamp(),
         '{"commits": 100, "seconds": 0.5, "within": {"0.005": 90, "0.02": 99, "2": 100}}'),
       ('worker-b', 'node-2', '0.1.0', 2, 20, clock_timestamp() - interval '10 minutes', null)`,
  );
  await sql.query(
    "update run set doubts_until = clock_timestamp() + interval '5 minutes', doubts_of = '{worker-b}' where id = $1",
    [stopped],
  );
  await sql.query(
    `update run set activity = '{"widthMs": 1000, "points": [{"records": 120, "answers": {"all": 121, "refused": 1}}]}'
     where id = $1`,
    [running],
  );
  await addFile(sql, folder, done);
  return { done, stopped, running, queued, later };
}

/** Adds the run of a task with records of these outcomes, as a worker writes them. */
export async function addRun(
  sql: Sql,
  id: string,
  name: string,
  outcomes: readonly OutcomeStatus[],
): Promise<void> {
  const { number: store, baseUrl } = await oneStore(sql, name);
  const lease = await takeLease(sql, { store, holder: 'worker-a' });
  if (!lease) throw new Error('The lease is busy.');
  const ledger = await postgresLedger({
    sql,
    lease,
    baseUrl,
    seal: async () => ({ ...TEST_SEAL, seal: (rows) => rows }),
  }).open();
  await ledger.lock(baseUrl, id);
  const run = await ledger.begin({ ...NEW_RUN, id, store: baseUrl }, 4);
  for (const [seq, outcome] of outcomes.entries()) {
    const [key, row] = [`A-${seq}`, seq + 2];
    const rows = [{ row, cells: [key] }];
    await run.intend(encodeIntent({ seq, row, key, kind: 'create', rows }));
    const rest =
      outcome === 'created'
        ? { id: `id-${id}-${seq}`, httpStatus: 200 }
        : { code: 'no-answer', message: 'lost' };
    run.settle({ seq, row, key, rows, outcome: { outcome, attempts: 1, durationMs: 10, ...rest } }, true);
  }
  await run.flush();
  await run.end({ state: 'done', files: NEW_RUN.files, finishedAt: 2000, workedMs: 61_000 });
  await run.close();
  await ledger.close();
  await lease.release();
}

async function addFile(sql: Sql, folder: string, task: string): Promise<void> {
  mkdirSync(join(folder, 'kept'), { recursive: true });
  writeFileSync(join(folder, 'kept', 'results.csv'), FILE_TEXT);
  writeFileSync(join(folder, 'secret.txt'), 'hunter2');
  await sql.query(
    `insert into artifact (task, name, location, epoch, bytes, sha256)
     select number, 'reports/results.csv', 'kept/results.csv', 1, $2, $3 from task where id = $1`,
    [task, FILE_TEXT.length, createHash('sha256').update(FILE_TEXT).digest('hex')],
  );
}

const SILENT_LOG = { info: () => {}, warn: () => {}, error: () => {} };

export interface ServedFleet extends HttpServer {
  readonly origin: string;
  readonly bugs: readonly string[];
  readonly actions: readonly string[];
}

/** Serves the fleet on a free port of this machine until the test ends. */
export async function serveFleet(
  options: Pick<FleetServerOptions, 'sql'> & Partial<FleetServerOptions> & { readonly folder?: string },
  whenFinished: (stop: () => Promise<void>) => void = onTestFinished,
): Promise<ServedFleet> {
  const bugs: string[] = [];
  const actions: string[] = [];
  const { folder, ...rest } = options;
  const storage = folder === undefined ? undefined : await openArtifacts(folder, { env: {} });
  const files = async () => {
    if (storage === undefined) throw new ConfigError('This test has no place of files.');
    return storage;
  };
  const server = await startFleetServer({
    ...{ host: '127.0.0.1', port: 0, version: '0.1.0', files },
    tokens: { viewer: VIEWER_TOKEN, operator: OPERATOR_TOKEN },
    onBug: (text) => void bugs.push(text),
    onAction: (text) => void actions.push(text),
    mask: (text) => text,
    executor: {
      environment: {},
      secretReader: { name: 'this shell', toDo: '' },
      scratch: join(folder ?? tmpdir(), 'scratch'),
      mask: createMask([]),
      log: SILENT_LOG,
    },
    ...rest,
  });
  whenFinished(server.close);
  return { ...server, origin: new URL(server.link).origin, bugs, actions };
}

/** Signs in and returns the cookie. */
export async function signIn(origin: string, token: string): Promise<string> {
  const answer = await fetch(`${origin}/api/v1/session`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  if (answer.status !== 200) throw new Error(await answer.text());
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}
