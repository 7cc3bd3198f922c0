import type { PacedAnswer } from './paced-answer.ts';

/** A round trip with a few answers in it: the smallest unit from which the pace learns. */
export interface Round {
  /** Requests that were sent before this time do not count. */
  readonly beganMs: number;
  begin(nowMs: number): void;
  count(answer: PacedAnswer): void;
  /** The result of the round; undefined until it lasts `leastMs` and has `leastAnswers`. */
  end(nowMs: number, leastAnswers: number, leastMs: number): RoundSeen | undefined;
}

export interface RoundSeen {
  readonly answers: number;
  /** True if at least half of them had waited for a permit: the limiter is the limit. */
  readonly inUse: boolean;
  /** True if they took much longer than before. */
  readonly slow: boolean;
  /** True if too many requests had no answer. */
  readonly lossy: boolean;
}

export const ROUND_ANSWERS = 4;
export const ROUND_MS = 100;

/** The rate does not grow if more than this part of a round is lost. */
const MOST_LOST = 0.1;

/** Number of answers in the shortest round at this rate. */
export function leastIn(rate: number): number {
  return Math.max(ROUND_ANSWERS, (rate * ROUND_MS) / 1000);
}

export function createRound(): Round {
  const delay = createDelay();
  let beganMs = Number.NEGATIVE_INFINITY;
  let answers = 0;
  let losses = 0;
  let waits = 0;
  let tookMs = 0;

  return {
    get beganMs() {
      return beganMs;
    },
    begin(nowMs) {
      beganMs = nowMs;
      [answers, losses, waits, tookMs] = [0, 0, 0, 0];
    },
    count({ nowMs, sentMs, end, limited }) {
      answers++;
      if (limited) waits++;
      if (end === 'lost') losses++;
      else tookMs += nowMs - sentMs;
    },
    end(nowMs, leastAnswers, leastMs) {
      if (nowMs - beganMs < leastMs || answers < leastAnswers) return undefined;
      return {
        answers,
        inUse: waits * 2 >= answers,
        slow: delay.isSlow(tookMs / (answers - losses)),
        lossy: losses > answers * MOST_LOST,
      };
    },
  };
}

/**
 * Detects slow answers, the second signal beside refusals. If answers take much longer than before, the store has a
 * queue, and more requests would only lengthen it.
 */
interface Delay {
  /** Called with the mean time of the answers of a round in ms; NaN if there were none. */
  isSlow(meanMs: number): boolean;
}

/** A round is slow if it took more than FACTOR times the quickest one plus MORE_MS. */
const FACTOR = 2;
const MORE_MS = 100;
/** Factor by which the quickest time is raised each round, since the next records may be larger. */
const FORGOTTEN = 1.02;

function createDelay(): Delay {
  let usualMs = Number.POSITIVE_INFINITY;
  return {
    isSlow(meanMs) {
      const slow = meanMs > usualMs * FACTOR + MORE_MS;
      if (meanMs > 0) usualMs = Math.min(meanMs, usualMs * FORGOTTEN);
      return slow;
    },
  };
}
