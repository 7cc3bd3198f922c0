import { expect, test } from 'vitest';
import { lossesIn } from '../../faults/fleet/observer.ts';
import { planFaults } from '../../faults/fleet/plan.ts';

const plan = (seed: number) => planFaults(seed, { count: 300, workers: 3, ttlMs: 1000 });

test('a seed gives the same faults each time, and another one other faults', () => {
  expect(plan(1)).toEqual(plan(1));
  expect(plan(2)).not.toEqual(plan(1));
});

test('a plan has every kind of fault, at every worker, shorter and longer than the lease', () => {
  const faults = plan(1);
  expect(new Set(faults.map(({ kind }) => kind)).size).toBe(8);
  const paused = faults.flatMap((fault) => (fault.kind === 'pause-worker' ? [fault] : []));
  expect(new Set(paused.map(({ worker }) => worker))).toEqual(new Set([0, 1, 2]));
  expect(paused.some(({ ms }) => ms < 1000)).toBe(true);
  expect(paused.some(({ ms }) => ms > 1000)).toBe(true);
});

test('a former holder has lost a lease while another one was seen with it, unless it had released it', () => {
  const pidOf = (holder: string) => Number(holder);
  const seen = [
    { store: 's1', epoch: 1, holder: '7', ms: 10, lastMs: 15 },
    { store: 's1', epoch: 2, holder: '8', ms: 20, lastMs: 25 },
    { store: 's2', epoch: 5, holder: '7', ms: 21, lastMs: 25 },
    { store: 's1', epoch: 3, holder: '7', ms: 30, lastMs: 35 },
    { store: 's2', epoch: 5, holder: null, ms: 31, lastMs: 31 },
    { store: 's2', epoch: 6, holder: '8', ms: 32, lastMs: 35 },
  ];
  expect(lossesIn(seen, pidOf)).toEqual([
    { store: 's1', pid: 7, epoch: 1, fromMs: 20, untilMs: 25 },
    { store: 's1', pid: 8, epoch: 2, fromMs: 30, untilMs: 35 },
  ]);
});
