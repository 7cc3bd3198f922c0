import { describe, expect, test } from 'vitest';
import { fixedWindow, type Limit, tokenBucket } from '../../../src/sandbox/misbehave/limits.ts';
import { RETRY_AFTER_MAX_MS } from '../../../src/store/http/backoff.ts';
import { createPace } from '../../../src/store/rate/adaptive-rate.ts';
import { recalledRate } from '../../../src/store/rate/learned-rate.ts';
import type { PaceOptions } from '../../../src/store/rate/pace.ts';
import type { PacedAnswer } from '../../../src/store/rate/paced-answer.ts';
import { type Paced, simulate } from '../../support/paced-store.ts';

/** As in the sandbox: a burst of a tenth of a second's requests is allowed. */
const bucket = (perSecond: number) => tokenBucket(perSecond, Math.max(1, Math.floor(perSecond / 10)));

/** Other random sequences of the same events. */
const seeds = (count: number) => Array.from({ length: count }, (_, n) => 12_345 + n * 1_000_003);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('a limit of requests in a fixed window', () => {
  test.each([20, 100, 500])('of a second is used: %i requests', (limit) => {
    const paced = simulate({ limit: fixedWindow(limit, 1_000), seconds: 72 });
    expect(paced.used(limit, 12, 72)).toBeGreaterThan(0.93);
    expect(paced.refused(12, 72)).toBeLessThan(0.025);
  });

  test('of a minute does not cause endless refusals', () => {
    const paced = simulate({ limit: fixedWindow(100, 60_000), seconds: 300 });
    expect(paced.used(100 / 60, 0, 300)).toBeGreaterThan(0.79);
    // Those in flight when the window closed, and a few probes whether it is open again.
    expect(paced.refused(0, 300)).toBeLessThan(0.35);
  });

  test('that headers announce is used evenly, with hardly any refusal', () => {
    const headers = (limit: Limit, nowMs: number): Pick<PacedAnswer, 'left'> => {
      const { left, resetMs } = limit.state(nowMs);
      return { left: { requests: left, ms: resetMs } };
    };
    const paced = simulate({ limit: fixedWindow(600, 60_000), seconds: 240, headers });
    expect(paced.used(10, 0, 240)).toBeGreaterThan(0.95);
    expect(paced.refused(0, 240)).toBeLessThan(0.005);
  });
});

describe('a machine that is suspended', () => {
  const asleep = [
    { fromMs: 30_000, toMs: 30_000 },
    { fromMs: 30_000, toMs: 3_630_000 },
  ];
  const cases = asleep.flatMap((times) => [5, 20, 100].map((limit) => ({ asleep: times, limit })));
  test.each(cases)('continues at the same rate: $limit a second, $asleep', ({ limit, ...store }) => {
    const wakes = store.asleep.toMs / 1000;
    const paced = simulate({ limit: bucket(limit), seconds: wakes + 60, roundTripMs: 50, ...store });
    // It neither catches up ...
    const most = Math.max(...paced.admitted.slice(wakes, wakes + 10));
    expect(most).toBeLessThanOrEqual(limit + Math.max(1, limit / 10) + 1);
    expect(paced.refused(wakes, wakes + 60)).toBeLessThan(0.02);
    // ... nor starts over.
    expect(paced.used(limit, wakes, wakes + 60)).toBeGreaterThan(0.93);
  });

  test('does not raise its rate for the time in suspension', () => {
    const pace = createPace({ learned: 100 });
    let nowMs = 0;
    const answer = (count: number, end: PacedAnswer['end']) => {
      for (let n = 0; n < count; n++, nowMs += 10)
        pace.answered({ nowMs: nowMs + 10, sentMs: nowMs, end, limited: true });
    };
    answer(100, 'admitted');
    answer(1, 'refused');
    answer(100, 'admitted');
    const before = pace.rate ?? 0;
    nowMs += 3_600_000;
    answer(10, 'lost');
    expect(pace.rate).toBe(before);
    answer(20, 'admitted');
    expect(pace.rate).toBeLessThan(before * 1.02);
    expect(pace.rate).toBeGreaterThanOrEqual(before);
  });

  test('keeps no pause and no quota from before', () => {
    const pace = createPace({ learned: 100 });
    pace.answered({
      nowMs: 10,
      sentMs: 0,
      end: 'admitted',
      limited: true,
      left: { requests: 20, ms: 10_000 },
    });
    for (let n = 0; n < 4; n++)
      pace.answered({ nowMs: 20, sentMs: 0, end: 'refused', limited: true, retryAfterMs: 60_000 });
    expect([pace.rate, pace.pausedUntilMs]).toEqual([2, 60_020]);
    const nowMs = 3_600_000;
    expect(pace.pausedUntilMs).toBeLessThan(nowMs);
    pace.sending();
    pace.answered({ nowMs, sentMs: nowMs, end: 'lost', limited: true });
    expect(pace.pausedUntilMs).toBeLessThanOrEqual(nowMs);
    expect(pace.rate).toBeGreaterThan(30);
  });
});

