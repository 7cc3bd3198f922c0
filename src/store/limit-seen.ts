/** So far below a rate that was refused one can stay, ... */
export const GOOD = 0.99;
/** ... and so far below that the bucket fills a little before. */
export const KEPT = 0.98;
/** The rate does not fall below this part of what was admitted in the last second, since some stores count by it. */
export const FLOOR = 0.9;

/** Refused at so many times the mean: the limit is higher than it was. A bucket of some seconds is emptied before that. */
const RISEN = 2;
/** Else the limit is not further above that. */
const ABOVE_MEAN = 1.04;
/** From so few answers it cannot be told. */
const LEAST_ANSWERS = 12;
/** While the limit is looked for, one refusal lowers what is good to this part at most. */
const LEAST_STEP = 0.95;

/** What was admitted from one refusal to the next one. */
export interface Admitted {
  /** At which the second one was refused: the highest since the first one. */
  readonly rate: number;
  /** Answers in between, infinite where there was no refusal before, in as many seconds as their rates would have it. */
  readonly since: number;
  readonly spent: number;
  /** How much of the time to linger where the rate is good is over. */
  readonly lingered: number;
}

/**
 * The rate that a refusal shows to be good. A bucket that was not full in between was empty at both refusals, so that the mean
 * is the limit, however far beyond it the rate was; between two refusals there is one request less than gaps. A small
 * bucket overflows where the rate lingers, and the limit is nearer to the last rate. Half-way between them, but not far
 * above the mean, is good enough for both.
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
