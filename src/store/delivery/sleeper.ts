/** Longest delay of a timer. Longer timers fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Waits that can be ended early, all at once. */
export interface Sleeper {
  sleep(ms: number): Promise<void>;
  wakeAll(): void;
}

/** `wait` replaces the timers, for tests. */
export function createSleeper(wait?: (ms: number) => Promise<void>): Sleeper {
  const sleeping = new Set<() => void>();

  function sleep(ms: number): Promise<void> {
    if (wait !== undefined) return wait(ms);
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        sleeping.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS));
      sleeping.add(wake);
    });
  }

  return {
    sleep,
    wakeAll() {
      for (const wake of sleeping) wake();
    },
  };
}
