import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSpacer } from '../../../src/store/rate/spacer.ts';

const HOUR_MS = 3_600_000;
const SPACING_MS = 100;

/** A spacer whose jobs record when they begin, on clocks that only move when the test says so. */
function spacing() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const spacer = createSpacer();
  const begun: number[] = [];
  return {
    spacer,
    begun,
    start: () => spacer.start(async () => void begun.push(Math.round(performance.now())), SPACING_MS),
    pass: (ms: number) => vi.advanceTimersByTimeAsync(ms),
    setClock: (byMs: number) => vi.setSystemTime(Date.now() + byMs),
  };
}

describe('jobs with a spacing', () => {
  test('begin one spacing after the other', async () => {
    const { start, pass, begun } = spacing();
    for (let n = 0; n < 4; n++) {
      start();
      await pass(1_000);
    }
    start();
    await pass(20);
    start();
    await pass(1_000);
    expect(begun).toHaveLength(6);
    // As exact as timers are.
    expect((begun[5] ?? 0) - (begun[4] ?? 0)).toBeGreaterThanOrEqual(SPACING_MS - 2);
  });

  // Bottleneck reads the clock some timer turns after it receives a job.
  test.each([0, 1, 2, 3, 4, 5, 50])(
    'begin soon if the clock is set back by an hour, %i ms after one was added',
    async (ms) => {
      const { start, pass, setClock, begun } = spacing();
      start();
      await pass(10);
      start();
      await pass(ms);
      setClock(-HOUR_MS);
      await pass(400);
      expect(begun).toHaveLength(2);
      // The next one may still be planned by the old date; the following ones are spaced as before.
      for (let n = 3; n < 8; n++) {
        start();
        await pass(n === 3 ? 400 : SPACING_MS + 10);
        expect(begun).toHaveLength(n);
      }
    },
  );

  test('begin once each, even if the clock is set while one waits', async () => {
    const { start, pass, setClock, begun } = spacing();
    for (let n = 1; n <= 20; n++) {
      start();
      await pass(n);
      setClock(n % 2 === 0 ? HOUR_MS : -HOUR_MS);
      await pass(400);
      expect(begun).toHaveLength(n);
    }
    await pass(3 * HOUR_MS);
    expect(begun).toHaveLength(20);
  });

  test('do not begin after it is stopped, and leave no timer', async () => {
    const { spacer, start, pass, begun } = spacing();
    start();
    await pass(10);
    start();
    spacer.stop();
    await pass(1_000);
    expect(begun).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
