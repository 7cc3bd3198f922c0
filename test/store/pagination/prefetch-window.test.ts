import { expect, test } from 'vitest';
import { createLead } from '../../../src/store/pagination/prefetch-window.ts';

/**
 * Window after each tenth of a second. The process was idle for `idleOf` tenths of that time at first, then busy for
 * ten turns.
 */
function leadAfter(most: number, idleOf: readonly number[]): number[] {
  const at = { idle: 0, active: 0 };
  const lead = createLead(most, () => ({ ...at }));
  return idleOf.map((idle) => {
    at.idle += idle * 10;
    for (let turn = 1; turn <= 10; turn++) {
      at.active += 10 - idle;
      lead.note();
    }
    return lead.size;
  });
}

test('the prefetch window grows to its limit within a few turns if the process waits for pages', () => {
  expect(leadAfter(64, [9, 9, 9, 9])).toEqual([32, 64, 64, 64]);
});

test('the prefetch window shrinks while the process is busy with the pages that it has', () => {
  expect(leadAfter(16, Array(14).fill(0))).toEqual([
    ...[15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4],
    ...[4, 4],
  ]);
  expect(leadAfter(64, [0.25, 0.5])).toEqual([15, 30]);
});

test('the prefetch window begins with sixteen pages', () => {
  expect(createLead(64).size).toBe(16);
});

test.each([1, 2, 3])('the prefetch window never exceeds its limit: %d', (most) => {
  expect(leadAfter(most, [0, 9, 9, 0])).toEqual([most, most, most, most]);
});

test('the prefetch window is based on the load of this process', async () => {
  const lead = createLead(32);
  await new Promise((resolve) => setTimeout(resolve, 150));
  lead.note();
  expect(lead.size).toBe(32);
});
