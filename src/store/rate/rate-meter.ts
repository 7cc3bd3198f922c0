const SLOT_MS = 100;
const SLOTS = 11;

/** Counts events and measures their rate in the last second. */
export function createRateMeter() {
  const counts = new Array<number>(SLOTS).fill(0);
  let newest = Number.NEGATIVE_INFINITY;
  let total = 0;
  let firstMs = Number.POSITIVE_INFINITY;
  let lastMs = Number.NEGATIVE_INFINITY;

  function advance(nowMs: number): void {
    const slot = Math.floor(nowMs / SLOT_MS);
    for (let next = Math.max(newest + 1, slot - SLOTS + 1); next <= slot; next++) counts[place(next)] = 0;
    newest = Math.max(newest, slot);
  }
  const place = (slot: number) => ((slot % SLOTS) + SLOTS) % SLOTS;

  return {
    /** All events so far. */
    get total() {
      return total;
    },
    count(nowMs: number) {
      total++;
      advance(nowMs);
      firstMs = Math.min(firstMs, nowMs);
      lastMs = Math.max(lastMs, nowMs);
      counts[place(newest)] = (counts[place(newest)] ?? 0) + 1;
    },
    /** Events a second from the first to the last one. */
    average: () => (total < 2 ? 0 : ((total - 1) * 1000) / Math.max(SLOT_MS, lastMs - firstMs)),
    /** The first event starts the clock, and does not count. */
    rate(nowMs: number) {
      advance(nowMs);
      const sinceMs = Math.max(firstMs, (newest - SLOTS + 1) * SLOT_MS);
      const events = counts.reduce((sum, count) => sum + count, 0);
      return (Math.max(0, events - 1) * 1000) / Math.max(SLOT_MS, nowMs - sinceMs);
    },
  };
}
