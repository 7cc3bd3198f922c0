import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { exportProgress, waitingWords } from '../../../src/cli/output/progress.ts';
import { progressLine } from '../../../src/cli/watch-import.ts';
import { grouped, seconds } from '../../../src/model/index.ts';
import { createRecordCounts } from '../../../src/pipeline/summary/progress.ts';

describe('figures on the terminal', () => {
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
  // The list has grown since, or its total is wrong.
  [{ read: 60_000, total: 50_000 }, 10, '60,000 of 50,000 reviews, 10/s'],
  [{ read: 1200, total: null }, 99.6, '1,200 reviews, 100/s'],
])('%j at %d a second: %s', (progress, rate, line) => {
  expect(exportProgress(progress, rate, 'reviews')).toBe(line);
});

test('a wait is shown with its reason after two seconds', () => {
  const what = '16 answers';
  expect(waitingWords(undefined)).toBe('');
  expect(waitingWords({ what, forMs: 1_999 })).toBe('');
  expect(waitingWords({ what, forMs: 72_900 })).toBe('Waiting 1m 12s for 16 answers. ');
});

test('the speed and time left of a resumed run count only its own records', async () => {
  const count = createRecordCounts();
  for (let n = 0; n < 5_000; n++) count.add('created');
  const line = progressLine({ count, part: () => 0.5, before: 5_000 }, () => '');
  expect(line()).toBe('50 % 5,000 records, 0/s: 5,000 created');
  await setTimeout(200);
  count.add('created');
  // One in a fifth of a second, and 5,001 left.
  expect(line()).toMatch(/^50 % 5,001 records, [1-5]\/s, \d+m \d\ds left: 5,001 created$/);
});

test('progress begins with the reason of the wait, and never shows 0 % without a reason', () => {
  const count = createRecordCounts();
  let wait = '';
  const line = progressLine({ count, part: () => 0 }, () => wait);
  expect(line()).toBe('Reading; no record yet.');
  count.onPrepared(100);
  expect(line()).toBe('No record is done yet.');
  wait = 'Waiting 12s for an answer. ';
  expect(line()).toBe('Waiting 12s for an answer. No record is done yet.');
  count.add('created');
  expect(line()).toMatch(/^Waiting 12s for an answer\. 0 % 1 record, /);
  wait = '';
  expect(line()).toMatch(/^0 % 1 record, [\d,]+\/s: 1 created$/);
});
