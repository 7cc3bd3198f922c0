import type { Limit } from '../../src/sandbox/misbehave/limits.ts';
import { createPace } from '../../src/store/rate/adaptive-rate.ts';
import type { Pace } from '../../src/store/rate/pace.ts';
import type { PacedAnswer } from '../../src/store/rate/paced-answer.ts';

export interface PacedStore {
  readonly limit: Limit;
  readonly seconds: number;
  /** Round trip, more or less by `jitterMs`. */
  readonly roundTripMs?: number;
  readonly jitterMs?: number;
  readonly concurrency?: number;
  /** True if a 429 has Retry-After. */
  readonly retryAfter?: boolean;
  readonly learned?: number;
  readonly wasFree?: boolean;
  /** Another seed gives another random sequence of the same events. */
  readonly seed?: number;
  /**
   * The machine of the client is suspended from one time to the other, which may be equal. Requests in flight
   * are lost.
   */
  readonly asleep?: { readonly fromMs: number; readonly toMs: number };
  /** Share of all requests that is refused, or lost, whatever the rate. */
  readonly chance?: { readonly refused?: number; readonly lost?: number };
  /** Requests with a permit wait for a token, this often and this long. */
  readonly tokens?: { readonly everyMs: number; readonly waitMs: number };
  /** Requests with a permit wait for the disk, this often and this long. */
  readonly disk?: { readonly everyMs: number; readonly waitMs: number };
  /** Rate headers of an answer. */
  readonly headers?: (limit: Limit, nowMs: number) => Pick<PacedAnswer, 'left'>;
}

export interface Paced {
  /** Share of `perSecond` that was admitted, from one second to another. */
  used(perSecond: number, from: number, to: number): number;
  /** Share of all requests that was refused. */
  refused(from: number, to: number): number;
  readonly admitted: readonly number[];
  readonly pace: Pace;
}

const LATE_MS = 2;
const EVEN_SPACING_MS = 20;
const HELD_MS = 50;
const JOBS_PER_SECOND = 100;
const FIRST_BACKOFF_MS = 500;
const MOST_BACKOFF_MS = 30_000;

/**
 * A client with an adaptive rate and a store with a limit, on a simulated clock: minutes pass in milliseconds,
 * and always with the same result. Permits come in batches as in the rate gate, and a little late, as timers
 * are.
 */
export function simulate(store: PacedStore): Paced {
  const { limit, seconds, roundTripMs = 20, jitterMs = 4, concurrency = 32 } = store;
  const pace = createPace({ learned: store.learned, wasFree: store.wasFree });
  const random = createRandom(store.seed ?? 12_345);
  const { fromMs, toMs } = store.asleep ?? { fromMs: Number.POSITIVE_INFINITY, toMs: 0 };
  // Due events happen after the suspension.
  const agenda = createAgenda((ms) => (ms > fromMs ? Math.max(ms, toMs) : ms));
  const admitted = new Array<number>(seconds).fill(0);
  const refused = new Array<number>(seconds).fill(0);
  const waiting: (() => void)[] = [];
  let batch = newBatch(Number.NEGATIVE_INFINITY, 0, 0);
  let before = batch;
  let startsWhenUsed = false;
  let planned = 0;
  let asked = false;

  const takeOne = (): boolean => {
    const now = agenda.now();
    if (now < pace.pausedUntilMs) return false;
    if (pace.rate !== undefined && (batch.left === 0 || now >= batch.endsMs)) return false;
    batch.left--;
    batch.held++;
    pace.sending();
    return true;
  };
  const serve = () => {
    while (waiting.length > 0 && takeOne()) waiting.shift()?.();
  };
  const startAt = (ms: number) => {
    planned++;
    const mine = planned;
    agenda.at(ms, () => {
      if (mine === planned) startBatch();
    });
  };
  const startBatch = () => {
    const { rate } = pace;
    const spacingMs =
      rate === undefined ? 0 : (1000 * Math.max(1, Math.round(rate / JOBS_PER_SECOND))) / rate;
    const earliestMs = earliest(batch, before, spacingMs);
    startsWhenUsed = agenda.now() < earliestMs && before.held > 0;
    // The rate fell meanwhile, or some permits were used late.
    if (agenda.now() < earliestMs - 0.1 * spacingMs) return startAt(earliestMs);
    asked = false;
    if (rate !== undefined && agenda.now() >= pace.pausedUntilMs) {
      before = batch;
      batch = newBatch(agenda.now(), Math.max(1, Math.round(rate / JOBS_PER_SECOND)), spacingMs);
    }
    serve();
    ask();
  };
  const ask = () => {
    if (asked || waiting.length === 0 || pace.pausedUntilMs === Number.POSITIVE_INFINITY) return;
    asked = true;
    startAt(Math.max(agenda.now(), batch.endsMs, pace.pausedUntilMs) + random() * LATE_MS);
  };

  const attempt = (tries: number, limited: boolean) => {
    const mine = batch;
    const use = () => {
      mine.held--;
      mine.usedMs = agenda.now();
      if (startsWhenUsed && before.held === 0) startAt(agenda.now());
    };
    const untilMs = busyUntil(agenda.now(), store.disk);
    const goMs = busyUntil(untilMs, store.tokens);
    if (untilMs > agenda.now()) agenda.at(untilMs, use);
    else use();
    // A permit is returned while there is no token.
    if (goMs > agenda.now()) agenda.at(goMs, () => sendOne(tries, limited));
    else sendOne(tries, limited);
  };
  const sendOne = (tries: number, limited: boolean) => {
    const sentMs = agenda.now();
    const oneWayMs = (roundTripMs + random() * jitterMs) / 2;
    const lose = () => {
      pace.answered({ nowMs: agenda.now(), sentMs, limited, end: 'lost' });
      ask();
      agenda.at(agenda.now() + random() * FIRST_BACKOFF_MS, () => send(tries));
    };
    agenda.at(sentMs + oneWayMs, () => {
      const now = agenda.now();
      if (sentMs <= fromMs && fromMs < sentMs + 2 * oneWayMs) return agenda.at(now, lose);
      const fate = store.chance === undefined ? 0.5 : random();
      if (fate < (store.chance?.lost ?? 0)) return agenda.at(now + oneWayMs, lose);
      const waitMs = 1 - fate < (store.chance?.refused ?? 0) ? 1 : limit.waitMs(now);
      if (waitMs === 0) limit.take(now);
      const tally = waitMs === 0 ? admitted : refused;
      const second = Math.floor(now / 1000);
      tally[second] = (tally[second] ?? 0) + 1;
      const retryAfterMs =
        waitMs > 0 && store.retryAfter ? Math.max(1, Math.ceil(waitMs / 1000)) * 1000 : undefined;
      const hints = store.headers?.(limit, now);
      agenda.at(now + oneWayMs, () => {
        pace.answered({
          ...{ nowMs: agenda.now(), sentMs, limited, retryAfterMs, ...hints },
          end: waitMs === 0 ? 'admitted' : 'refused',
        });
        ask();
        if (waitMs === 0) return send(0);
        const backoffMs = random() * Math.min(MOST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** tries);
        agenda.at(agenda.now() + (retryAfterMs ?? backoffMs), () => send(tries + 1));
      });
    });
  };
  const send = (tries: number) => {
    if (waiting.length === 0 && takeOne()) return attempt(tries, false);
    const limited = agenda.now() < pace.pausedUntilMs || batch.left <= waiting.length;
    waiting.push(() => attempt(tries, limited));
    ask();
  };
  for (let slot = 0; slot < concurrency; slot++) send(0);
  agenda.run(seconds * 1000);

  const sum = (counts: readonly number[], from: number, to: number) =>
    counts.slice(from, to).reduce((total, count) => total + count, 0);
  return {
    used: (perSecond, from, to) => sum(admitted, from, to) / (perSecond * (to - from)),
    refused: (from, to) => sum(refused, from, to) / (sum(admitted, from, to) + sum(refused, from, to)),
    admitted,
    pace,
  };
}

