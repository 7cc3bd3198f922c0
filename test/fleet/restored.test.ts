import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  addTasks,
  adoptRecords,
  declareReviewed,
  followUpOf,
  noteLostCommits,
  oneStore,
  resumeTasks,
  showTask,
  taskResource,
} from '../../src/fleet/index.ts';
import { exitCodeOf, type JsonObject } from '../../src/model/index.ts';
import { copyTables, putBack } from './copied-tables.ts';
import { fleetOfFile } from './fleet-with-workers.ts';

const fleet = fleetOfFile();
const { database, start, ended, products, addImport, executorOptions } = fleet;

/** Works until all tasks have ended. */
async function work(name: string, tasks = 1): Promise<void> {
  const worker = await start(name);
  await ended(tasks);
  worker.drain();
  await worker.end;
}

/** Texts of the next steps of a task. */
async function advice(id: string): Promise<string[]> {
  const { steps } = await followUpOf(database.sql, await showTask(database.sql, id));
  return steps.map(({ text }) => text);
}

const stopOf = async (id: string) => {
  const { state, stopReason, outcomes, stopMessage } = await showTask(database.sql, id);
  return { state, stopReason, outcomes, stopMessage };
};

describe('an import into a store with a list, after a backup was restored', () => {
  test('creates nothing twice, though the backup knows nothing of the store', async () => {
    const id = await addImport([products(40)]);
    const backup = await copyTables(database.sql);
    await work('before');
    expect(fleet.sandbox.count('products')).toBe(40);
    await putBack(database.sql, backup);
    await noteLostCommits(database.sql);

    await work('after');
    // Nothing shows that the list is whole.
    expect(await stopOf(id)).toMatchObject({ state: 'stopped', stopReason: 'restored' });
    expect(await advice(id)).toEqual([
      expect.stringContaining('storeport fleet resume --reviewed red'),
      `To continue: storeport fleet resume ${id}`,
    ]);
    await declareReviewed(database.sql, 'red');
    await resumeTasks(database.sql, { ids: [id] });
    await work('last');
    expect(await stopOf(id)).toMatchObject({ state: 'done', outcomes: { updated: 40 } });
    expect(fleet.sandbox.count('products')).toBe(40);
  });

  test('continues by itself if the list has all that is surely there, and creates what it lacks', async () => {
    await addImport([products(10)]);
    await work('before');
    const backup = await copyTables(database.sql);
    await addImport([products(30)]);
    await work('lost', 2);
    await putBack(database.sql, backup);
    await noteLostCommits(database.sql);
    const id = await addImport([products(35)]);
    await work('after', 2);
    expect(await stopOf(id)).toMatchObject({ state: 'done', outcomes: { created: 5, updated: 20 } });
    expect(fleet.sandbox.count('products')).toBe(35);
  });

  test('asks the list also if a person has looked at the store before', async () => {
    const id = await addImport([products(10)]);
    const backup = await copyTables(database.sql);
    await work('before');
    await putBack(database.sql, backup);
    await noteLostCommits(database.sql);
    await declareReviewed(database.sql, 'red');
    await work('after');
    expect(await stopOf(id)).toMatchObject({ state: 'done', outcomes: { updated: 10 } });
    expect(fleet.sandbox.count('products')).toBe(10);
  });
});

describe('an import into a store without a list, after a backup was restored', () => {
  const addCustomers = async (options: JsonObject = {}) => {
    const file = join(fleet.folder, 'customers.csv');
    writeFileSync(
      file,
      'firstname,lastname,email,password\nAda,L,ada@example.com,one-two-3\nBob,M,bob@example.com,four-five-6\n',
    );
    const [task] = await addTasks(database.sql, {
      ...{ command: 'import', resource: 'customers', stores: 'red', options: { ...options, files: [file] } },
    });
    return task?.id ?? '';
  };

  test('creates nothing before what was sent is adopted, and then nothing twice', async () => {
    const { sql } = database;
    const id = await addCustomers();
    const backup = await copyTables(sql);
    await work('before');
    const results = join(fleet.folder, 'results.csv');
    writeFileSync(results, await fleet.artifact(id, 'results.csv'));
    await putBack(sql, backup);
    await noteLostCommits(sql);
    await work('after');
    expect(await stopOf(id)).toMatchObject({ state: 'stopped', stopReason: 'restored' });
    expect((await advice(id))[0]).toContain('storeport fleet adopt red customers FILE');
    await expect(declareReviewed(sql, 'red')).rejects.toThrow('would create them again');

    const store = await oneStore(sql, 'red');
    const summary = await adoptRecords(await executorOptions('cli'), store, {
      ...{
        resource: taskResource('customers', store.settings, 'create'),
        file: results,
        read: {},
        toRepeat: {},
      },
      ...{ home: join(fleet.folder, 'home'), out: join(fleet.folder, 'adopted'), version: '1', exitCodeOf },
      interrupted: new AbortController().signal,
      watch: { opened() {}, started() {}, warned() {}, canary: async () => true },
    });
    expect(summary.outcomes).toEqual({ unchanged: 2 });
    await declareReviewed(sql, 'red');
    await resumeTasks(sql, { ids: [id] });
    await work('last');
    expect(await stopOf(id)).toMatchObject({ state: 'done' });
    expect(fleet.sandbox.count('customers')).toBe(2);
  });

  test('needs nothing adopted if nothing was sent', async () => {
    const id = await addCustomers();
    await noteLostCommits(database.sql);
    await declareReviewed(database.sql, 'red', { nothingSent: true });
    await work('after');
    expect(await stopOf(id)).toMatchObject({ state: 'done', outcomes: { created: 2 } });
  });
});
