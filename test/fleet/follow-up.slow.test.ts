import { beforeEach, describe, expect, test } from 'vitest';
import { addTasks, followUpOf, retryTasks, showTask } from '../../src/fleet/index.ts';
import type { OutcomeStatus } from '../../src/model/index.ts';
import { addRun } from '../support/fleet-serve.ts';
import { databaseOfFile } from '../support/postgres.ts';
import { addPlainStore } from './fleet-parts.ts';

const database = databaseOfFile();

beforeEach(async () => {
  await addPlainStore(database.sql, 'red');
});

interface Ended {
  readonly outcomes?: readonly OutcomeStatus[];
  readonly state?: 'done' | 'stopped';
  readonly files?: readonly string[];
}

/** Adds an import that has ended, with its run and files of its last execution. */
async function ended({ outcomes, state = 'done', files = ['errors.csv', 'in-doubt.csv'] }: Ended) {
  const { sql } = database;
  const [task] = await addTasks(sql, {
    ...{ command: 'import', resource: 'products', stores: 'red' },
    options: { files: ['/data/a.csv'], mode: 'create', mapping: 'shopify-products' },
  });
  const id = task?.id ?? '';
  if (outcomes) await addRun(sql, id, 'red', outcomes);
  await sql.query('update task set state = $2 where id = $1', [id, state]);
  for (const name of files)
    await sql.query(
      `insert into artifact (task, name, location, epoch, bytes, sha256)
       select task.number, $2, $2, run.epoch, 1, '' from task join run on run.id = task.id where task.id = $1`,
      [id, name],
    );
  return id;
}

async function followUp(id: string) {
  return followUpOf(database.sql, await showTask(database.sql, id));
}

const commandsOf = async (id: string) => (await followUp(id)).steps.map(({ command }) => command);
const importRows = (id: string) =>
  `storeport fleet run import products storeport-runs/${id}/errors.csv --mapping shopify-products --mode create --stores red`;

describe('what leads on', () => {
  test.each(['invalid', 'rejected'] as const)(
    'from %s records is the import of corrected rows',
    async (word) => {
      const id = await ended({ outcomes: ['created', word, word] });
      const { problems, canRetry } = await followUp(id);
      expect(problems).toMatchObject([
        { outcome: word, code: 'no-answer', count: 2, example_row: 3, example: 'lost' },
      ]);
      expect(canRetry).toBe(false);
      // The rows are on no machine of the person who reads this.
      expect(await commandsOf(id)).toEqual([`storeport fleet get ${id}`, importRows(id)]);
    },
  );

  test('from failed records is a retry', async () => {
    const id = await ended({ outcomes: ['created', 'failed'] });
    expect((await followUp(id)).canRetry).toBe(true);
    expect(await commandsOf(id)).toEqual([`storeport fleet retry ${id}`]);
  });

  test('from a stop are resume and doubts, and no file that is not there', async () => {
    const id = await ended({ state: 'stopped', outcomes: ['invalid', 'in-doubt'], files: [] });
    const { steps } = await followUp(id);
    expect(steps.map(({ command }) => command)).toEqual([
      `storeport fleet resume ${id}`,
      `storeport fleet resolve ${id}`,
    ]);
    expect(steps.map(({ text }) => text).join('\n')).not.toMatch(/\.csv/);
  });

  test('from a task without trouble is nothing', async () => {
    const id = await ended({ outcomes: ['created'] });
    expect(await followUp(id)).toEqual({ problems: [], unread: undefined, steps: [], canRetry: false });
  });

  test('of files that an earlier execution left is not named', async () => {
    const id = await ended({ outcomes: ['in-doubt'] });
    await database.sql.query('update run set epoch = epoch + 1');
    expect((await followUp(id)).steps[0]?.text).not.toContain('in-doubt.csv');
  });
});

describe('a retry', () => {
  const retry = (id: string, rejected = false) => retryTasks(database.sql, { ids: [id] }, { rejected });

  test('queues a task with failed records, and leaves others as they are', async () => {
    const failed = await ended({ outcomes: ['failed', 'created'] });
    const invalid = await ended({ outcomes: ['invalid', 'rejected', 'in-doubt'] });
    expect(await retry(failed)).toMatchObject([{ changed: true, after: 'queued' }]);
    expect(await retry(invalid)).toMatchObject([
      { changed: false, after: 'done', nothing: 'nothing-failed' },
    ]);
    expect(await retry(invalid, true)).toMatchObject([{ changed: true, after: 'queued' }]);
  });

  test('of the tasks of a store leaves out those with nothing to send', async () => {
    const failed = await ended({ outcomes: ['failed'] });
    await ended({ outcomes: ['created'] });
    expect(await retryTasks(database.sql, { stores: 'red', states: ['done', 'stopped'] })).toMatchObject([
      { id: failed, changed: true },
    ]);
  });

  test('of an export sends nothing', async () => {
    const [task] = await addTasks(database.sql, {
      ...{ command: 'export', resource: 'reviews', stores: 'red', options: {} },
    });
    await database.sql.query("update task set state = 'done'");
    const id = task?.id ?? '';
    expect(await retry(id)).toMatchObject([{ changed: false, nothing: 'export' }]);
    expect(await followUp(id)).toMatchObject({ steps: [], canRetry: false });
  });

  test('continues an import that has not read its files to the end', async () => {
    const id = await ended({ state: 'stopped', outcomes: ['created'] });
    await database.sql.query("update run set whole = false, state = 'stopped'");
    expect(await retry(id)).toMatchObject([{ changed: true }]);
  });
});
