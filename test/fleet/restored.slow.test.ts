import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { keepTokenNoted } from '../../src/fleet/execute/noted-token.ts';
import type { TaskExecution } from '../../src/fleet/execute/options.ts';
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
import { type Lease, takeLease } from '../../src/postgres/index.ts';
import { scaledRuns } from '../support/property-tests.ts';
import { type CopiedTables, copyTables, putBack } from './copied-tables.ts';
import { fleetOfFile, WAIT } from './fleet-with-workers.ts';

const fleet = fleetOfFile();
const { database, start, ended, products, addImport, executorOptions } = fleet;

/** Works until all tasks have ended. */
async function work(name: string, tasks = 1): Promise<void> {
  const worker = await start(name);
  await ended(tasks);
  worker.drain();
  await worker.end;
}

async function leaseOf(holder: string): Promise<Lease> {
  const { number: store } = await oneStore(database.sql, 'red');
  const lease = await takeLease(database.sql, { store, holder, timing: { renewMs: 20 } });
  if (lease === undefined) throw new Error('The store is not free.');
  return lease;
}

/** An execution, as far as its token needs it. */
async function executionUnder(lease: Lease): Promise<TaskExecution> {
  const store = await oneStore(database.sql, 'red');
  return { ...(await executorOptions('a')), lease, task: { id: 'task', store } } as unknown as TaskExecution;
}

async function incarnation(): Promise<number> {
  const [line] = await database.sql.query<{ incarnation: number }>('select incarnation from cluster');
  return line?.incarnation ?? 0;
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
  test('an import creates nothing twice in a store with a list, though the restored backup knows nothing of it', async () => {
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

  test('after a restore, an import continues by itself if the list has all that is surely there', async () => {
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

  test('an import after a restore asks the list also if a person has looked at the store before', async () => {
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

describe('a copy that is put back into the same tables', () => {
  test('a copy that is put back is recognised by the token beside the files, and creates nothing twice', async () => {
    await addImport([products(10)]);
    await work('before');
    const id = await addImport([products(40)]);
    const backup = await copyTables(database.sql);
    await work('lost', 2);
    expect(fleet.sandbox.count('products')).toBe(40);
    // Nobody says that it was restored.
    await putBack(database.sql, backup);
    await work('after', 2);
    expect(await stopOf(id)).toMatchObject({ state: 'done' });
    expect(fleet.sandbox.count('products')).toBe(40);
  });

  test('a copy that is put back is recognised if it was made in the middle of an import whose worker was killed', async () => {
    const { sql } = database;
    await addImport([products(10)]);
    await work('before');
    const lease = await leaseOf('killed');
    const end = await keepTokenNoted(await executionUnder(lease), () => {});
    const backup = await copyTables(sql);
    await end();
    lease.abandon();
    const before = await incarnation();
    await putBack(sql, backup);
    await sql.query(`update lease set expires = '-infinity'`);
    const next = await leaseOf('next');
    await (await keepTokenNoted(await executionUnder(next), () => {}))();
    expect(await incarnation()).toBe(before + 1);
    // The same copy is recognised once.
    await (await keepTokenNoted(await executionUnder(next), () => {}))();
    expect(await incarnation()).toBe(before + 1);
    await next.release();
  });

  test('a copy that is put back ends an import that is at work', async () => {
    const { sql } = database;
    const lease = await leaseOf('at work');
    const stopped = vi.fn();
    const end = await keepTokenNoted(await executionUnder(lease), stopped);
    await sql.query('update lease set token = token_before, token_before = null');
    await vi.waitFor(() => expect(stopped).toHaveBeenCalled(), WAIT);
    expect(stopped.mock.calls[0]?.[0]).toMatchObject({ reason: 'restored' });
    await end();
    lease.abandon();
  });

  test('a copy of any moment is recognised once a later note was written, and no other one is suspected', async () => {
    const { sql } = database;
    const point = fc.record({ notes: fc.integer({ min: 1, max: 4 }), later: fc.integer({ min: 0, max: 3 }) });
    await fc.assert(
      fc.asyncProperty(point, fc.boolean(), async ({ notes, later }, isBetween) => {
        await sql.query(`update lease set expires = '-infinity'`);
        const lease = await leaseOf('killed');
        const storage = await fleet.storage();
        let written = 0;
        let copy: CopiedTables | undefined;
        const put: typeof storage.put = async (key, ...rest) => {
          // Before a note, the database has its token already.
          if (isBetween && written === notes) copy = await copyTables(sql);
          const object = await storage.put(key, ...rest);
          written += 1;
          if (!isBetween && written === notes) copy = await copyTables(sql);
          return object;
        };
        const execution = { ...(await executionUnder(lease)), storage: { ...storage, put } };
        // Each writes two notes: at its beginning and at its end.
        while (copy === undefined || written < notes + (isBetween ? 1 : 0) + later)
          await (await keepTokenNoted(execution, () => {}))();
        const after = written - notes - (isBetween ? 1 : 0);
        lease.abandon();
        const before = await incarnation();
        await putBack(sql, copy);
        await sql.query(`update lease set expires = '-infinity'`);
        const next = await leaseOf('next');
        await (await keepTokenNoted(await executionUnder(next), () => {}))();
        expect(await incarnation()).toBe(before + (after > 0 ? 1 : 0));
        await next.release();
      }),
      { numRuns: scaledRuns(40) },
    );
  });

  test('no copy is suspected if a process ended between the database and its note', async () => {
    const { sql } = database;
    const lease = await leaseOf('first');
    await (await keepTokenNoted(await executionUnder(lease), () => {}))();
    const before = await incarnation();
    await sql.query(`update lease set token_before = token, token = 'never noted'`);
    await (await keepTokenNoted(await executionUnder(lease), () => {}))();
    expect(await incarnation()).toBe(before);
    await lease.release();
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

  test('after a restore, a store without a list gets no creates before what was sent is adopted, and then none twice', async () => {
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
    expect((await advice(id))[0]).toContain('of customers at red. How: storeport fleet adopt --help');
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

  test('an import into a store without a list needs nothing adopted after a restore if nothing was sent', async () => {
    const id = await addCustomers();
    await noteLostCommits(database.sql);
    await declareReviewed(database.sql, 'red', { nothingSent: true });
    await work('after');
    expect(await stopOf(id)).toMatchObject({ state: 'done', outcomes: { created: 2 } });
  });
});
