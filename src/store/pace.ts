import { RETRY_AFTER_MAX_MS } from './backoff.ts';

/**
 * Finds out how many requests a second a store admits, from its answers alone. It keeps no clock and starts no timer:
 * whoever asks says what time it is, in milliseconds of a clock that only goes forward.
 *
 *     start ──a refusal──▶ held ──refusals──▶ held, lower
 *       │  ▲                                 ▲ │
 *       │  └ the rate doubles each round     │ └ back towards the last good rate, lingers there, then beyond it
 *       └──nothing waits for a permit──▶ free┘ a refusal
 *
 * - A round is a round trip with a few answers in it. Rates go up at the end of a round, and come down at most once in
 *   one: a refusal of what was sent before the last decrease says nothing new.
 * - Nothing grows while the limiter is not in use: what was never tried is not known to be good.
 * - `held` is the shape of CUBIC (RFC 9438): quickly back to most of what was good, slowly to all of it, and then ever
 *   faster. How long it lingers is counted in seconds and in requests, so that refusals stay rare at any rate.
 */
export interface Pace {
  /** Requests a second; undefined where nothing is known to limit them. */
  readonly rate: number | undefined;
  /** Nothing may be sent before. Infinite while the one request after a pause is not answered. */
  readonly pausedUntilMs: number;
  /** What is worth remembering for the next run: a rate that the store admitted, and not more. */
  readonly learned: number | undefined;
  /** A request gets its permit. */
  sending(): void;
  /** Told of every exchange that ended, however it did. */
  answered(answer: PacedAnswer): void;
}

export interface PacedAnswer {
  readonly nowMs: number;
  readonly sentMs: number;
  /** `refused`: the store said that there were too many requests. `lost`: it said nothing, or that it is in trouble. */
  readonly end: 'admitted' | 'refused' | 'lost';
  /** It had to wait for a permit. */
  readonly waited: boolean;
  /** As the store asked for. */
  readonly retryAfterMs?: number | undefined;
  /** As rate headers tell it: so many requests until then. */
  readonly left?: { readonly requests: number; readonly ms: number } | undefined;
}

export interface PaceOptions {
  /** Never more than this is sent, so more is never found out. */
  readonly ceiling?: number | undefined;
  /** What an earlier run has learned of this store. */
  readonly learned?: number | undefined;
}

/** Gentle, and yet hundreds a second within half a second. */
const START_RATE = 40;
const LEAST_RATE = 0.5;
/** No store is faster. */
const MOST_RATE = 100_000;

/** Where the limiter is not in use at such a rate, something else is the limit, and pacing would only cost time. */
const FREE_FROM_RATE = 200;

const ROUND_ANSWERS = 4;
const ROUND_MS = 20;

/** After a refusal: this much of what was just admitted. */
const KEPT = 0.985;
/** But of the rate not less than what part of the round was admitted, within these bounds. */
const MOST_KEPT = 0.92;
const LEAST_KEPT = 0.5;
/** Nor than this of what was admitted in the last second. */
const FLOOR = 0.9;
/** Of a learned rate, since it may have been another day's. */
const LEARNED_KEPT = 0.8;

/** To be back at the last good rate takes so long, and so many answers. */
const RECOVERY_MS = 5_000;
const RECOVERY_ANSWERS = 150;
/** What a few answers have shown is not sure yet: the first recoveries take so many times what was admitted till then. */
const SURER = 1.5;
/** As much again later the rate is this much higher: slowly at first, since a store's limit rarely changes. */
const BEYOND = 12;

/** Answers that take that much longer than they did: the store has a queue, and more would only lengthen it. */
const SLOW_FACTOR = 2;
const SLOW_MS = 100;
/** What is quick is forgotten by so much each round, since the next records may be larger. */
const FORGOTTEN = 1.02;

/** A pause that the store did not ask for: it doubles while nothing is admitted. */
const PAUSE_MS = 100;
const MOST_PAUSE_MS = 30_000;
/** Headers that tell of a shorter time are those of a bucket that refills all the while: they say nothing of its rate. */
const LEAST_QUOTA_MS = 3_000;

