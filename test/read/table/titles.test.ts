import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scaledRuns } from '../../support/property-tests.ts';
import { placesOf, readText } from '../../support/read-text.ts';
import { makeWorkbook, textRow } from '../../support/workbook.ts';

const PRICES = [
  'Price list 2026;;;',
  'valid from 1 May;;;',
  ';;;',
  'SKU;Name;Price;Stock',
  'A-1;Pen;2,50;4',
  'A-2;Ink;3,50;',
].join('\n');

describe('titles above the header of a text', () => {
  test('are left out with one warning, and rows keep their numbers', async () => {
    for (const chunkBytes of [1, 7, 1000]) {
      const { header, cells, rows, warnings, source } = await readText(PRICES, {}, chunkBytes);
      expect(header).toEqual(['SKU', 'Name', 'Price', 'Stock']);
      expect(cells[0]).toEqual(['A-1', 'Pen', '2,50', '4']);
      expect(placesOf(rows)).toEqual([
        [5, 5],
        [6, 6],
      ]);
      expect(source.reading()).toMatchObject({ delimiter: ';', skippedLines: 3 });
      expect(warnings.map(({ code, message }) => [code, message])).toEqual([
        [
          'titles-skipped',
          'Lines 1–3 of shop.csv are above the header and not read: "Price list 2026", "valid from 1 May". If the header is in line 1, add --skip-lines 0.',
        ],
      ]);
    }
  });

  test.each([
    ['a line of its own', 'Price list 2026\nSKU;Name;Price\nA1;Mug;3,50\nA2;Cup;4\n', 1],
    ['a line with commas', 'Prices of May 1, 2026\nSKU;Name;Price\nA1;Mug;3,50\nA2;Cup;4,00\n', 1],
    ['a blank line below', '\nPrice list 2026\n\nSKU,Name,Price\nA1,Mug,3\nA2,Cup,4\n', 2],
    ['comments', '# made by hand\n# on Monday\nSKU,Name\n1,Mug\n2,Cup\n', 2],
    ['two cells of many', 'Prices,2026,,,,\nSKU,Name,Price,Stock,Brand,Colour\nA1,Mug,3,,Kiln,red\n', 1],
    [
      'comments in each cell',
      '"# Required | A ""unique"" id, at most 100",# Required | a name,# Optional | in EUR\nSKU,title,price\n1,Mug,3\n',
      1,
    ],
    ['a title of two lines', '"Prices\nof May",,\nSKU,Name,Price\nA1,Mug,3\n', 2],
    [
      'names of fields with their path',
      `Prices,,\nSKU,Name,Related (product.${'metafields.'.repeat(12)}related)\nA1,Mug,3\n`,
      1,
    ],
    [
      'a first row whose text fills the beginning of the file',
      `Prices,,,\nSKU,Name,Price,Text\nA1,Mug,3,"${'A line.\n'.repeat(100)}"\nA2,Cup,4,"${'Another.\n'.repeat(100)}"\n`,
      1,
    ],
    ['line ends of old Macs', 'Prices,,\rSKU,Name,Price\rA1,Mug,3\r', 1],
  ])('are recognised: %s', async (_, text, lines) => {
    const { header, source } = await readText(text);
    expect([header[0], source.reading().skippedLines]).toEqual(['SKU', lines]);
  });

  test.each([
    ['a column that only lists', 'Product name\nred;blue;green\n1;2;3\n4;5;6\n'],
    ['a header in one cell, with other delimiters below', 'Colours\nred,blue,green\n1,2,3\n4,5,6\n'],
    ['columns that begin with #', '#sku,#name,#price\nPen,Pen,on request\nInk,Ink,2\n'],
    ['a column of numbers', '#,Name,Price\n1,Mug,3\n'],
    ['a header without names for most columns', 'SKU;;;\nPen;blue;red;x\nInk;blue;red;x\n'],
    ['rows of other widths', 'Price list 2026\nSKU;Name;Price\nA1;Mug;3,50\nA2;Cup\n'],
    ['one row below a line of its own', 'Price list\nSKU;Name;Price\nA1;Mug;3\n'],
    ['one row of few names', 'SKU;;;\nPen;blue;red;x\n'],
    ['nothing below', 'Price list 2026;;\nSKU;Name;Price\n'],
    [
      'commas in the cells of a table',
      'SKU;Name;Sizes\nA;Shirt;small, medium, large\nB;Shirt;1, 2, 3\nC;Hat;4, 5, 6\n',
    ],
    ['a report', 'SKU,storeport_run,storeport_row,a,b,c,d\nx\n'],
  ])('are not seen in %s', async (_, text) => {
    const { header, warnings, source } = await readText(text);
    expect(header[0]).toBe(text.split(/[,;\n]/)[0]);
    expect(source.reading().skippedLines).toBeUndefined();
    expect(warnings.filter(({ code }) => code === 'titles-skipped')).toEqual([]);
  });

  test('are read if --skip-lines or --no-header says how', async () => {
    expect((await readText(PRICES, { skipLines: 0 })).header[0]).toBe('Price list 2026');
    expect((await readText(PRICES, { skipLines: 1 })).header[0]).toBe('valid from 1 May');
    const { cells, warnings } = await readText(PRICES, { noHeader: true });
    expect(cells[0]?.[0]).toBe('Price list 2026');
    expect(warnings).toEqual([]);
  });
});

