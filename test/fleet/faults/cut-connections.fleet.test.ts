import { expect, test } from 'vitest';
import type { Cut } from '../../faults/fleet/machines/proxy.ts';
import { shortFleet } from './short-fleet.ts';

test.each<[Cut]>([['reset'], ['stall'], ['silence']])(
  'while the way to the database fails by %s, nothing is created twice or lost',
  async (how) => {
    const { fleet, workload, until, lastSender, allDone, violations } = await shortFleet({
      stores: 2,
      workers: 2,
    });
    const { traffic, workers, observer, ask } = fleet;
    fleet.startWorkers();
    await ask('run', 'import', 'products', workload.next(), '--stores', 'all');
    await until('the first creates', () => traffic.sent.length > 10);
    const pid = lastSender();
    const cut = workers.find((each) => each.pid === pid);
    cut?.proxy.cut(how);
    if (how === 'stall') await until('a takeover', () => observer.losses().some((loss) => loss.pid === pid));
    cut?.proxy.heal();
    await allDone();
    expect(await violations(1)).toEqual([]);
  },
);

test('answers of a store that are lost leave at most the records in flight in doubt', async () => {
  const { fleet, workload, until, allDone, violations } = await shortFleet({ stores: 2, workers: 1 });
  const { traffic, stores, ask } = fleet;
  fleet.startWorkers();
  await ask('run', 'import', 'products', workload.next(), '--stores', 'all');
  await until('the first creates', () => traffic.sent.length > 10);
  for (const { proxy } of stores) proxy.cut('mute');
  const { length } = traffic.sent;
  // All that may be in flight may have been sent before.
  await until(
    'a create without an answer',
    () => traffic.sent.length > length || fleet.logs().includes('did not answer in time'),
  );
  for (const { proxy } of stores) proxy.heal();
  await allDone();
  // Those in flight, and those that were sent when the time of these was over.
  expect(await violations(2)).toEqual([]);
});
