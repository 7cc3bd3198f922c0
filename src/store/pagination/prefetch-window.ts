import { performance } from 'node:perf_hooks';

/**
 * How many pages of a list are to be under way at once. As many as are allowed, as long as this process has to wait for
 * them; fewer, when it has enough to do with those that came, since the others only fill its memory meanwhile.
 */
export interface Lead {
  readonly size: number;
  /** To be called at each turn. */
  note(): void;
}

/** One that is taken, one that arrives, and two on their way. */
const LEAST = 4;

/** Pages come in bursts: one turn with idle time is followed by many without. */
const WINDOW_MS = 100;

/** Of the time in a window. */
const IDLE_ENOUGH = 0.03;

/** `most`: requests that may be under way at once. `load`: of the event loop, in milliseconds since its beginning. */
export function createLead(
  most: number,
  load: () => { readonly idle: number; readonly active: number } = () => performance.eventLoopUtilization(),
): Lead {
  const least = Math.min(most, LEAST);
  let size = least;
  let before = load();
  return {
    get size() {
      return size;
    },
    note() {
      const now = load();
      const idle = now.idle - before.idle;
      const elapsed = idle + now.active - before.active;
      if (elapsed < WINDOW_MS) return;
      before = now;
      const isWaiting = idle > IDLE_ENOUGH * elapsed;
      size = isWaiting ? Math.min(most, size * 2) : Math.max(least, size - 1);
    },
  };
}
