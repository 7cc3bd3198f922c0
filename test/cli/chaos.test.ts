import { expect, test } from 'vitest';
import { runChaos } from '../faults/chaos.ts';

// The short form of `scripts/faults.mjs chaos`: all faults begin at places in the order of requests, none after a time.

test.concurrent.each([
  ['that resets connections in its outage, and fails creates alone so long that the run stops', 9],
  ['that closes its port in its outage', 8],
  ['that answers late, and for a while loses 15 of 16 answers, so that the run stops', 18],
])('with all faults at once, %s, only records with a lost answer are in doubt', async (_, seed) => {
  const { found, faults, outcomes, stops } = await runChaos({ seed, records: 300 });
  expect(found).toEqual([]);
  expect(Object.keys(faults).length).toBeGreaterThan(15);
  expect(outcomes.created).toBeGreaterThan(150);
  expect(stops > 0).toBe(seed % 4 !== 0);
});
