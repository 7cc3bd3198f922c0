import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { endDate, startStopwatch } from '../../src/model/index.ts';

const HOUR_MS = 3_600_000;

function fakeClocks(): void {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

describe('a stopwatch', () => {
  test.each([-HOUR_MS, 0, HOUR_MS])(
    'measures the elapsed time even if the clock is set by %i ms meanwhile',
    (shiftMs) => {
      fakeClocks();
      const stopwatch = startStopwatch();
      vi.advanceTimersByTime(1_500);
      vi.setSystemTime(Date.now() + shiftMs);
      vi.advanceTimersByTime(500);
      expect(stopwatch.elapsedMs()).toBe(2_000);
      const dateMs = stopwatch.date().getTime() - stopwatch.startedAt.getTime();
      expect(dateMs).toBe(2_000 + Math.max(0, shiftMs));
    },
  );

  test('gives no date before the start if the clock was set back between two processes', () => {
    fakeClocks();
    const startedAt = new Date(Date.now() + HOUR_MS);
    expect(endDate(startedAt, 5_000).getTime()).toBe(startedAt.getTime() + 5_000);
  });
});
