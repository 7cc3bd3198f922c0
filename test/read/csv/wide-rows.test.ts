import { expect, test } from 'vitest';
import { createSplitter } from '../../../src/read/csv/splitter.ts';
import type { Damage } from '../../../src/read/messages.ts';
import { MAX_COLUMNS } from '../../../src/read/options.ts';

interface SplitRow {
  readonly cells: readonly string[];
  readonly line: number;
  readonly damage: Damage | undefined;
}

/** The rows of a text that is fed in chunks, a list for each step of the splitter. */
function stepsOf(text: string, { chunkBytes = 16_384, maxRowBytes = 1_000_000 } = {}): SplitRow[][] {
  const steps: SplitRow[][] = [[]];
  const splitter = createSplitter({
    ...{ dialect: { delimiter: ',', quote: '"' }, maxRowBytes, file: 'wide.csv' },
    onRow: (cells, { line }, damage) => steps.at(-1)?.push({ cells, line, damage }),
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at <= bytes.length; at += chunkBytes)
    for (const _ of splitter.feed(bytes.subarray(at, at + chunkBytes), at + chunkBytes > bytes.length))
      steps.push([]);
  return steps;
}

const CHUNKS = [1000, 16_384, 10_000_000];

test.each(CHUNKS)(
  'a row has at most one surplus cell, with text if any has, in chunks of %i bytes',
  (chunkBytes) => {
    const text = `1${','.repeat(30_000)}x\n2${','.repeat(30_000)}\n3,"4"\n`;
    const rows = stepsOf(text, { chunkBytes }).flat();
    expect(rows.map(({ cells }) => [cells.length, cells[MAX_COLUMNS]])).toEqual([
      [MAX_COLUMNS + 1, 'x'],
      [MAX_COLUMNS + 1, ''],
      [2, undefined],
    ]);
  },
);

test.each(CHUNKS)('line breaks in surplus cells count as lines, in chunks of %i bytes', (chunkBytes) => {
  const text = `1${',"a\nb"'.repeat(20_000)}\n2,3\n`;
  expect(stepsOf(text, { chunkBytes }).flat().at(-1)).toMatchObject({ cells: ['2', '3'], line: 20_002 });
});

test.each(CHUNKS)('a row of delimiters is cut at the limit of bytes, in chunks of %i bytes', (chunkBytes) => {
  const text = `1${','.repeat(3_000_000)}\n2,3\n`;
  const rows = stepsOf(text, { chunkBytes, maxRowBytes: 100_000 }).flat();
  expect(rows).toMatchObject([
    { line: 1, damage: { code: 'cell-too-long' } },
    { line: 2, damage: undefined },
  ]);
  expect(rows[0]?.cells).toHaveLength(MAX_COLUMNS + 1);
  expect(rows[1]?.cells).toEqual(['2', '3']);
});

test('the rows below a quote that is not closed are passed on in steps', () => {
  const steps = stepsOf(`1,"2\n${'b,c\n'.repeat(100_000)}`, { chunkBytes: 10_000_000 });
  expect(steps.flat()).toHaveLength(100_001);
  expect(Math.max(...steps.map((rows) => rows.length))).toBeLessThan(5000);
});
