import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tasksOf } from '../../faults/fleet/ledger.ts';
import { writeProducts } from '../../faults/products.ts';
import { shortFleet } from './short-fleet.ts';

test('small stores finish beside an import of many records, with one slot left for them', async () => {
  const { fleet, workload, until, violations } = await shortFleet({ stores: 5, workers: 1, slots: 2 });
  const { ask, command, folder } = fleet;
  writeProducts(join(folder, 'many.csv'), 100_000, 'many');
  await ask('run', 'import', 'products', 'many.csv', '--stores', 's1');
  fleet.startWorkers();
  await until('the first creates', () => fleet.traffic.sent.length > 10);
  await ask('run', 'import', 'products', workload.next(), '--stores', 's2,s3,s4,s5');
  const small = async () => (await tasksOf(fleet)).filter(({ store }) => store !== 's1');
  await until('the end of the small imports', async () =>
    (await small()).every(({ state }) => state === 'done'),
  );
  const [many] = (await tasksOf(fleet)).filter(({ store }) => store === 's1');
  expect(many?.state).toBe('running');
  expect((await command('stop', many?.id ?? '')).code).toBe(0);
  await until('the end of the large import', async () =>
    (await tasksOf(fleet)).every(({ state }) => state === 'done' || state === 'stopped'),
  );
  expect((await violations(0)).filter((line) => !line.startsWith('s1:'))).toEqual([]);
});
