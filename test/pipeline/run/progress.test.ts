import { expect, test } from 'vitest';
import type { ImportInputs } from '../../../src/pipeline/inputs/inputs.ts';
import { createRecordCounts, progressOf } from '../../../src/pipeline/run/progress.ts';

/** A file of 1,000 records of 10 bytes, of which so many were read. */
function reading(records: number, size: number | undefined = 10_000): ImportInputs {
  return { inputs: [{ source: { size, bytesRead: () => records * 10 } }] } as unknown as ImportInputs;
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
  { what: 'of the whole file', read: 400, planned: 400, done: 200, part: 0.2 },
  { what: 'of the limit', read: 200, planned: 100, done: 50, limit: 100, part: 0.5 },
  {
    what: 'of a file that holds less than the limit',
    read: 1000,
    planned: 1000,
    done: 500,
    limit: 5000,
    part: 0.5,
  },
  { what: 'of what is behind the offset', read: 950, planned: 50, done: 50, offset: 900, part: 0.5 },
  {
    what: 'of the limit behind the offset',
    read: 950,
    planned: 20,
    done: 10,
    offset: 900,
    limit: 20,
    part: 0.5,
  },
  {
    what: 'unknown while records are passed over',
    read: 500,
    planned: 0,
    done: 0,
    offset: 900,
    part: undefined,
  },
  { what: 'all at the end', read: 1000, planned: 100, done: 100, offset: 900, part: 1 },
];

test.each(CASES)('the share that is done is $what', ({ read, planned, done, offset = 0, limit, part }) => {
  const count = createRecordCounts();
  count.onPrepared(planned);
  for (let n = 0; n < done; n++) count.add('created');
  const share = progressOf(reading(read), count, { offset, limit }).part();
  if (part === undefined) expect(share).toBeUndefined();
  else expect(share).toBeCloseTo(part, 5);
});

test('of standard input it is unknown, unless there is a limit', () => {
  const count = createRecordCounts();
  count.onPrepared(10);
  count.add('created');
  const input = {
    inputs: [{ source: { size: undefined, bytesRead: () => 100 } }],
  } as unknown as ImportInputs;
  expect(progressOf(input, count, { offset: 0 }).part()).toBeUndefined();
  expect(progressOf(input, count, { offset: 0, limit: 20 }).part()).toBe(0.05);
});
