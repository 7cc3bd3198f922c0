import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { openSource } from '../../../src/read/index.ts';
import { type MarkedRow, openWorkbook } from '../../../src/write/index.ts';
import { anyText } from '../../support/any-text.ts';
import { scaledRuns } from '../../support/property-tests.ts';
import { temporaryFolder } from '../../support/run.ts';
import { markedCells, notesIn, readParts } from '../../support/workbook.ts';

const HEADER_NOTE = { column: 0, note: 'How to use this' };

function open(path: string, header: readonly string[], ownFrom = header.length) {
  return openWorkbook(path, { sheet: 'errors', header, headerNotes: [HEADER_NOTE], ownFrom });
}

async function write(header: readonly string[], rows: readonly MarkedRow[]): Promise<string> {
  const path = join(temporaryFolder(), 'out.xlsx');
  const book = await open(path, header);
  for (let at = 0; at < rows.length; at += 50) await book.write(rows.slice(at, at + 50));
  await book.commit();
  return path;
}

async function cellsIn(path: string): Promise<string[][]> {
  const source = await openSource(path, { onWarning: () => {} });
  const rows: string[][] = [];
  for await (const batch of source.batches) rows.push(...batch.map(({ cells }) => [...cells]));
  await source.close();
  return rows;
}

const HOSTILE = [
  '0017',
  '12345678901234567890',
  '1.23E+12',
  '=1+1',
  "'=1+1",
  '-5',
  '2026-01-31',
  'TRUE',
  '  leading and trailing  ',
  ' ',
  '\t',
  'two\nlines',
  'a\r\nb\rc',
  '<b>&amp;</b> "q" ]]>',
  '_x0041_',
  '_x005F_x0041_',
  '_x000D\r',
  'a\u0001b\u001f',
  '\u0000',
  '\ufffe\uffff',
  '\ud800',
  'é漢字😀\u0085\u2028',
  'x'.repeat(32_767),
];

test('every text of a cell is the same after it is read again', async () => {
  const path = await write(
    ['k', 'text', 'last'],
    HOSTILE.map((text, index) => ({ cells: [`k${index}`, text, ''] })),
  );
  expect(await cellsIn(path)).toEqual(HOSTILE.map((text, index) => [`k${index}`, text, '']));
});

