import { expect, test } from 'vitest';
import { howFar } from '../../src/cli/progress.ts';

test.each([
  [{ read: 1200, total: 50_000 }, 1100, '1,200 of 50,000 reviews, 1,100/s, 44s left'],
  [{ read: 0, total: 50_000 }, 0, '0 of 50,000 reviews, 0/s'],
  // The list has grown since, or its total is not to be believed.
  [{ read: 60_000, total: 50_000 }, 10, '60,000 of 50,000 reviews, 10/s'],
  [{ read: 1200, total: null }, 99.6, '1,200 reviews, 100/s'],
])('%j at %d a second: %s', (progress, rate, line) => {
  expect(howFar(progress, rate, 'reviews')).toBe(line);
});
