import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutBlocks, MAX_BLOCK_ROWS } from '../../../src/read/csv/blocks.ts';
import type { Block } from '../../../src/read/index.ts';
import { scaledRuns } from '../../support/property-tests.ts';

const BEGIN = { offset: 7, row: 2, line: 3 };

async function cut(chunks: readonly string[], blockBytes: number, failure?: Error, quote = '"') {
  async function* input(): AsyncGenerator<Buffer, void> {
    for (const chunk of chunks) yield Buffer.from(chunk);
    if (failure) throw failure;
  }
  const blocks: Block[] = [];
  const dialect = { delimiter: ',', quote };
  let error: unknown;
  try {
    for await (const block of cutBlocks(input(), BEGIN, { dialect, blockBytes })) blocks.push(block);
  } catch (thrown) {
    error = thrown;
  }
  return { blocks, texts: blocks.map(({ bytes }) => Buffer.from(bytes).toString()), error };
}

describe('blocks of a CSV file', () => {
  test('end with a row, and know where the next one begins', async () => {
    const { blocks, texts } = await cut(['a,b\r\nc,"d\ne\r\nf"\n', 'g,h\ni'], 6);
    expect(texts).toEqual(['a,b\r\nc,"d\ne\r\nf"\n', 'g,h\ni']);
    expect(blocks.map(({ start, end }) => ({ ...start, end }))).toEqual([
      { ...BEGIN, end: false },
      { offset: 23, row: 4, line: 7, end: true },
    ]);
  });

  test.each([
    ['in quotes', 'a,"b\nc"\nd\n', '"', ['a,"b\nc"\n', 'd\n', '']],
    ['behind a doubled quote', 'a,"b""\nc"\nd\n', '"', ['a,"b""\nc"\n', 'd\n', '']],
    ['behind a quote that is text', '15" x\nb\n', '"', ['15" x\n', 'b\n', '']],
    ['behind any quote if quotes mean nothing', 'a,"b\nc"\n', '', ['a,"b\n', 'c"\n', '']],
    ['but not at a CR, to which an LF may belong', 'a\rb\r\nc', '"', ['a\rb\r\n', 'c']],
  ])('are cut at line ends: %s', async (_where, text, quote, expected) => {
    expect((await cut([text], 1, undefined, quote)).texts).toEqual(expected);
  });

  test('have all bytes that were read before a failure', async () => {
    const failure = new Error('the disk is gone');
    const { blocks, texts, error } = await cut(['a\nb\nc', 'd'], 2, failure);
    expect(texts).toEqual(['a\n', 'b\n', 'cd']);
    expect(blocks.at(-1)).toMatchObject({ next: undefined, end: false });
    expect(error).toBe(failure);
  });

  test('are cut within a row that is much longer', async () => {
    const { blocks, texts } = await cut(['"'.padEnd(500, 'x'), '"\na\n'], 10);
    expect(texts.join('')).toBe(`${'"'.padEnd(500, 'x')}"\na\n`);
    expect(blocks[0]).toMatchObject({ next: undefined, end: false });
  });

  test('have a limited number of rows', async () => {
    const { blocks, texts } = await cut(['b\n'.repeat(5000)], 1_000_000);
    expect(texts.join('')).toBe('b\n'.repeat(5000));
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(2 * MAX_BLOCK_ROWS);
    expect(blocks.at(-1)?.start.row).toBe(BEGIN.row + 5000);
  });

  test.each([
    ['that end with CR', 'b\r'],
    ['that a quote seems to join', 'b\n'],
  ])('are cut within many rows %s', async (_which, row) => {
    const chunks = ['"', ...Array.from({ length: 10 }, () => row.repeat(4000))];
    const { blocks, texts } = await cut(row === 'b\r' ? chunks.slice(1) : chunks, 1_000_000);
    expect(blocks.length).toBeGreaterThan(3);
    for (const text of texts) expect(text.length).toBeLessThanOrEqual(2 * 12_001);
  });

  test('do not depend on the borders of chunks', async () => {
    const part = fc.constantFrom('a', ',', '"', '""', '\n', '\r', '\r\n', 'x"y');
    const property = fc.asyncProperty(
      fc.array(part, { maxLength: 80 }),
      fc.integer({ min: 1, max: 20 }),
      async (parts, blockBytes) => {
        const whole = await cut([parts.join('')], blockBytes);
        const apart = await cut(parts, blockBytes);
        expect(whole.texts.join('')).toBe(parts.join(''));
        // Blocks without a cut end with their chunk.
        const cuts = ({ blocks }: typeof whole) => blocks.flatMap(({ next }) => (next ? [next] : []));
        if (parts.join('').length < 16 * blockBytes) expect(cuts(apart)).toEqual(cuts(whole));
      },
    );
    await fc.assert(property, { numRuns: scaledRuns(300) });
  });
});
