import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fixedWindow, type Limit, tokenBucket } from '../../../src/sandbox/misbehave/limits.ts';

/** The times at which a request was accepted, of the times at which one arrived. */
function admitted(limit: Limit, times: readonly number[]): number[] {
  return times.filter((at) => {
    if (limit.waitMs(at) > 0) return false;
    limit.take(at);
    return true;
  });
}

/** Every millisecond of `seconds`. */
const everyMs = (seconds: number) => Array.from({ length: seconds * 1000 }, (_, ms) => ms);

describe('a rate limit', () => {
  test.each([5, 20, 100, 500])('of %i a second admits this number a second, and its burst once', (rate) => {
    const burst = Math.max(1, rate / 10);
    expect(
      Math.abs(admitted(tokenBucket(rate, burst), everyMs(20)).length - (rate * 20 + burst)),
    ).toBeLessThanOrEqual(1);
  });

  test('admits only the burst after a pause', () => {
    const limit = tokenBucket(10, 3);
    admitted(limit, [0, 0, 0]);
    expect(admitted(limit, Array<number>(10).fill(60_000))).toHaveLength(3);
  });

  test('gives the exact wait until it accepts a request', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 1000, noNaN: true }),
        fc.integer({ min: 1, max: 50 }),
        (rate, burst) => {
          const limit = tokenBucket(rate, burst);
          admitted(limit, Array<number>(burst).fill(0));
          const waitMs = limit.waitMs(0);
          expect(waitMs).toBeGreaterThan(0);
          expect(limit.waitMs(waitMs * 0.99)).toBeGreaterThan(0);
          expect(limit.waitMs(waitMs)).toBe(0);
        },
      ),
    );
  });
});

describe('a fixed window', () => {
  test('admits its number of requests in each window, whenever they arrive', () => {
    const limit = fixedWindow(100, 60_000);
    const at = (start: number, count: number) => Array<number>(count).fill(start);
    expect(admitted(limit, at(1000, 150))).toHaveLength(100);
    expect(limit.waitMs(1000)).toBe(60_000);
    expect(admitted(limit, at(60_999, 10))).toHaveLength(0);
    expect(admitted(limit, at(61_000, 150))).toHaveLength(100);
    expect(admitted(limit, at(600_000, 150))).toHaveLength(100);
  });

  test('reports the remaining number', () => {
    const limit = fixedWindow(3, 1000);
    limit.take(0);
    expect(limit.state(400)).toEqual({ limit: 3, left: 2, resetMs: 600 });
  });
});
