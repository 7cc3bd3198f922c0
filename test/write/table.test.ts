import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cellText, defuseLine, type Json, type JsonObject } from '../../src/model/index.ts';
import { openSource } from '../../src/read/index.ts';
import {
  csvLine,
  csvText,
  openRows,
  openTable,
  pathColumn,
  type TableFormat,
} from '../../src/write/index.ts';
import { anyText } from '../support/any-text.ts';
import { scaledRuns } from '../support/property-tests.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storeport-table-'));
});
afterAll(() => rm(folder, { recursive: true }));

const items: JsonObject[] = [
  { _id: 'r1', rating: 5, product: { _id: 'p1' }, text: '=1+1', images: ['a', 'b'], published: true },
  {
    _id: 'r2',
    rating: 1,
    product: { _id: 'p2' },
    text: 'two\nlines, "quoted"',
    images: [],
    published: false,
  },
];

async function written(
  format: TableFormat,
  columns: string[],
  batches: JsonObject[][],
  raw = false,
): Promise<string> {
  const path = join(folder, `out.${format}`);
  const table = await openTable(path, { format, columns: columns.map(pathColumn), raw });
  for (const batch of batches) await table.write(batch);
  await table.commit();
  return readFile(path, 'utf8');
}

test('CSV has a header, LF line ends, dotted columns and defused cells', async () => {
  const columns = ['_id', 'rating', 'product._id', 'text', 'images', 'published', 'missing'];
  expect(await written('csv', columns, [items])).toBe(
    '_id,rating,product._id,text,images,published,missing\n' +
      "r1,5,p1,'=1+1,a|b,true,\n" +
      'r2,1,p2,"two\nlines, ""quoted""",[],false,\n',
  );
});

test('raw CSV leaves formulas as they are', async () => {
  expect(await written('csv', ['text'], [items.slice(0, 1)], true)).toBe('text\n=1+1\n');
});

test('NDJSON has one item a line, JSON is one array; both take items in batches', async () => {
  const single = items.map((item) => [item]);
  const lines = (await written('ndjson', [], [...single, []])).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as JsonObject)).toEqual(items);
  expect(JSON.parse(await written('json', [], single))).toEqual(items);
});

test('a table without items is a header, an empty array, or an empty file', async () => {
  expect(await written('csv', ['a', 'b'], [])).toBe('a,b\n');
  expect(JSON.parse(await written('json', [], []))).toEqual([]);
  expect(await written('ndjson', [], [])).toBe('');
});

test('an empty or blank cell in a table of one column is still a row', () => {
  expect(csvText([['a'], [''], [' \t'], ['b c']])).toBe('a\n""\n" \t"\nb c\n');
});

test('hundreds of rows in one call are written in order', () => {
  const rows = Array.from({ length: 1234 }, (_, i) => [String(i), 'x']);
  expect(csvText(rows).trimEnd().split('\n')).toEqual(rows.map((row) => row.join(',')));
});

const special = fc.constantFrom(
  ...['', '"', '""', ',', ';', '\t', '\n', '\r', '\r\n', '\u2028', ' ', '\uFEFF', "'", '$&', 'a,b'],
  ...['=1', 'x,=1', 'x;=1', 'x\t=1'],
);
const text = fc.oneof(
  special,
  anyText(),
  fc.array(special).map((parts) => parts.join('')),
);
const DELIMITERS = [',', ';', '\t'];

/** The output of the library alone. */
function stringified(rows: readonly (readonly string[])[], delimiter: string): string {
  const isOne = rows[0]?.length === 1;
  const quotes = {
    quote_record_delimiter: true,
    ...(isOne && { quoted_empty: true, quoted_match: /^\s+$/ }),
  };
  return rows.length === 0 ? '' : stringify(rows as string[][], { delimiter, ...quotes });
}

test('rows are identical to the output of csv-stringify', () => {
  const rows = fc
    .integer({ min: 1, max: 4 })
    .chain((columns) =>
      fc.array(fc.array(text, { minLength: columns, maxLength: columns }), { maxLength: 8 }),
    );
  fc.assert(
    fc.property(rows, fc.constantFrom(...DELIMITERS), (all, delimiter) => {
      expect(csvText(all, { delimiter, raw: true })).toBe(stringified(all, delimiter));
    }),
    { numRuns: scaledRuns(3000) },
  );
});

