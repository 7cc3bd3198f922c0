import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../support/any-text.ts';
import { scaledRuns } from '../../support/property-tests.ts';
import { placesOf, readText } from '../../support/read-text.ts';

/** A file, and the rows that must be read from it at every chunk size. */
const FILES: { name: string; text: string | Buffer; header: string[]; cells: string[][] }[] = [
  {
    name: 'plain',
    text: 'a,b\n1,2\n3,4\n',
    header: ['a', 'b'],
    cells: [
      ['1', '2'],
      ['3', '4'],
    ],
  },
  { name: 'without a last line end', text: 'a,b\n1,2', header: ['a', 'b'], cells: [['1', '2']] },
  { name: 'ending in a delimiter', text: 'a,b\n1,', header: ['a', 'b'], cells: [['1', '']] },
  {
    name: 'CR LF',
    text: 'a,b\r\n1,2\r\n3,4\r\n',
    header: ['a', 'b'],
    cells: [
      ['1', '2'],
      ['3', '4'],
    ],
  },
  {
    name: 'CR alone',
    text: 'a,b\r1,2\r3,4\r',
    header: ['a', 'b'],
    cells: [
      ['1', '2'],
      ['3', '4'],
    ],
  },
  {
    name: 'mixed line ends',
    text: 'a,b\n1,2\r\n3,4\r5,6\n',
    header: ['a', 'b'],
    cells: [
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
    ],
  },
  { name: 'a byte order mark', text: '\uFEFFa,b\n1,2\n', header: ['a', 'b'], cells: [['1', '2']] },
  {
    name: 'a byte order mark before a quote',
    text: '\uFEFF"a,b",c\n1,2\n',
    header: ['a,b', 'c'],
    cells: [['1', '2']],
  },
  { name: 'header only', text: 'a,b\n', header: ['a', 'b'], cells: [] },
  { name: 'header only, without a line end', text: 'a,b', header: ['a', 'b'], cells: [] },
  {
    name: 'quotes',
    text: 'a,b\n"x, ""y""","1\n2"\n"",""\n',
    header: ['a', 'b'],
    cells: [
      ['x, "y"', '1\n2'],
      ['', ''],
    ],
  },
  { name: 'quotes that close at the end', text: 'a,b\n1,"x"', header: ['a', 'b'], cells: [['1', 'x']] },
  { name: 'quoted CR LF', text: 'a,b\r\n"1\r\n2",x\r\n', header: ['a', 'b'], cells: [['1\r\n2', 'x']] },
  {
    name: 'characters of two to four bytes',
    text: 'é,日本\n€,😀\n',
    header: ['é', '日本'],
    cells: [['€', '😀']],
  },
  {
    name: 'literal quotes',
    text: 'a,b,c\n1,15" screen,2\n6",7",8"\n',
    header: ['a', 'b', 'c'],
    cells: [
      ['1', '15" screen', '2'],
      ['6"', '7"', '8"'],
    ],
  },
  {
    name: 'a literal quote before a last empty cell',
    text: 'a,b\n7",',
    header: ['a', 'b'],
    cells: [['7"', '']],
  },
  {
    name: 'a literal quote that ends the file',
    text: 'a,b\r\n1,7"',
    header: ['a', 'b'],
    cells: [['1', '7"']],
  },
  {
    name: 'a literal quote beside quoted cells',
    text: 'a,b,c\r\n"x\r\ny",7","z, ""w"""\r\n1,2,3\r\n',
    header: ['a', 'b', 'c'],
    cells: [
      ['x\r\ny', '7"', 'z, "w"'],
      ['1', '2', '3'],
    ],
  },
  {
    name: 'padded quotes',
    text: '"a" , "b, c"\n"1" ,  "2 ""x"", y" \n "3"\t,4\n',
    header: ['a', 'b, c'],
    cells: [
      ['1', '2 "x", y'],
      ['3', '4'],
    ],
  },
  {
    name: 'padded quotes over two lines',
    text: 'a,b\n"1\n2" ,x\n3,4\n',
    header: ['a', 'b'],
    cells: [
      ['1\n2', 'x'],
      ['3', '4'],
    ],
  },
  {
    name: 'a blank and a quote that do not form a quoted cell',
    text: 'a,b\n "x" y,2\n "x,3\n',
    header: ['a', 'b'],
    cells: [
      [' "x" y', '2'],
      [' "x', '3'],
    ],
  },
  {
    name: 'blank lines',
    text: '\n \na,b\n\n1,2\n\n\n3,4\n\n',
    header: ['a', 'b'],
    cells: [
      ['1', '2'],
      ['3', '4'],
    ],
  },
  { name: 'one column', text: 'a\n1\n \n\n2\n', header: ['a'], cells: [['1'], [' '], ['2']] },
  { name: 'semicolons', text: 'a;b\n1,5;2\n', header: ['a', 'b'], cells: [['1,5', '2']] },
  {
    name: 'a separator line for Excel',
    text: 'sep=;\r\na;b\r\n1;2\r\n',
    header: ['a', 'b'],
    cells: [['1', '2']],
  },
  {
    name: 'names of object properties',
    text: '__proto__,constructor,toString\n1,2,3\n',
    header: ['__proto__', 'constructor', 'toString'],
    cells: [['1', '2', '3']],
  },
];

