/** Lets at most so many in at a time, first come first served. */
export interface Slots {
  /** Undefined when there is a free slot, which is then taken. Otherwise resolves once one has been handed over. */
  take(): Promise<void> | undefined;
  give(): void;
}

export function createSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    take() {
      if (free > 0) {
        free--;
        return undefined;
      }
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
    give() {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    },
  };
}
