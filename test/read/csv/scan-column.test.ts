import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scanColumn } from '../../../src/read/csv/scan-column.ts';
import { scaledRuns } from '../../support/property-tests.ts';
import { chunked, readText } from '../../support/read-text.ts';

/** Scans the cells of a column; undefined if the scan gives up. */
async function scanned(text: string | Buffer, column: number, chunkBytes: number, more: object = {}) {
  const cells: string[] = [];
  const dialect = { delimiter: ',', quote: '"', ...more };
  const scan = scanColumn(chunked(Buffer.from(text), chunkBytes), {
    ...{ dialect, column, maxRowBytes: 4096 },
    onCell: (cell) => cells.push(cell),
  });
  for (;;) {
    const next = await scan.next();
    if (next.done === true) return next.value ? cells : undefined;
  }
}

/** Returns the cells that are not blank, without consecutive repetitions. */
function changes(cells: readonly string[]): string[] {
  return cells.filter((cell) => cell.trim() !== '').filter((cell, index, all) => cell !== all[index - 1]);
}

describe('scanColumn', () => {
  test.each([
    ['plain cells', 'k,a\nx,1\nx,2\ny,3\n', ['k', 'x', 'y']],
    ['quoted cells, with line breaks in others', 'k,a\n"x","1\n2"\nx,"3\r\n4"\ny,5', ['k', 'x', 'y']],
    ['doubled quotes', 'k\n"a ""b"" c"\n', ['k', 'a "b" c']],
    ['delimiters in quotes', '"k,k",a\n"x,y",1\n', ['k,k', 'x,y']],
    ['line ends of all kinds', 'k,a\r\nx,1\ry,2\nz,3', ['k', 'x', 'y', 'z']],
    ['quotes as text in bare cells', 'k,a\nx,15" screen\ny,a"b"c\n', ['k', 'x', 'y']],
    ['short rows as empty', 'k\nx\n\ny\n', ['k', 'x', '', 'y']],
  ])('sees %s', async (_what, text, expected) => {
    for (const chunkBytes of [1, 2, 7, 1000]) expect(await scanned(text, 0, chunkBytes)).toEqual(expected);
  });

  test.each([
    ['text after a closing quote', 'k,a\nx,"1" b\n'],
    ['a quote that never closes', 'k,a\nx,"1\n'],
    ['blanks before an opening quote', 'k,a\nx, "1"\n'],
    ['blanks before the opening quote of the column', 'k,a\n "x",1\n'],
    ['a row that is too long', `k,a\nx,"${'y'.repeat(5000)}"\n`],
  ])('gives up at %s', async (_what, text) => {
    for (const chunkBytes of [1, 7, 10_000]) expect(await scanned(text, 0, chunkBytes)).toBeUndefined();
  });

  test('gives up if the delimiter is not a single ASCII byte', async () => {
    expect(await scanned('k§a\n', 0, 100, { delimiter: '§' })).toBeUndefined();
  });

  test('finds the same cells as the reader, or gives up, for any text and chunks', async () => {
    const piece = fc.constantFrom(
      ',',
      '"',
      '\n',
      '\r',
      '\r\n',
      ' ',
      '\t',
      'x',
      'yy',
      'é',
      '""',
      '","',
      '"\n"',
      '',
    );
    const texts = fc.array(piece, { maxLength: 40 }).map((pieces) => `k,a,b\nfirst,1,2\n${pieces.join('')}`);
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.nat(2),
        fc.integer({ min: 1, max: 50 }),
        async (text, column, chunkBytes) => {
          const cells = await scanned(text, column, chunkBytes);
          if (cells === undefined) return;
          seen++;
          const { rows } = await readText(text, { delimiter: ',', quote: '"' });
          const read = rows.map((row) => row.cells[column] ?? '');
          expect(changes(cells.slice(1))).toEqual(changes(read));
        },
      ),
      { numRuns: scaledRuns(3000) },
    );
    expect(seen).toBeGreaterThan(scaledRuns(300));
  });
});
