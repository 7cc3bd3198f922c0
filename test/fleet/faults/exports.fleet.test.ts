import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tasksOf } from '../../faults/fleet/ledger.ts';
import { shortFleet } from './short-fleet.ts';

interface Artifact {
  name: string;
  location: string;
  epoch: string;
  sha256: string;
}

test('a former holder that publishes its export late cannot replace the newer file', async () => {
  const { fleet, until, allDone } = await shortFleet({
    ...{ stores: 1, workers: 2, storeOptions: ['--seed', '300'] },
    faults: ['latency=100ms'],
  });
  const { ask, observer, workers, folder } = fleet;
  const artifacts = () =>
    observer.query<Artifact>('select name, location, epoch, sha256 from artifact order by name');
  await ask('run', 'export', 'reviews', '--stores', 'all');
  fleet.startWorkers();
  await until('the beginning of the export', async () => (await tasksOf(fleet))[0]?.state === 'running');
  const [first] = await observer.query<{ holder: string; epoch: string }>('select holder, epoch from lease');
  const zombie = workers.find(({ pid }) => first?.holder.includes(`-${pid}-`));
  // Its later statements reach the database after the other worker has published.
  zombie?.proxy.cut('stall');
  await allDone();
  const published = await artifacts();
  expect(published.map(({ name }) => name)).toContain('reviews.csv');
  expect(new Set(published.map(({ epoch }) => Number(epoch)))).toEqual(new Set([Number(first?.epoch) + 1]));
  zombie?.proxy.heal();
  for (const place of workers) expect(await place.drain(30_000)).toBe(0);
  expect(await artifacts()).toEqual(published);
  for (const { location, sha256 } of published) {
    const bytes = readFileSync(join(folder, 'artifacts', location));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
  }
});

test('a schedule that fires at several workers at once makes one task for each store', async () => {
  const { fleet, until, allDone } = await shortFleet({
    stores: 3,
    workers: 3,
    storeOptions: ['--seed', '20'],
  });
  const { ask, observer } = fleet;
  await ask(
    ...['schedule', 'add', 'nightly', '--export', 'reviews', '--stores', 'all', '--cron', '0 2 * * *'],
  );
  // Its slot has come, and every worker sees that when it begins.
  await observer.query(`update schedule set since = since - interval '1 day'`);
  fleet.startWorkers();
  await until('the tasks', async () => (await tasksOf(fleet)).length > 0);
  await until('a sweep of each worker', async () => {
    const [line] = await observer.query<{ count: string }>('select count(*) as count from worker');
    return Number(line?.count) === 3;
  });
  await allDone();
  expect((await tasksOf(fleet)).map(({ store }) => store).toSorted()).toEqual(['s1', 's2', 's3']);
});
