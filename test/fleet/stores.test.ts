import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  addStore,
  addTasks,
  listStores,
  removeStore,
  selectStores,
  stopTasks,
} from '../../src/fleet/index.ts';
import type { Sql } from '../../src/postgres/index.ts';
import { databaseOfFile, hasPostgres } from '../support/postgres.ts';
import { addPlainStore } from './fleet-parts.ts';

let sql: Sql;
const database = databaseOfFile();
beforeEach(() => {
  sql = database.sql;
});

const names = (stores: readonly { name: string }[]) => stores.map(({ name }) => name);

describe('stores of a fleet', () => {
  test.each([
    ['all', ['blue', 'green', 'red']],
    ['green', ['green']],
    ['green, blue', ['blue', 'green']],
    ['tag:warm', ['green', 'red']],
    ['tag:warm,blue,red', ['blue', 'green', 'red']],
    ['blue,all', ['blue', 'green', 'red']],
  ])('%s selects them', async (text, expected) => {
    await addPlainStore(sql, 'red', { tags: ['warm', 'old'] });
    await addPlainStore(sql, 'green', { tags: ['warm'] });
    await addPlainStore(sql, 'blue');
    expect(names(await selectStores(sql, text))).toEqual(expected);
  });

  test.each([
    ['rde', 'There is no store "rde".'],
    ['tag:cold', 'No store has the tag "cold".'],
    ['red,', 'Which stores?'],
    ['', 'Which stores?'],
    ['tag:', 'Which stores?'],
  ])('the selection "%s" is refused', async (text, message) => {
    await addPlainStore(sql, 'red', { tags: ['warm'] });
    await expect(selectStores(sql, text)).rejects.toThrow(message);
  });

  test('a removed store is not selected, and keeps its number when it is added again', async () => {
    const before = await addPlainStore(sql, 'red');
    await removeStore(sql, 'red');
    expect(await listStores(sql)).toEqual([]);
    await addPlainStore(sql, 'red', { baseUrl: 'https://elsewhere.example' });
    const again = await addPlainStore(sql, 'crimson', { baseUrl: before.baseUrl });
    expect(again.number).toBe(before.number);
    expect(names(await listStores(sql))).toEqual(['crimson', 'red']);
  });

  test('names and addresses are taken once', async () => {
    await addPlainStore(sql, 'red');
    await expect(addPlainStore(sql, 'red', { baseUrl: 'https://b.example' })).rejects.toThrow(
      '"red" already',
    );
    await expect(addPlainStore(sql, 'blue', { baseUrl: 'https://red.example/api/' })).rejects.toThrow(
      'The store "red" has the address',
    );
    await expect(addPlainStore(sql, 'all')).rejects.toThrow('all stores');
    await expect(addPlainStore(sql, 'a,b')).rejects.toThrow('cannot be the name');
  });

  test.each(['hunter2', 'env:', 'env:STOREPORT_DATABASE', 'env:AWS_SECRET_ACCESS_KEY', 'file:relative'])(
    'the secret "%s" is refused without repeating it',
    async (secret) => {
      const settings = { clientId: 'client', secret };
      const error = await addStore(sql, { name: 'red', baseUrl: 'https://red.example', settings }).catch(
        (thrown: { message: string; hints: string[] }) => thrown,
      );
      expect(error).toMatchObject({ name: 'ConfigError' });
      expect(
        JSON.stringify([(error as { message: string }).message, (error as { hints: string[] }).hints]),
      ).not.toContain(`"${secret}`);
      expect(await listStores(sql)).toEqual([]);
    },
  );

  test('settings that do not exist are refused', async () => {
    const settings = { clientId: 'client', secret: 'env:X', clientSecret: 'hunter2' } as never;
    await expect(
      addStore(sql, { name: 'red', baseUrl: 'https://red.example', settings }),
    ).rejects.toMatchObject({ hints: ['settings has no clientSecret.'] });
  });

  test('a store with tasks that have not ended is not removed', async () => {
    await addPlainStore(sql, 'red');
    await addTasks(sql, { command: 'export', resource: 'reviews', options: {}, stores: 'red' });
    await expect(removeStore(sql, 'red')).rejects.toThrow('1 task that has not ended');
    await stopTasks(sql, { stores: 'red' });
    await removeStore(sql, 'red');
    expect(await listStores(sql)).toEqual([]);
  });

  test('stores share the limit of their rate key', async () => {
    await addPlainStore(sql, 'red', { rateKey: 'host', sharedRate: 5 });
    await addPlainStore(sql, 'blue', { rateKey: 'host' });
    expect((await listStores(sql)).map(({ sharedRate }) => sharedRate)).toEqual([5, 5]);
    await expect(addPlainStore(sql, 'green', { sharedRate: 5 })).rejects.toThrow('rate key');
  });
});

describe.runIf(await hasPostgres())('stores that two users change at the same time', () => {
  const work = { command: 'export', resource: 'reviews', options: {} } as const;

  /** Does `first`, and commits it only once `second` waits for it. Returns the error of `second`. */
  async function atOnce(
    first: (sql: Sql) => Promise<unknown>,
    second: (sql: Sql) => Promise<unknown>,
  ): Promise<Error | undefined> {
    let late: Promise<Error | undefined> | undefined;
    await database.another().transaction(async (inside) => {
      await first(inside);
      let isOver = false;
      late = second(sql)
        .then(
          () => undefined,
          (error: Error) => error,
        )
        .finally(() => {
          isOver = true;
        });
      while (!isOver && !(await isBlocked(inside))) await sleep(5);
    });
    return late;
  }

  async function isBlocked(by: Sql): Promise<boolean> {
    const [line] = await by.query<{ found: boolean }>(
      'select exists (select 1 from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))) as found',
    );
    return line?.found === true;
  }

  test('a store that is being removed gets no task', async () => {
    await addPlainStore(sql, 'red');
    const refused = await atOnce(
      (inside) => removeStore(inside, 'red'),
      (other) => addTasks(other, { ...work, stores: 'red' }),
    );
    expect(refused?.message).toContain('was removed meanwhile');
    expect(await sql.query('select 1 from task')).toEqual([]);
  });

  test('a store to which a task is being added is not removed', async () => {
    await addPlainStore(sql, 'red');
    const refused = await atOnce(
      (inside) => addTasks(inside, { ...work, stores: 'red' }),
      (other) => removeStore(other, 'red'),
    );
    expect(refused?.message).toContain('1 task that has not ended');
  });

  test('an address is given to one of two stores', async () => {
    const baseUrl = 'https://red.example';
    const refused = await atOnce(
      (inside) => addPlainStore(inside, 'red', { baseUrl }),
      (other) => addPlainStore(other, 'blue', { baseUrl: `${baseUrl}/` }),
    );
    expect(refused?.message).toContain('was just added');
    expect(names(await listStores(sql))).toEqual(['red']);
  });
});
