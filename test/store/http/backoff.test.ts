import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RETRY_AFTER_MAX_MS, retryAfterMs, retryDelay } from '../../../src/store/http/backoff.ts';

const NOW = Date.UTC(2026, 2, 10, 12, 0, 0);

describe('Retry-After', () => {
  const cases: readonly [string | string[] | undefined, number | undefined][] = [
    ['120', 120_000],
    [' 7 ', 7_000],
    ['0', 0],
    ['2, 30', 30_000],
    [['5', '3'], 5_000],
    ['Tue, 10 Mar 2026 12:00:20 GMT', 20_000],
    ['Tuesday, 10-Mar-26 12:00:20 GMT', 20_000],
    ['Tue Mar 10 12:00:20 2026', 20_000],
    ['Tue Mar  3 12:00:20 2026', 0],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
    ['99999999', 99_999_999_000],
    ['', undefined],
    [' ', undefined],
    [',', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['0x1F', undefined],
    ['1e400', undefined],
    ['soon', undefined],
    ['2026-03-10T12:00:20Z', undefined],
    ['Tue, 10 Foo 2026 12:00:20 GMT', undefined],
    ['Tue, 10 Mar 2026 25:00:20 GMT', undefined],
    [undefined, undefined],
  ];
  for (const [value, ms] of cases) {
    test(`${JSON.stringify(value)} is ${ms === undefined ? 'ignored' : `${ms} ms`}`, () => {
      expect(retryAfterMs(value, NOW)).toBe(ms);
    });
  }
});

describe('the delay before a retry', () => {
  test('is never shorter than Retry-After', () => {
    expect(retryDelay(1, { 'retry-after': '7' }, { wallNow: () => NOW, random: () => 0 })).toBe(7_000);
    expect(retryDelay(9, { 'retry-after': '7' }, { wallNow: () => NOW, random: () => 0.999 })).toBeLessThan(
      7_300,
    );
  });

  test('is counted on the clock of the store if the answer has a Date', () => {
    const headers = { 'retry-after': 'Tue, 10 Mar 2026 03:00:20 GMT', date: 'Tue, 10 Mar 2026 03:00:00 GMT' };
    expect(retryDelay(1, headers, { wallNow: () => NOW, random: () => 0 })).toBe(20_000);
    expect(retryDelay(1, { ...headers, date: 'yesterday' }, { wallNow: () => NOW, random: () => 0.5 })).toBe(
      250,
    );
  });

  test('is limited if the store asks for a day', () => {
    expect(retryDelay(1, { 'retry-after': '86400' }, { wallNow: () => NOW, random: () => 0 })).toBe(
      RETRY_AFTER_MAX_MS,
    );
  });

  test('doubles up to half a minute, with full jitter', () => {
    const delays = [1, 2, 3, 4, 7, 50].map((attempt) =>
      retryDelay(attempt, undefined, { wallNow: () => NOW, random: () => 0.5 }),
    );
    expect(delays).toEqual([250, 500, 1000, 2000, 15_000, 15_000]);
    expect(retryDelay(3, {}, { wallNow: () => NOW, random: () => 0 })).toBe(0);
  });

  test('is exponential if Retry-After is zero, past or malformed', () => {
    for (const value of ['0', 'Sun, 06 Nov 1994 08:49:37 GMT', 'soon']) {
      expect(retryDelay(2, { 'retry-after': value }, { wallNow: () => NOW, random: () => 0.5 })).toBe(500);
    }
  });

  test('always fits a timer', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.string(),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, text, random) => {
          const delay = retryDelay(
            attempt,
            { 'retry-after': text },
            { wallNow: () => NOW, random: () => random },
          );
          expect(delay).toBeGreaterThanOrEqual(0);
          expect(delay).toBeLessThan(RETRY_AFTER_MAX_MS + 1_000);
        },
      ),
    );
  });
});
