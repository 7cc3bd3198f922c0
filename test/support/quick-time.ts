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
    turns = setInterval(() => void vi.advanceTimersByTime(MS_PER_TURN), 1);
  });
  afterEach(() => {
    undiciTimers.reset();
    vi.useRealTimers();
    clearInterval(turns);
  });
}