describe('titles above the header of a sheet', () => {
  const rows = [
    textRow(1, 'Price list 2026'),
    textRow(3, 'SKU', 'Name', 'Price'),
    textRow(4, 'A1', 'Mug', '3'),
    textRow(5, 'A2', 'Cup'),
  ].join('');
  const read = async (made: string, options = {}) =>
    readText(await makeWorkbook({ rows: made }), options, 100, 'shop.xlsx');

  test('are left out with one warning, and rows keep their numbers', async () => {
    const { header, rows: found, warnings, source } = await read(rows);
    expect(header).toEqual(['SKU', 'Name', 'Price']);
    expect(placesOf(found)).toEqual([
      [4, 4],
      [5, 5],
    ]);
    expect(source.reading().skippedLines).toBe(1);
    expect(warnings.map(({ message }) => message)).toEqual([
      'Row 1 of shop.xlsx is above the header and not read: "Price list 2026". If the header is in row 1, add --skip-lines 0.',
    ]);
  });

  test('are read with --skip-lines 0', async () => {
    expect((await read(rows, { skipLines: 0 })).header).toEqual(['Price list 2026', '', '']);
  });
});

// Names fill the header; cells may be anything.
const NAME = fc.stringMatching(/^[#A-Za-z][A-Za-z0-9 _#.-]{0,12}[A-Za-z]$/);
const DELIMITER = fc.constantFrom(',', ';', '\t', '|');
const WORDS = fc.constantFrom(
  'red',
  'A-1',
  '2,50',
  '3',
  '',
  'x;y;z',
  '1;2;3',
  'a,b,c',
  '1|2',
  '# note',
  'Total',
);
const CELL = fc.oneof(WORDS, fc.string({ maxLength: 8 }), fc.string({ unit: 'grapheme', maxLength: 5 }));

/** Rows of any cells. */
const anyRows = (width: number) =>
  fc.array(fc.array(CELL, { minLength: width, maxLength: width }), { maxLength: 12 });

/** Rows with lists in them: words in the first row, and numbers below, as if they were a header and its values. */
const listedRows = (width: number) =>
  fc
    .record({ by: DELIMITER, parts: fc.integer({ min: 2, max: 9 }), count: fc.integer({ min: 1, max: 5 }) })
    .map(({ by, parts, count }) =>
      Array.from({ length: count + 1 }, (_, row) =>
        Array.from({ length: width }, (_, column) =>
          Array.from({ length: parts }, (_, part) =>
            row === 0 ? `name ${'abcdefghi'[part]}${'xyz'[column] ?? 'w'.repeat(column)}` : `${row}`,
          ).join(by),
        ),
      ),
    );

const TABLE = fc
  .uniqueArray(NAME, { minLength: 1, maxLength: 8, selector: (name) => name.trim().toLowerCase() })
  // In a list of one column, several words are the title of what is below.
  .filter((names) => names.length > 1 || !/\s/.test(names[0]?.trim() ?? ''))
  .chain((names) =>
    fc.record({
      names: fc.constant(names),
      rows: fc.oneof(anyRows(names.length), listedRows(names.length)),
      delimiter: DELIMITER,
      lineEnd: fc.constantFrom('\n', '\r\n'),
    }),
  );

test('a table with its header in the first line never loses it', async () => {
  await fc.assert(
    fc.asyncProperty(TABLE, async ({ names, rows, delimiter, lineEnd }) => {
      const isQuoted = (cell: string) => cell.includes(delimiter) || /["\r\n]/.test(cell);
      const written = (cell: string) => (isQuoted(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
      const text = [names, ...rows].map((row) => row.map(written).join(delimiter)).join(lineEnd);
      const { source } = await readText(text);
      expect(source.reading().skippedLines).toBeUndefined();
    }),
    { numRuns: scaledRuns(6000) },
  );
});
