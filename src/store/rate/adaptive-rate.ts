import { FLOOR, GOOD, KEPT, limitSeen } from './limit-seen.ts';
import type { Pace, PaceOptions } from './pace.ts';
import type { PacedAnswer } from './paced-answer.ts';
import { createPauses } from './pauses.ts';
import { createChance } from './random-rejection.ts';
import { createRateMeter } from './rate-meter.ts';
import { createRound, leastIn, ROUND_ANSWERS, ROUND_MS, type RoundSeen } from './round.ts';

/** Gentle, and yet hundreds a second within half a second. */
export const START_RATE = 40;
const LEAST_RATE = 0.5;
/** Lowest rate at which a run begins, whatever an earlier one learned: below it, a try would take seconds. */
const LEAST_START = 2;
/** No store is faster. */
const MOST_RATE = 100_000;

/**
 * Length of rounds as long as nothing was refused, once a store has admitted more than a small bucket has. Most stores
 * have no limit that a short run would meet, and its requests would wait for permits most of the time.
 */
const QUICK_ROUND_MS = 25;
const SMALL_BUCKET = 12;

/** If the limiter is not in use at this rate, something else is the limit, and pacing would only cost time. */
const FREE_FROM_RATE = 200;
/** Admitted requests that show in this run that a store is free. */
const FREE_ANSWERS = 400;

/**
 * Share of answers that may be refusals and be ignored while the rate lingers. At high rates a refusal comes from a
 * short burst more often than from the rate. Together with the refusals that end the lingering they stay within one in
 * a hundred. At low rates those alone reach that share, and none is ignored.
 */
const SPARED = 0.005;
const ENDS = 2;
/** The most that are ignored in a row. */
const MOST_SPARED = 5;

/** The rate in use at the first refusal is at most this many times the rate that the store has just admitted. */
const MOST_UNUSED = 2;

/** Part of a learned rate to begin at, since the store's limit may differ from day to day. */
const LEARNED_KEPT = 0.8;

/** A refusal at up to this many times a low learned rate, a step or two above it, shows that the rate still holds. */
const STILL_HOLDS = 4;

/** Seconds and answers for which the rate lingers where it is good. */
const LINGER_SECONDS = 5;
const LINGER_ANSWERS = 150;
/** Limit of that, as a multiple of the answers admitted by then: a rate that few answers have shown is not sure yet. */
const SURER = 1.5;
/** Rise after lingering twice as long, in multiples of the good rate. Slow at first: a store's limit rarely changes. */
const BEYOND = 12;
/** Multiple of the good rate from which the search begins anew. */
const FAR_BEYOND = 4;

/** Part of the usual growth that remains while answers are slow. Not zero: this machine may make them slow. */
const GROWTH_WHILE_SLOW = 0.1;

/**
 * Estimates how many requests a second a store admits, from its answers alone. It has no clock and no timer: callers
 * pass the time, in milliseconds of a monotonic clock.
 *
 *     searching ──close below what was refused──▶ lingering ──after a while──▶ beyond ──far beyond──▶ searching
 *       ▲   │                                         │                          │
 *       │   └──nothing waits for a permit──▶ free     └────────a refusal─────────┤
 *       └──────────────down, and again where that is refused too─────────────────┘
 *
 * - A round is a round trip with a few answers in it. The rate rises at the end of a round and falls at most once in
 *   one: refusals of requests that were sent before the last decrease are no news.
 * - Until the first refusal rounds are shorter: a store without a limit is known as such within a third of a second.
 * - The rate does not grow while the limiter is not in use: a rate that was never tried is not known to be good.
 * - The search doubles the rate, or halves the distance to a rate that was refused. A refusal leads back to the rate of
 *   the round before. Each further one without a round in between lowers the rate by twice as much.
 * - After that the rate follows the shape of CUBIC (RFC 9438): slowly up to the good rate, then ever faster. The time
 *   that it lingers is counted in seconds and in requests, so that refusals stay rare at any rate.
 * - The next run begins at the learned rate. One below the start rate of an unknown store may come from one bad night,
 *   and would slow short runs most. So the search goes upwards from it, with a round for each answer.
 * - A store that was free is free at the beginning of the next run. If it refuses then, the search begins as with an
 *   unknown one.
 * - Time is counted in requests that had to wait, not by the clock: a pause or a suspended machine adds none.
 */
