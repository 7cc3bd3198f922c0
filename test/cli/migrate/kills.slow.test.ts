import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/model/index.ts';
import { environmentFor, type FaultPlan, readTrace } from '../../faults/plan.ts';
import { randomFrom } from '../../faults/products.ts';
import { cliForEachTest } from '../../support/cli.ts';
import { readTable } from '../../support/run.ts';
import { type ShopSize, SMALL_SHOP, shopIn, writeShop, wrongInShop } from '../../support/shop.ts';

// Kills come at the k-th moment of a process (a system call, or a call to the store), and never after a time.

const cli = cliForEachTest();

const CONCURRENCY = 4;
const KILLS = 5;
const MOST_ATTEMPTS = 40;

function migrate(plan: FaultPlan) {
  const args = ['migrate', 'plan.yaml', '--yes', '--concurrency', String(CONCURRENCY), '--json'];
  return cli.runProcess(args, { env: environmentFor(plan) });
}

let measured: number | undefined;

/** The number of moments of a migration without a kill, measured once. */
async function momentsOfAll(): Promise<number> {
  if (measured !== undefined) return measured;
  writeShop(cli.cwd);
  const trace = join(cli.cwd, 'trace');
  expect((await migrate({ trace })).code).toBe(0);
  measured = readTrace(trace).length;
  await cli.renew();
  return measured;
}

const KEYS: Readonly<Record<keyof ShopSize, string>> = {
  suppliers: 'name',
  products: 'reference',
  customers: 'email',
  discounts: 'code',
  orders: 'customerNote',
};

interface ListedRun {
  readonly run: string;
  readonly resource: keyof ShopSize;
  readonly out: string;
  readonly outcomes: Readonly<Record<string, number>>;
}

async function runs(): Promise<ListedRun[]> {
  const { stdout } = await cli.run('run', 'list', '--json');
  return JSON.parse(stdout).runs ?? JSON.parse(stdout);
}

/** Settles what is in doubt as an operator does, who looks into the store: returns the number of records. */
async function settleDoubts(): Promise<number> {
  let settled = 0;
  for (const { run, resource, out, outcomes } of await runs()) {
    if (!outcomes['in-doubt']) continue;
    const key = KEYS[resource];
    const records = [...cli.sandbox.records(resource)] as JsonObject[];
    const ids = new Map(records.map((record) => [String(record[key]), String(record._id)]));
    await cli.run('run', 'report', run);
    const keyOf = new Map(readTable(join(out, 'results.csv')).map((row) => [row.row, row.key]));
    const rows = readTable(join(out, 'in-doubt.csv')).map((row) => ({
      ...row,
      storeport_found: ids.get(keyOf.get(row.storeport_row) ?? '') ?? 'no',
    }));
    // Doubts of a later run about the same records are settled with those of the first.
    if (rows.length === 0) continue;
    const answers = join(cli.cwd, `${run}.csv`);
    writeFileSync(answers, stringify(rows, { header: true }));
    const { code, stderr } = await cli.run('run', 'resolve', run, '--from', answers);
    expect({ code, stderr: code === 0 || code === 1 ? '' : stderr }).toEqual({ code, stderr: '' });
    settled += rows.length;
  }
  return settled;
}

test.each([1, 2, 3, 4])(
  `a migration killed at ${KILLS} random moments and continued creates nothing twice, with all references right: seed %i`,
  async (seed) => {
    const moments = await momentsOfAll();
    writeShop(cli.cwd);
    const random = randomFrom(seed);
    let kills = 0;
    for (let attempt = 0; ; attempt++) {
      expect(attempt).toBeLessThan(MOST_ATTEMPTS);
      // Later processes have less to do, so early moments are more frequent.
      const killAt = kills < KILLS ? 1 + Math.floor(random() ** 2 * moments) : undefined;
      const { code, stderr } = await migrate(killAt === undefined ? {} : { killAt });
      if (code === null) kills++;
      else expect({ code, stderr: code > 1 ? stderr : '' }).toEqual({ code, stderr: '' });
      expect(wrongInShop(cli.sandbox)).toEqual([]);
      if (killAt === undefined) break;
    }
    expect(kills).toBe(KILLS);
    // No more than what was in flight at a kill is in doubt. It is settled, and what refers to it follows.
    expect(await settleDoubts()).toBeLessThanOrEqual(kills * CONCURRENCY);
    const { code, stdout, stderr } = await migrate({});
    expect({ code, stderr: code === 0 ? '' : stderr + stdout }).toEqual({ code: 0, stderr: '' });
    expect(shopIn(cli.sandbox)).toEqual(SMALL_SHOP);
    expect(wrongInShop(cli.sandbox)).toEqual([]);
    const { records, outcomes } = JSON.parse(stdout);
    expect(Object.values(outcomes as Record<string, number>).reduce((sum, count) => sum + count, 0)).toBe(
      records,
    );
    expect(records).toBe(25);
  },
  180_000,
);

test('a run whose id was never noted is found in the ledger, and resumed', async () => {
  writeShop(cli.cwd);
  const trace = join(cli.cwd, 'trace');
  await migrate({ trace });
  const sent = readTrace(trace).findIndex(
    ({ what, text }) => what === 'sends' && text?.includes('/customers/create'),
  );
  expect(sent).toBeGreaterThan(0);

  await cli.renew();
  writeShop(cli.cwd);
  expect((await migrate({ killAt: sent + 1 })).code).toBeNull();
  const before = await runs();
  expect(before[0]).toMatchObject({ resource: 'customers', state: 'stopped' });
  const { stdout } = await migrate({});
  const { steps } = JSON.parse(stdout);
  expect(steps.map(({ state }: { state: string }) => state)).toEqual([
    'before',
    'before',
    'done',
    'done',
    'done',
  ]);
  expect(steps[2].run.run).toBe(before[0]?.run);
  expect((await runs()).map(({ resource }) => resource)).toEqual([
    'orders',
    'discounts',
    'customers',
    'products',
    'suppliers',
  ]);
});

test('a file that changed while a migration was stopped is imported as it is now', async () => {
  writeShop(cli.cwd);
  const trace = join(cli.cwd, 'trace');
  await migrate({ trace });
  const sent = readTrace(trace).findIndex(
    ({ what, text }) => what === 'sends' && text?.includes('/orders/create'),
  );
  await cli.renew();
  writeShop(cli.cwd);
  expect((await migrate({ killAt: sent })).code).toBeNull();
  const file = join(cli.cwd, 'products-1.csv');
  writeFileSync(file, readFileSync(file, 'utf8').replace('Product 1,', 'Product one,'));
  const { code, stdout } = await migrate({});
  const { steps, notes } = JSON.parse(stdout);
  // Orders that were in flight are in doubt.
  expect(code).toBeLessThan(2);
  expect(notes.join('\n')).toContain('products-1.csv has changed since the run');
  expect(steps[1].run.outcomes).toEqual({ updated: 1, unchanged: 7 });
  expect(wrongInShop(cli.sandbox)).toEqual([]);
});
