import { FLOOR, GOOD, KEPT, limitSeen } from './limit-seen.ts';
import type { PacedAnswer } from './paced-answer.ts';
import { createPauses } from './pauses.ts';
import { createChance } from './random-rejection.ts';
import { createRateMeter } from './rate-meter.ts';
import { createRound, leastIn, ROUND_ANSWERS, type RoundSeen } from './round.ts';

/**
 * Finds out how many requests a second a store admits, from its answers alone. It keeps no clock and starts no timer:
 * whoever asks says what time it is, in milliseconds of a clock that only goes forward.
 *
 *     searching ──close below what was refused──▶ lingering ──after a while──▶ beyond ──far beyond──▶ searching
 *       ▲   │                                         │                          │
 *       │   └──nothing waits for a permit──▶ free     └────────a refusal─────────┤
 *       └──────────────down, and again where that is refused too─────────────────┘
 *
 * - A round is a round trip with a few answers in it. Rates go up at the end of a round, and come down at most once in
 *   one: a refusal of what was sent before the last decrease says nothing new.
 * - Nothing grows while the limiter is not in use: what was never tried is not known to be good.
 * - The search doubles the rate, or halves what is left up to a rate that was refused. A refusal leads back to the
 *   round before, and each one after it without a round in between further down by twice as much.
 * - From there on it is the shape of CUBIC (RFC 9438): slowly to the rate that was good, and then ever faster. How long
 *   it lingers is counted in seconds and in requests, so that refusals stay rare at any rate.
 * - A learned rate is where the next run begins. One that is lower than that of a store that nothing is known of may be
 *   that of one bad night, and would hold back short runs most: so it is searched upwards from it, a round for each answer.
 * - Time is counted in requests that had to wait, never by the clock: a pause or a suspended machine adds nothing.
 */
export interface Pace {
  /** Requests a second; undefined where nothing is known to limit them. */
  readonly rate: number | undefined;
  /** Nothing may be sent before. Infinite while the one request after a pause is not answered. */
  readonly pausedUntilMs: number;
  /** What is worth remembering for the next run: a rate that the store admitted, and not more. */
  readonly learned: number | undefined;
  /** It was found out by this pace, and is not what an earlier run has learned. */
  readonly isFound: boolean;
  /** A request gets its permit. */
  sending(): void;
  /** Called with every exchange that ended, in whatever way. */
  answered(answer: PacedAnswer): void;
}

export interface PaceOptions {
  /** Never more than this is sent, so more is never found out. */
  readonly ceiling?: number | undefined;
  /** What an earlier run has learned of this store. */
  readonly learned?: number | undefined;
  /** Called once, with the first request that waits for its permit only because of what was learned. */
  readonly onHeldBack?: (() => void) | undefined;
  /** Called when refusals lower the rate. */
  readonly onLowered?: ((from: number, to: number) => void) | undefined;
}

/** Gentle, and yet hundreds a second within half a second. */
export const START_RATE = 40;
const LEAST_RATE = 0.5;
/** Where a run begins at least, whatever an earlier one has learned: at less, a try would take seconds. */
const LEAST_START = 2;
/** No store is faster. */
const MOST_RATE = 100_000;

/** Where the limiter is not in use at such a rate, something else is the limit, and pacing would only cost time. */
const FREE_FROM_RATE = 200;

/**
 * Refusals that are ignored while the rate lingers, as a part of all answers. At high rates a refusal comes from a
 * short burst more often than from the rate. Together with the refusals that end the lingering they stay within one in
 * a hundred. At low rates those alone reach that share, and none is ignored.
 */
const SPARED = 0.005;
const ENDS = 2;
/** The most that are ignored in a row. */
const MOST_SPARED = 5;

/** At its first refusal a store is not used at more than this many times the rate that it has just admitted. */
const MOST_UNUSED = 2;

/** Of a learned rate, since it may have been another day's. */
const LEARNED_KEPT = 0.8;

/** A refusal at up to so many times a low rate that was learned says that it holds still: a step or two above it. */
const STILL_HOLDS = 4;

/** How long the rate lingers where it is good: so many seconds, and so many answers. */
const LINGER_SECONDS = 5;
const LINGER_ANSWERS = 150;
/** But not more than so many times what was admitted till then: what a few answers have shown is not sure yet. */
const SURER = 1.5;
/** As much again later the rate is this much higher: slowly at first, since a store's limit rarely changes. */
const BEYOND = 12;
/** So many times what was known: it is found out anew. */
const FAR_BEYOND = 4;

/** Growth while answers are slow, as a part of what it is else. Not none: what makes them slow may be here. */
const GROWTH_WHILE_SLOW = 0.1;

export function createPace({ ceiling, learned, onHeldBack, onLowered }: PaceOptions = {}): Pace {
  const most = ceiling ?? MOST_RATE;
  const isLow = learned !== undefined && learned < START_RATE;
  const admitted = createRateMeter();
  let free = false;
  let rate = learned === undefined ? START_RATE : Math.max(LEAST_START, learned * LEARNED_KEPT);
  /** The rate is low only since an earlier run says so. */
  let recalls = isLow && rate < most;
  let heldBack = false;
  let found = false;
  /** The rate to linger at; infinite where none was refused. */
  let good = isLow ? Number.POSITIVE_INFINITY : (learned ?? Number.POSITIVE_INFINITY);
  /** Where the way to it began, and how much of the time there is over. At another day's rate there is none. */
  let from = rate;
  let lingered = learned === undefined || isLow ? 0 : 1;
  /** Where the next refusal leads to. */
  let fallback = rate / 2;
  /** What the rounds since the last refusal had: so many answers, in as many seconds as their rates would have it. */
  let since = Number.POSITIVE_INFINITY;
  let spent = 0;

  /** Refusals that may be ignored now. */
  let spared = 0;
  /** How many more were refused than admitted of late. */
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
    if (end === 'admitted') admitted.count(nowMs);
    pauses.answered(answer);
    const byChance = chance.saw(end) && !pauses.isTrying;
    // Nothing to find out while nothing limits; this is on the way of every record.
    if ((free && (!refused || byChance)) || pauses.isTrying) return;
    if (end !== 'lost') debt = Math.max(0, debt + (refused && !byChance ? 1 : -1));
    const isTooMuch = debt >= leastIn(rate);
    if (isTooMuch) retreat(answer);
    // What was sent at another rate says nothing of this one.
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

  /** The rate that the search has reached may be far above the rate of what was sent. */
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
    const seen = round.end(answer.nowMs, recalls ? 1 : ROUND_ANSWERS);
    if (seen === undefined) return;
    learn(seen);
    round.begin(answer.nowMs);
  }

  function learn({ answers, inUse, slow, lossy }: RoundSeen): void {
    if (inUse) {
      since += answers;
      spent += answers / rate;
      // Too much by one in so many would not have shown yet.
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
      search(just);
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
    loweredMs += 1000 / rate; // What follows the last one as closely as before may still be on its way.
  }

  /**
   * Most are refused, so up to half of the rate is too much, unless it is only this second's requests that are used up.
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
      // A few may have been admitted because there were few.
      return isBeyond && admitted.total >= START_RATE ? undefined : learned;
    },
    get isFound() {
      return found;
    },
    sending: pauses.sending,
    answered,
  };
}
