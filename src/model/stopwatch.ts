/**
 * Measures durations by the monotonic clock, and takes dates from the wall clock. Dates are for people: nothing is computed
 * from them, since a wall clock may be set back or forward meanwhile.
 */
export interface Stopwatch {
  readonly startedAt: Date;
  /** Whole milliseconds since the start. */
  elapsedMs(): number;
  /** The date now; if the wall clock was set back, the start and the time since then. */
  date(): Date;
}

export function startStopwatch(): Stopwatch {
  const startedAt = new Date();
  const startedMs = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedMs);
  return { startedAt, elapsedMs, date: () => endDate(startedAt, elapsedMs()) };
}

/** The date now, but never before the start plus the time it took. It may be later, since a machine can be suspended. */
export function endDate(startedAt: Date, elapsedMs: number): Date {
  return new Date(Math.max(Date.now(), startedAt.getTime() + elapsedMs));
}
