/** The size of batches of permits, and the time between them. */
export interface Beat {
  /** Permits in a batch. */
  readonly batch: number;
  /** Time between the starts of two batches; a batch can be used for as long. */
  readonly spacingMs: number;
}

/** Permits that are handed out together. Times are monotonic milliseconds. */
export interface Batch {
  readonly startMs: number;
  readonly size: number;
  /** Permits that can still be taken, until `lapsesMs`. */
  left: number;
  lapsesMs: number;
  /** Permits that were taken and are not used yet. */
  held: number;
  /** When the last permit was used. */
  usedMs: number;
}

/**
 * Bottleneck's local store takes more than 2 ms for each job, whatever the limit, so that a job for each request tops
 * out near 400 a second. One job hands out a batch of permits instead; 50 jobs a second are well within its means, and
 * 100 where only the pace limits: smaller batches pass limiters that admit few at once.
 */
const JOBS_PER_SECOND = 50;

/** A second and a little more, since the store measures it with a clock of its own. */
const WINDOW_MS = 1_005;

/** Spacing is this much wider than needed, so that a job which starts late does not crowd the next ones. */
const SLACK = 1.01;

/** Holds a ceiling in every window of a second: see `createRateGate`. */
export function strictBeat(rate: number): Beat {
  const batch = batchFor(rate);
  if (batch === 1) return { batch, spacingMs: (1000 / rate) * SLACK };
  const batchesInWindow = Math.floor(rate / batch);
  return { batch, spacingMs: (1000 / (batchesInWindow - 1)) * SLACK };
}

/** Holds a rate on average. Some stores admit few at once, so these batches are half as large, at twice the cost. */
export function looseBeat(rate: number): Beat {
  const batch = batchFor(rate / 2); // Twice as many jobs, of half the size.
  return { batch, spacingMs: (1000 * batch) / rate };
}

function batchFor(rate: number): number {
  return Math.max(1, Math.round(rate / JOBS_PER_SECOND));
}

/** Keeps the batches that have a permit which was used in the last second, or may still be used. */
export function recentOf(batches: readonly Batch[], nowMs: number): Batch[] {
  return batches.filter((batch) => lastUseMs(batch) > nowMs - WINDOW_MS);
}

/**
 * The time until a batch of this size fits below the ceiling, beside recent ones. Infinite if that depends on a permit
 * that is not used yet.
 */
export function roomInMs(
  recent: readonly Batch[],
  { size, ceiling, nowMs }: { readonly size: number; readonly ceiling: number; readonly nowMs: number },
): number {
  let counted = recent.reduce((sum, batch) => sum + batch.size, 0);
  let wait = 0;
  for (const batch of recent.toSorted((a, b) => (lastUseMs(a) < lastUseMs(b) ? -1 : 1))) {
    // A single batch larger than the rate (less than one a second) must still pass some day.
    if (counted + size <= Math.max(ceiling, size)) break;
    counted -= batch.size;
    wait = lastUseMs(batch) + WINDOW_MS - nowMs;
  }
  return wait;
}

/** The time at which the last of its permits was used, or can be used at the latest. */
function lastUseMs({ held, left, lapsesMs, usedMs }: Batch): number {
  if (held > 0) return Number.POSITIVE_INFINITY;
  return left > 0 ? Math.max(lapsesMs, usedMs) : usedMs;
}
