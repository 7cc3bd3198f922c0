/**
 * Detects slow answers, the second signal beside refusals. If answers take much longer than before, the store has a
 * queue, and more requests would only lengthen it.
 */
export interface Delay {
  /** Called with the mean time of the answers of a round in ms; NaN if there were none. */
  isSlow(meanMs: number): boolean;
}

/** A round is slow if it took more than FACTOR times the quickest one plus MORE_MS. */
const FACTOR = 2;
const MORE_MS = 100;
/** Factor by which the quickest time is raised each round, since the next records may be larger. */
const FORGOTTEN = 1.02;

export function createDelay(): Delay {
  let usualMs = Number.POSITIVE_INFINITY;
  return {
    isSlow(meanMs) {
      const slow = meanMs > usualMs * FACTOR + MORE_MS;
      if (meanMs > 0) usualMs = Math.min(meanMs, usualMs * FORGOTTEN);
      return slow;
    },
  };
}
