import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { rmSync, writeFileSync } from '../../model/files/fs.ts';
import { makeHome, PRIVATE_FILE, readSmallFile, replaceFileSync } from '../../model/index.ts';
import { START_RATE } from './adaptive-rate.ts';

/** A rate that an earlier run has learned. */
export interface LearnedRate {
  /** Requests a second. */
  readonly rate: number;
  /** True if it is no limit: the store took all that was sent, at this rate. */
  readonly isFree: boolean;
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

/** Age up to which a store is still taken to be free. */
const FREE_MS = 7 * 24 * 3_600_000;

/** True if a run may begin without a limit. If the store has one by now, it refuses as many requests as are in flight. */
export function isStillFree({ isFree, ageMs }: LearnedRate): boolean {
  return isFree && ageMs <= FREE_MS;
}

/** Tolerated correction of the wall clock since the rate was stored. */
const CLOCK_CORRECTION_MS = 3_600_000;

/**
 * Reads the rate limit that an earlier command learned. It is a hint, so the result is undefined if
 * the file cannot be read. `nowMs` is the time since 1970. A rate with a future date gets an infinite age.
 */
export function readLearnedRate(home: string, store: string, nowMs = Date.now()): LearnedRate | undefined {
  const file = rateFile(home, store);
  try {
    const { rate, at, free } = JSON.parse(readSmallFile(file, file)) as Record<string, unknown>;
    if (typeof rate !== 'number' || !Number.isFinite(rate) || rate <= 0) return undefined;
    const age = nowMs - (typeof at === 'string' ? Date.parse(at) : Number.NaN);
    const ageMs = age >= -CLOCK_CORRECTION_MS ? Math.max(0, age) : Number.POSITIVE_INFINITY;
    return { rate, isFree: free === true, ageMs };
  } catch {
    return undefined;
  }
}

/** Stores a learned rate. Throws the system's error. */
export function keepLearnedRate(
  home: string,
  store: string,
  { rate, isFree }: Pick<LearnedRate, 'rate' | 'isFree'>,
): void {
  const file = rateFile(home, store);
  makeHome(home);
  // Written under another name first, since several commands may end at the same time.
  const part = `${file}.${process.pid}`;
  const at = new Date().toISOString();
  const text = JSON.stringify({
    store,
    rate: Number(rate.toPrecision(3)),
    ...(isFree && { free: true }),
    at,
  });
  writeFileSync(part, `${text}\n`, { mode: PRIVATE_FILE });
  replaceFileSync(part, file);
}

/** Deletes a learned rate. Throws the system's error. */
export function forgetLearnedRate(home: string, store: string): void {
  rmSync(rateFile(home, store), { force: true });
}

export function rateFile(home: string, store: string): string {
  return join(home, `rate-${createHash('sha256').update(store).digest('hex').slice(0, 16)}.json`);
}
