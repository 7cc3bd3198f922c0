import { START_RATE } from './adaptive-rate.ts';

/** A rate that an earlier run has learned. */
export interface LearnedRate {
  /** Requests a second. */
  readonly rate: number;
  /** Time since then; infinite if unknown. */
  readonly ageMs: number;
}

/** Age at which a low learned rate counts half as much. */
const HALF_LIFE_MS = 6 * 3_600_000;
/** From this part of the start rate on, a learned rate makes no difference. */
const NEAR = 0.95;

/**
 * Ages a learned rate. One below the start rate mostly comes from a store in trouble. So it approaches the start rate,
 * by half of the distance (in octaves) every six hours. A higher one is kept, since it costs only a few refusals if it
 * no longer holds. undefined if the rate makes no difference.
 */
export function recalledRate({ rate, ageMs }: LearnedRate): number | undefined {
  if (rate >= START_RATE) return rate;
  const weight = 0.5 ** (ageMs / HALF_LIFE_MS);
  const left = START_RATE * (rate / START_RATE) ** weight;
  return left >= START_RATE * NEAR ? undefined : left;
}
