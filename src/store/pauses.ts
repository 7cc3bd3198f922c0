import { RETRY_AFTER_MAX_MS } from './backoff.ts';
import type { PacedAnswer } from './paced-answer.ts';

/** When nothing may be sent at all, and what rate headers allow: both are what the store says, and not what is found out. */
export interface Pauses {
  /** Nothing may be sent before. Infinite while the one request after a pause is not answered. */
  readonly untilMs: number;
  /** A pause has begun, and the request that ends it is not answered. */
  readonly isTrying: boolean;
  /** Requests a second, as headers tell; undefined where they tell nothing now. */
  readonly quota: number | undefined;
  /** Most are refused: all wait. */
  begin(answer: Pick<PacedAnswer, 'nowMs' | 'retryAfterMs'>): void;
  /** Told of every exchange that ended. */
  answered(answer: PacedAnswer): void;
  /** A request gets its permit. */
  sending(): void;
}

/** A pause that the store did not ask for: it doubles while nothing is admitted. */
const PAUSE_MS = 100;
const MOST_PAUSE_MS = 30_000;
/** Headers that tell of a shorter time are those of a bucket that refills all the while: they say nothing of its rate. */
const LEAST_QUOTA_MS = 3_000;

export function createPauses(): Pauses {
  let untilMs = Number.NEGATIVE_INFINITY;
  let triedMs = Number.NEGATIVE_INFINITY;
  let inRow = 0;
  /** After a pause one request is sent, and no more until it is answered. */
  let trial: 'none' | 'due' | 'out' = 'none';
  let quota: { readonly rate: number; readonly untilMs: number } | undefined;

  function begin({ nowMs, retryAfterMs }: Pick<PacedAnswer, 'nowMs' | 'retryAfterMs'>): void {
    const own = Math.min(MOST_PAUSE_MS, PAUSE_MS * 2 ** inRow);
    const asked = Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS);
    untilMs = nowMs + Math.max(asked, own);
    triedMs = untilMs;
    inRow++;
    trial = 'due';
  }

  function answered(answer: PacedAnswer): void {
    const { nowMs, sentMs, end, left } = answer;
    if (trial === 'out' && sentMs >= triedMs) {
      if (end === 'refused') begin(answer);
      else [trial, inRow, untilMs] = ['none', 0, nowMs];
    }
    if (quota !== undefined && nowMs >= quota.untilMs) quota = undefined;
    if (left) heed(left, nowMs);
  }

  function heed({ requests, ms }: NonNullable<PacedAnswer['left']>, nowMs: number): void {
    if (ms < LEAST_QUOTA_MS) return;
    const believedMs = Math.min(ms, RETRY_AFTER_MAX_MS);
    if (requests <= 0) untilMs = Math.max(untilMs, nowMs + believedMs);
    else quota = { rate: (requests * 1000) / believedMs, untilMs: nowMs + believedMs };
  }

  return {
    get untilMs() {
      return untilMs;
    },
    get isTrying() {
      return trial !== 'none';
    },
    get quota() {
      return quota?.rate;
    },
    begin,
    answered,
    sending() {
      if (trial !== 'due') return;
      [trial, untilMs] = ['out', Number.POSITIVE_INFINITY];
    },
  };
}
