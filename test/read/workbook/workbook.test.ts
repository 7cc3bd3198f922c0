import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { openSource } from '../../../src/read/index.ts';
import type { ReadOptions } from '../../../src/read/options.ts';
import { issuesOf, placesOf, readText } from '../../support/read-text.ts';
import { temporaryFolder } from '../../support/run.ts';
import { makeWorkbook, textRow } from '../../support/workbook.ts';

const SHEET = [textRow(1, 'SKU', 'Name'), textRow(2, 'A1', 'Mug'), textRow(3, 'A2', 'Cup')].join('');

async function read(made: Parameters<typeof makeWorkbook>[0], options: ReadOptions = {}) {
  return readText(await makeWorkbook(made), options, 100, 'shop.xlsx');
}

function saved(bytes: Buffer): string {
  const path = join(temporaryFolder(), 'shop.xlsx');
  writeFileSync(path, bytes);
  return path;
}

describe('the sheet', () => {
  const sheets = [
    { name: 'Hidden', state: 'hidden', rows: textRow(1, 'h') },
    { name: 'Products', rows: SHEET },
    { name: '1', rows: textRow(1, 'one') },
  ];

  test.each([
    [undefined, 'SKU'],
    ['Products', 'SKU'],
    [' products ', 'SKU'],
    ['Hidden', 'h'],
    ['2', 'SKU'],
    // A name takes precedence over a number.
    ['1', 'one'],
  ])('%s is the one that is read', async (sheet, first) => {
    const { header, source } = await read({ sheets }, { sheet });
    expect(header[0]).toBe(first);
    expect(source.reading()).toMatchObject({ format: 'xlsx', sheet: expect.any(String) });
  });

  test('must exist', async () => {
    await expect(read({ sheets }, { sheet: 'Stock' })).rejects.toMatchObject({
      message: 'shop.xlsx has no sheet "Stock".',
      hints: ['Its sheets: 1 "Hidden", 2 "Products", 3 "1".'],
    });
    await expect(read({ sheets }, { sheet: '4' })).rejects.toThrow('has no sheet "4"');
  });

  test('may not be named for other files', async () => {
    await expect(readText('a,b\n', { sheet: '1' })).rejects.toThrow(
      '--sheet is for Excel workbooks (.xlsx); shop.csv is none.',
    );
    await expect(read({ sheets }, { delimiter: ';' })).rejects.toThrow(
      '--delimiter is for text such as CSV; shop.xlsx is an Excel workbook.',
    );
    await expect(readText('a,b\n', { format: 'xlsx' })).rejects.toThrow('not an Excel workbook');
  });

  test('without a row is refused', async () => {
    const rows = '<row r="1"><c s="1"/></row>';
    await expect(read({ rows })).rejects.toThrow('shop.xlsx has an empty sheet "Sheet1"');
    await expect(read({ rows: SHEET }, { skipLines: 3 })).rejects.toThrow('nothing is below its row 3');
  });
});

describe('the table', () => {
  test('has the row numbers of the spreadsheet; rows without content are left out', async () => {
    const rows = `${textRow(3, 'SKU', 'Name')}<row r="4"><c/></row>${textRow(9, 'A1')}${textRow(12, '', 'Mug')}`;
    const result = await read({ rows });
    expect(result.cells).toEqual([
      ['A1', ''],
      ['', 'Mug'],
    ]);
    expect(placesOf(result.rows)).toEqual([
      [9, 9],
      [12, 12],
    ]);
  });

  test('ends with the last column that has a cell in its first rows', async () => {
    const filler = Array.from({ length: 60 }, (_, index) => textRow(index + 3, 'x')).join('');
    const rows = `${textRow(1, 'SKU', '')}${textRow(2, 'A1', '', 'note')}${filler}${textRow(90, 'A', '', '', 'far')}`;
    const { header, rows: found, warnings } = await read({ rows });
    expect(header).toEqual(['SKU', '', '']);
    expect(warnings.map(({ code }) => code)).toEqual(['empty-header']);
    expect(issuesOf(found)).toEqual([[90, 90, 'ragged-row']]);
    expect(found.at(-1)?.issues?.[0]?.message).toBe(
      'Cell D90 belongs to no column: the table ends with column 3 (C). Remove the cell, or write a name into the header above it.',
    );
  });

  test('is read below lines that are left out, or without a header', async () => {
    const rows = `${textRow(1, 'Price list')}${textRow(3, 'SKU', 'Name', 'Price')}${textRow(4, 'A1', 'Mug', '3')}`;
    const below = await read({ rows }, { skipLines: 2 });
    expect(below.header).toEqual(['SKU', 'Name', 'Price']);
    expect(placesOf(below.rows)).toEqual([[4, 4]]);
    const lettered = await read({ rows }, { skipLines: 3, noHeader: true });
    expect(lettered.header).toEqual(['A', 'B', 'C']);
    expect(placesOf(lettered.rows)).toEqual([[4, 4]]);
    expect((await read({ rows }, { skipLines: 0 })).source.suggestion?.()).toEqual([
      expect.stringContaining('add --skip-lines 1.'),
    ]);
  });

  test('is read with its own header if it is a report', async () => {
    const rows = `${textRow(1, 'SKU', 'storeport_run')}${textRow(2, 'A1', 'r')}`;
    const { header, warnings } = await read({ rows }, { skipLines: 1 });
    expect(header).toEqual(['SKU', 'storeport_run']);
    expect(warnings.map(({ code }) => code)).toEqual(['report-layout']);
  });

  test('of JSON objects in a report has the objects', async () => {
    const rows = `${textRow(1, 'json', 'storeport_run')}${textRow(2, '{"name":"Mug"}', 'r')}${textRow(3, '{', 'r')}`;
    const { source, rows: found } = await read({ rows });
    expect(source.table.items).toEqual([{ name: 'Mug' }]);
    expect(issuesOf(found)).toEqual([[3, 3, 'bad-json']]);
  });

  test('is read on from a later row', async () => {
    const { header, rows } = await read({ rows: SHEET }, { from: { offset: 3, row: 3, line: 3 } });
    expect(header).toEqual(['SKU', 'Name']);
    expect(rows.map(({ row, offset, cells }) => [row, offset, cells[0]])).toEqual([[3, 3, 'A2']]);
  });

  test('has an issue for a cell that is too long or holds a NUL character', async () => {
    const rows = `${textRow(1, 'a')}${textRow(2, 'x'.repeat(30))}${textRow(3, 'a_x0000_b')}`;
    const { rows: found } = await read(
      {
        shared: [`<t>${'x'.repeat(30)}</t>`, '<t>a_x0000_b</t>'],
        rows: rows.replace(/<c t="inlineStr"><is><t>a_x0000_b<\/t><\/is><\/c>/, '<c t="s"><v>1</v></c>'),
      },
      { maxCellBytes: 20 },
    );
    expect(issuesOf(found)).toEqual([
      [2, 2, 'cell-too-long'],
      [3, 3, 'nul-byte'],
    ]);
  });
});

