/** Limits how many are in at a time, first come first served. */
export interface Slots {
  /** undefined if a slot was free, which is then taken. Otherwise resolves once a slot has been handed over. */
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
