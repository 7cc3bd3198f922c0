import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { restore } from '../../src/model/index.ts';
import { openSource } from '../../src/read/index.ts';
import { openReports } from '../../src/report/index.ts';
import { anyText } from '../support/any-text.ts';
import { scaledRuns } from '../support/property-tests.ts';
import { readTable, temporaryFolder } from '../support/run.ts';
import { runSummary } from '../support/run-summary.ts';

const OUTCOME = { outcome: 'invalid', attempts: 0, durationMs: 0, code: 'required' } as const;

/** Writes rows into errors.csv. */
async function report(header: readonly string[], rows: readonly (readonly string[])[]): Promise<string> {
  const folder = temporaryFolder();
  const reports = await openReports({ folder, run: 'r1', header });
  for (const [seq, cells] of rows.entries())
    await reports.add({ seq, row: seq + 2, key: '', outcome: OUTCOME, rows: [{ row: seq + 2, cells }] });
  await reports.finish(runSummary());
  return join(folder, 'errors.csv');
}

async function read(file: string) {
  const source = await openSource(file, { encoding: 'utf-8', delimiter: ',', quote: '"' });
  const rows: (readonly string[])[] = [];
  for await (const batch of source.batches) rows.push(...batch.map(({ cells }) => cells));
  return { header: source.table.header, rows };
}

/** Texts that a spreadsheet may run, and any others. */
const cell = fc.oneof(
  anyText(),
  fc
    .tuple(fc.constantFrom('', "'", "''", '=', '+', '-', '@', '\t=', '\uFF1D'), fc.string())
    .map((parts) => parts.join('')),
);
const storable = cell.map((text) =>
  text.replaceAll(/[\0\uD800-\uDFFF\uFEFF]/g, '').replaceAll(/\r\n?/g, '\n'),
);

describe('rows of errors.csv', () => {
  test('have the same meaning when they are imported again, whatever is in their cells', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(storable, storable), { minLength: 1, maxLength: 6 }),
        async (rows) => {
          const back = await read(await report(['a', 'b'], rows));
          const meant = (all: readonly (readonly string[])[]) =>
            all.map((cells) => cells.slice(0, 2).map(restore));
          expect(meant(back.rows)).toEqual(meant(rows));
        },
      ),
      { numRuns: scaledRuns(60) },
    );
  });

  test('contain nothing that a spreadsheet runs, not even in their header', async () => {
    const rows = [
      ['=HYPERLINK("http://x.example")', '@SUM(A1)'],
      ['-5', '+44 20 7946 0958'],
    ];
    const file = await report(['=cmd()', 'b'], rows);
    expect(readTable(file).map((row) => [row["'=cmd()"], row.b])).toEqual([
      ['\'=HYPERLINK("http://x.example")', "'@SUM(A1)"],
      ['-5', '+44 20 7946 0958'],
    ]);
    expect((await read(file)).rows[0]?.slice(0, 2).map(restore)).toEqual(rows[0]);
  });

  test('are unchanged if their source had defused them already', async () => {
    const file = await report(['a'], [["'=1+1"], ["''=1+1"]]);
    expect(readTable(file).map(({ a }) => a)).toEqual(["'=1+1", "''=1+1"]);
  });
});

test('results.csv contains nothing that a spreadsheet runs', async () => {
  const folder = temporaryFolder();
  const reports = await openReports({ folder, run: 'r1', header: ['a'] });
  const outcome = { ...OUTCOME, outcome: 'rejected', message: '=cmd()' } as const;
  await reports.add({ seq: 0, row: 2, key: '@SUM(A1)', outcome });
  await reports.finish(runSummary());
  expect(readTable(join(folder, 'results.csv'))).toMatchObject([{ key: "'@SUM(A1)", message: "'=cmd()" }]);
});
