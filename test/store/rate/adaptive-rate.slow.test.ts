import { describe, expect, test } from 'vitest';
import { type Limit, tokenBucket } from '../../../src/sandbox/misbehave/limits.ts';
import { simulate } from '../../support/paced-store.ts';
import { scaledRuns } from '../../support/property-tests.ts';

/** As in the sandbox: a burst of a tenth of a second's requests is allowed. */
const bucket = (perSecond: number) => tokenBucket(perSecond, Math.max(1, Math.floor(perSecond / 10)));

/** Other random sequences of the same events. */
const seeds = (count: number) => Array.from({ length: count }, (_, n) => 12_345 + n * 1_000_003);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('a limit that shows only in refusals', () => {
  const cases = [false, true].flatMap((retryAfter) =>
    [5, 50, 300].flatMap((roundTripMs) =>
      // At 32 requests in a round trip the concurrency would be the limit.
      [5, 20, 100, 500]
        .filter((limit) => limit * roundTripMs < 28_000)
        .map((limit) => ({ limit, roundTripMs, retryAfter })),
    ),
  );
  test.each(cases)(
    'of $limit a second is used, $roundTripMs ms away, Retry-After: $retryAfter',
    ({ limit, ...store }) => {
      const runs = seeds(limit < 100 ? scaledRuns(20) : 2).map((seed) =>
        simulate({ limit: bucket(limit), seconds: 72, seed, ...store }),
      );
      expect(mean(runs.map((paced) => paced.used(limit, 12, 72)))).toBeGreaterThan(0.95);
      expect(mean(runs.map((paced) => paced.refused(12, 72)))).toBeLessThan(0.01);
      for (const paced of runs) {
        // One refusal more or less of the 300 requests of the slowest limit.
        expect(paced.used(limit, 12, 72)).toBeGreaterThan(0.93);
        expect(paced.refused(12, 72)).toBeLessThan(0.0225);
        expect(paced.pace.learned).toBeGreaterThan(limit * 0.8);
        expect(paced.pace.learned).toBeLessThan(limit * 1.25);
      }
    },
  );

  // Least use and most refusals from the twelfth second on: the table in docs/delivery.md.
  const bursts: readonly (readonly [limit: number, burst: number, used: number, refused: number])[] = [
    // One refusal is a third of a percent of the requests of that minute.
    ...(
      [
        [5, 5],
        [5, 10],
        [10, 10],
      ] as const
    ).map(([limit, burst]) => [limit, burst, 0.93, 0.014] as const),
    ...[20, 50, 100, 500].flatMap((limit) => [10, limit].map((burst) => [limit, burst, 0.95, 0.01] as const)),
    // Without a burst, a request that is late by a moment is lost capacity.
    ...[
      [5, 0.95],
      [20, 0.92],
      [50, 0.85],
      [100, 0.75],
      [500, 0.2],
    ].map(([limit = 0, used = 0]) => [limit, 1, used, 0.01] as const),
  ];
  test.each(bursts)(
    'a limit of %i a second, %i at once, is used to %f with %f refused',
    (limit, burst, used, refused) => {
      const runs = [5, 50].flatMap((roundTripMs) =>
        limit * roundTripMs > 28_000
          ? []
          : // Of few requests, the share of refusals differs much from one sequence to the next.
            seeds(limit < 20 ? 10 : limit < 100 ? scaledRuns(10) : 2).map((seed) =>
              simulate({ limit: tokenBucket(limit, burst), seconds: 72, seed, roundTripMs }),
            ),
      );
      expect(mean(runs.map((paced) => paced.used(limit, 12, 72)))).toBeGreaterThan(used);
      expect(mean(runs.map((paced) => paced.refused(12, 72)))).toBeLessThan(refused);
    },
  );

  test('a limit with a burst of ten is used although the disk delays requests at times', () => {
    const disk = { everyMs: 700, waitMs: 25 };
    const paced = simulate({ limit: tokenBucket(500, 10), seconds: 72, roundTripMs: 5, disk });
    expect(paced.used(500, 12, 72)).toBeGreaterThan(0.95);
    expect(paced.refused(12, 72)).toBeLessThan(0.005);
  });

  test('a limit is found although its first refusals follow a large burst', () => {
    for (const seed of seeds(10)) {
      const paced = simulate({ limit: tokenBucket(100, 100), seconds: 72, roundTripMs: 50, seed });
      expect(paced.refused(12, 72)).toBeLessThan(0.01);
    }
  });

  test.each([3, 7, 10, 15])('a limit of %i a second, one at a time, is used too', (limit) => {
    const runs = seeds(10).map((seed) => simulate({ limit: bucket(limit), seconds: 72, seed }));
    expect(mean(runs.map((paced) => paced.used(limit, 12, 72)))).toBeGreaterThan(0.92);
    expect(mean(runs.map((paced) => paced.refused(12, 72)))).toBeLessThan(0.0125);
  });

  test('with a large burst is found too', () => {
    const paced = simulate({ limit: tokenBucket(100, 500), seconds: 72 });
    expect(paced.used(100, 12, 72)).toBeGreaterThan(0.95);
    expect(paced.refused(20, 72)).toBeLessThan(0.02);
  });

  test('with a burst of a hundredth of a second is used', () => {
    const paced = simulate({ limit: tokenBucket(500, 5), seconds: 72 });
    expect(paced.used(500, 12, 72)).toBeGreaterThan(0.88);
    expect(paced.refused(12, 72)).toBeLessThan(0.01);
  });

  test('is outgrown once it no longer exists', () => {
    const limit = changing([bucket(100), 20_000], [tokenBucket(100_000, 1_000), 60_000]);
    const { admitted } = simulate({ limit, seconds: 60 });
    expect(Math.max(...admitted.slice(50))).toBeGreaterThan(1_000);
  });
});

