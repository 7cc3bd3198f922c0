import { expect, test } from 'vitest';
import { runChaos } from '../../faults/chaos.ts';

// The short form of `scripts/faults.mjs chaos`. All faults begin at a request of a given number, none after a
// time.

test.concurrent.each([
  ['resets connections in an outage, and fails creates so long that the run stops', 9],
  ['closes its port in an outage', 8],
  ['answers late, and loses 15 of 16 answers for a while, so that the run stops', 18],
])(
  'with all faults at once, at a store that %s, only records with a lost answer are in doubt',
  async (_, seed) => {
    const { found, faults, outcomes, stops } = await runChaos({ seed, records: 300 });
    expect(found).toEqual([]);
    expect(Object.keys(faults).length).toBeGreaterThan(15);
    expect(outcomes.created).toBeGreaterThan(150);
    expect(stops > 0).toBe(seed % 4 !== 0);
  },
);