test('hidden rows and columns are read, and one warning counts them', async () => {
  const rows = SHEET.replace('<row r="3">', '<row r="3" hidden="1">');
  const before = '<cols><col min="2" max="2" hidden="1"/><col min="3" max="16384" hidden="1"/></cols>';
  const { cells, warnings } = await read({ sheets: [{ rows, before }] });
  expect(cells).toEqual([
    ['A1', 'Mug'],
    ['A2', 'Cup'],
  ]);
  expect(warnings).toEqual([
    {
      code: 'hidden-cells',
      message: 'shop.xlsx has 1 hidden row and 1 hidden column (B), which were read like all others.',
    },
  ]);
});

test('cells that are merged over several rows cause one warning, since only the first row has their value', async () => {
  const after =
    '<mergeCells count="3"><mergeCell ref="A1:B1"/><mergeCell ref="B2:B3"/><mergeCell ref="A2:A3"/></mergeCells>';
  const { warnings } = await read({ sheets: [{ rows: SHEET, after }] });
  expect(warnings).toEqual([
    {
      code: 'merged-cells',
      message:
        'shop.xlsx has 2 merged cells over several rows, such as B2:B3, and only the first row of each has its value. Fill the others in the workbook, or name the column under "carry" in the mapping.',
    },
  ]);
});

test('numbers that are shown with fewer digits, or have too many, cause a warning with a cell', async () => {
  const rows = `${textRow(1, 'a', 'b')}<row r="2"><c s="1"><v>1.239</v></c><c><v>1234567890123456</v></c></row>`;
  const { cells, warnings } = await read({ rows, formats: ['0.00'] });
  expect(cells).toEqual([['1.24', '1234567890123456']]);
  expect(
    warnings.map(({ code, message }) => [code, /such as the one in ([A-Z]+\d+)/.exec(message)?.[1]]),
  ).toEqual([
    ['shown-rounded', 'A2'],
    ['long-numbers', 'B2'],
  ]);
});

test('texts that were damaged before are marked, wherever the workbook keeps them', async () => {
  const marked = async (made: Parameters<typeof makeWorkbook>[0]) =>
    (await read(made)).rows.map(({ suspect }) => suspect);
  expect(await marked({ rows: SHEET })).toEqual([false, false]);
  expect(await marked({ rows: SHEET.replace('Cup', 'CafÃ©') })).toEqual([true, true]);
  expect(await marked({ rows: SHEET, shared: ['<t>CafÃ©</t>'] })).toEqual([true, true]);
});

describe('the file', () => {
  test('has a size and a digest, and can be read again', async () => {
    const bytes = await makeWorkbook({ rows: SHEET });
    const source = await openSource(saved(bytes));
    expect([source.size, source.digest()]).toEqual([bytes.length, undefined]);
    const rows = [];
    for await (const batch of source.batches) rows.push(...batch);
    expect(rows).toHaveLength(2);
    expect(source.bytesRead()).toBe(bytes.length);
    expect(source.digest()).toMatch(/^[0-9a-f]{64}$/);
    const again = await source.reread?.open();
    expect(again?.table.header).toEqual(['SKU', 'Name']);
    await again?.close();
  });

  test('must not change while it is read', async () => {
    const many = Array.from({ length: 5000 }, (_, index) => textRow(index + 1, `${index * 7919}`, 'x')).join(
      '',
    );
    const path = saved(await makeWorkbook({ rows: many }));
    const source = await openSource(path);
    writeFileSync(path, await makeWorkbook({ rows: SHEET }));
    const reading = (async () => {
      for await (const _ of source.batches);
    })();
    await expect(reading).rejects.toMatchObject({ reason: 'source-changed' });
  });

  test('may be standard input', async () => {
    const bytes = await makeWorkbook({ rows: SHEET });
    const source = await openSource('-', { stdin: () => Readable.from([bytes]) });
    const rows = [];
    for await (const batch of source.batches) rows.push(...batch.map(({ cells }) => cells[0]));
    expect(rows).toEqual(['A1', 'A2']);
    expect([source.size, source.digest()?.length]).toEqual([undefined, 64]);
  });
});
