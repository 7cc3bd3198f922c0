/** Measures the milliseconds of work, without pauses and questions. */
export function createWorkClock() {
  let sinceMs: number | undefined;
  let heldSinceMs: number | undefined;
  let heldMs = 0;
  const now = () => performance.now();
  return {
    /** Called when the work begins. */
    start(): void {
      sinceMs = now();
      if (heldSinceMs !== undefined) heldSinceMs = sinceMs;
      heldMs = 0;
    },
    hold(): void {
      heldSinceMs ??= now();
    },
    release(): void {
      if (heldSinceMs !== undefined) heldMs += now() - heldSinceMs;
      heldSinceMs = undefined;
    },
    ms(): number {
      return sinceMs === undefined ? 0 : (heldSinceMs ?? now()) - sinceMs - heldMs;
    },
  };
}
