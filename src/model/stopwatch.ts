/**
 * Measures durations by the monotonic clock and reads dates from the wall clock. Dates are for display only. Nothing
 * is computed from them, since the wall clock may be changed during a run.
 */
export interface Stopwatch {
  readonly startedAt: Date;
  /** Whole milliseconds since the start. */
  elapsedMs(): number;
  /** The current date; if the wall clock was set back, the start plus the elapsed time. */
  date(): Date;
}

export function startStopwatch(): Stopwatch {
  const startedAt = new Date();
  const startedMs = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedMs);
  return { startedAt, elapsedMs, date: () => endDate(startedAt, elapsedMs()) };
}

/**
 * Returns the current date, but never one before the start plus the elapsed time. It may be later, since a machine can
 * be suspended.
 */
export function endDate(startedAt: Date, elapsedMs: number): Date {
  return new Date(Math.max(Date.now(), startedAt.getTime() + elapsedMs));
}

/** Progress of work. Some of it may have been done before the measurement began. */
export interface MeasuredWork {
  /** The part that is done, 0 to 1; undefined if the total is unknown. */
  readonly part: number | undefined;
  /** Records that are done, with those of `before`. */
  readonly records: number;
  /** Records that were done before the measurement began. */
  readonly before: number;
}

/** Estimates the time that the rest takes, in the unit of `elapsed`; undefined if it cannot be known yet. */
export function timeLeft(elapsed: number, { part, records, before }: MeasuredWork): number | undefined {
  const since = records - before;
  if (!part || part >= 1 || since <= 0) return undefined;
  return ((elapsed * records) / since) * ((1 - part) / part);
}
