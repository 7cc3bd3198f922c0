import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Outcome, RecordResult } from '../../src/model/index.ts';
import { openReports, type ReportFormat } from '../../src/report/index.ts';
import { openFilesBelow } from '../support/open-files.ts';
import { readHeader, readTable, temporaryFolder } from '../support/run.ts';
import { runSummary } from '../support/run-summary.ts';
import { readWorkbookTable } from '../support/workbook.ts';

const settled = (seq: number, outcome: Partial<Outcome>, cells?: string[]): RecordResult => ({
  seq,
  row: seq + 2,
  key: `k${seq}`,
  outcome: { outcome: 'created', attempts: 1, durationMs: 2.6, ...outcome },
  ...(cells ? { rows: [{ row: seq + 2, cells }] } : {}),
});

async function write(header: string[], lines: readonly RecordResult[], format: Partial<ReportFormat> = {}) {
  const folder = join(temporaryFolder(), 'deep', 'out');
  const reports = await openReports({ folder, run: 'r1', header, format });
  for (const line of lines) await reports.add(line);
  await reports.finish(runSummary({ records: lines.length }));
  return folder;
}

test('if one report cannot be opened, the others are closed and leave nothing behind', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'errors.csv'));
  await expect(openReports({ folder, run: 'r1', header: ['a'] })).rejects.toThrow('errors.csv');
  expect(readdirSync(folder)).toEqual(['errors.csv']);
  expect(openFilesBelow(folder)).toEqual([]);
});

describe('reports', () => {
  test('every record is a line of results.csv; errors.csv and in-doubt.csv have the rows to correct', async () => {
    const folder = await write(
      ['a', 'b'],
      [
        settled(0, { id: 'x', httpStatus: 200 }),
        settled(1, { outcome: 'rejected', code: 'store-refused', field: 'name', message: 'no, "never"' }, [
          '1',
          '=2+2',
        ]),
        settled(2, { outcome: 'in-doubt', code: 'no-answer', message: 'lost' }, ['3', '4']),
        settled(3, { outcome: 'duplicate', code: 'duplicate-key' }),
      ],
    );
    expect(readTable(join(folder, 'results.csv'))).toEqual([
      {
        row: '2',
        key: 'k0',
        outcome: 'created',
        id: 'x',
        http_status: '200',
        attempts: '1',
        duration_ms: '3',
        code: '',
        field: '',
        message: '',
      },
      {
        row: '3',
        key: 'k1',
        outcome: 'rejected',
        id: '',
        http_status: '',
        attempts: '1',
        duration_ms: '3',
        code: 'store-refused',
        field: 'name',
        message: 'no, "never"',
      },
      {
        row: '4',
        key: 'k2',
        outcome: 'in-doubt',
        id: '',
        http_status: '',
        attempts: '1',
        duration_ms: '3',
        code: 'no-answer',
        field: '',
        message: 'lost',
      },
      {
        row: '5',
        key: 'k3',
        outcome: 'duplicate',
        id: '',
        http_status: '',
        attempts: '1',
        duration_ms: '3',
        code: 'duplicate-key',
        field: '',
        message: '',
      },
    ]);
    // A spreadsheet would evaluate it.
    expect(readTable(join(folder, 'errors.csv'))).toMatchObject([
      { a: '1', b: "'=2+2", storeport_run: 'r1', storeport_row: '3' },
    ]);
    expect(readTable(join(folder, 'in-doubt.csv'))).toMatchObject([
      { a: '3', b: '4', storeport_outcome: 'in-doubt' },
    ]);
    expect(JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'))).toMatchObject({ records: 4 });
  });

  test('short rows are filled up, and cells beyond the header have a column of their own', async () => {
    const folder = await write(
      ['a', 'b', 'c'],
      [
        settled(0, { outcome: 'invalid', code: 'ragged-row', message: 'too few' }, ['1']),
        settled(1, { outcome: 'invalid', code: 'ragged-row', message: 'too many' }, [
          '1',
          '2',
          '3',
          'four',
          '',
          'six',
        ]),
      ],
    );
    expect(
      readTable(join(folder, 'errors.csv')).map(({ a, b, c, storeport_message, storeport_surplus }) => [
        a,
        b,
        c,
        storeport_message,
        storeport_surplus,
      ]),
    ).toEqual([
      ['1', '', '', 'too few', ''],
      ['1', '2', '3', 'too many', 'four | six'],
    ]);
  });

  test.each(['csv', 'xlsx'] as const)(
    'the column for surplus cells is there if any row has some, also the last of many: %s',
    async (errorsAs) => {
      const ends = Array.from({ length: 200 }, (_, seq) => settled(seq, { outcome: 'invalid' }, ['1', '2']));
      const long = settled(200, { outcome: 'invalid' }, ['1', '2', '3']);
      const headerOf = async (all: readonly RecordResult[]) => {
        const folder = await write(['a', 'b'], all, { errorsAs });
        expect(readdirSync(folder).filter((name) => name.startsWith('errors.'))).toEqual([
          `errors.${errorsAs}`,
        ]);
        const path = join(folder, `errors.${errorsAs}`);
        const rows = errorsAs === 'csv' ? readTable(path) : await readWorkbookTable(path);
        return [rows.length, Object.keys(rows[0] ?? {}).slice(-2)];
      };
      expect(await headerOf(ends)).toEqual([200, ['storeport_field', 'storeport_message']]);
      expect(await headerOf([...ends, long])).toEqual([201, ['storeport_message', 'storeport_surplus']]);
    },
  );

  test('columns that an earlier report added are written anew, not twice', async () => {
    const header = [
      'a',
      'storeport_run',
      'storeport_row',
      'storeport_outcome',
      'storeport_code',
      'storeport_field',
      'storeport_message',
    ];
    const folder = await write(header, [
      settled(0, { outcome: 'invalid', code: 'required' }, ['1', 'old', '9', 'invalid', 'x', 'y', 'z']),
    ]);
    expect(readHeader(join(folder, 'errors.csv'))).toEqual(header);
    expect(readTable(join(folder, 'errors.csv'))).toMatchObject([
      { a: '1', storeport_run: 'r1', storeport_row: '2', storeport_code: 'required' },
    ]);
  });

  test('aborted reports leave nothing behind', async () => {
    const folder = temporaryFolder();
    const reports = await openReports({ folder, run: 'r1', header: ['a'] });
    for (let seq = 0; seq < 500; seq++) await reports.add(settled(seq, {}));
    await reports.abort();
    expect(readdirSync(folder)).toEqual([]);
  });
});
