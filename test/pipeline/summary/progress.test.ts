import { expect, test } from 'vitest';
import type { ImportInputs } from '../../../src/pipeline/inputs/inputs.ts';
import { createRecordCounts, progressOf } from '../../../src/pipeline/summary/progress.ts';

/** A file of 1,000 records of 10 bytes, after `records` were read. */
function reading(records: number, size: number | undefined = 10_000): ImportInputs {
  return { files: [{ source: { size, bytesRead: () => records * 10 } }] } as unknown as ImportInputs;
}

interface Case {
  readonly what: string;
  readonly read: number;
  readonly planned: number;
  readonly done: number;
  readonly offset?: number;
  readonly limit?: number;
  readonly part: number | undefined;
}

const CASES: readonly Case[] = [
  { what: 'the part of the file', read: 400, planned: 400, done: 200, part: 0.2 },
  { what: 'the part of the limit', read: 200, planned: 100, done: 50, limit: 100, part: 0.5 },
  {
    what: 'the part of the file if it has less records than the limit',
    read: 1000,
    planned: 1000,
    done: 500,
    limit: 5000,
    part: 0.5,
  },
  { what: 'the part after the offset', read: 950, planned: 50, done: 50, offset: 900, part: 0.5 },
  {
    what: 'the part of the limit after the offset',
    read: 950,
    planned: 20,
    done: 10,
    offset: 900,
    limit: 20,
    part: 0.5,
  },
  {
    what: 'unknown before the offset is reached',
    read: 500,
    planned: 0,
    done: 0,
    offset: 900,
    part: undefined,
  },
  { what: 'complete at the end', read: 1000, planned: 100, done: 100, offset: 900, part: 1 },
];

test.each(CASES)('the progress is $what', ({ read, planned, done, offset = 0, limit, part }) => {
  const count = createRecordCounts();
  count.onPrepared(planned);
  for (let n = 0; n < done; n++) count.add('created');
  const share = progressOf(reading(read), count, { offset, limit }).part();
  if (part === undefined) expect(share).toBeUndefined();
  else expect(share).toBeCloseTo(part, 5);
});

test('the progress of standard input is unknown, unless there is a limit', () => {
  const count = createRecordCounts();
  count.onPrepared(10);
  count.add('created');
  const input = {
    files: [{ source: { size: undefined, bytesRead: () => 100 } }],
  } as unknown as ImportInputs;
  expect(progressOf(input, count, { offset: 0 }).part()).toBeUndefined();
  expect(progressOf(input, count, { offset: 0, limit: 20 }).part()).toBe(0.05);
});
