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
  ['one thread reads', 'short.csv', 'reference,name\n', 'b\n', 150_000, ''],
  ['several threads read', 'long.csv', 'reference,name\n', 'bbbbb\n', 120_000, longRows('\n')],
  ['end with CR', 'cr.csv', 'reference,name\r', 'bbbbb\r', 120_000, longRows('\r')],
  ['are JSON', 'short.ndjson', '{"reference":1,"name":[]}\n', '1\n', 150_000, ''],
])(
  'a file of short rows, each with an issue, needs little memory: %s',
  async (_title, name, header, row, rows, end) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, name), header + row.repeat(rows) + end);
    const { code, stdout, peakMb } = await withPeakMemory(
      ['validate', 'products', name, '--out', 'out', '--no-progress'],
      { cwd },
    );
    const all = rows + (end === '' ? 0 : LONG_ROWS) + (name.endsWith('.ndjson') ? 1 : 0);
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`${all.toLocaleString('en')} invalid`),
    });
    expect(readReports(join(cwd, 'out')).results).toHaveLength(all);
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