describe('a learned rate', () => {
  test('is the first rate of the next run', () => {
    const paced = simulate({ limit: bucket(100), seconds: 12, learned: 100 });
    expect(paced.used(100, 2, 12)).toBeGreaterThan(0.95);
    expect(paced.refused(0, 12)).toBeLessThan(0.02);
  });

  /** The second in which a run has sent `count` requests. */
  const secondOf = (count: number, { admitted }: Pick<Paced, 'admitted'>) => {
    let sum = 0;
    return admitted.findIndex((each) => {
      sum += each;
      return sum >= count;
    });
  };

  test.each([0.5, 1, 5, 20])(
    'of %d a second, from a bad night, does not slow down a short run after it',
    (learned) => {
      const short = simulate({ limit: tokenBucket(100_000, 1_000), seconds: 10, learned });
      expect(secondOf(6, short)).toBeLessThanOrEqual(1);
      expect(secondOf(100, short)).toBeLessThanOrEqual(2);
      expect(secondOf(1_000, short)).toBeLessThanOrEqual(4);
      expect(short.pace.learned).toBeUndefined();
    },
  );

  test.each([2, 5, 20])('is used from the start if the limit is still %d a second', (limit) => {
    const runs = seeds(10).map((seed) =>
      simulate({ limit: bucket(limit), seconds: 72, seed, learned: limit }),
    );
    expect(mean(runs.map((paced) => paced.used(limit, 2, 12)))).toBeGreaterThan(0.9);
    expect(mean(runs.map((paced) => paced.used(limit, 12, 72)))).toBeGreaterThan(0.92);
    expect(mean(runs.map((paced) => paced.refused(0, 72)))).toBeLessThan(0.025);
    for (const { pace } of runs) expect(pace.isFound).toBe(true);
  });

  test('is marked as found again, outgrown, or only recalled', () => {
    const recalled = createPace({ learned: 5 });
    expect([recalled.learned, recalled.isFound]).toEqual([5, false]);
    const outgrown = simulate({ limit: tokenBucket(100_000, 1_000), seconds: 10, learned: 5 }).pace;
    expect([outgrown.learned, outgrown.isFound]).toEqual([undefined, false]);
    const found = simulate({ limit: bucket(10), seconds: 20, learned: 5 }).pace;
    expect(found.learned).toBeGreaterThan(8);
    expect(found.isFound).toBe(true);
  });

  test('never exceeds the ceiling', () => {
    const pace = createPace({ learned: 5, ceiling: 12 });
    let nowMs = 0;
    for (let n = 0; n < 200; n++, nowMs += 200) {
      pace.answered({ nowMs: nowMs + 100, sentMs: nowMs, end: 'admitted', limited: true });
      expect(pace.rate).toBeLessThanOrEqual(12);
    }
    expect(pace.rate).toBe(12);
  });

  test('reports once that it slows down a run, and only if a request waits for it', () => {
    const heldBack = (options: PaceOptions, limited: boolean) => {
      let times = 0;
      const pace = createPace({ ...options, onHeldBack: () => times++ });
      for (let n = 0; n < 20; n++)
        pace.answered({ nowMs: n * 200 + 100, sentMs: n * 200, end: 'admitted', limited });
      return times;
    };
    expect(heldBack({ learned: 5 }, true)).toBe(1);
    expect(heldBack({ learned: 5 }, false)).toBe(0);
    expect(heldBack({ learned: 500 }, true)).toBe(0);
    expect(heldBack({}, true)).toBe(0);
    // Here the ceiling is the limit.
    expect(heldBack({ learned: 30, ceiling: 4 }, true)).toBe(0);
  });

  test('is lowered after refusals, and reports it', () => {
    const lowered: [number, number][] = [];
    const pace = createPace({ learned: 100, onLowered: (from, to) => lowered.push([from, to]) });
    pace.answered({ nowMs: 100, sentMs: 50, end: 'refused', limited: true });
    expect(lowered).toEqual([[80, pace.rate]]);
    expect(pace.rate).toBeLessThan(80);
  });

  test('expires with age if it is low', () => {
    const hours = (count: number) => count * 3_600_000;
    const left = [0, 6, 12, 24, 48].map((age) => recalledRate({ isFree: false, rate: 5, ageMs: hours(age) }));
    expect(left.map((rate) => rate && Math.round(rate))).toEqual([5, 14, 24, 35, undefined]);
    expect(recalledRate({ isFree: false, rate: 5, ageMs: Number.POSITIVE_INFINITY })).toBeUndefined();
    expect(recalledRate({ isFree: false, rate: 300, ageMs: Number.POSITIVE_INFINITY })).toBe(300);
  });

  test('is corrected soon if it is wrong', () => {
    const tooMuch = simulate({ limit: bucket(100), seconds: 30, learned: 1_000 });
    expect(tooMuch.used(100, 4, 30)).toBeGreaterThan(0.9);
    const tooLittle = simulate({ limit: bucket(100), seconds: 30, learned: 10 });
    expect(Math.max(...tooLittle.admitted.slice(0, 25))).toBeGreaterThan(80);
  });
});