test('any texts are the same after they are read again', async () => {
  const part = fc.oneof(
    anyText(),
    fc.constantFrom(
      '_',
      'x000D',
      '_x000D_',
      '\r',
      '\n',
      ' ',
      '\u0000',
      '\ud800',
      '\udc00',
      '&',
      '<',
      'x005F_',
    ),
  );
  const text = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
  const cells = fc.array(fc.array(text, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(cells, async (rows) => {
      const keyed = rows.map((row, index) => [`k${index}`, ...row]);
      const path = await write(
        ['k', 'a', 'b', 'c'],
        keyed.map((each) => ({ cells: each })),
      );
      expect(await cellsIn(path)).toEqual(keyed);
    }),
    { numRuns: scaledRuns(60) },
  );
});

test('the parts are XML, and the sheet has texts only, a header that stays in view, and columns of texts', async () => {
  const path = await write(['<Name>', 'b'], [{ cells: ['Tea & "mug"', '17'] }]);
  const parts = await readParts(path);
  expect(Object.keys(parts)[0]).toBe('[Content_Types].xml');
  for (const part of Object.values(parts)) expect(() => new SaxesParser().write(part).close()).not.toThrow();
  const sheet = parts['xl/worksheets/sheet1.xml'] ?? '';
  expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
  expect(sheet).toContain('<c r="A1" s="2" t="inlineStr"><is><t>&lt;Name&gt;</t></is></c>');
  expect(sheet).toContain('<c r="B2" s="1" t="inlineStr"><is><t>17</t></is></c>');
  expect(sheet).not.toMatch(/<v>|<f>/);
  expect([...sheet.matchAll(/<col [^>]*style="(\d)"/g)].map(([, style]) => style)).toEqual(['1', '1']);
  const styles = parts['xl/styles.xml'] ?? '';
  const formats = [...(styles.split('<cellXfs')[1] ?? '').matchAll(/numFmtId="(\d+)"/g)].map(([, id]) => id);
  expect(formats).toEqual(['0', '49', '49', '49', '49']);
});

test('marked cells are coloured, also empty ones, and have their reason as a note with a box', async () => {
  const path = await write(
    ['a', 'b', 'c'],
    [
      { cells: ['1', '', '3'], marks: [{ column: 1, note: 'is <missing>' }, { column: 2 }] },
      { cells: ['1', '2', '3'] },
    ],
  );
  const parts = await readParts(path);
  expect(markedCells(parts['xl/worksheets/sheet1.xml'] ?? '')).toEqual(['B2', 'C2']);
  expect(notesIn(parts['xl/comments1.xml'])).toEqual({ A1: HEADER_NOTE.note, B2: 'is &lt;missing&gt;' });
  const drawing = parts['xl/drawings/vmlDrawing1.vml'] ?? '';
  expect([...drawing.matchAll(/<x:Row>(\d+)<\/x:Row><x:Column>(\d+)/g)].map((at) => at.slice(1))).toEqual([
    ['0', '0'],
    ['1', '1'],
  ]);
});

test('the box of a note at the last column of a sheet is within the sheet', async () => {
  const header = Array.from({ length: 16_384 }, (_, index) => `c${index}`);
  const path = await write(header, [{ cells: header, marks: [{ column: 16_383, note: 'wrong' }] }]);
  const drawing = (await readParts(path))['xl/drawings/vmlDrawing1.vml'] ?? '';
  const right = [...drawing.matchAll(/<x:Anchor>([^<]+)/g)].map(([, at = '']) => Number(at.split(', ')[4]));
  expect(right).toEqual([4, 16_383]);
});

test('columns are as wide as their first rows need, within limits', async () => {
  const path = await write(['a', 'b'], [{ cells: ['x'.repeat(20), 'y'.repeat(500)] }, { cells: ['', ''] }]);
  const sheet = (await readParts(path))['xl/worksheets/sheet1.xml'] ?? '';
  expect([...sheet.matchAll(/ width="(\d+)"/g)].map(([, width]) => Number(width))).toEqual([22, 50]);
});

test('the first 5,000 marked cells have a note, and all have a colour', async () => {
  const rows = Array.from({ length: 5_100 }, (_, index) => ({
    cells: [`${index}`],
    marks: [{ column: 0, note: `n${index}` }],
  }));
  const parts = await readParts(await write(['a'], rows));
  expect(Object.keys(notesIn(parts['xl/comments1.xml']))).toHaveLength(5_000);
  expect(markedCells(parts['xl/worksheets/sheet1.xml'] ?? '')).toHaveLength(5_100);
  // Each block of 1,024 boxes must be listed, or Excel repairs the file.
  expect(parts['xl/drawings/vmlDrawing1.vml']).toContain('data="1,2,3,4,5"');
});

test('a workbook without rows can be read, and the same rows give the same bytes', async () => {
  const empty = await write(['a', 'b'], []);
  expect(await cellsIn(empty)).toEqual([]);
  const rows = [{ cells: ['1', '2'], marks: [{ column: 1, note: 'x' }] }];
  const [one, two] = [await write(['a', 'b'], rows), await write(['a', 'b'], rows)];
  expect(readFileSync(one)).toEqual(readFileSync(two));
});

test('a workbook appears whole or not at all, and an earlier one stays until then', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'out.xlsx');
  writeFileSync(path, 'earlier');
  const book = await open(path, ['a']);
  for (let batch = 0; batch < 300; batch++)
    await book.write(
      Array.from({ length: 50 }, (_, index) => ({ cells: [`${batch} ${index} ${Math.random()}`] })),
    );
  expect(readFileSync(path, 'utf8')).toBe('earlier');
  await book.abort();
  expect(readdirSync(folder)).toEqual(['out.xlsx']);
  expect(readFileSync(path, 'utf8')).toBe('earlier');
});
