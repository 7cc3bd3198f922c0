/**
 * Keeps retries from making an outage worse: no more is sent again than the store carries out, but for a few. So a
 * store that does half of what it is asked is used as it can be, and one that fails at almost everything is left alone.
 */
export interface RetryBudget {
  /** The store decided about a request. */
  earn(): void;
  /** Whether one more request may be sent again now, which is then spent. */
  spend(): boolean;
}

export interface RetryBudgetOptions {
  /** So many may be sent again before anything was earned, and are saved up at most. */
  readonly burst: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** What is there in any case, so that a store that comes back is noticed. */
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
