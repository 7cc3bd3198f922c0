/**
 * The second signal, beside refusals: answers take much longer than they did. The store has a queue then, and more
 * requests would only lengthen it.
 */
export interface Delay {
  /** Told how long the answers of a round took in the mean; NaN where there were none. */
  isSlow(meanMs: number): boolean;
}

/** So much longer than the quickest round is slow. */
const FACTOR = 2;
const MORE_MS = 100;
/** What is quick is forgotten by so much each round, since the next records may be larger. */
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
