import { beforeEach, describe, expect, test } from 'vitest';
import { addTasks, countTasks, listDoubts, listTasks, oneStore, showTask } from '../../src/fleet/index.ts';
import { encodeIntent } from '../../src/ledger/index.ts';
import { postgresLedger, type Sql, takeLease } from '../../src/postgres/index.ts';
import { addRun } from '../support/fleet-serve.ts';
import { NEW_RUN } from '../support/new-run.ts';
import { databaseOfFile, TEST_SEAL } from '../support/postgres.ts';
import { addPlainStore } from './fleet-parts.ts';

const database = databaseOfFile();

beforeEach(async () => {
  await addPlainStore(database.sql, 'red');
});

async function add(): Promise<string> {
  const [task] = await addTasks(database.sql, {
    ...{ command: 'import', resource: 'products', stores: 'red', options: { files: ['/data/a.csv'] } },
  });
  return task?.id ?? '';
}

/** Two records were created and one was being sent when the worker was killed; the next holder settled that. */
async function addKilledRun(sql: Sql, id: string): Promise<void> {
  const { number: store, baseUrl } = await oneStore(sql, 'red');
  const open = async (holder: string) => {
    for (;;) {
      const lease = await takeLease(sql, { store, holder, timing: { ttlMs: 1, renewMs: 60_000 } });
      if (lease)
        return {
          lease,
          ledger: await postgresLedger({ sql, lease, baseUrl, seal: async () => TEST_SEAL }).open(),
        };
    }
  };
  const first = await open('first');
  const run = await first.ledger.begin({ ...NEW_RUN, id, store: baseUrl }, 4);
  for (const [seq, key] of ['k0', 'k1', 'k2'].entries()) {
    const row = seq + 2;
    await run.intend(encodeIntent({ seq, row, key, kind: 'create', rows: [{ row, cells: [key] }] }));
    if (seq < 2)
      run.settle(
        { seq, row, key, rows: [], outcome: { outcome: 'created', id: key, attempts: 1, durationMs: 1 } },
        true,
      );
  }
  await run.flush();
  first.lease.abandon();
  const second = await open('second');
  await second.ledger.lock(baseUrl, id);
  second.lease.abandon();
}

/** Writes the state of a task, with the summary of an execution that ended at a time. */
async function stand(id: string, state: string, outcomes?: Readonly<Record<string, number>>, endedAt = 2000) {
  const summary = outcomes && { outcomes, finished_at: new Date(endedAt).toISOString() };
  await database.sql.query('update task set state = $2, summary = $3::jsonb where id = $1', [
    ...[id, state, summary === undefined ? null : JSON.stringify(summary)],
  ]);
}

const shownOutcomes = async (id: string) => {
  const [listed] = await listTasks(database.sql, { ids: [id] });
  const shown = await showTask(database.sql, id);
  expect(listed?.outcomes).toEqual(shown.outcomes);
  return shown.outcomes;
};

describe('outcomes of a task', () => {
  test('that was stopped as poison are those of the ledger, and its doubts are found', async () => {
    const id = await add();
    await addKilledRun(database.sql, id);
    await stand(id, 'stopped');
    expect(await shownOutcomes(id)).toEqual({ created: 2, 'in-doubt': 1 });
    expect(await listTasks(database.sql, { inDoubt: true })).toMatchObject([{ id }]);
    expect(await countTasks(database.sql, { inDoubt: true })).toMatchObject({ stopped: 1 });
    expect(await listTasks(database.sql, { inDoubt: false })).toEqual([]);
    expect(await listDoubts(database.sql, id)).toMatchObject({ doubts: [{ row: 4 }], files: [] });
  });

  test.each(['queued', 'running', 'stopped'])(
    'that is %s again are not those of its last end',
    async (state) => {
      const id = await add();
      await addRun(database.sql, id, 'red', ['created', 'created', 'failed']);
      await stand(id, state, { created: 1, failed: 1 }, 1500);
      expect(await shownOutcomes(id)).toEqual({ created: 2, failed: 1 });
    },
  );

  test('that runs are counted though the end of its last execution is in the ledger', async () => {
    const id = await add();
    await addRun(database.sql, id, 'red', ['created', 'created']);
    await stand(id, 'running', { created: 1 });
    await database.sql.query("update run set state = 'running'");
    expect(await shownOutcomes(id)).toEqual({ created: 2 });
  });

  test('that has not begun are unknown', async () => {
    expect(await shownOutcomes(await add())).toBeNull();
  });

  test('whose rows were imported again are those of the later run', async () => {
    const [first, later] = [await add(), await add()];
    await addRun(database.sql, first, 'red', ['created', 'in-doubt']);
    await addRun(database.sql, later, 'red', ['created']);
    await stand(first, 'done', { created: 1, 'in-doubt': 1 });
    await stand(later, 'done', { created: 1 });
    await database.sql.query(
      `insert into sequel (run, seq, by_run, by_seq) select a.number, 1, b.number, 0 from run a, run b
       where a.id = $1 and b.id = $2`,
      [first, later],
    );
    expect(await shownOutcomes(first)).toEqual({ created: 2 });
    expect(await listTasks(database.sql, { inDoubt: true })).toEqual([]);
  });

  test('are not counted while the summary is true', async () => {
    const ids = [await add(), await add()];
    for (const id of ids) {
      await addRun(database.sql, id, 'red', ['created', 'in-doubt']);
      await stand(id, 'done', { created: 1, 'in-doubt': 1 });
    }
    const counts: string[] = [];
    const query: Sql['query'] = (text, ...rest) => {
      if (text.includes('group by run, outcome')) counts.push(text);
      return database.sql.query(text, ...rest);
    };
    expect(await listTasks({ ...database.sql, query }, { ids })).toHaveLength(2);
    expect(counts).toEqual([]);
  });
});
