import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { KeptRow, Outcome, RecordResult } from '../../src/model/index.ts';
import { openReports } from '../../src/report/index.ts';
import { openReturnedRows } from '../../src/report/returned-rows.ts';
import { readTable, temporaryFolder } from '../support/run.ts';
import { runSummary } from '../support/run-summary.ts';
import { markedCells, notesIn, readParts, readWorkbookTable } from '../support/workbook.ts';

const XLSX = { errorsAs: 'xlsx' } as const;

function result(seq: number, outcome: Partial<Outcome>, ...rows: (string[] | KeptRow)[]): RecordResult {
  const kept = rows.map((row, index) => (Array.isArray(row) ? { row: seq + 2 + index, cells: row } : row));
  return {
    ...{ seq, row: seq + 2, key: `k${seq}`, rows: kept },
    outcome: { outcome: 'invalid', attempts: 0, durationMs: 0, ...outcome },
  };
}

async function write(header: string[], results: RecordResult[], folder = temporaryFolder()) {
  const reports = await openReports({ folder, run: 'r1', header, format: XLSX });
  for (const each of results) await reports.add(each);
  await reports.finish(runSummary());
  const names = reports.names();
  return {
    folder,
    names,
    rows: await readWorkbookTable(join(folder, 'errors.xlsx')),
    marks: async () => {
      const parts = await readParts(join(folder, 'errors.xlsx'));
      const { J1: _, ...notes } = notesIn(parts['xl/comments1.xml']);
      return { marked: markedCells(parts['xl/worksheets/sheet1.xml'] ?? ''), notes };
    },
  };
}

