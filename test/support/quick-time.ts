import { AsyncResource } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { afterEach, beforeEach, vi } from 'vitest';

const MS_PER_TURN = 25;

// undici has one timer for all its deadlines. It would keep waiting for that of a clock that is no longer used.
const undiciTimers = createRequire(import.meta.url)('undici/lib/util/timers.js') as { reset(): void };

/**
 * In each test of the file or block, time passes by turns of the event loop, 25 ms in a turn. A wait of seconds ends within some
 * milliseconds, and a slow machine changes nothing: while it is busy, no time passes. Both ends of each connection must be in
 * this process.
 */
export function passTimeByTurns(): void {
  let turns: NodeJS.Timeout;
  beforeEach(() => {
    // Before they are replaced: real timers make the turns.
    const { setInterval } = globalThis;
    undiciTimers.reset();
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'],
    });
    keepContexts();
    turns = setInterval(() => void vi.advanceTimersByTime(MS_PER_TURN), 1);
  });
  afterEach(() => {
    undiciTimers.reset();
    vi.unstubAllGlobals();
    vi.useRealTimers();
    clearInterval(turns);
  });
}

/** Replaced timers run their callbacks in the context of whoever advances them; real ones keep the context of their start. */
function keepContexts(): void {
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const start = globalThis[name] as (callback: () => void, ...rest: unknown[]) => unknown;
    const keeping = (callback: () => void, ...rest: unknown[]) =>
      start(AsyncResource.bind(callback), ...rest);
    vi.stubGlobal(name, keeping);
  }
}