export function createPace({ ceiling, learned, wasFree, onHeldBack, onLowered }: PaceOptions = {}): Pace {
  const most = ceiling ?? MOST_RATE;
  const isLow = learned !== undefined && learned < START_RATE;
  const admitted = createRateMeter();
  let free = wasFree === true;
  /** True as long as only an earlier run says so. */
  let recallsFree = free;
  let rate = learned === undefined ? START_RATE : Math.max(LEAST_START, learned * LEARNED_KEPT);
  /** True if the rate is low only because an earlier run learned it. */
  let recalls = isLow && rate < most;
  let heldBack = false;
  /** True until a refusal, in a run that knows nothing of the store. */
  let isQuick = learned === undefined;
  let found = false;
  /** The rate to linger at; infinite if none was refused. */
  let good = isLow ? Number.POSITIVE_INFINITY : (learned ?? Number.POSITIVE_INFINITY);
  /**
   * The rate at which the approach to `good` began, and the part of the lingering that is over. A rate of another day
   * has no lingering.
   */
  let from = rate;
  let lingered = learned === undefined || isLow ? 0 : 1;
  /** The rate after the next refusal. */
  let fallback = rate / 2;
  /** Answers in the rounds since the last refusal, and the seconds that they take at the rates of those rounds. */
  let since = Number.POSITIVE_INFINITY;
  let spent = 0;

  /** Refusals that may be ignored now. */
  let spared = 0;
  /** Recent refusals in excess of admitted requests. */
  let debt = 0;
  let loweredMs = Number.NEGATIVE_INFINITY;

  const round = createRound();
  const pauses = createPauses();
  const chance = createChance();
  /** The rate before a higher one is tried, while that lasts. */
  let before: number | undefined;

  function answered(answer: PacedAnswer): void {
    const { nowMs, sentMs, end } = answer;
    const refused = end === 'refused';
    if (refused) isQuick = false;
    if (end === 'admitted') admitted.count(nowMs);
    if (recallsFree && admitted.total >= FREE_ANSWERS) recallsFree = false;
    pauses.answered(answer);
    const byChance = chance.saw(end) && !pauses.isTrying;
    // Without a limit there is nothing to learn. Every record takes this path.
    if ((free && (!refused || byChance)) || pauses.isTrying) return;
    if (end !== 'lost') debt = Math.max(0, debt + (refused && !byChance ? 1 : -1));
    const isTooMuch = debt >= leastIn(rate);
    if (isTooMuch) retreat(answer);
    // Requests that were sent at another rate say nothing about this one.
    if (isTooMuch || sentMs < (refused ? loweredMs : round.beganMs)) return;
    if (before !== undefined) tryOut(before, refused, nowMs);
    else if (refused && !byChance) refusal(nowMs);
    else countIn(answer);
  }

  function refusal(nowMs: number): void {
    if (spared >= 1 && lingered > 0 && rate <= good) {
      spared--;
      return;
    }
    const at = chance.doubts(usedRate(nowMs), since, lingered);
    if (at === undefined) lower(nowMs);
    else tryAt(at, nowMs);
  }

  /** The rate that the search has reached may be far above the rate at which requests were sent. */
  function usedRate(nowMs: number): number {
    if (since !== Number.POSITIVE_INFINITY) return rate;
    return Math.min(rate, Math.max(START_RATE, MOST_UNUSED * admitted.rate(nowMs)));
  }

  function tryAt(at: number, nowMs: number): void {
    [before, rate, loweredMs] = [rate, Math.min(most, at), nowMs];
    round.begin(nowMs);
  }

  function tryOut(back: number, refused: boolean, nowMs: number): void {
    const reason = chance.tried(refused);
    if (reason === 'not known yet') return;
    before = undefined;
    if (reason === 'chance') {
      search(rate);
      round.begin(nowMs);
    } else {
      rate = from = back;
      lower(nowMs);
    }
  }

  function countIn(answer: PacedAnswer): void {
    if (answer.limited && recalls && !heldBack) {
      heldBack = true;
      onHeldBack?.();
    }
    round.count(answer);
    const share = SPARED - ENDS / Math.max(LINGER_ANSWERS, LINGER_SECONDS * rate);
    spared = Math.min(MOST_SPARED, spared + Math.max(0, share));
    const leastMs = isQuick && admitted.total >= SMALL_BUCKET ? QUICK_ROUND_MS : ROUND_MS;
    const seen = round.end(answer.nowMs, recalls ? 1 : ROUND_ANSWERS, leastMs);
    if (seen === undefined) return;
    learn(seen);
    round.begin(answer.nowMs);
  }

  function learn({ answers, inUse, slow, lossy }: RoundSeen): void {
    if (inUse) {
      since += answers;
      spent += answers / rate;
      // A rate too high by one request in `since + 1` would not have shown yet.
      fallback = rate - rate / (since + 1);
    }
    if (inUse && !lossy) grow(slow ? GROWTH_WHILE_SLOW : 1, answers);
    else if (!inUse && good === Number.POSITIVE_INFINITY && rate >= FREE_FROM_RATE) free = true;
    if (rate >= START_RATE) recalls = false;
  }

  function grow(part: number, answers: number): void {
    if (from < good * KEPT)
      rate = from = Math.min(most, from * (1 + part), from + ((good - from) / 2) * part);
    else {
      const enough = Math.min(LINGER_ANSWERS, SURER * admitted.total);
      lingered += (part * answers) / Math.max(enough, LINGER_SECONDS * rate);
      const left = 1 - lingered;
      rate = Math.min(most, left > 0 ? good - (good - from) * left ** 3 : good * (1 - BEYOND * left ** 3));
      if (rate > FAR_BEYOND * good) search(rate);
    }
  }

  function search(at: number): void {
    rate = from = Math.max(LEAST_RATE, at);
    good = since = Number.POSITIVE_INFINITY;
    lingered = 0;
    found = false;
    chance.forget();
  }

  function lower(nowMs: number): void {
    const just = admitted.rate(nowMs);
    loweredMs = nowMs;
    round.begin(nowMs);
    if (free) {
      free = false;
      // At the first answers nothing is known but that the earlier run was wrong.
      search(recallsFree ? Math.max(just, START_RATE) : just);
      recallsFree = false;
      fallback = rate / 2;
      return;
    }
    const stillHolds = recalls && learned !== undefined && rate > learned && rate <= STILL_HOLDS * learned;
    if (stillHolds) good = learned;
    else if (since === 0) good = Math.min(good, Math.max(just, rate * GOOD));
    else good = limitSeen({ rate, since, spent, lingered });
    good = Math.max(LEAST_RATE, good);
    const higher = rate;
    const fallen = Math.min(Math.min(good, rate) * KEPT, Math.max(fallback, just * FLOOR));
    const to = stillHolds ? learned * KEPT : fallen;
    fallback = Math.max(to / 2, to - 2 * (rate - to));
    rate = from = Math.max(LEAST_RATE, to);
    since = spent = lingered = 0;
    lowered(higher);
    loweredMs += 1000 / rate; // Requests at the old spacing may still be in flight.
  }

  /**
   * Most requests are refused, so up to half of the rate is too much, unless only the requests of this second are used
   * up.
   */
  function retreat(answer: PacedAnswer): void {
    good = Math.min(good, Math.max(LEAST_RATE, admitted.rate(answer.nowMs), good / 2));
    const higher = rate;
    rate = from = Math.min(rate, good);
    lowered(higher);
    [lingered, before] = [0, undefined];
    chance.forget();
    fallback = Math.min(fallback, rate / 2);
    debt = 0;
    pauses.begin(answer);
  }

  function lowered(higher: number): void {
    found ||= good !== Number.POSITIVE_INFINITY;
    recalls = false;
    if (rate < higher) onLowered?.(higher, rate);
  }

  return {
    get rate() {
      const own = free ? undefined : rate;
      const { quota } = pauses;
      return quota === undefined ? own : Math.min(own ?? Number.POSITIVE_INFINITY, quota);
    },
    get pausedUntilMs() {
      return pauses.untilMs;
    },
    get learned() {
      if (found) return good;
      const isBeyond = free || rate >= Math.max(START_RATE, FAR_BEYOND * (learned ?? 0));
      // A few requests may have been admitted only because there were few.
      return isBeyond && admitted.total >= START_RATE ? undefined : learned;
    },
    get isFound() {
      return found;
    },
    get isFree() {
      return free;
    },
    get freeRate() {
      return free && admitted.total >= FREE_ANSWERS ? admitted.average() : undefined;
    },
    sending: pauses.sending,
    answered,
  };
}
