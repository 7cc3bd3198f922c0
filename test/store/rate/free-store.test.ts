import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tokenBucket } from '../../../src/sandbox/misbehave/limits.ts';
import { createPace } from '../../../src/store/rate/adaptive-rate.ts';
import {
  isStillFree,
  keepLearnedRate,
  rateFile,
  readLearnedRate,
} from '../../../src/store/rate/learned-rate.ts';
import { simulate } from '../../support/paced-store.ts';
import { temporaryFolder } from '../../support/run.ts';

const STORE = 'https://shop.example.com';
const DAY_MS = 86_400_000;
const bucket = (perSecond: number) => tokenBucket(perSecond, Math.max(1, Math.floor(perSecond / 10)));

describe('a store that was free in an earlier run', () => {
  test('is used without a limit from the first request on, an unknown one is not', () => {
    const first = (wasFree: boolean) => {
      const { admitted } = simulate({ limit: bucket(100_000), seconds: 3, roundTripMs: 20, wasFree });
      return admitted[0] ?? 0;
    };
    expect(first(true)).toBeGreaterThan(1000);
    expect(first(false)).toBeLessThan(first(true) * 0.8);
    expect(createPace({ wasFree: true }).rate).toBeUndefined();
  });

  test.each([5, 20, 100, 500])(
    'and limits to %i a second now, refuses the first ones, and is used soon',
    (limit) => {
      const known = simulate({ limit: bucket(limit), seconds: 60, wasFree: true });
      const unknown = simulate({ limit: bucket(limit), seconds: 60 });
      expect(known.used(limit, 12, 60)).toBeGreaterThan(0.93);
      expect(known.refused(12, 60)).toBeLessThan(0.0225);
      // No more is refused than was in flight, and what an unknown store refuses.
      const requests = (paced: typeof known) => paced.admitted.reduce((sum, count) => sum + count, 0);
      const refused = ({ refused }: typeof known, admitted: number) =>
        (refused(0, 60) * admitted) / (1 - refused(0, 60));
      expect(refused(known, requests(known))).toBeLessThan(refused(unknown, requests(unknown)) + 64);
      expect(known.pace.isFree).toBe(false);
      expect(known.pace.learned).toBeGreaterThan(limit * 0.8);
    },
  );

  test('is still free after a run that is too short to tell', () => {
    const pace = createPace({ wasFree: true });
    for (let n = 0; n < 10; n++) pace.answered({ nowMs: n, sentMs: n, end: 'admitted', limited: false });
    expect([pace.isFree, pace.freeRate, pace.learned]).toEqual([true, undefined, undefined]);
  });

  test('tells how many requests a second it took', () => {
    const pace = createPace({ wasFree: true });
    for (let n = 0; n <= 1000; n++) pace.answered({ nowMs: n, sentMs: n, end: 'admitted', limited: false });
    expect(pace.freeRate).toBeCloseTo(1000);
  });
});

test('a store without a limit gets hundreds of requests in the first second', () => {
  const free = simulate({ limit: bucket(100_000), seconds: 1, roundTripMs: 5 });
  expect(free.admitted[0]).toBeGreaterThan(2000);
});

describe('the file of a rate', () => {
  test('says that it is no limit, for a week', () => {
    const home = temporaryFolder();
    keepLearnedRate(home, STORE, { rate: 1234, isFree: true });
    const read = (ageMs: number) => {
      const found = readLearnedRate(home, STORE, Date.now() + ageMs);
      return found && [found.rate, found.isFree, isStillFree(found)];
    };
    expect(read(0)).toEqual([1230, true, true]);
    expect(read(6.9 * DAY_MS)).toEqual([1230, true, true]);
    expect(read(7.1 * DAY_MS)).toEqual([1230, true, false]);
  });

  test('that says nothing of it is a limit', () => {
    const home = temporaryFolder();
    writeFileSync(rateFile(home, STORE), `{"store":"${STORE}","rate":50,"at":"${new Date().toISOString()}"}`);
    const found = readLearnedRate(home, STORE);
    expect(found && [found.isFree, isStillFree(found)]).toEqual([false, false]);
  });
});
