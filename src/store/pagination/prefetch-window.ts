import { performance } from 'node:perf_hooks';

/**
 * Prefetch window: number of pages of a list in flight. It grows up to the limit while this process waits for pages. It
 * shrinks while the process is busy, since further pages would only fill its memory. It begins large: a store far away
 * would have answered half of a short list before a small window has grown.
 */
export interface Lead {
  readonly size: number;
  /** Called at each turn. */
  note(): void;
}

/** One page in use, one arriving, and two in flight. */
const LEAST = 4;
const FIRST = 16;

/** Pages come in bursts: one turn with idle time is followed by many without. */
const WINDOW_MS = 100;

/** Idle share of a window from which the process counts as waiting. */
const IDLE_ENOUGH = 0.03;

/** `most`: requests that may be in flight at once. `load`: of the event loop, in milliseconds since its beginning. */
export function createLead(
  most: number,
  load: () => { readonly idle: number; readonly active: number } = () => performance.eventLoopUtilization(),
): Lead {
  const least = Math.min(most, LEAST);
  let size = Math.min(most, FIRST);
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
