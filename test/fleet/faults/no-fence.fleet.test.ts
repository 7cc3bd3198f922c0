import { expect, test } from 'vitest';
import { doubles } from '../../faults/fleet/judge.ts';
import { buildWithoutFence } from '../../faults/fleet/unfenced.ts';
import { shortFleet } from './short-fleet.ts';

/** Pauses until a double must have been found. */
const MOST_PAUSES = 8;

test('without the fence, workers that lost their lease create records twice, and the judge finds them', async () => {
  const { fleet, workload, until, lastSender } = await shortFleet({
    ...{ stores: 2, workers: 2, workerBinary: buildWithoutFence() },
  });
  const { traffic, workers, observer, ask, stores } = fleet;
  const found = async () => {
    const all = await Promise.all(stores.map(async ({ name, facts }) => doubles(name, await facts())));
    return all.flat().filter((line) => line.endsWith('was made more than once'));
  };
  fleet.startWorkers();
  for (let pauses = 0; pauses < MOST_PAUSES && (await found()).length === 0; pauses++) {
    await ask('run', 'import', 'products', workload.next(), '--stores', 'all');
    const { length } = traffic.sent;
    await until('the first creates', () => traffic.sent.length > length + 5);
    const pid = lastSender();
    const paused = workers.find((each) => each.pid === pid);
    const losses = observer.losses().length;
    paused?.pause();
    await until('a takeover', () => observer.losses().length > losses);
    paused?.resume();
    const { length: resumed } = traffic.sent;
    await until('requests of both workers', () => traffic.sent.length > resumed + 20);
  }
  expect(await found()).not.toEqual([]);
});