describe('reports as workbooks', () => {
  test('errors.xlsx has the columns and cells of the source, then the columns of errors.csv', async () => {
    const { rows, folder, names } = await write(
      ['sku', 'name', 'price', 'note'],
      [
        result(0, { code: 'required', field: 'name', message: 'name is missing' }, [
          '0017',
          '',
          '1.50',
          '=1',
        ]),
      ],
    );
    expect(rows).toEqual([
      {
        ...{ sku: '0017', name: '', price: '1.50', note: '=1' },
        ...{ storeport_run: 'r1', storeport_row: '2', storeport_outcome: 'invalid' },
        ...{ storeport_code: 'required', storeport_field: 'name', storeport_message: 'name is missing' },
      },
    ]);
    expect(readdirSync(folder).sort()).toEqual([
      'errors.xlsx',
      'in-doubt.xlsx',
      'report.html',
      'results.csv',
      'summary.json',
    ]);
    expect(names).toEqual({
      results: 'results.csv',
      page: 'report.html',
      errors: ['errors.xlsx'],
      in_doubt: ['in-doubt.xlsx'],
    });
  });

  test('each cell that the message names is marked, with its own sentence as the note', async () => {
    const message =
      'row 2, column "price": "abc" is not a number; write it like 1234.50; row 3, column "name" (B3): name is missing: fill this cell';
    const { marks } = await write(
      ['sku', 'name', 'price', 'note'],
      [result(0, { code: 'not-a-number', message }, ['A', 'Tea', 'abc', ''], ['A', '', '2', ''])],
    );
    expect(await marks()).toEqual({
      marked: ['C2', 'B3'],
      notes: {
        C2: '&quot;abc&quot; is not a number; write it like 1234.50',
        B3: 'name is missing: fill this cell',
      },
    });
  });

  test('cells that the message only counts are marked with the kind of their issue', async () => {
    const kinds = [
      {
        ...{
          code: 'not-a-number',
          field: 'price',
          count: 9,
          example: 'row 2, column "price": "x" is no number',
        },
        cells: [[3, 'price'] as const],
      },
    ];
    const { marks } = await write(
      ['sku', 'name', 'price', 'note'],
      [
        result(
          0,
          { message: 'row 2, column "price": "x" is no number; and 1 more: 1 × not-a-number (price)', kinds },
          ['A', 'Tea', 'x', ''],
          ['A', 'Tea', 'y', ''],
        ),
      ],
    );
    expect(await marks()).toMatchObject({
      marked: ['C2', 'C3'],
      notes: {
        C2: '&quot;x&quot; is no number',
        C3: 'not-a-number (price), as in: row 2, column &quot;price&quot;: &quot;x&quot; is no number',
      },
    });
  });

  test('a refusal of the store marks the column of its field, else the message; an unsent row has no mark', async () => {
    const cells = ['A', 'Tea', '1', ''];
    const { marks } = await write(
      ['reference', 'name', 'price', 'note'],
      [
        result(0, { outcome: 'rejected', field: 'name', message: 'too long' }, cells),
        result(1, { outcome: 'rejected', field: 'html', message: 'not allowed' }, cells),
        result(2, { outcome: 'unsent', message: 'the run stopped' }, cells),
      ],
    );
    expect(await marks()).toEqual({ marked: ['B2', 'J3'], notes: { B2: 'too long' } });
  });

  test('an object of a JSON source is marked as a whole', async () => {
    const message = 'row 1, column "price": price must be a number';
    const { folder } = await write(['json'], [result(0, { message }, ['{"price":"x"}'])]);
    const parts = await readParts(join(folder, 'errors.xlsx'));
    expect(markedCells(parts['xl/worksheets/sheet1.xml'] ?? '')).toEqual(['A2']);
    expect(notesIn(parts['xl/comments1.xml']).A2).toContain('price must be a number');
  });

  test('marks are at the right columns if the source was a report itself', async () => {
    const message = 'row 2, column "price": "x" is no number';
    const { marks } = await write(
      ['storeport_run', 'sku', 'a', 'b', 'price'],
      [result(0, { message }, ['old', 'A', '', '', 'x'])],
    );
    expect((await marks()).marked).toEqual(['D2']);
  });

  test('in-doubt.xlsx has an empty column for the answers, which is marked', async () => {
    const { folder } = await write(['sku'], [result(0, { outcome: 'in-doubt', message: 'lost' }, ['A'])]);
    const path = join(folder, 'in-doubt.xlsx');
    expect(await readWorkbookTable(path)).toMatchObject([{ sku: 'A', storeport_found: '' }]);
    const parts = await readParts(path);
    expect(markedCells(parts['xl/worksheets/sheet1.xml'] ?? '')).toEqual(['H2']);
    expect(notesIn(parts['xl/comments1.xml']).H1).toContain('run resolve r1 --from in-doubt.xlsx');
  });

  test('a record with a cell that no workbook can hold is in errors.csv, with all its rows', async () => {
    const long = 'x'.repeat(32_768);
    const { rows, folder, names } = await write(
      ['sku', 'text'],
      [result(0, {}, ['A', 'short'], ['A', long]), result(5, {}, ['B', 'x'.repeat(32_767)])],
    );
    expect(rows.map(({ sku }) => sku)).toEqual(['B']);
    const beyond = readTable(join(folder, 'errors.csv'));
    expect(beyond.map(({ sku, text, storeport_row }) => [sku, text?.length, storeport_row])).toEqual([
      ['A', 5, '2'],
      ['A', 32_768, '3'],
    ]);
    expect(names.errors).toEqual(['errors.xlsx', 'errors.csv']);
  });

  test('records beyond the last row of a sheet are in errors.csv', async () => {
    const folder = temporaryFolder();
    const options = {
      folder,
      kind: 'errors',
      columns: ['a'],
      headerNotes: [{ column: 0, note: 'x' }],
    } as const;
    const report = await openReturnedRows(XLSX, { ...options, ownFrom: 1, mostRows: 4 });
    for (const record of [['1', '2'], ['3', '4'], ['5'], ['6']])
      report.push(record.map((a) => ({ cells: [a] })));
    await report.commit();
    expect(await readWorkbookTable(join(folder, 'errors.xlsx'))).toEqual([
      { a: '1' },
      { a: '2' },
      { a: '5' },
    ]);
    expect(readTable(join(folder, 'errors.csv'))).toEqual([{ a: '3' }, { a: '4' }, { a: '6' }]);
  });

  test('a table with more columns than a sheet is written as CSV', async () => {
    const folder = temporaryFolder();
    const header = Array.from({ length: 16_384 }, (_, index) => `c${index}`);
    const reports = await openReports({ folder, run: 'r1', header, format: XLSX });
    await reports.finish(runSummary());
    expect(reports.names()).toMatchObject({ errors: ['errors.csv'], in_doubt: ['in-doubt.csv'] });
    expect(existsSync(join(folder, 'errors.xlsx'))).toBe(false);
  });

  test('reports of an earlier run in the other form are removed when the new ones appear', async () => {
    const folder = temporaryFolder();
    for (const name of ['errors.csv', 'in-doubt.csv', 'other.csv'])
      writeFileSync(join(folder, name), 'earlier');
    const aborted = await openReports({ folder, run: 'r0', header: ['sku'], format: XLSX });
    await aborted.abort();
    expect(readFileSync(join(folder, 'errors.csv'), 'utf8')).toBe('earlier');
    await write(['sku'], [], folder);
    const rest = ['in-doubt.xlsx', 'other.csv', 'report.html', 'results.csv', 'summary.json'];
    expect(readdirSync(folder).sort()).toEqual(['errors.xlsx', ...rest]);
    await (await openReports({ folder, run: 'r2', header: ['sku'] })).finish(runSummary());
    expect(readdirSync(folder).sort()).toEqual(['errors.csv', 'in-doubt.csv', ...rest.slice(1)]);
  });
});
