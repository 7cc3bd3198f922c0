import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openArtifacts } from '../../src/fleet/artifacts/index.ts';
import { addSchedule, addTasks } from '../../src/fleet/index.ts';
import { type FleetServerOptions, startFleetServer } from '../../src/fleet/serve/index.ts';
import type { HttpServer } from '../../src/http/index.ts';
import type { Sql } from '../../src/postgres/index.ts';
import { addPlainStore } from '../fleet/fleet-parts.ts';

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
              files: ['https://user:hunter2@files.example/spring.csv?X-Amz-Signature=1'],
              mappingText: 'name: hunter2',
            }
          : { format: 'ndjson' },
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
       summary = '{"records": 40, "outcomes": {"created": 38, "in-doubt": 2}}' where id = $1`,
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
  await sql.query(
    `insert into lease (store, epoch, holder, expires, takeovers)
     select number, 3, case name when 'oslo' then 'worker-a' else 'worker-b' end,
       clock_timestamp() + make_interval(secs => case name when 'oslo' then 600 else -60 end), 1
     from store where name in ('oslo', 'lyon')`,
  );
  await sql.query(
    `insert into worker (id, host, version, slots, seen_at) values
       ('worker-a', 'node-1', '0.1.0', 20, clock_timestamp()),
       ('worker-b', 'node-2', '0.1.0', 20, clock_timestamp() - interval '10 minutes')`,
  );
  await addRun(sql, stopped, 'https://lyon.example', ['created', 'in-doubt', 'in-doubt']);
  await addRun(sql, running, 'https://oslo.example', ['created', 'created']);
  await sql.query("update run set doubts_until = clock_timestamp() + interval '5 minutes' where id = $1", [
    stopped,
  ]);
  await sql.query(
    `update run set activity = '{"widthMs": 1000, "points": [{"records": 120, "answers": {"all": 121, "refused": 1}}]}'
     where id = $1`,
    [running],
  );
  await addFile(sql, folder, done);
  return { done, stopped, running, queued, later };
}

/** Adds the run of a task with records of these outcomes. */
export async function addRun(
  sql: Sql,
  id: string,
  store: string,
  outcomes: readonly string[],
): Promise<void> {
  const [run] = await sql.query<{ number: number }>(
    `insert into run (id, state, command, resource, mode, store, remembered, mapping_name, mapping_digest, files, header,
       options, out, version, started_at, worked_ms)
     values ($1, 'stopped', 'import', 'products', 'create', $2, true, 'm', 'd', '[]', '[]', '{}', 'out', '0.1.0', 0, 61000)
     returning number`,
    [id, store],
  );
  for (const [seq, outcome] of outcomes.entries())
    await sql.query(
      `insert into record (run, seq, row, key, outcome, attempts, duration_ms) values ($1, $2, $3, $4, $5, 1, 10)`,
      [run?.number, seq, seq + 2, `A-${seq}`, outcome],
    );
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
  const server = await startFleetServer({
    ...{ host: '127.0.0.1', port: 0, version: '0.1.0', storage },
    tokens: { viewer: VIEWER_TOKEN, operator: OPERATOR_TOKEN },
    onBug: (text) => void bugs.push(text),
    onAction: (text) => void actions.push(text),
    mask: (text) => text,
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