describe('the adaptive rate', () => {
  /** Answers one request after the other, each 10 ms after it was sent. */
  function answering(
    pace: ReturnType<typeof createPace>,
    count: number,
    more: Partial<PacedAnswer> = {},
  ): void {
    for (let n = 0; n < count; n++, nowMs += 10)
      pace.answered({ nowMs: nowMs + 10, sentMs: nowMs, end: 'admitted', limited: true, ...more });
  }
  let nowMs = 0;

  test('does not grow while no request waits for it, and ends if it is no limit', () => {
    const pace = createPace();
    const first = pace.rate;
    answering(pace, 100, { limited: false });
    expect(pace.rate).toBe(first);
    answering(pace, 40);
    expect(pace.rate).toBeGreaterThan(200);
    answering(pace, 50, { limited: false });
    expect([pace.rate, pace.learned]).toEqual([undefined, undefined]);
  });

  test('does not grow while requests are lost, and grows little when answers become slow', () => {
    const pace = createPace();
    answering(pace, 4);
    const before = pace.rate ?? 0;
    answering(pace, 50, { end: 'lost' });
    expect(pace.rate).toBeLessThanOrEqual(before);
    const slow = createPace();
    answering(slow, 4);
    const quick = slow.rate ?? 0;
    for (let n = 0; n < 8; n++, nowMs += 500)
      slow.answered({ nowMs: nowMs + 500, sentMs: nowMs, end: 'admitted', limited: true });
    expect(slow.rate).toBeLessThan(1.5 * quick);
    for (let n = 0; n < 200; n++, nowMs += 500)
      slow.answered({ nowMs: nowMs + 500, sentMs: nowMs, end: 'admitted', limited: true });
    expect(slow.rate).toBeGreaterThan(2 * quick);
  });

  test('is not slowed down by an earlier round of quick refusals', () => {
    const pace = createPace();
    answering(pace, 4, { end: 'refused' });
    nowMs = pace.pausedUntilMs;
    pace.sending();
    const before = pace.rate ?? 0;
    for (let n = 0; n < 400; n++, nowMs += 300)
      pace.answered({ nowMs: nowMs + 300, sentMs: nowMs, end: 'admitted', limited: true });
    expect(pace.rate).toBeGreaterThan(2 * before);
  });

  test('does not exceed the ceiling, and is lowered from there', () => {
    const pace = createPace({ ceiling: 90 });
    answering(pace, 500);
    expect(pace.rate).toBe(90);
    answering(pace, 1, { end: 'refused' });
    expect(pace.rate).toBeLessThan(90);
    answering(pace, 2_000);
    expect(pace.rate).toBe(90);
  });

  test('pauses if most requests are refused, for Retry-After up to a maximum, and then sends one probe', () => {
    const pace = createPace({ learned: 100 });
    answering(pace, 4, { end: 'refused', retryAfterMs: 86_400_000 });
    expect(pace.pausedUntilMs).toBeGreaterThan(nowMs + RETRY_AFTER_MAX_MS / 2);
    expect(pace.pausedUntilMs).toBeLessThanOrEqual(nowMs + RETRY_AFTER_MAX_MS);
    nowMs = pace.pausedUntilMs;
    pace.sending();
    expect(pace.pausedUntilMs).toBe(Number.POSITIVE_INFINITY);
    answering(pace, 1);
    expect(pace.pausedUntilMs).toBeLessThanOrEqual(nowMs);
  });

  test('continues after a pause even if the probe is lost', () => {
    const pace = createPace({ learned: 100 });
    answering(pace, 4, { end: 'refused' });
    nowMs = pace.pausedUntilMs;
    pace.sending();
    answering(pace, 1, { end: 'lost' });
    expect(pace.pausedUntilMs).toBeLessThanOrEqual(nowMs);
  });

  test('follows the quota in headers for as long as they say', () => {
    const pace = createPace({ learned: 100 });
    answering(pace, 1, { left: { requests: 20, ms: 10_000 } });
    expect(pace.rate).toBe(2);
    nowMs += 10_000;
    answering(pace, 1);
    expect(pace.rate).toBeGreaterThan(50);
    answering(pace, 1, { left: { requests: 0, ms: 10_000 } });
    expect(pace.pausedUntilMs).toBeGreaterThan(nowMs + 9_000);
  });
});
