import { describe, expect, test } from 'vitest';
import { issuesOf, readText } from '../../support/read-text.ts';

describe('rows decide the delimiter if the header is ambiguous', () => {
  test.each([
    ['Name, first;Price\nA;1,5\nB;2,5\n', ';', 2],
    ['Categories (x,y,z...);Name (a,b)\nA;1\n"B;C";2\n', ';', 2],
    ['a|b;c,d,e\n1|2,5\n3|4\n', '|', 2],
    ['a\tb,c\n1\t2,5\n3\t4\n', '\t', 2],
    // Ragged rows must not override an unambiguous header.
    ['a,b,c\n1;2,3\n1;2,3\n', ',', 3],
    ['a;b,c\n', ',', 2],
  ])('%j: %j', async (text, delimiter, columns) => {
    const { source, header } = await readText(text, {}, 3);
    expect(source.reading().delimiter).toBe(delimiter);
    expect(header.length).toBe(columns);
  });

  test('a file named .tsv is read with tabs, if it has any', async () => {
    expect((await readText('a,b,c\td\n', {}, 9, 'x.tsv')).header).toEqual(['a,b,c', 'd']);
    expect((await readText('a,b,c\n', {}, 9, 'x.tsv.gz')).header).toEqual(['a', 'b', 'c']);
    expect((await readText('a,b\tc\n', { format: 'tsv' })).header).toEqual(['a,b', 'c']);
  });
});

describe('apostrophes are quotes only if that is unambiguous', () => {
  test.each([
    [
      "'name','price'\n'Mug, large','3'\n'O''Neill','4'\n",
      "'",
      [
        ['Mug, large', '3'],
        ["O'Neill", '4'],
      ],
    ],
    [
      "name,price\n'Mug, large',3\nplain,4\n",
      "'",
      [
        ['Mug, large', '3'],
        ['plain', '4'],
      ],
    ],
    ["name,price\n'Mug',3\n", '"', [["'Mug'", '3']]],
    [
      "name,price\n'0123,3\nO'Neill's,4\n",
      '"',
      [
        ["'0123", '3'],
        ["O'Neill's", '4'],
      ],
    ],
    ['name,price\n"\'Mug\', large",3\n', '"', [["'Mug', large", '3']]],
  ])('%j: %s', async (text, quote, cells) => {
    const result = await readText(text, {}, 4);
    expect(result.source.reading().quote).toBe(quote);
    expect(result.cells).toEqual(cells);
    expect(issuesOf(result.rows)).toEqual([]);
  });

  test('--quote takes precedence', async () => {
    expect((await readText("'a','b'\n", { quote: '"' })).header).toEqual(["'a'", "'b'"]);
    expect((await readText("a,b\n'x',2\n", { quote: "'" })).cells).toEqual([['x', '2']]);
  });
});

describe('a sep= line for Excel decides the delimiter', () => {
  test.each([
    ['sep=;\r\na,b;c\r\n1,2;3\r\n', ['a,b', 'c']],
    ['sep=\t\na,b\tc\n1\t2\n', ['a,b', 'c']],
    ['"sep=|"\na,b|c\n1|2\n', ['a,b', 'c']],
    ['SEP=,\na;b;c,d\n1,2\n', ['a;b;c', 'd']],
    ['sep=;\ra,b;c\r1;2\r', ['a,b', 'c']],
  ])('%j', async (text, header) => {
    const result = await readText(text, {}, 1);
    expect(result.header).toEqual(header);
    expect(result.rows.map(({ row }) => row)).toEqual([3]);
  });

  test('--delimiter takes precedence over a sep= line', async () => {
    const { header, rows } = await readText('sep=;\na,b;c\n1,2\n', { delimiter: ',' });
    expect(header).toEqual(['a', 'b;c']);
    expect(rows.length).toBe(1);
  });
});

test('line ends of old Macs (CR) are recognised', async () => {
  const { cells } = await readText('a;b\r1;"x\ry"\r2;z\r', {}, 1);
  expect(cells).toEqual([
    ['1', 'x\ry'],
    ['2', 'z'],
  ]);
});

test('--delimiter and --quote contradict JSON', async () => {
  await expect(readText('{}', { format: 'json', delimiter: ';' })).rejects.toThrow(/are for CSV/);
});
