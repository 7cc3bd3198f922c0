import { createHash } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeHome, PRIVATE_FILE, readSmallFile } from '../model/index.ts';
import type { LearnedRate } from '../store/index.ts';

/** A clock may have been put right since by so much. */
const CLOCK_CORRECTION_MS = 3_600_000;

/**
 * What an earlier command found out of a store's limit. A hint: what cannot be read is not there. `nowMs`: since 1970.
 * One that is from the future is of an unknown age.
 */
export function readLearnedRate(home: string, store: string, nowMs = Date.now()): LearnedRate | undefined {
  const file = rateFile(home, store);
  try {
    const { rate, at } = JSON.parse(readSmallFile(file, file)) as Record<string, unknown>;
    if (typeof rate !== 'number' || !Number.isFinite(rate) || rate <= 0) return undefined;
    const age = nowMs - (typeof at === 'string' ? Date.parse(at) : Number.NaN);
    return { rate, ageMs: age >= -CLOCK_CORRECTION_MS ? Math.max(0, age) : Number.POSITIVE_INFINITY };
  } catch {
    return undefined;
  }
}

/** Throws what the system says. */
export function keepLearnedRate(home: string, store: string, rate: number): void {
  const file = rateFile(home, store);
  makeHome(home);
  // By way of another name, since several commands may end at once.
  const part = `${file}.${process.pid}`;
  const text = JSON.stringify({ store, rate: Number(rate.toPrecision(3)), at: new Date().toISOString() });
  writeFileSync(part, `${text}\n`, { mode: PRIVATE_FILE });
  renameSync(part, file);
}

/** Throws what the system says. */
export function forgetLearnedRate(home: string, store: string): void {
  rmSync(rateFile(home, store), { force: true });
}

export function rateFile(home: string, store: string): string {
  return join(home, `rate-${createHash('sha256').update(store).digest('hex').slice(0, 16)}.json`);
}
