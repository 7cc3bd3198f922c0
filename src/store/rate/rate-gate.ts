import { type Batch, type Beat, looseBeat, recentOf, roomInMs, strictBeat } from './batch.ts';
import type { Pace } from './pace.ts';
import { createSpacer } from './spacer.ts';

/** A permit to send one request. */
export interface Permit {
  /** True if the rate delayed it: its time had not come, and no permit was left over from before. */
  readonly limited: boolean;
  /** Called when the request has begun, or never will; further calls do nothing. */
  readonly used: () => void;
}

/** Hands out permits to send, as fast as the store takes requests, and never above the ceiling. */
export interface RateGate {
  /**
   * Returns a promise only if the permit takes a wait, so that the common case costs none. `urgent`: goes before
   * others, and during a pause, since requests that hold a permit may wait for its answer.
   */
  permit(urgent?: boolean): Permit | Promise<Permit>;
  /** Called when the pace may have changed. */
  update(): void;
  /** Lets all waiting requests through; their callers check for the end of the run themselves. */
  stop(): void;
}

export interface RateGateOptions {
  /** Requests that are not exceeded in any second; undefined for no such limit. */
  readonly ceiling?: number | undefined;
  /** The rate that the store is known to admit. */
  readonly pace?: Pick<Pace, 'rate' | 'pausedUntilMs' | 'sending'> | undefined;
  /** Requests that the rate of the pace does not hold back, at the beginning. A ceiling holds for them too. */
  readonly opening?: number | undefined;
  /** Monotonic milliseconds; the clock of `pace`. */
  readonly now?: (() => number) | undefined;
  /** Waits while the pace pauses. */
  readonly pause?: ((ms: number) => Promise<void>) | undefined;
}

/** Timers are not more exact than this. */
const EARLY_MS = 3;

/** The longest wait for permits of a batch that are not used yet: connecting may take long. */
const HELD_MS = 50;

/** From this spacing on, requests leave one by one, and are spaced by the times at which they really left. */
const EVEN_SPACING_MS = 20;

/** A request that waits for a permit. */
interface Waiter {
  readonly go: (permit: Permit) => void;
  readonly limited: boolean;
}

/** Permits that are not counted. */
const FREE: Permit = { limited: false, used() {} };
const LIMITED: Permit = { limited: true, used() {} };

const NO_LIMIT: Pick<Pace, 'rate' | 'pausedUntilMs' | 'sending'> = {
  rate: undefined,
  pausedUntilMs: Number.NEGATIVE_INFINITY,
  sending() {},
};

/**
 * The ceiling holds in every window of one second, wherever it begins, and not only on average.
 *
 * A batch of B permits can be used until the next one may start. A window of one second then touches at most one batch
 * more than it has room for starts, hence the pace is that of rate − B. Unused permits of a batch lapse, so that a
 * pause saves up nothing. Timers may be late while the next ones are not, and a request with a permit may first wait
 * for the disk or for a connection. So batches are also counted, from their start to a second after their last permit
 * was used. A batch starts only if those and itself stay within the ceiling. Small ceilings therefore end a little
 * under the limit. The rate of the pace is an estimate that corrects itself, so batches keep to it only on average.
 */
