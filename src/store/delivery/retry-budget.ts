/**
 * Keeps retries from making an outage worse: each request that the store carries out earns one retry. A store that
 * carries out half of its requests is used fully. One that fails at almost everything gets few retries.
 */
export interface RetryBudget {
  /** Called when the store has decided about a request. */
  earn(): void;
  /** True if one more request may be sent again now; that retry is then spent. */
  spend(): boolean;
}

export interface RetryBudgetOptions {
  /** Retries available before any was earned; also the most that can be saved up. */
  readonly burst: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** Retries a second that need not be earned, so that the end of an outage is noticed. */
const LEAST_PER_SECOND = 5;

export function createRetryBudget({ burst, now }: RetryBudgetOptions): RetryBudget {
  let left = burst;
  let filledMs = now();

  return {
    earn() {
      left = Math.min(burst, left + 1);
    },
    spend() {
      const nowMs = now();
      left = Math.min(burst, left + ((nowMs - filledMs) / 1000) * LEAST_PER_SECOND);
      filledMs = nowMs;
      if (left < 1) return false;
      left--;
      return true;
    },
  };
}