describe.each(FILES)('$name', ({ text, header, cells }) => {
  test.each([1, 2, 3, 5, 7, 64, Number.POSITIVE_INFINITY])('in chunks of %d bytes', async (size) => {
    const result = await readText(text, {}, size);
    expect(result.header).toEqual(header);
    expect(result.cells).toEqual(cells);
    expect(result.rows.filter((row) => row.issues)).toEqual([]);
  });
});

/** Cells full of characters with a meaning in CSV. */
const cell = fc.oneof(
  anyText({ maxLength: 8 }).filter((text) => !text.includes('\0')),
  fc.constantFrom(
    '',
    ' ',
    '"',
    '""',
    ',',
    ';',
    '\r\n',
    '\n',
    '\r',
    'é€😀',
    '\uFEFF',
    '\uFFFD',
    '15" screen',
    '__proto__',
  ),
);
const rowsOfCells = fc
  .integer({ min: 2, max: 5 })
  .chain((width) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 12 }),
  );

test('the output of csv-stringify is read back unchanged, at any chunk size', async () => {
  const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
  const delimiter = fc.constantFrom(',', ';', '\t', '|');
  const quoted = fc.boolean();
  await fc.assert(
    fc.asyncProperty(
      rowsOfCells,
      lineEnd,
      delimiter,
      quoted,
      fc.integer({ min: 1, max: 40 }),
      async (rows, record_delimiter, by, all, size) => {
        const header = rows[0]!.map((_, index) => `column ${index}`);
        const text = stringify([header, ...rows], {
          record_delimiter,
          // By default it quotes only the line end that it writes.
          quote_record_delimiter: true,
          delimiter: by,
          quoted: all,
        });
        const result = await readText(text, {}, size);
        expect(result.header).toEqual(header);
        expect(result.cells).toEqual(rows);
        expect(result.rows.flatMap((row) => row.issues ?? [])).toEqual([]);
        expect(result.rows.map((row) => row.row)).toEqual(rows.map((_, index) => index + 2));
      },
    ),
    { numRuns: scaledRuns(150) },
  );
});

test('any bytes give the same rows at any chunk size, and no stack trace', async () => {
  const piece = fc.constantFrom('"', '""', ',', '\n', '\r', '\r\n', 'a', ' ', 'é', '","', '"\n', '\0');
  const bytes = fc
    .array(
      fc.oneof(
        { weight: 9, arbitrary: piece.map((text) => Buffer.from(text)) },
        fc.constantFrom(Buffer.from([0xe9]), Buffer.from([0xff])),
      ),
      { maxLength: 40 },
    )
    .map((parts) => Buffer.concat([Buffer.from('a,b,c\n'), ...parts]));
  await fc.assert(
    fc.asyncProperty(bytes, fc.integer({ min: 1, max: 9 }), async (file, size) => {
      const whole = await readText(file, { encoding: 'utf-8' });
      const parts = await readText(file, { encoding: 'utf-8' }, size);
      expect(parts.rows).toEqual(whole.rows);
      expect(parts.source.digest()).toBe(whole.source.digest());
    }),
    { numRuns: scaledRuns(500) },
  );
});

describe('row and line numbers', () => {
  test('rows are numbered as a spreadsheet does, lines as an editor does', async () => {
    const { rows } = await readText('a,b\n1,"x\ny"\n\n2,"1\r\n2\r3\n4"\n3,z\n');
    expect(placesOf(rows)).toEqual([
      [2, 2],
      [4, 5],
      [5, 9],
    ]);
  });

  test('blank lines before the header count', async () => {
    const { rows } = await readText('\r\n\r\na,b\r\n1,2\r\n');
    expect(placesOf(rows)).toEqual([[4, 4]]);
  });

  test('a header over two lines is one row', async () => {
    const { rows, header } = await readText('"a\nb",c\n1,2\n');
    expect(header).toEqual(['a\nb', 'c']);
    expect(placesOf(rows)).toEqual([[2, 3]]);
  });

  test('row and line numbers stay right after literal and padded quotes', async () => {
    const { rows } = await readText('a,b\n"1\n2",7"\n3,8"\n\n"4\n5" ,"6\n7"\n9,9\n');
    expect(placesOf(rows)).toEqual([
      [2, 2],
      [3, 4],
      [5, 6],
      [6, 9],
    ]);
  });

  test('every row refers to the same table object', async () => {
    const { rows, source } = await readText('a\n1\n2\n');
    expect(rows.every((row) => row.table === source.table)).toBe(true);
    expect(source.table.file).toBe('shop.csv');
  });
});
