import { describe, expect, test } from 'vitest';
import { issuesOf, placesOf, readText } from '../../support/read-text.ts';

describe('an unclosed quote damages one row only', () => {
  test('in the middle of the file', async () => {
    const { rows, cells } = await readText('a,b,c\n1,2,3\n4,"five,6\n7,8,9\n10,"11",12\n');
    expect(cells).toEqual([
      ['1', '2', '3'],
      ['4', '"five,6'],
      ['7', '8', '9'],
      ['10', '11', '12'],
    ]);
    expect(issuesOf(rows)).toEqual([[3, 3, 'unterminated-quote']]);
    expect(placesOf(rows)).toEqual([
      [2, 2],
      [3, 3],
      [4, 4],
      [5, 5],
    ]);
  });

  test('in the first row, with CR LF', async () => {
    const { rows, cells } = await readText('a,b\r\n"1,2\r\n3,4\r\n"5",6\r\n');
    expect(cells).toEqual([['"1,2'], ['3', '4'], ['5', '6']]);
    expect(issuesOf(rows)).toEqual([[2, 2, 'unterminated-quote']]);
  });

  test('in the last row', async () => {
    const { rows, cells } = await readText('a,b\n1,2\n3,"4');
    expect(cells).toEqual([
      ['1', '2'],
      ['3', '"4'],
    ]);
    expect(issuesOf(rows)).toEqual([[3, 3, 'unterminated-quote']]);
  });

  test('several times, with sound quoted rows in between', async () => {
    const { rows } = await readText('a,b\n1,"x\n2,"y"\n3,"z\n4,"w\nv"\n5,"u\n');
    expect(issuesOf(rows)).toEqual([
      [2, 2, 'unterminated-quote'],
      [4, 4, 'unterminated-quote'],
      [6, 7, 'unterminated-quote'],
    ]);
    expect(rows.filter((row) => !row.issues).map((row) => row.cells)).toEqual([
      ['2', 'y'],
      ['4', 'w\nv'],
    ]);
  });

  test('after a cell of two lines: the row ends with the line of the bad cell', async () => {
    const { rows, cells } = await readText('a,b,c\n1,"x\ny","z\n2,3,4\n');
    expect(cells).toEqual([
      ['1', 'x\ny', '"z'],
      ['2', '3', '4'],
    ]);
    expect(issuesOf(rows)).toEqual([[2, 2, 'unterminated-quote']]);
    expect(placesOf(rows)).toEqual([
      [2, 2],
      [3, 4],
    ]);
  });

  test('far after the first chunk', async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => `${i},some text\n`).join('');
    const { rows } = await readText(`a,b\n0,"open\n${many}`, {}, 65_536);
    expect(rows.length).toBe(20_001);
    expect(issuesOf(rows)).toEqual([[2, 2, 'unterminated-quote']]);
    expect(placesOf(rows).at(-1)).toEqual([20_002, 20_002]);
  });

  test('in a file that is larger than the row limit', async () => {
    const many = Array.from({ length: 10_000 }, (_, i) => `${i},some text to fill a line\n`).join('');
    expect(many.length).toBeGreaterThan(250_000);
    const { rows } = await readText(`a,b\n0,"open\n${many}`, { maxRowBytes: 200_000 }, 65_536);
    expect(rows.length).toBe(10_001);
    expect(issuesOf(rows)).toEqual([[2, 2, 'unterminated-quote']]);
  });
});

