/** Timers that can be cancelled together. */
export interface Timers {
  readonly after: (ms: number, act: () => void) => void;
  clear(): void;
}

/** Longer delays overflow a timer of Node, which then fires at once. */
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

/** Returns a clock of ISO timestamps. It reuses the text within a millisecond, which dozens of requests share. */
export function timestamps(now: () => number): () => string {
  let lastMs = Number.NaN;
  let text = '';
  return () => {
    const ms = now();
    if (ms !== lastMs) {
      lastMs = ms;
      text = new Date(ms).toISOString();
    }
    return text;
  };
}