test('a line of an export is identical to the output of csv-stringify', () => {
  const cell = fc.oneof(text, fc.jsonValue() as fc.Arbitrary<Json>);
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 4 }), (row) => {
      const columns = row.map((cell, index) => ({ name: `${index}`, value: () => cell }));
      const texts = row.map(cellText);
      expect(csvLine(columns, {}, { raw: true })).toBe(stringified([texts], ','));
      for (const delimiter of DELIMITERS)
        expect(csvLine(columns, {}, { raw: false, delimiter })).toBe(
          stringified([defuseLine(texts, delimiter)], delimiter),
        );
    }),
    { numRuns: scaledRuns(2000) },
  );
});

test('rows that are written raw are read back unchanged, whatever the text', async () => {
  const path = join(folder, 'round-trip.csv');
  const cell = fc.oneof(
    anyText(),
    fc.constantFrom('', '"', ',', '\r\n', '\r', '\n', ' "x" ', '=1', '\uFEFF'),
  );
  const table = fc.integer({ min: 2, max: 6 }).chain((width) => {
    const row = fc.array(cell, { minLength: width, maxLength: width });
    return fc.array(row, { maxLength: 8 });
  });
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      const header = (rows[0] ?? ['a', 'b']).map((_, index) => `column ${index}`);
      const out = await openRows(path, header, { raw: true });
      await out.write(rows);
      await out.commit();
      const source = await openSource(path, { delimiter: ',' });
      const read: (readonly string[])[] = [];
      for await (const batch of source.batches) for (const row of batch) read.push(row.cells);
      expect(source.table.header).toEqual(header);
      expect(read).toEqual(rows);
    }),
    { numRuns: scaledRuns(200) },
  );
});

/** Creates a stream that takes one write at a time, and signals when it is ready. */
function slowStream() {
  const taken: string[] = [];
  let release: (() => void) | undefined;
  const stream = new Writable({
    highWaterMark: 10,
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      taken.push(chunk);
      release = done;
    },
  });
  return { stream, taken, release: () => release?.() };
}

test('a write waits until a slow stream has room', async () => {
  const { stream, release } = slowStream();
  const table = await openTable(stream, { format: 'ndjson', columns: [] });
  let done = false;
  const writing = table.write(items).then(() => {
    done = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(done).toBe(false);
  release();
  await writing;
  expect(stream.writableLength).toBe(0);
});

test('data cannot control a terminal; all other streams get it unchanged', async () => {
  const hostile = { text: 'a\u202eb\u001b[2Jc' };
  const written = async (isTTY: boolean, format: TableFormat) => {
    const stream = new PassThrough();
    const table = await openTable(Object.assign(stream, { isTTY }), {
      format,
      columns: [pathColumn('text')],
    });
    await table.write([hostile]);
    await table.commit();
    return String(stream.read());
  };
  expect(await written(true, 'csv')).toBe('text\na\\u202eb\\u001b[2Jc\n');
  expect(await written(false, 'csv')).toBe(`text\n${hostile.text}\n`);
  expect(JSON.parse(await written(true, 'ndjson'))).toEqual(hostile);
  expect(await written(false, 'ndjson')).toContain('\u202e');
});

test('a reader that goes away stops the output', async () => {
  const stream = new Writable({
    write(_chunk, _encoding, done) {
      done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    },
  });
  const table = await openTable(stream, { format: 'ndjson', columns: [] });
  const write = async () => {
    await table.write(items);
    await new Promise((resolve) => setImmediate(resolve));
    await table.write(items);
  };
  await expect(write()).rejects.toThrow('Standard output was closed by its reader');
  expect(table.isClosed()).toBe(true);
  await expect(table.commit()).rejects.toThrow('Standard output was closed by its reader');
});

test('any other failure of a stream stops the run, even while a write waits', async () => {
  const stream = new Writable({
    highWaterMark: 1,
    write(_chunk, _encoding, done) {
      setImmediate(() => done(Object.assign(new Error('no space left'), { code: 'ENOSPC' })));
    },
  });
  const table = await openTable(stream, { format: 'ndjson', columns: [] });
  await expect(table.write(items)).rejects.toMatchObject({ name: 'RunStopped', reason: 'output-failed' });
});

test('commit waits for the last bytes, and throws their failure', async () => {
  const { stream, release } = slowStream();
  stream.cork();
  const table = await openTable(stream, { format: 'json', columns: [] });
  let done = false;
  const committing = table.commit().then(() => {
    done = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(done).toBe(false);
  stream.uncork();
  release();
  await new Promise((resolve) => setImmediate(resolve));
  release();
  await committing;
});