export function createPace({ ceiling, learned }: PaceOptions = {}): Pace {
  const most = ceiling ?? MOST_RATE;
  const admitted = createMeter();
  let mode: 'start' | 'free' | 'held' = learned === undefined ? 'start' : 'held';
  let rate = learned === undefined ? START_RATE : Math.max(LEAST_RATE, learned * LEARNED_KEPT);
  /** The last good rate, and where its recovery began. */
  let good = learned ?? 0;
  let from = rate;
  let recoveredMs = 0;
  let recoveredAnswers = 0;
  let recoveryAnswers = RECOVERY_ANSWERS;

  let roundMs = Number.NEGATIVE_INFINITY;
  let ended = 0;
  let losses = 0;
  let waits = 0;
  let tookMs = 0;
  let usualMs = Number.POSITIVE_INFINITY;

  /** Since the last round without a refusal. */
  let answers = 0;
  let refusals = 0;
  let lowered = false;
  let loweredMs = Number.NEGATIVE_INFINITY;

  let pausedUntilMs = Number.NEGATIVE_INFINITY;
  let triedMs = Number.NEGATIVE_INFINITY;
  let pauses = 0;
  /** After a pause one request is sent, and no more until it is answered. */
  let trial: 'none' | 'due' | 'out' = 'none';
  let quota: { readonly rate: number; readonly untilMs: number } | undefined;

  function answered(answer: PacedAnswer): void {
    const { nowMs, sentMs, end, waited } = answer;
    const refused = end === 'refused';
    if (end === 'admitted') admitted.count(nowMs);
    if (trial === 'out' && sentMs >= triedMs) {
      if (refused) pause(answer);
      else [trial, pauses, pausedUntilMs] = ['none', 0, nowMs];
    }
    if (quota !== undefined && nowMs >= quota.untilMs) quota = undefined;
    if (answer.left) heed(answer.left, nowMs);
    // Nothing to find out while nothing limits; this is on the way of every record.
    if (mode === 'free' && !refused) return;
    // What was sent at another rate says nothing of this one.
    if (sentMs < (refused ? loweredMs : roundMs) || trial !== 'none') return;
    if (waited) waits++;
    if (end === 'lost') losses++;
    else if (refused) {
      refusals++;
      lower(nowMs);
      if (refusals > 1 && refusals > answers) pause(answer);
    } else {
      answers++;
      tookMs += nowMs - sentMs;
    }
    ended++;
    if (nowMs - roundMs >= ROUND_MS && ended >= ROUND_ANSWERS) endRound(nowMs);
  }

  function endRound(nowMs: number): void {
    const inUse = waits * 2 >= ended;
    const slow = isSlow(tookMs / (ended - losses));
    [answers, refusals, lowered] = [0, 0, false];
    if (inUse && losses === 0 && !slow) grow(nowMs - Math.max(roundMs, nowMs - RECOVERY_MS));
    else if (!inUse && mode === 'start' && rate >= FREE_FROM_RATE) mode = 'free';
    beginRound(nowMs);
  }

  /** `meanMs`: of the round's answers; NaN where there are none. Refusals are quick, and say nothing of the store. */
  function isSlow(meanMs: number): boolean {
    const slow = meanMs > usualMs * SLOW_FACTOR + SLOW_MS;
    if (meanMs > 0) usualMs = Math.min(meanMs, usualMs * FORGOTTEN);
    return slow;
  }

  function beginRound(nowMs: number): void {
    roundMs = nowMs;
    [ended, losses, waits, tookMs] = [0, 0, 0, 0];
  }

  function grow(elapsedMs: number): void {
    if (mode === 'start') {
      rate = Math.min(most, rate * 2);
      return;
    }
    recoveredMs += elapsedMs;
    recoveredAnswers += ended;
    const part = Math.min(recoveredMs / RECOVERY_MS, recoveredAnswers / recoveryAnswers);
    const grown = part < 1 ? good - (good - from) * (1 - part) ** 3 : good * (1 + BEYOND * (part - 1) ** 3);
    rate = Math.min(most, grown);
    // Far beyond what was known: from here on it is found out anew.
    if (grown > 4 * good) mode = 'start';
  }

  function hold(at: number, towards = at): void {
    mode = 'held';
    good = Math.max(LEAST_RATE, towards);
    from = Math.max(LEAST_RATE, at) * KEPT;
    rate = from;
    [recoveredMs, recoveredAnswers] = [0, 0];
    recoveryAnswers = Math.min(RECOVERY_ANSWERS, Math.max(ROUND_ANSWERS, SURER * admitted.total));
  }

  function lower(nowMs: number): void {
    const just = admitted.rate(nowMs);
    if (mode === 'free') hold(just);
    else {
      const sure = answers + refusals >= ROUND_ANSWERS;
      const share = mode === 'start' ? 0 : sure ? answers / (answers + refusals) : 1;
      const least = rate * Math.min(MOST_KEPT, Math.max(LEAST_KEPT, share));
      const to = Math.min(rate, Math.max(lowered ? just * FLOOR : just, least));
      hold(to, Math.max(to, Math.min(rate, just) * KEPT));
    }
    [lowered, loweredMs] = [true, nowMs];
    beginRound(nowMs);
  }

  function pause({ nowMs, retryAfterMs }: PacedAnswer): void {
    const own = Math.min(MOST_PAUSE_MS, PAUSE_MS * 2 ** pauses);
    const asked = Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS);
    pausedUntilMs = nowMs + Math.max(asked, own);
    triedMs = pausedUntilMs;
    pauses++;
    trial = 'due';
  }

  function heed({ requests, ms }: { readonly requests: number; readonly ms: number }, nowMs: number): void {
    if (ms < LEAST_QUOTA_MS) return;
    const believedMs = Math.min(ms, RETRY_AFTER_MAX_MS);
    const untilMs = nowMs + believedMs;
    if (requests <= 0) pausedUntilMs = Math.max(pausedUntilMs, untilMs);
    else quota = { rate: (requests * 1000) / believedMs, untilMs };
  }

  return {
    get rate() {
      const own = mode === 'free' ? undefined : rate;
      return quota === undefined ? own : Math.min(own ?? Number.POSITIVE_INFINITY, quota.rate);
    },
    get pausedUntilMs() {
      return pausedUntilMs;
    },
    get learned() {
      return mode === 'held' ? good : undefined;
    },
    sending() {
      if (trial !== 'due') return;
      [trial, pausedUntilMs] = ['out', Number.POSITIVE_INFINITY];
    },
    answered,
  };
}

