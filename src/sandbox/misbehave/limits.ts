/** How many requests a store admits. Times are milliseconds of a clock that only goes forward. */
export interface Limit {
  /** Milliseconds until a request would be admitted; 0: now. Takes nothing. */
  waitMs(nowMs: number): number;
  /** Takes a request that is admitted now. */
  take(nowMs: number): void;
  /** For rate headers: how many in all, how many are left, and when all are there again. */
  state(nowMs: number): { readonly limit: number; readonly left: number; readonly resetMs: number };
}

/** A bucket that holds `burst` requests and is refilled with `perSecond`, evenly. Refusals cost nothing. */
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
      // Sums of fractions of a millisecond end a hair below the whole.
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

/** At most `most` in each window of `lengthMs`; the windows stand one behind the other from the first request on. */
export function fixedWindow(most: number, lengthMs: number): Limit {
  let start: number | undefined;
  let used = 0;

  function turn(nowMs: number): number {
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
      const resetMs = turn(nowMs);
      return used < most ? 0 : resetMs;
    },
    take(nowMs) {
      turn(nowMs);
      used += 1;
    },
    state(nowMs) {
      const resetMs = turn(nowMs);
      return { limit: most, left: most - used, resetMs };
    },
  };
}
