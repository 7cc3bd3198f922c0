import { RunStopped } from '../../model/index.ts';
import { durationWords } from '../response/messages.ts';

/** What the client waits for; `until`, on the same clock as `now`, is when it gives up. */
export interface WaitInfo {
  readonly reason: string;
  readonly until?: number;
}

export interface OutageOptions {
  readonly giveUpAfterMs: number;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly warn: (fields: object, message: string) => void;
  readonly onWait: ((info: WaitInfo | undefined) => void) | undefined;
}

/**
 * Keeps track of how long the store has been of no use, for all deliveries together: one that waits while others are
 * answered is no outage. An outage begins with the first trouble after a usable answer, so that idle time does not
 * count, and ends with the next usable answer.
 */
export interface Outage {
  /** The store gave an answer to build on, be it a refusal. */
  usable(): void;
  /** The store gave none. */
  trouble(): void;
  /**
   * Waits before sending again. `reason` completes "Waiting for the store: it …".
   * Throws RunStopped once the store has been away for too long.
   */
  wait(reason: string, delayMs: number, how: WaitOptions): Promise<void>;
  /**
   * The same on behalf of all deliveries, which cannot go on before: for the token, or for the store to be back. Said once
   * it has lasted `sayAfterMs`.
   */
  waitForAll(reason: string, delayMs: number, sayAfterMs?: number): Promise<void>;
  /** Why and since when somebody waits; undefined where nobody does. */
  waiting(): { readonly reason: string; readonly sinceMs: number } | undefined;
  /** A delivery begins or ends: when all of them wait, the run stands still, and that is worth a message. */
  enter(): void;
  leave(): void;
}

export interface WaitOptions {
  /** Not worth a message if it is shorter. */
  readonly sayAfterMs: number;
  /** It ends with the outage: nobody asked for a delay, and it is of no use once others are answered. */
  readonly untilBack: boolean;
}

/** What is over sooner is a stumble, and not worth a message. */
const STUMBLE_MS = 1_000;

export function createOutage(options: OutageOptions): Outage {
  const { giveUpAfterMs, now, sleep, warn, onWait } = options;
  let since: number | undefined;
  let latestReason = '';
  let announced = false;
  let deliveries = 0;
  let waiting = 0;
  const untilBack = new Set<() => void>();

  function usable(): void {
    if (since === undefined) return;
    const lasted = now() - since;
    since = undefined;
    for (const wake of untilBack) wake();
    if (!announced) return;
    announced = false;
    warn({ waitedMs: Math.round(lasted) }, `The store answers again, after ${durationWords(lasted)}.`);
    onWait?.(undefined);
  }

  function trouble(): void {
    since ??= now();
  }

  function wait(reason: string, delayMs: number, how: WaitOptions): Promise<void> {
    return pause(
      reason,
      delayMs,
      () => waiting >= deliveries && delayMs >= how.sayAfterMs,
      how.untilBack ? sleepUntilBack : sleep,
    );
  }

  function waitForAll(reason: string, delayMs: number, sayAfterMs = STUMBLE_MS): Promise<void> {
    return pause(reason, delayMs, (awayMs) => awayMs + delayMs >= sayAfterMs);
  }

  async function pause(
    reason: string,
    delayMs: number,
    isWorthSaying: (awayMs: number) => boolean,
    sleepSo = sleep,
  ): Promise<void> {
    trouble();
    latestReason = reason;
    const start = since ?? now();
    const left = start + giveUpAfterMs - now();
    if (left <= 0) throw gaveUp(reason, giveUpAfterMs);
    // One more try at the very end, rather than to give up while asleep.
    const delay = Math.min(delayMs, left);
    waiting++;
    try {
      if (!announced && isWorthSaying(now() - start)) announce(reason, delay);
      await sleepSo(delay);
    } finally {
      waiting--;
    }
  }

  function sleepUntilBack(ms: number): Promise<void> {
    let wake = () => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
      untilBack.add(wake);
    });
    return Promise.race([woken, sleep(ms)]).finally(() => untilBack.delete(wake));
  }

  function announce(reason: string, delay: number): void {
    announced = true;
    warn(
      { reason, retryInMs: Math.round(delay) },
      `Waiting for the store: it ${reason}. Trying again until it answers.`,
    );
    onWait?.({ reason, until: (since ?? now()) + giveUpAfterMs });
  }

  return {
    usable,
    trouble,
    wait,
    waitForAll,
    waiting: () =>
      waiting > 0 && since !== undefined ? { reason: latestReason, sinceMs: since } : undefined,
    enter() {
      deliveries++;
    },
    leave() {
      deliveries--;
    },
  };
}

function gaveUp(reason: string, giveUpAfterMs: number): RunStopped {
  return new RunStopped(
    'store-unreachable',
    `The store has given no usable answer for ${durationWords(giveUpAfterMs)}: it ${reason}.`,
    ['Nothing is lost: what was not sent is told apart from what was.'],
  );
}
