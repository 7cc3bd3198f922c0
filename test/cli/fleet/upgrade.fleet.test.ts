import { afterEach, beforeEach, expect, test } from 'vitest';
import { KNOWN_SCHEMA as KNOWN, migrate } from '../../../src/postgres/index.ts';
import { SCHEMA_STEPS } from '../../../src/postgres/migrations.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { type FleetCli, fleetCli } from '../../support/fleet-cli.ts';
import { sample } from '../../support/run.ts';

let fleet: FleetCli;
const sandboxes: Sandbox[] = [];

beforeEach(async () => {
  fleet = await fleetCli();
  await fleet.run('init');
});
afterEach(async () => {
  await fleet.close();
  for (const sandbox of sandboxes.splice(0)) await sandbox.close();
});

const EXPAND = {
  script: `alter table store add column later text; alter table task add column later text;
    alter table log add column later integer not null default 0`,
  minVersion: KNOWN,
};
const CONTRACT = { script: 'alter table task drop column later', minVersion: KNOWN + 1 };

const productsOf = (sandbox: Sandbox) =>
  sandbox.records('products').map((record) => (record as { reference?: string }).reference);

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}

test('two workers import on while the schema is updated, and end with 2 when it leaves them behind', async () => {
  for (const name of ['red', 'blue']) {
    // A few creates a second: the schema changes in the middle of both imports.
    const sandbox = await startSandbox({ faults: { rate: '5', burst: '1' } });
    sandboxes.push(sandbox);
    await fleet.addStore(name, sandbox);
  }
  const workers = [
    fleet.start('worker', '--slots', '1', '--name', 'one'),
    fleet.start('worker', '--slots', '1', '--name', 'two'),
  ];
  const file = sample('shopify-products.csv');
  await fleet.run('run', 'import', 'products', file, '--stores', 'all');
  await until(() => sandboxes.every((sandbox) => productsOf(sandbox).length > 0));

  const early = [KNOWN, productsOf(sandboxes[0] as Sandbox).length] as const;
  await Promise.all([
    migrate(fleet.sql, [...SCHEMA_STEPS, EXPAND]),
    migrate(fleet.sql, [...SCHEMA_STEPS, EXPAND]),
  ]);
  expect(early[1]).toBeLessThan(20);
  for (const sandbox of sandboxes) sandbox.misbehave({});
  const done = await fleet.untilTasks((tasks) => tasks.every(({ state }) => state === 'done'));
  expect(done.map(({ outcomes }) => outcomes)).toEqual([
    { created: 20, invalid: 5 },
    { created: 20, invalid: 5 },
  ]);
  for (const sandbox of sandboxes) {
    expect(productsOf(sandbox)).toHaveLength(20);
    expect(new Set(productsOf(sandbox)).size).toBe(20);
  }

  // The next step would leave them behind: it waits for them.
  await expect(migrate(fleet.sql, [...SCHEMA_STEPS, EXPAND, CONTRACT])).rejects.toThrow(/one-.+, two-/);
  for (const { process } of workers.slice(0, 1)) process.kill('SIGTERM');
  expect((await workers[0]?.ended)?.code).toBe(0);
  await expect(migrate(fleet.sql, [...SCHEMA_STEPS, EXPAND, CONTRACT])).rejects.toThrow(/: two-/);

  // Somebody makes it in spite of that.
  await fleet.sql.query('insert into migration (version, min_version) values ($1, $1)', [KNOWN + 2]);
  const { code, stderr } = (await workers[1]?.ended) ?? { code: undefined, stderr: '' };
  expect(code).toBe(2);
  expect(stderr).toContain('Install the version of storeport that the other workers have');
  expect((await fleet.run('worker')).code).toBe(2);
});
