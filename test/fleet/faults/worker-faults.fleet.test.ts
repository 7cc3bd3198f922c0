import { expect, test } from 'vitest';
import { shortFleet } from './short-fleet.ts';

// Kills and pauses come when a request was seen, never after a time alone, so the speed of the machine does not matter.

test('after kill -9 of a worker another one continues, and nothing is created twice', async () => {
  const { fleet, workload, until, lastSender, allDone, violations } = await shortFleet({
    stores: 3,
    workers: 2,
  });
  const { traffic, workers, ask } = fleet;
  fleet.startWorkers();
  await ask('run', 'import', 'products', workload.next(), '--stores', 'all');
  await ask('run', 'import', 'products', workload.next(), '--stores', 'all');
  await until('the first creates', () => traffic.sent.length > 20);
  const killed = workers.find(({ pid }) => pid === lastSender());
  const { pid } = killed ?? {};
  await killed?.kill();
  const before = traffic.sent.length;
  const held = traffic.sent.filter((each) => each.pid === pid).map(({ store }) => store);
  await until('a request of the other worker', () =>
    traffic.sent.slice(before).some((each) => each.pid !== pid && held.includes(each.store)),
  );
  killed?.start();
  await allDone();
  expect(await violations(1)).toEqual([]);
  expect(traffic.sent.some(({ kind }) => kind === 'update')).toBe(true);
});

test('a worker that is paused between the commit and the socket, past its lease, creates nothing twice', async () => {
  const { fleet, workload, until, lastSender, allDone, violations } = await shortFleet({
    stores: 2,
    workers: 2,
  });
  const { traffic, workers, observer, ask } = fleet;
  fleet.startWorkers();
  await ask('run', 'import', 'products', workload.next(), '--stores', 'all');
  await until('the first creates', () => traffic.sent.length > 10);
  const pid = lastSender();
  const paused = workers.find((each) => each.pid === pid);
  expect(await paused?.pauseBeforeSend(30_000)).toBe(true);
  await until('a takeover', () => observer.losses().some((loss) => loss.pid === pid));
  const { length } = traffic.sent;
  await until('a request of the other worker', () =>
    traffic.sent.slice(length).some((each) => each.pid !== pid),
  );
  paused?.resume();
  await allDone();
  expect(await violations(1)).toEqual([]);
});
