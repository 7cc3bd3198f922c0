import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHostGate } from '../../src/images/host-gate.ts';
import { scaledRuns } from '../support/property-tests.ts';
import { virtualClock } from '../support/virtual-clock.ts';

const A = 'https://a.example';
const B = 'https://b.example';

/** The largest number of times within any second. */
function mostInSecond(times: readonly number[]): number {
  return Math.max(...times.map((begin) => times.filter((at) => at >= begin && at < begin + 1000).length));
}

test('no second has more requests to a host than its rate, and few have less', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 300 }),
      fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 150 }),
      fc.integer({ min: 0, max: 30 }),
      async (rate, durations, lateMs) => {
        const clock = virtualClock();
        // Timers are late, as on a busy machine.
        const sleep = (ms: number) => clock.sleep(ms + lateMs);
        const gate = createHostGate({ rate, most: 8, now: clock.now, sleep });
        const begun: number[] = [];
        for (const duration of durations)
          void gate.enter(A).then(async () => {
            begun.push(clock.now());
            await clock.sleep(duration);
            gate.leave(A);
          });
        await clock.run();
        expect(begun).toHaveLength(durations.length);
        expect(mostInSecond(begun)).toBeLessThanOrEqual(rate);
      },
    ),
    { numRuns: scaledRuns(40) },
  );
});

test('requests that take no time begin at nearly the rate', async () => {
  const clock = virtualClock();
  const gate = createHostGate({ rate: 20, most: 8, ...clock });
  for (let request = 0; request < 101; request++) void gate.enter(A).then(() => gate.leave(A));
  await clock.run();
  expect(clock.now()).toBeGreaterThan(5000);
  expect(clock.now()).toBeLessThan(5200);
});

test('a host has no more requests in flight than the limit, and does not slow another one', async () => {
  const clock = virtualClock();
  const gate = createHostGate({ rate: 1000, most: 3, ...clock });
  let [inFlight, most, others] = [0, 0, 0];
  for (let request = 0; request < 20; request++)
    void gate.enter(A).then(async () => {
      most = Math.max(most, ++inFlight);
      await clock.sleep(1000);
      inFlight--;
      gate.leave(A);
    });
  void gate.enter(B).then(() => {
    others = clock.now();
  });
  await clock.run();
  expect([most, inFlight, others]).toEqual([3, 0, 0]);
});

test('a pause holds back all requests to its host', async () => {
  const clock = virtualClock();
  const gate = createHostGate({ rate: 100, most: 8, ...clock });
  gate.pause(A, 3000);
  const begun: Record<string, number> = {};
  for (const origin of [A, B])
    void gate.enter(origin).then(() => {
      begun[origin] = clock.now();
    });
  await clock.run();
  expect(begun).toEqual({ [A]: 3000, [B]: 0 });
});

test('a stopped gate lets all waiting requests through', async () => {
  const clock = virtualClock();
  const gate = createHostGate({ rate: 1, most: 1, ...clock });
  const entered = [gate.enter(A), gate.enter(A), gate.enter(A)];
  gate.stop();
  await Promise.all(entered);
  expect(clock.now()).toBe(0);
});
