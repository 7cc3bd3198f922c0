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
