import { RETRY_AFTER_MAX_MS } from '../http/backoff.ts';
import type { PacedAnswer } from './paced-answer.ts';

/** Tracks pauses and the quota of rate headers. The store states both; the pace estimates the rest. */
export interface Pauses {
  /** Nothing may be sent before this time. Infinite while the one request after a pause is not answered. */
  readonly untilMs: number;
  /** True from the beginning of a pause until the request that ends it is answered. */
  readonly isTrying: boolean;
  /** Requests a second that headers allow; undefined if none apply now. */
  readonly quota: number | undefined;
  /** Makes all requests wait, since most are refused. */
  begin(answer: Pick<PacedAnswer, 'nowMs' | 'retryAfterMs'>): void;
  /** Called with every exchange that ended, successful or not. */
  answered(answer: PacedAnswer): void;
  /** Called when a request gets its permit. */
  sending(): void;
}

/** The length of a pause that the store did not ask for; it doubles while nothing is admitted. */
const PAUSE_MS = 100;
const MOST_PAUSE_MS = 30_000;
/** Headers with a shorter time describe a bucket that refills continuously, and do not show its rate. */
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
