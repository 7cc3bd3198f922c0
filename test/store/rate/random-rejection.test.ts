import { describe, expect, test } from 'vitest';
import { type Limit, tokenBucket } from '../../../src/sandbox/misbehave/limits.ts';
import { createChance } from '../../../src/store/rate/random-rejection.ts';
import { simulate } from '../../support/paced-store.ts';
import { scaledRuns } from '../../support/property-tests.ts';

const NO_LIMIT: Limit = {
  waitMs: () => 0,
  take() {},
  state: () => ({ limit: 1, left: 1, resetMs: 0 }),
};
const SEEDS = [12_345, 98_765, 424_242].slice(0, scaledRuns(3));

/** Lowest requests a second from the second minute on. */
function slowest(store: Omit<Parameters<typeof simulate>[0], 'seconds' | 'limit'>): number {
  const rates = SEEDS.map((seed) => {
    const paced = simulate({
      limit: NO_LIMIT,
      seconds: 120,
      roundTripMs: 7,
      concurrency: 16,
      seed,
      ...store,
    });
    return paced.used(1, 60, 120);
  });
  return Math.min(...rates);
}

describe('rejections that do not depend on the rate', () => {
  // Without rejections the client reaches 1,800 a second here; the waits after them leave 1,000, 600, 300 and
  // 200.
  test.each([
    [0.01, 500],
    [0.03, 300],
    [0.1, 150],
    [0.2, 60],
  ])('of a share of %f do not reduce the rate to nothing', (refused, atLeast) => {
    expect(slowest({ chance: { refused } })).toBeGreaterThan(atLeast);
  });

  test('do not reduce the rate to nothing together with lost answers and waits for tokens', () => {
    const store = { chance: { refused: 0.03, lost: 0.03 }, tokens: { everyMs: 1_200, waitMs: 250 } };
    expect(slowest(store)).toBeGreaterThan(200);
  });

  test('do not hide a limit', () => {
    for (const seed of SEEDS) {
      const limit = tokenBucket(100, 10);
      const paced = simulate({ limit, seconds: 120, seed, chance: { refused: 0.03 } });
      expect(paced.used(100, 30, 120)).toBeGreaterThan(0.75);
      // Those three in a hundred, and some that are tolerated with them.
      expect(paced.refused(30, 120)).toBeLessThan(0.15);
    }
  });
});

describe('tolerance of rejections', () => {
  const some = (chance: ReturnType<typeof createChance>, count: number, end: 'admitted' | 'refused') =>
    Array.from({ length: count }, () => chance.saw(end));

  /** Sends a refusal after each stretch of successes, while the rate falls, until the limit is in doubt. */
  function untilDoubt(chance: ReturnType<typeof createChance>, answers = 20): number {
    let rate = 100;
    let doubted: number | undefined;
    for (let n = 0; n < 50 && doubted === undefined; n++, rate *= 0.9) {
      some(chance, answers, 'admitted');
      expect(chance.saw('refused')).toBe(false);
      doubted = chance.doubts(rate, answers, 0.2);
    }
    return doubted ?? 0;
  }

  test('begins after a doubt, once a higher rate was not refused more often', () => {
    const chance = createChance();
    expect(untilDoubt(chance)).toBeGreaterThanOrEqual(100);
    const told = Array.from({ length: 40 }, (_, n) => chance.tried(n % 20 === 0));
    expect([...new Set(told)]).toEqual(['not known yet', 'chance']);
    for (let n = 0; n < 20; n++) {
      some(chance, 20, 'admitted');
      expect(chance.saw('refused')).toBe(true);
    }
    // A larger share is not tolerated, ...
    expect(some(chance, 10, 'refused')).toContain(false);
    // ... and after a long time without any, neither is the next one.
    some(chance, 500, 'admitted');
    expect(chance.saw('refused')).toBe(false);
  });

  test('does not begin if a higher rate is refused, and the next doubt comes later', () => {
    const chance = createChance();
    untilDoubt(chance);
    let answers = 0;
    while (chance.tried(answers % 2 === 0) === 'not known yet') answers++;
    expect(answers).toBeLessThan(30);
    some(chance, 20, 'admitted');
    expect(chance.saw('refused')).toBe(false);
    for (let n = 0; n < 4; n++) expect(chance.doubts(10, 20, 0.2)).toBeUndefined();
  });

  test('does not begin while the rate stays about the same', () => {
    const chance = createChance();
    for (let n = 0; n < 200; n++) expect(chance.doubts(100 - (n % 20), 30, 0.2)).toBeUndefined();
  });
});