export function createRateGate({
  ceiling,
  pace = NO_LIMIT,
  opening = 0,
  now = () => performance.now(),
  pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}: RateGateOptions): RateGate {
  const strict = ceiling === undefined ? undefined : strictBeat(ceiling);
  const spacer = createSpacer();
  let current: Batch | undefined;
  let previous: Batch | undefined;
  let recent: Batch[] = [];
  let asked = false;
  let pausing = false;
  let stopped = false;
  let opened = ceiling === undefined ? opening : 0;
  let wake: (() => void) | undefined;
  const waiting: Waiter[] = [];
  const urgent: Waiter[] = [];

  function permit(isUrgent = false): Permit | Promise<Permit> {
    if (stopped) return FREE;
    const queue = isUrgent ? urgent : waiting;
    const one = queue.length === 0 ? takeOne(isUrgent, false) : undefined;
    if (one !== undefined) return one;
    const limited = isPaused() || current === undefined || current.left <= queue.length;
    return new Promise((go) => {
      queue.push({ go, limited });
      ask();
    });
  }

  const isPaused = () => now() < pace.pausedUntilMs;

  function beat(): Beat | undefined {
    const { rate } = pace;
    return rate === undefined || (ceiling !== undefined && rate >= ceiling) ? strict : looseBeat(rate);
  }

  function takeOne(isUrgent: boolean, limited: boolean): Permit | undefined {
    if (!isUrgent && isPaused()) return undefined;
    let one = limited ? LIMITED : FREE;
    if (opened > 0 && !isUrgent) {
      opened--;
      // The rate may rise by their answers: more would have been sent.
      one = LIMITED;
    } else if (strict !== undefined || pace.rate !== undefined) {
      if (current === undefined || current.left === 0 || now() >= current.lapsesMs) return undefined;
      current.left--;
      one = hold(current, limited);
    }
    if (!isUrgent) pace.sending();
    return one;
  }

  function hold(batch: Batch, limited: boolean): Permit {
    let isUsed = false;
    batch.held++;
    return {
      limited,
      used() {
        if (isUsed) return;
        isUsed = true;
        batch.held--;
        batch.usedMs = now();
        wake?.();
      },
    };
  }

  function serve(): void {
    serveAll(urgent, true);
    serveAll(waiting, false);
  }

  function serveAll(queue: Waiter[], isUrgent: boolean): void {
    for (let [first] = queue; first !== undefined; [first] = queue) {
      const one = takeOne(isUrgent, first.limited);
      if (one === undefined) return;
      queue.shift();
      first.go(one);
    }
  }

  function ask(): void {
    if (stopped || waiting.length + urgent.length === 0) return;
    const pauseMs = pace.pausedUntilMs - now();
    if (pauseMs > 0 && waiting.length > 0) waitOut(pauseMs);
    const next = beat();
    if (next === undefined) serve();
    if (next === undefined || asked || (pauseMs > 0 && urgent.length === 0)) return;
    asked = true;
    spacer.start(() => startBatch().catch(stop), next.spacingMs);
  }

  /** A pause without an end ends by the answer to what was sent last, and then there is an `update`. */
  function waitOut(ms: number): void {
    if (pausing || ms === Number.POSITIVE_INFINITY) return;
    pausing = true;
    pause(ms).then(
      () => {
        pausing = false;
        ask();
      },
      // The run has ended meanwhile; the waiting requests check for that.
      stop,
    );
  }

  async function startBatch(): Promise<void> {
    for (let wait = waitMs(); wait > 0 && !stopped; wait = waitMs()) await until(wait);
    asked = false;
    const next = beat();
    if (next !== undefined) {
      const time = now();
      if (current !== undefined) current.lapsesMs = Math.min(current.lapsesMs, time);
      previous = current;
      current = {
        startMs: time,
        size: next.batch,
        left: next.batch,
        lapsesMs: time + next.spacingMs,
        held: 0,
        usedMs: time,
      };
      if (ceiling !== undefined) recent.push(current);
      serve();
    }
    ask();
  }

  function waitMs(): number {
    return Math.max(noRoomMs(), tooEarlyMs());
  }

  /** The time until another batch fits below the ceiling; infinite if that depends on a permit that is not used yet. */
  function noRoomMs(): number {
    const size = beat()?.batch;
    if (ceiling === undefined || size === undefined) return 0;
    const nowMs = now();
    recent = recentOf(recent, nowMs);
    return roomInMs(recent, { size, ceiling, nowMs });
  }

  /**
   * Bottleneck keeps to its plan. After a late job the next one follows early, also if the wall clock is set forward.
   * When the pace falls, two more jobs follow at the old spacing. A store that admits one request at a time refuses
   * those that follow early. The disk also delays some requests longer than others. Requests that have piled up behind
   * it leave at once, so at most two batches may, and the third one follows at its distance.
   */
  function tooEarlyMs(): number {
    const spacing = beat()?.spacingMs ?? 0;
    if (current === undefined) return 0;
    const isEven = spacing >= EVEN_SPACING_MS;
    const lastMs = isEven ? Math.max(current.startMs, current.usedMs) : current.startMs;
    const wait = Math.max(lastMs + spacing, isEven ? 0 : afterPrevious(spacing)) - now();
    // Timers may be early by this much; another wait would cost more.
    return wait > (isEven ? 1 : EARLY_MS) ? wait : 0;
  }

  function afterPrevious(spacing: number): number {
    if (previous === undefined) return 0;
    return previous.held > 0 ? previous.startMs + HELD_MS : previous.usedMs + spacing;
  }

  /** Waits this many milliseconds, or until something has changed. */
  function until(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(resolve, Math.ceil(ms));
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  function stop(): void {
    if (stopped) return;
    stopped = true;
    for (const { go } of [...urgent.splice(0), ...waiting.splice(0)]) go(FREE);
    wake?.();
    spacer.stop();
  }

  return { permit, update: ask, stop };
}