describe('a limit that falls from 100 to 10 and rises again', () => {
  const times = scaledRuns(26);
  const backAts = Array.from({ length: times }, (_, n) => 40 + Math.floor((n * 26) / times));
  const up = (backAt: number) => {
    const limit = changing([bucket(100), 20_000], [bucket(10), backAt * 1000], [bucket(100), 1e9]);
    const { admitted } = simulate({ limit, seconds: backAt + 40 });
    return admitted.findIndex((count, second) => second >= backAt && count > 80) - backAt;
  };

  test('is used again within 24 seconds, and mostly within 15, whenever it rises', () => {
    const seconds = backAts.map(up).sort((a, b) => a - b);
    expect(seconds[0]).toBeGreaterThanOrEqual(0);
    expect(seconds[seconds.length >> 1]).toBeLessThanOrEqual(15);
    expect(seconds.at(-1)).toBeLessThanOrEqual(24);
  });

  test.each([40, 47, 80])('is respected within two seconds after it fell, until second %i', (backAt) => {
    const limit = changing([bucket(100), 20_000], [bucket(10), backAt * 1000], [bucket(100), 1e9]);
    const { admitted, refused } = simulate({ limit, seconds: backAt + 25 });
    expect(refused(22, 32)).toBeLessThan(0.1);
    expect(refused(26, 36)).toBeLessThan(0.03);
    expect(Math.max(...admitted.slice(22, backAt))).toBeLessThanOrEqual(13);
  });
});

/** Several limits in turn, each until its time. */
function changing(...limits: readonly (readonly [Limit, number])[]): Limit {
  const at = (nowMs: number) => (limits.find(([, until]) => nowMs < until) ?? limits[0])?.[0] as Limit;
  return {
    waitMs: (nowMs) => at(nowMs).waitMs(nowMs),
    take: (nowMs) => at(nowMs).take(nowMs),
    state: (nowMs) => at(nowMs).state(nowMs),
  };
}
