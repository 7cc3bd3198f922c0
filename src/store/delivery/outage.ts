import { RunStopped } from '../../model/index.ts';
import { durationWords } from '../response/messages.ts';

/** Describes a wait. The client gives up at `until`, on the same clock as `now`. */
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
  /** Called when the store gave a usable answer; a refusal is one too. */
  usable(): void;
  /** Called when the store gave no usable answer. */
  trouble(): void;
  /**
   * Waits before sending again. `reason` completes "Waiting for the store: it …".
   * Throws RunStopped once the store has been away for too long.
   */
  wait(reason: string, delayMs: number, how: WaitOptions): Promise<void>;
  /**
   * Waits on behalf of all deliveries, which are blocked until then: for the token, or for the store. It is reported
   * once it has lasted `sayAfterMs`.
   */
  waitForAll(reason: string, delayMs: number, sayAfterMs?: number): Promise<void>;
  /** Reason and beginning of the current wait; undefined if nothing waits. */
  waiting(): { readonly reason: string; readonly sinceMs: number } | undefined;
  /** Called when a delivery begins. If all of them wait, the run makes no progress, which is worth a message. */
  enter(): void;
  /** Called when a delivery ends. */
  leave(): void;
}

export interface WaitOptions {
  /** Shorter waits are not reported. */
  readonly sayAfterMs: number;
  /**
   * True if the wait ends with the outage: the store asked for no delay, and none is needed once others are answered.
   */
  readonly untilBack: boolean;
}

/** Shorter outages are not reported. */
const STUMBLE_MS = 1_000;

interface PauseOptions {
  /** True if the wait should be announced. `awayMs`: how long the store has been away. */
  readonly isWorthSaying: (awayMs: number) => boolean;
  readonly sleepFor: (ms: number) => Promise<void>;
}

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
    return pause(reason, delayMs, {
      isWorthSaying: () => waiting >= deliveries && delayMs >= how.sayAfterMs,
      sleepFor: how.untilBack ? sleepUntilBack : sleep,
    });
  }

  function waitForAll(reason: string, delayMs: number, sayAfterMs = STUMBLE_MS): Promise<void> {
    const isWorthSaying = (awayMs: number) => awayMs + delayMs >= sayAfterMs;
    return pause(reason, delayMs, { isWorthSaying, sleepFor: sleep });
  }

  async function pause(reason: string, delayMs: number, how: PauseOptions): Promise<void> {
    trouble();
    latestReason = reason;
    const start = since ?? now();
    const left = start + giveUpAfterMs - now();
    if (left <= 0) throw gaveUp(reason, giveUpAfterMs);
    // Try once more at the very end, rather than give up during the wait.
    const delay = Math.min(delayMs, left);
    waiting++;
    try {
      if (!announced && how.isWorthSaying(now() - start)) announce(reason, delay);
      await how.sleepFor(delay);
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
    ['Nothing is lost: records that were not sent are marked as unsent.'],
  );
}
