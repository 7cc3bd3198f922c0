/** A rate limit. Times are milliseconds of a monotonic clock. */
export interface Limit {
  /** Returns the milliseconds until a request would be admitted; 0 means now. Counts no request. */
  waitMs(nowMs: number): number;
  /** Counts a request that is admitted now. */
  take(nowMs: number): void;
  /** Returns the values of rate headers: requests in all, requests left, and the time until all are available again. */
  state(nowMs: number): { readonly limit: number; readonly left: number; readonly resetMs: number };
}

/** Creates a token bucket of `burst` requests, refilled evenly with `perSecond`. Refused requests do not count. */
export function tokenBucket(perSecond: number, burst: number): Limit {
  let level = burst;
  let at: number | undefined;

  function refill(nowMs: number): void {
    level = Math.min(burst, level + ((nowMs - (at ?? nowMs)) * perSecond) / 1000);
    at = nowMs;
  }

  return {
    waitMs(nowMs) {
      refill(nowMs);
      // Rounding errors may leave the level slightly below 1.
      return level < 1 - 1e-9 ? ((1 - level) * 1000) / perSecond : 0;
    },
    take(nowMs) {
      refill(nowMs);
      level -= 1;
    },
    state(nowMs) {
      refill(nowMs);
      return {
        limit: Math.max(1, Math.round(perSecond)),
        left: Math.floor(level),
        resetMs: ((burst - level) * 1000) / perSecond,
      };
    },
  };
}

/** Creates a limit of `most` requests in each window of `lengthMs`. The first window begins with the first request. */
export function fixedWindow(most: number, lengthMs: number): Limit {
  let start: number | undefined;
  let used = 0;

  /** Moves to the window of `nowMs`, and returns the milliseconds until its end. */
  function advance(nowMs: number): number {
    start ??= nowMs;
    const passed = Math.floor((nowMs - start) / lengthMs);
    if (passed > 0) {
      start += passed * lengthMs;
      used = 0;
    }
    return start + lengthMs - nowMs;
  }

  return {
    waitMs(nowMs) {
      const resetMs = advance(nowMs);
      return used < most ? 0 : resetMs;
    },
    take(nowMs) {
      advance(nowMs);
      used += 1;
    },
    state(nowMs) {
      const resetMs = advance(nowMs);
      return { limit: most, left: most - used, resetMs };
    },
  };
}