interface SimulatedBatch {
  readonly startMs: number;
  readonly endsMs: number;
  left: number;
  held: number;
  usedMs: number;
}

function newBatch(startMs: number, left: number, spacingMs: number): SimulatedBatch {
  return { startMs, endsMs: startMs + spacingMs, left, held: 0, usedMs: startMs };
}

/** When a resource that is busy this often and this long is free. */
function busyUntil(
  nowMs: number,
  busy: { readonly everyMs: number; readonly waitMs: number } | undefined,
): number {
  return busy === undefined ? nowMs : Math.max(nowMs, nowMs - (nowMs % busy.everyMs) + busy.waitMs);
}

/** When the next batch may start, as in the rate gate. */
function earliest(batch: SimulatedBatch, before: SimulatedBatch, spacingMs: number): number {
  if (spacingMs >= EVEN_SPACING_MS) return Math.max(batch.startMs, batch.usedMs) + spacingMs;
  const lastMs = before.held > 0 ? before.startMs + HELD_MS : before.usedMs + spacingMs;
  return Math.max(batch.startMs + spacingMs, lastMs);
}

/** An event queue on a clock that jumps from one event to the next. */
function createAgenda(due: (ms: number) => number) {
  const heap: { readonly ms: number; readonly order: number; readonly run: () => void }[] = [];
  let nowMs = 0;
  let order = 0;
  const isBefore = (one: number, other: number) => {
    const [a, b] = [heap[one], heap[other]];
    return a !== undefined && (b === undefined || a.ms < b.ms || (a.ms === b.ms && a.order < b.order));
  };
  const swap = (one: number, other: number) => {
    [heap[one], heap[other]] = [heap[other] as never, heap[one] as never];
  };
  const take = () => {
    const first = heap[0];
    const last = heap.pop();
    if (heap.length === 0 || last === undefined) return first;
    heap[0] = last;
    for (let at = 0; ; ) {
      const child = isBefore(2 * at + 2, 2 * at + 1) ? 2 * at + 2 : 2 * at + 1;
      if (!isBefore(child, at)) return first;
      swap(child, at);
      at = child;
    }
  };
  return {
    now: () => nowMs,
    at(ms: number, run: () => void) {
      heap.push({ ms: due(ms), order: order++, run });
      for (
        let place = heap.length - 1;
        place > 0 && isBefore(place, (place - 1) >> 1);
        place = (place - 1) >> 1
      )
        swap(place, (place - 1) >> 1);
    },
    run(untilMs: number) {
      for (let next = take(); next !== undefined && next.ms < untilMs; next = take()) {
        nowMs = next.ms;
        next.run();
      }
    },
  };
}

/** Random numbers from 0 to 1, the same each time. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
}
