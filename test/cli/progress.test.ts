import { describe, expect, test } from 'vitest';
import { grouped, howFar, seconds } from '../../src/cli/progress.ts';

describe('figures that people read', () => {
  test.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [12_345, '12,345'],
    [1_000_000, '1,000,000'],
    [-1234, '-1,234'],
  ])('%s is shown as %s', (count, text) => {
    expect(grouped(count)).toBe(text);
  });

  test.each([
    [-1, '0s'],
    [59.4, '59s'],
    [200, '3m 20s'],
    [3720, '1h 02m'],
  ])('%s seconds are %s', (total, text) => {
    expect(seconds(total)).toBe(text);
  });
});

test.each([
  [{ read: 1200, total: 50_000 }, 1100, '1,200 of 50,000 reviews, 1,100/s, 44s left'],
  [{ read: 0, total: 50_000 }, 0, '0 of 50,000 reviews, 0/s'],
  // The list has grown since, or its total is not to be believed.
  [{ read: 60_000, total: 50_000 }, 10, '60,000 of 50,000 reviews, 10/s'],
  [{ read: 1200, total: null }, 99.6, '1,200 reviews, 100/s'],
])('%j at %d a second: %s', (progress, rate, line) => {
  expect(howFar(progress, rate, 'reviews')).toBe(line);
});