describe('text after a closing quote', () => {
  test('damages its own row only', async () => {
    const { rows, cells } = await readText('a,b,c\n1,"He said "hi" to me",5\n2,3,4\n');
    expect(cells).toEqual([
      ['1', '"He said "hi" to me",5'],
      ['2', '3', '4'],
    ]);
    expect(issuesOf(rows)).toEqual([[2, 2, 'text-after-quote']]);
  });

  test('the message names the column and the text found', async () => {
    const { rows } = await readText('Handle,Body (HTML)\nx,"<p class="big">\n');
    expect(rows[0]!.issues).toEqual([
      {
        code: 'text-after-quote',
        message:
          'Column 2 (B) "Body (HTML)" has text after its closing quote: big">. Write "" for a quote inside the cell.',
        unquoted:
          'Column 2 (B) "Body (HTML)" has text after its closing quote: ***. Write "" for a quote inside the cell.',
        column: 'Body (HTML)',
        origin: { file: 'shop.csv', row: 2, line: 2 },
      },
    ]);
  });
});

test('the message for an unclosed quote says how to correct it', async () => {
  const { rows } = await readText('Handle,Title\nx,"Lamp\n');
  expect(rows[0]!.issues?.[0]?.message).toBe(
    'Column 2 (B) "Title" begins with a quote that is not closed: "Lamp. Close it, or write "" for a quote inside the ' +
      'cell. The rows below are read as if the cell ended with its line.',
  );
});

test('a file full of broken quotes stops, and names the options to check', async () => {
  const text = `a,b\n${'1,"x" y\n'.repeat(2000)}`;
  await expect(readText(text)).rejects.toMatchObject({
    name: 'RunStopped',
    reason: 'source-failed',
    message: expect.stringMatching(
      /^shop\.csv was not read beyond line 1002: quotes are broken in 1001 rows/,
    ),
    hints: [expect.stringContaining('--delimiter and --quote'), expect.any(String)],
  });
});

test('literal quotes are not damage, however many', async () => {
  const { rows } = await readText(`a,b\n${'1,15" screen\n'.repeat(3000)}`);
  expect(rows.length).toBe(3000);
  expect(issuesOf(rows)).toEqual([]);
});

test('without a quote character, quotes are ordinary text', async () => {
  const { cells, rows } = await readText('a,b\n"1,2"\n3,"4\n', { quote: '' });
  expect(cells).toEqual([
    ['"1', '2"'],
    ['3', '"4'],
  ]);
  expect(issuesOf(rows)).toEqual([]);
});

test('another quote character', async () => {
  const { cells } = await readText("a,b\n'1,x','it''s'\n", { quote: "'" });
  expect(cells).toEqual([['1,x', "it's"]]);
});

describe('ragged rows', () => {
  test('a row with too few cells keeps them, and names the first missing column', async () => {
    const { rows, cells } = await readText('Handle,Title,Price\nx,Lamp\ny,Chair,5\n');
    expect(cells[0]).toEqual(['x', 'Lamp']);
    expect(rows[0]!.issues).toEqual([
      {
        code: 'ragged-row',
        message:
          'This row has 2 cells, the header has 3 columns: the cells from column 3 (C) "Price" on are missing. Add them, ' +
          'even if they are empty, and look whether a line break cut the row in two.',
        column: 'Price',
        origin: { file: 'shop.csv', row: 2, line: 2 },
      },
    ]);
    expect(rows[1]!.issues).toBeUndefined();
  });

  test('a row with too many cells keeps them', async () => {
    const { rows, cells } = await readText('Handle,Title\nx,Lamp, big,\n');
    expect(cells[0]).toEqual(['x', 'Lamp', ' big', '']);
    expect(rows[0]!.issues?.[0]?.message).toBe(
      'This row has 4 cells, the header has 2 columns: cell 3 (C) and what follows belong to no column. ' +
        'A cell that holds the delimiter must be in quotes: "one, two".',
    );
  });

  test('extra cells are ignored if they are empty', async () => {
    const { rows } = await readText('a,b\n1,2,,\n3,4,\n');
    expect(issuesOf(rows)).toEqual([]);
    expect(rows[0]!.cells).toEqual(['1', '2', '', '']);
  });
});

