import { describe, expect, test } from 'vitest';
import { issuesOf, placesOf, readText } from '../../support/read-text.ts';

describe('lines above the header', () => {
  const TEXT = 'Price list;2026\r\n\r\nSKU;Name;Price\r\nA1;Mug;3\r\n';

  test.each([1, 2])('are left out, and row numbers stay those of a spreadsheet (%d)', async (skipLines) => {
    for (const chunkBytes of [1, 2, 7, 1000]) {
      const { header, cells, rows, source } = await readText(TEXT, { skipLines }, chunkBytes);
      expect(header).toEqual(['SKU', 'Name', 'Price']);
      expect(cells).toEqual([['A1', 'Mug', '3']]);
      expect(placesOf(rows)).toEqual([[4, 4]]);
      expect(rows[0]?.offset).toBe(TEXT.indexOf('A1'));
      expect(source.reading()).toMatchObject({ delimiter: ';', skippedLines: skipLines });
    }
  });

  test.each([
    ['\uFEFFtitle\nA,B\n1,2\n', 1],
    ['title\rA,B\r1,2\r', 1],
    ['one\n\r\nA,B\n1,2\n', 2],
    ['5" and "more\nA,B\n1,2\n', 1],
  ])('of %j end as an editor shows it', async (text, skipLines) => {
    for (const chunkBytes of [1, 3, 1000]) {
      const { header, rows } = await readText(text, { skipLines }, chunkBytes);
      expect(header).toEqual(['A', 'B']);
      expect(placesOf(rows)).toEqual([[skipLines + 2, skipLines + 2]]);
    }
  });

  test('with a line break in a quoted cell count as the rows that a spreadsheet shows', async () => {
    const { rows } = await readText('"Shop,\nprices",x\nA,B\n1,2\n', { skipLines: 2 });
    expect(placesOf(rows)).toEqual([[3, 4]]);
  });

  test('beyond the end of the file are refused', async () => {
    await expect(readText('a\nb\n', { skipLines: 3 })).rejects.toThrow('shop.csv has fewer than 3 lines');
    await expect(readText('a\nb\n', { skipLines: 2 })).rejects.toThrow('nothing below its first 2 lines');
  });

  test('are not for JSON', async () => {
    await expect(readText('[{}]', { skipLines: 1 })).rejects.toThrow(
      '--skip-lines is for tables such as CSV; shop.csv is JSON.',
    );
    await expect(readText('x', { format: 'ndjson', padRows: true, noHeader: true })).rejects.toThrow(
      '--no-header and --pad-rows are for tables such as CSV; --format is ndjson.',
    );
  });
});

describe('a file without a header', () => {
  test('has columns with the letters of a spreadsheet, and its first row is data', async () => {
    const { header, cells, rows, source } = await readText('\nA1,Mug\nA2,Cup,x\n', { noHeader: true }, 3);
    expect(header).toEqual(['A', 'B']);
    expect(cells).toEqual([
      ['A1', 'Mug'],
      ['A2', 'Cup', 'x'],
    ]);
    expect(placesOf(rows)).toEqual([
      [2, 2],
      [3, 3],
    ]);
    expect(issuesOf(rows)).toEqual([[3, 3, 'ragged-row']]);
    expect(source.reading()).toMatchObject({ noHeader: true });
  });

  test('is read on from a later row with the same columns', async () => {
    const text = 'A1,Mug\nA2,Cup\n';
    const from = { offset: text.indexOf('A2'), row: 2, line: 2 };
    const { header, rows } = await readText(text, { noHeader: true, skipLines: 0, from });
    expect(header).toEqual(['A', 'B']);
    expect(rows.map(({ row, cells }) => [row, ...cells])).toEqual([[2, 'A2', 'Cup']]);
  });

  test('must have a first row that can be read', async () => {
    await expect(readText('a,"b\n1,2\n', { noHeader: true })).rejects.toThrow(
      'shop.csv cannot be read without a header: row 1 (line 1) is damaged',
    );
  });
});

describe('a report of an earlier run', () => {
  test('is read with its own header, whatever the options for its source say', async () => {
    const text = 'A,B,storeport_run,storeport_row\n1,2,r,2\n';
    const { header, rows, warnings } = await readText(text, { noHeader: true, skipLines: 3 });
    expect(header).toEqual(['A', 'B', 'storeport_run', 'storeport_row']);
    expect(placesOf(rows)).toEqual([[2, 2]]);
    expect(warnings.map(({ code }) => code)).toEqual(['report-layout']);
  });
});

describe('rows that lack their last cells', () => {
  test('are padded with --pad-rows; too many cells are still an issue', async () => {
    const { cells, rows } = await readText('a,b,c\n1\n1,2,3\n1,2,3,4\n', { padRows: true }, 5);
    expect(cells.slice(0, 2)).toEqual([
      ['1', '', ''],
      ['1', '2', '3'],
    ]);
    expect(issuesOf(rows)).toEqual([[4, 4, 'ragged-row']]);
  });

  test('are an issue that names --pad-rows only if all rows at the beginning lack them', async () => {
    const messages = async (text: string) =>
      (await readText(text)).rows.flatMap(({ issues = [] }) => issues.map(({ message }) => message));
    expect((await messages('a,b,c\n1,2\n1\n'))[0]).toMatch(/read these as empty with --pad-rows\.$/);
    expect((await messages('a,b,c\n1,2\n1,2,3\n'))[0]).not.toContain('--pad-rows');
  });
});

describe('the suggestion for an unknown header', () => {
  const below = (lines: string) => [expect.stringContaining(`add --skip-lines ${lines}.`)];
  test.each([
    ['"# Required | A ""unique"" id, at most 100",# Required | x\nid,title\nMug,Mug\n', below('1')],
    ['# made by hand\n# on Monday\nSKU,Name\n1,Mug\n', below('2')],
    ['Price list 2026\n\nSKU;Name;Price\nA1;Mug;3,50\n', below('1')],
    ['Export,,,\nMarch,,,\nSKU,Name,Brand,Colour\nMug,Mug,Kiln,red\n', below('2')],
    ['A1,Mug,12.50\nA2,Cup,13\n', [expect.stringContaining('"12.50" in column 3 (C): add --no-header')]],
    ['Mug,https://a.example/1\nCup,https://a.example/2\n', [expect.stringContaining('add --no-header')]],
    ['#,Name,Price\n1,Mug,3\n', []],
    ['SKU,Name,Price\nA1,Mug,3\n', []],
    ['SKU\nA1\nB,C\n', []],
    ['2025,2026\nx,y\n', []],
  ])('of %j', async (text, expected) => {
    const { source } = await readText(text);
    expect(source.suggestion?.()).toEqual(expected);
  });

  test('is not an option that was given', async () => {
    const title = 'Price list 2026\n\nSKU;Name;Price\nA1;Mug;3,50\n';
    const { source } = await readText(title, { skipLines: 2 });
    expect(source.suggestion?.()).toEqual([]);
    const { source: above } = await readText(`Prices\n${title}`, { skipLines: 1 });
    expect(above.suggestion?.()).toEqual(below('2'));
  });
});
