import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAX_PEAK_MB, withPeakMemory } from '../../support/peak-memory.ts';
import { readReports, temporaryFolder } from '../../support/run.ts';
import { makeWorkbook, textRow } from '../../support/workbook.ts';

const onLinux = test.skipIf(process.platform !== 'linux');

/** Rows at the end that make a file large enough for several threads. As many short rows would cost three times as much. */
const LONG_ROWS = 500;
const longRows = (end: string) => `${'b'.repeat(2999)}${end}`.repeat(LONG_ROWS);

onLinux.each([
  ['one thread reads', 'short.csv', 'reference,name\n', 'b\n', 110_000, ''],
  ['several threads read', 'long.csv', 'reference,name\n', 'bbbbb\n', 110_000, longRows('\n')],
  ['end with CR', 'cr.csv', 'reference,name\r', 'bbbbb\r', 110_000, longRows('\r')],
  ['are JSON', 'short.ndjson', '{"reference":1,"name":[]}\n', '1\n', 110_000, ''],
])(
  'a file of short rows that cannot be read needs little memory, and is not read to its end: %s',
  async (_title, name, header, row, rows, end) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, name), header + row.repeat(rows) + end);
    const { code, stdout, peakMb } = await withPeakMemory(
      ['validate', 'products', name, '--out', 'out', '--no-progress'],
      { cwd },
    );
    expect({ code, stdout }).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(
        /^Stopped early: 100,000 of the first 100,00[01] records cannot be read, such as/m,
      ),
    });
    const { results, summary } = readReports(join(cwd, 'out'));
    // A batch that was begun is settled.
    expect(results).toHaveLength(summary.records);
    expect(results.length).toBeLessThan(rows);
    expect(summary).toMatchObject({ not_read: null, stopped: { reason: 'source-failed' } });
    expect(peakMb).toBeLessThan(MAX_PEAK_MB);
  },
  600_000,
);

onLinux(
  'a file of short rows, each with an issue, needs little memory if it is read to its end',
  async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'short.csv'), `reference,name\n${'b\n'.repeat(150_000)}`);
    const args = [
      'validate',
      'products',
      'short.csv',
      '--max-errors',
      '100%',
      '--no-progress',
      '--out',
      'out',
    ];
    const { code, stdout, peakMb } = await withPeakMemory(args, { cwd });
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining('150,000 invalid') });
    expect(peakMb).toBeLessThan(MAX_PEAK_MB);
  },
  600_000,
);

onLinux('a workbook with millions of nested elements is refused with little memory', async () => {
  const cwd = temporaryFolder();
  const rows = `${textRow(1, 'reference', 'name')}${'<a>'.repeat(5_000_000)}`;
  writeFileSync(join(cwd, 'deep.xlsx'), await makeWorkbook({ rows }));
  const { code, stderr, peakMb } = await withPeakMemory(['validate', 'products', 'deep.xlsx'], { cwd });
  expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('more than 100 deep') });
  expect(peakMb).toBeLessThan(MAX_PEAK_MB);
});
