import Bottleneck from 'bottleneck';

/** Starts jobs one after the other, with at least the spacing that each asks for after the one before it. */
export interface Spacer {
  /** One job at a time: the next one only after this one has begun. */
  start(job: () => Promise<void>, spacingMs: number): void;
  /** The job that has not begun yet never will. */
  stop(): void;
}

/** How long after its time a job must begin. An event loop that is blocked for so long does no harm, see below. */
const LATE_MS = 250;

/**
 * Bottleneck plans by the wall clock: it notes the date at which the next job may begin, and waits until then. Where the
 * clock was set back by an hour meanwhile, it would wait an hour longer. Which date it takes and when cannot be seen from
 * outside, so its promise is held by the monotonic clock: a job that has not begun long after its spacing is over begins
 * without it, and the next one gets a new Bottleneck, which knows the new date.
 *
 * Where the clock is set forward, one job begins early. Callers that cannot have that measure for themselves.
 */
export function createSpacer(): Spacer {
  let limiter: Bottleneck | undefined;
  let minTime = 0;
  let overdue: NodeJS.Timeout | undefined;

  function start(job: () => Promise<void>, spacingMs: number): void {
    // What is planned already keeps the spacing of before.
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
        // Dropped, and yet on its way.
        if (planned !== limiter) return Promise.resolve();
        clearTimeout(overdue);
        return job();
      })
      // Dropped before it was.
      .catch(() => undefined);
  }

  function drop(): void {
    clearTimeout(overdue);
    limiter?.stop({ dropWaitingJobs: true }).catch(() => undefined);
    limiter = undefined;
  }

  return { start, stop: drop };
}
