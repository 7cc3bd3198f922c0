/** Things that happen later, unless everything ends before. */
export interface Timers {
  readonly after: (ms: number, act: () => void) => void;
  clear(): void;
}

/** Longer waits than this overflow a timer of Node, which then fires at once. */
const LONGEST_MS = 2_147_483_647;

export function createTimers(): Timers {
  const running = new Set<NodeJS.Timeout>();
  return {
    after(ms, act) {
      const timer = setTimeout(
        () => {
          running.delete(timer);
          act();
        },
        Math.min(ms, LONGEST_MS),
      );
      running.add(timer);
    },
    clear() {
      for (const timer of running) clearTimeout(timer);
      running.clear();
    },
  };
}
