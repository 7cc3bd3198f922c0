/** The part of a refused rate that is good to stay at. */
export const GOOD = 0.99;
/** The part of a good rate to begin at, so that the bucket fills a little first. */
export const KEPT = 0.98;
/** The rate does not fall below this part of what was admitted in the last second, since some stores count by it. */
export const FLOOR = 0.9;

/**
 * A refusal at more than this many times the mean shows that the limit has risen: a bucket of some seconds is empty
 * before.
 */
const RISEN = 2;
/** Otherwise the limit is at most this many times the mean. */
const ABOVE_MEAN = 1.04;
/** Fewer answers do not show the mean. */
const LEAST_ANSWERS = 12;
/** While the limit is searched, one refusal lowers the good rate to no less than this part. */
const LEAST_STEP = 0.95;

/** The requests that were admitted between two refusals. */
export interface Admitted {
  /** Requests a second at the second refusal, the highest since the first one. */
  readonly rate: number;
  /** Answers in between; infinite if there was no refusal before. */
  readonly since: number;
  /** The seconds that those take at their rates. */
  readonly spent: number;
  /** The part that is over of the time to linger at a good rate. */
  readonly lingered: number;
}

/**
 * The rate that a refusal shows to be good. A bucket that was not full in between was empty at both refusals, so that
 * the mean is the limit, however far beyond it the rate was; between two refusals there is one request less than gaps.
 * A small bucket overflows where the rate lingers, and the limit is nearer to the last rate. Half-way between them, but
 * not far above the mean, is good enough for both.
 */
export function limitSeen({ rate, since, spent, lingered }: Admitted): number {
  if (since === Number.POSITIVE_INFINITY) return rate * KEPT;
  const mean = since / spent;
  const drained = (mean * since) / (since + 1);
  if (lingered === 0)
    return Math.max(rate * LEAST_STEP, Math.min(rate * KEPT, since < LEAST_ANSWERS ? rate : drained));
  const halfway = (mean + rate * GOOD) / 2;
  if (rate > RISEN * drained) return Math.min(rate * GOOD, Math.max(halfway, rate * FLOOR));
  return Math.min(rate * GOOD, halfway, drained * ABOVE_MEAN);
}
