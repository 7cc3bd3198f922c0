import Bottleneck from 'bottleneck';

/** Starts jobs one after the other, with at least the spacing that each asks for after the one before it. */
export interface Spacer {
  /** Must not be called again before this job has begun. */
  start(job: () => Promise<void>, spacingMs: number): void;
  /** Drops the job that has not begun yet. */
  stop(): void;
}

/**
 * The longest delay of a job before it begins without Bottleneck. An event loop that is blocked for longer does no
 * harm.
 */
const LATE_MS = 250;

/**
 * Bottleneck plans by the wall clock: it notes the date at which the next job may begin, and waits until then. If the
 * clock was set back by an hour meanwhile, it would wait an hour longer. Its dates cannot be seen from outside, so its
 * promise is checked by the monotonic clock: a job that has not begun long after its spacing is over begins without it,
 * and the next one gets a new Bottleneck, which knows the new date.
 *
 * If the clock is set forward, one job begins early. Callers that need exact spacing measure it themselves.
 */
export function createSpacer(): Spacer {
  let limiter: Bottleneck | undefined;
  let minTime = 0;
  let overdue: NodeJS.Timeout | undefined;

  function start(job: () => Promise<void>, spacingMs: number): void {
    // Bottleneck has planned the next job with the spacing of before.
    const latestMs = Math.max(minTime, spacingMs) + LATE_MS;
    limiter ??= new Bottleneck({ minTime: spacingMs });
    // Only minTime: after any change of settings a Bottleneck with a reservoir would stop refilling for good.
    if (spacingMs !== minTime) void limiter.updateSettings({ minTime: spacingMs });
    minTime = spacingMs;
    overdue = setTimeout(() => {
      drop();
      void job();
    }, latestMs);
    const planned = limiter;
    planned
      .schedule(() => {
        // The job was dropped after Bottleneck had begun to start it.
        if (planned !== limiter) return Promise.resolve();
        clearTimeout(overdue);
        return job();
      })
      // The job was dropped before it was started, and Bottleneck rejects.
      .catch(() => undefined);
  }

  function drop(): void {
    clearTimeout(overdue);
    limiter?.stop({ dropWaitingJobs: true }).catch(() => undefined);
    limiter = undefined;
  }

  return { start, stop: drop };
}
