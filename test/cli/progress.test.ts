import { describe, expect, test } from 'vitest';
import { grouped, seconds } from '../../src/cli/progress.ts';

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
