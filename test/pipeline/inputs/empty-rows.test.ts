import { expect, test } from 'vitest';
import { countEmptyRows, withoutEmptyRows } from '../../../src/pipeline/inputs/empty-rows.ts';
import { readSource } from '../../../src/read/open-source.ts';
import { settingsOf } from '../../../src/read/options.ts';

/** Reads a file: the remaining rows (number and cells), the count of empty ones, and the codes of issues. */
async function read(text: string, file = 'shop.csv') {
  const count = countEmptyRows();
  const chunks = (async function* () {
    for (let at = 0; at < text.length; at += 7) yield Buffer.from(text.slice(at, at + 7));
  })();
  const source = withoutEmptyRows(await readSource(file, chunks, settingsOf({})), count);
  const rows: (string | number)[][] = [];
  const codes: string[] = [];
  for await (const batch of source.batches)
    for (const { row, cells, issues = [] } of batch) {
      rows.push([row, ...cells]);
      codes.push(...issues.map(({ code }) => code));
    }
  return { rows, codes, empty: count.all() };
}

test('rows that have only delimiters and blanks are counted, and the other rows keep their numbers', async () => {
  const text = 'a,b,c\n1,2,3\n,,\n" ","\t",\n"","",""\n\u00a0,\u3000,\n4,5,6\n,\n,,,,\n';
  expect(await read(text)).toEqual({
    rows: [
      [2, '1', '2', '3'],
      [7, '4', '5', '6'],
    ],
    codes: [],
    empty: { rows: 6, last: 9 },
  });
});

test('rows are empty with other delimiters too', async () => {
  expect(await read('a;b\n;\n1;2\n')).toMatchObject({ rows: [[3, '1', '2']], empty: { rows: 1 } });
  expect(await read('a\tb\n\t\n1\t2\n')).toMatchObject({ rows: [[3, '1', '2']], empty: { rows: 1 } });
});

test.each([
  ['one filled cell', ',x', []],
  ['a NUL byte', ',\0', ['nul-byte']],
  ['a zero', '0,', []],
  ['a defused cell', ",'", []],
  ['too few cells, one of them filled', 'x', ['ragged-row']],
  ['too many cells, one of them filled', ',,x', ['ragged-row']],
])('a row with %s is not empty', async (_what, row, codes) => {
  expect(await read(`a,b\n1,2\n${row}\n`)).toMatchObject({ rows: [{}, {}], codes, empty: { rows: 0 } });
});

test('a table of one column keeps rows with a blank cell, which may be meant', async () => {
  const { rows, empty } = await read('a\n1\n \n2\n');
  expect([rows, empty.rows]).toEqual([
    [
      [2, '1'],
      [3, ' '],
      [4, '2'],
    ],
    0,
  ]);
});

test('an empty line is not a row, and is not counted as one', async () => {
  expect(await read('a,b\n\n1,2\n\n')).toMatchObject({ rows: [[3, '1', '2']], empty: { rows: 0 } });
});

test('rows of a re-imported report are not empty', async () => {
  const text = 'a,b,storeport_run,storeport_row\n,,20260101-000000-abcd,7\n';
  expect((await read(text)).rows).toHaveLength(1);
});

test('a JSON object without fields is not an empty row', async () => {
  expect((await read('[{"name": "A"}, {}]', 'shop.json')).rows).toHaveLength(2);
});

test('rows that an earlier execution counted are not counted again', () => {
  const count = countEmptyRows({ rows: 3, last: 10 });
  for (const row of [8, 10, 12, 13]) count.note(row);
  expect(count.all()).toEqual({ rows: 5, last: 13 });
});
