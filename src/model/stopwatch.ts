/**
 * Measures how long something takes by the monotonic clock, and gives its dates by the one on the wall. People read the
 * dates; nothing is computed from them, since a wall clock may be set back or forward meanwhile.
 */
export interface Stopwatch {
  readonly startedAt: Date;
  /** Whole milliseconds since the start. */
  elapsedMs(): number;
  /** The date now, but never one that contradicts the time that has passed since the start. */
  date(): Date;
}

export function startStopwatch(): Stopwatch {
  const startedAt = new Date();
  const startedMs = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedMs);
  return { startedAt, elapsedMs, date: () => endDate(startedAt, elapsedMs()) };
}

/** The date now for what started then and has taken so long. Later than both add up to: the machine was suspended. */
export function endDate(startedAt: Date, elapsedMs: number): Date {
  return new Date(Math.max(Date.now(), startedAt.getTime() + elapsedMs));
}