const SLOT_MS = 100;
const SLOTS = 41;
/** Fewer tell no rate. */
const ENOUGH_EVENTS = 20;

/** Counts events, and tells their rate in the last second, or in the last four where they are few. */
function createMeter() {
  const counts = new Array<number>(SLOTS).fill(0);
  let newest = Number.NEGATIVE_INFINITY;
  let firstMs: number | undefined;
  let total = 0;

  function advance(nowMs: number): void {
    const slot = Math.floor(nowMs / SLOT_MS);
    for (let next = Math.max(newest + 1, slot - SLOTS + 1); next <= slot; next++) counts[place(next)] = 0;
    newest = Math.max(newest, slot);
  }
  const place = (slot: number) => ((slot % SLOTS) + SLOTS) % SLOTS;

  /** Events of the last `ms`, but for the slot that is still filling. */
  function rateOver(ms: number, nowMs: number): { readonly events: number; readonly rate: number } {
    advance(nowMs);
    const length = Math.max(SLOT_MS, Math.min(ms, nowMs - (firstMs ?? nowMs)));
    let events = 0;
    for (let slot = Math.floor((nowMs - length) / SLOT_MS) + 1; slot <= newest; slot++)
      events += counts[place(slot)] ?? 0;
    const countedMs = nowMs - (Math.floor((nowMs - length) / SLOT_MS) + 1) * SLOT_MS;
    return { events, rate: (events * 1000) / Math.max(countedMs, SLOT_MS / 2) };
  }

  return {
    get total() {
      return total;
    },
    count(nowMs: number) {
      advance(nowMs);
      firstMs ??= nowMs;
      counts[place(newest)] = (counts[place(newest)] ?? 0) + 1;
      total++;
    },
    rate(nowMs: number) {
      const { events, rate } = rateOver(1_000, nowMs);
      return events >= ENOUGH_EVENTS ? rate : rateOver(4_000, nowMs).rate;
    },
  };
}
