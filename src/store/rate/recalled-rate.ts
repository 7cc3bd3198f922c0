import { START_RATE } from './adaptive-rate.ts';

/** A rate that an earlier run has learned. */
export interface LearnedRate {
  /** Requests a second. */
  readonly rate: number;
  /** How long ago; infinite where that is not known. */
  readonly ageMs: number;
}

/** So long after it was learned, a low rate counts half as much. */
const HALF_LIFE_MS = 6 * 3_600_000;
/** So near to the rate of a store that nothing is known of, it makes no difference. */
const NEAR = 0.95;

/**
 * What is left of a learned rate after some time. One that is lower than where a run begins without it is mostly that
 * of a store in trouble, so it comes nearer to that, by half of the way (in octaves) every six hours. A higher one
 * costs a few refusals where it holds no more, and is kept.
 */
export function recalledRate({ rate, ageMs }: LearnedRate): number | undefined {
  if (rate >= START_RATE) return rate;
  const weight = 0.5 ** (ageMs / HALF_LIFE_MS);
  const left = START_RATE * (rate / START_RATE) ** weight;
  return left >= START_RATE * NEAR ? undefined : left;
}