describe('bad bytes', () => {
  const latin1 = (text: string) => Buffer.from(text, 'latin1');

  test.each([1, 3, Number.POSITIVE_INFINITY])(
    'only the rows that contain them get an issue, in chunks of %d',
    async (size) => {
      const bytes = Buffer.concat([
        Buffer.from('a,b\nné,1\n'),
        latin1('x,caf\xe9\n'),
        Buffer.from('y,日本\n\uFFFD,sound\n'),
      ]);
      const { rows } = await readText(bytes, {}, size);
      expect(issuesOf(rows)).toEqual([[3, 3, 'bad-bytes']]);
      expect(rows[1]!.issues?.[0]).toMatchObject({
        column: 'b',
        message: expect.stringMatching(
          /^Column 2 \(B\) "b" holds bytes that are not UTF-8 \(shown as \uFFFD\): caf\uFFFD\. Save/,
        ),
      });
    },
  );

  test('a character cut off by the end of the file is found', async () => {
    const { rows } = await readText(
      Buffer.concat([Buffer.from('a,b\n1,'), Buffer.from('€').subarray(0, 2)]),
      {},
      1,
    );
    expect(issuesOf(rows)).toEqual([[2, 2, 'bad-bytes']]);
  });

  test('in the header they cause a warning', async () => {
    const { warnings } = await readText(latin1('a,A\xf1o,\xe9\n1,2,3\n'), { encoding: 'utf-8' });
    expect(warnings).toMatchObject([{ code: 'bad-bytes', origin: { row: 1, line: 1 } }]);
  });
});

test('a NUL byte is an issue of its row', async () => {
  const { rows } = await readText('a,b\n1,x\0y\n2,z\n');
  expect(issuesOf(rows)).toEqual([[2, 2, 'nul-byte']]);
  expect(rows[0]!.issues?.[0]).toMatchObject({ column: 'b', origin: { file: 'shop.csv', row: 2, line: 2 } });
});

describe('long cells', () => {
  test('a cell over the limit is an issue, and is kept whole', async () => {
    const { rows } = await readText(`a,b\n1,${'x'.repeat(2000)}\n2,y\n`, { maxCellBytes: 1000 });
    expect(issuesOf(rows)).toEqual([[2, 2, 'cell-too-long']]);
    expect(rows[0]!.cells[1]!.length).toBe(2000);
    expect(rows[0]!.issues?.[0]?.message).toBe(
      'Column 2 (B) "b" holds 2000 bytes; at most 1000 bytes are allowed. Shorten it.',
    );
  });

  test('a long row of short cells is not an issue', async () => {
    const { rows } = await readText(`a,b\n${'x'.repeat(900)},${'y'.repeat(900)}\n`, { maxCellBytes: 1000 });
    expect(issuesOf(rows)).toEqual([]);
  });

  test.each(['', '"'])(
    'a line that is too long to hold is cut, and the rest is read (quote: %j)',
    async (quote) => {
      const long = quote + 'x'.repeat(300_000) + quote;
      const limits = { maxRowBytes: 256 * 1024 };
      const { rows } = await readText(`a,b,c\r\n1,${long},2\r\n3,4,5\r\n`, limits, 65_536);
      expect(issuesOf(rows)).toEqual([[2, 2, 'cell-too-long']]);
      expect(rows[0]!.cells.map((cell) => cell.length)).toEqual([1, 1000]);
      expect(rows[0]!.issues?.[0]?.message).toMatch(
        /^Column 2 \(B\) "b" makes this row longer than 256 KiB; only its beginning/,
      );
      expect(rows[1]).toMatchObject({ row: 3, line: 3, cells: ['3', '4', '5'] });
    },
  );

  test('a file of one endless line comes to an end', async () => {
    const { rows } = await readText(`a,b\n${'x'.repeat(6_000_000)}`, {}, 65_536);
    expect(issuesOf(rows)).toEqual([[2, 2, 'cell-too-long']]);
    expect(rows[0]!.issues?.[0]?.message).toContain('makes this row longer than 4 MiB');
  });
});
