import { beforeEach, expect, test } from 'vitest';
import type { TaskDoubtsView, TaskPageView } from '../../../src/fleet/serve/api.ts';
import type { Sql } from '../../../src/postgres/index.ts';
import {
  OPERATOR_TOKEN,
  type SeededFleet,
  type ServedFleet,
  seedFleet,
  serveFleet,
  VIEWER_TOKEN,
} from '../../support/fleet-serve.ts';
import { databaseOfFile } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/run.ts';

const database = databaseOfFile();
let sql: Sql;
let ids: SeededFleet;
let fleet: ServedFleet;

beforeEach(async () => {
  sql = database.sql;
  const folder = temporaryFolder();
  ids = await seedFleet(sql, folder);
  fleet = await serveFleet({ sql, folder });
});

async function ask<Value>(path: string, body?: unknown, token = OPERATOR_TOKEN) {
  const answer = await fetch(`${fleet.origin}/api/v1/tasks/${path}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text, value: JSON.parse(text) as Value };
}
const doubts = (id: string, token?: string) => ask<TaskDoubtsView>(`${id}/doubts`, undefined, token);
const settle = (id: string, answers: readonly object[], token?: string) =>
  ask<TaskDoubtsView>(`${id}/doubts`, { answers }, token);

const FIRST = { row: 3, key: 'A-1' };
const SECOND = { row: 4, key: 'A-2' };
const endQuarantine = () => sql.query("update run set doubts_until = null, doubts_of = '{}'");

test('the records in doubt of a task are listed, for viewers too', async () => {
  const { value } = await doubts(ids.stopped, VIEWER_TOKEN);
  expect(value).toMatchObject({
    total: 2,
    doubts: [
      { ...FIRST, code: 'no-answer' },
      { ...SECOND, code: 'no-answer' },
    ],
    until: expect.any(String),
    worker: 'worker-b',
    endedCommands: ['storeport fleet resume --ended worker-b'],
    command: `storeport fleet resolve ${ids.stopped}`,
  });
});

test('an answer that a record is there counts at once, with its identifier', async () => {
  const answer = await settle(ids.stopped, [{ ...FIRST, id: '64a1f0' }]);
  expect(answer).toMatchObject({ status: 200, value: { total: 1, doubts: [SECOND] } });
  const { value: task } = await ask<TaskPageView>(ids.stopped);
  expect(task).toMatchObject({ doubts: 1, outcomes: { created: 2, 'in-doubt': 1 } });
  const [record] = await sql.query<{ id: string }>(
    "select id from record where key = 'A-1' and id = '64a1f0'",
  );
  expect(record?.id).toBe('64a1f0');
  expect(fleet.actions).toEqual([`resolve ${ids.stopped}: 1 still in doubt`]);
  expect(fleet.bugs).toEqual([]);
});

test('"it is not there" is refused while a lost worker may still send, and counts afterwards', async () => {
  const answers = [FIRST, SECOND].map((name) => ({ ...name, id: null }));
  const early = await settle(ids.stopped, answers);
  expect(early.status).toBeGreaterThanOrEqual(400);
  expect(early.status).toBeLessThan(500);
  expect((await doubts(ids.stopped)).value.total).toBe(2);
  await endQuarantine();
  expect(await settle(ids.stopped, answers)).toMatchObject({ status: 200, value: { total: 0 } });
  const { value: task } = await ask<TaskPageView>(ids.stopped);
  expect(task).toMatchObject({ doubts: 0, outcomes: { created: 1, failed: 2 } });
});

test.each<[string, readonly object[]]>([
  ['one identifier for two records', [FIRST, SECOND].map((name) => ({ ...name, id: 'same' }))],
  ['a record that is not in doubt', [{ row: 2, key: 'A-0', id: 'x' }]],
  ['an identifier with a line break', [{ ...FIRST, id: 'a\nb' }]],
  ['no answer', []],
  ['an answer without an identifier', [FIRST]],
])('%s is refused, and nothing is recorded', async (_, answers) => {
  expect(await settle(ids.stopped, answers)).toMatchObject({ status: 400 });
  expect((await doubts(ids.stopped)).value.total).toBe(2);
  expect(fleet.actions).toEqual([]);
});

test('a viewer cannot answer', async () => {
  expect(await settle(ids.stopped, [{ ...FIRST, id: '64a1f0' }], VIEWER_TOKEN)).toMatchObject({
    status: 403,
  });
  expect((await doubts(ids.stopped)).value.total).toBe(2);
});

test('while a worker serves the store, nothing can be answered, and the worker is named', async () => {
  await sql.query(
    "update lease set expires = clock_timestamp() + interval '1 hour' where store = (select number from store where name = 'lyon')",
  );
  const answer = await settle(ids.stopped, [{ ...FIRST, id: '64a1f0' }]);
  expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('worker-b') });
});

test('exports have no doubts', async () => {
  expect(await doubts(ids.queued)).toMatchObject({ status: 400 });
});
