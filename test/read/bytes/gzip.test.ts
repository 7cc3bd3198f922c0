import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { gunzip } from '../../../src/read/bytes/gunzip.ts';
import { openSource } from '../../../src/read/index.ts';
import { readSource } from '../../../src/read/open-source.ts';
import { settingsOf } from '../../../src/read/options.ts';
import { chunked, readText } from '../../support/read-text.ts';

const ROWS = 200;
const TEXT = `a,b\n${Array.from({ length: ROWS }, (_, i) => `${i},row ${i * 7919}\n`).join('')}`;
const PACKED = gzipSync(TEXT);

/** Byte by byte, a file of 100 KB takes a second. */
const chunkSizesFor = ({ length }: Buffer) => [length > 10_000 ? 100 : 1, 1000, Number.POSITIVE_INFINITY];

test.each([1, 1000, Number.POSITIVE_INFINITY])(
  'gzip is recognised by its content, in chunks of %d',
  async (size) => {
    const { cells, source } = await readText(PACKED, {}, size);
    expect(cells.length).toBe(ROWS);
    expect(source.reading()).toMatchObject({ format: 'csv', packed: 'gzip' });
    // Digest and progress are those of the packed file.
    expect(source.bytesRead()).toBe(PACKED.length);
    expect(source.digest()).toBe((await readText(PACKED)).source.digest());
  },
);

test('gzip is unpacked from standard input', async () => {
  const source = await openSource('-', { stdin: () => Readable.from([PACKED]) });
  let rows = 0;
  for await (const batch of source.batches) rows += batch.length;
  expect(rows).toBe(ROWS);
});

test.each([1, 7, Number.POSITIVE_INFINITY])(
  'several gzip members are read as one file, in chunks of %d',
  async (size) => {
    const members = [TEXT.slice(0, 500), TEXT.slice(500, 501), TEXT.slice(501)].map((text) => gzipSync(text));
    expect((await readText(Buffer.concat(members), {}, size)).cells.length).toBe(ROWS);
  },
);

async function rowsUntilError(bytes: Buffer, chunkBytes: number) {
  let rows = 0;
  try {
    const source = await readSource('shop.csv.gz', chunked(bytes, chunkBytes), settingsOf({}));
    for await (const batch of source.batches) rows += batch.length;
    return { rows };
  } catch (error) {
    return { rows, error };
  }
}

test('gzip that is cut off stops the run with a clear message, after its complete rows are read', async () => {
  const { rows, error } = await rowsUntilError(PACKED.subarray(0, PACKED.length - 10), 100);
  expect(error).toMatchObject({
    name: 'RunStopped',
    reason: 'source-failed',
    message: 'shop.csv.gz is cut off: its gzip data ends too early.',
  });
  expect(rows).toBeGreaterThan(0.75 * ROWS);
});

const TRAILER_BYTES = 8;

function changedAt(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 0xff;
  return changed;
}

test.each<[string, Buffer, string]>([
  [
    'other bytes in its data',
    Buffer.from(PACKED).fill(0xff, PACKED.length / 2, PACKED.length / 2 + 100),
    'is damaged: its gzip data',
  ],
  ['another checksum', changedAt(PACKED, PACKED.length - TRAILER_BYTES), '(incorrect data check)'],
  ['another length', changedAt(PACKED, PACKED.length - 1), '(incorrect length check)'],
  ['unknown flags', changedAt(PACKED, 3), '(unknown header flags set)'],
  ['only its magic number', PACKED.subarray(0, 3), 'is cut off'],
  ['only its header', PACKED.subarray(0, 10), 'is cut off'],
  ['no trailer', PACKED.subarray(0, PACKED.length - TRAILER_BYTES), 'is cut off'],
  ['half a trailer', PACKED.subarray(0, PACKED.length - 3), 'is cut off'],
  ['the first byte of another member', Buffer.concat([PACKED, PACKED.subarray(0, 1)]), 'is cut off'],
  ['half of a second member', Buffer.concat([PACKED, PACKED.subarray(0, PACKED.length / 2)]), 'is cut off'],
  [
    'an invalid second member',
    Buffer.concat([PACKED, PACKED.subarray(0, 3), Buffer.alloc(90, 'x')]),
    'is damaged',
  ],
  [
    'zeros between its members',
    Buffer.concat([PACKED, Buffer.alloc(512), PACKED]),
    `(what follows its byte ${PACKED.length} does not belong there)`,
  ],
  ['many bytes after its data', Buffer.concat([PACKED, Buffer.alloc(80_000, 'x')]), 'does not belong there'],
])('gzip with %s stops the run with a clear message', async (_what, bytes, said) => {
  for (const size of chunkSizesFor(bytes)) {
    const { error } = await rowsUntilError(bytes, size);
    expect(error).toMatchObject({
      name: 'RunStopped',
      reason: 'source-failed',
      message: expect.stringContaining(said),
    });
  }
});

test('a short damaged gzip file is not read as an empty one', async () => {
  const short = gzipSync('a,b\n1,2\n');
  for (const bytes of [changedAt(short, short.length - 1), short.subarray(0, 12)]) {
    const { error } = await rowsUntilError(bytes, 1000);
    expect(error).toMatchObject({ name: 'RunStopped', message: expect.not.stringContaining('empty') });
  }
});

test.each([
  ['zeros', Buffer.alloc(100_000), []],
  ['nothing but an empty member', gzipSync(''), []],
  ['a line end', Buffer.from('\n'), [`1 byte after its gzip data, from byte ${PACKED.length + 1} on`]],
  [
    'a note',
    Buffer.from('\0\0end of file\n'),
    [`14 bytes after its gzip data, from byte ${PACKED.length + 1} on`],
  ],
])('%s after gzip data add no rows, and lose none', async (_what, behind, warned) => {
  const bytes = Buffer.concat([PACKED, behind]);
  for (const size of chunkSizesFor(bytes)) {
    const { cells, warnings, source } = await readText(bytes, {}, size);
    expect(cells).toHaveLength(ROWS);
    expect(warnings.map(({ message }) => message)).toEqual(
      warned.map((words) => expect.stringContaining(words)),
    );
    expect(source.bytesRead()).toBe(bytes.length);
  }
});

test('gzip with every optional header field is read', async () => {
  const text = (words: string) => Buffer.from(`${words}\0`);
  const header = Buffer.from(PACKED.subarray(0, 10));
  header[3] = 2 + 4 + 8 + 16;
  const extra = Buffer.from([5, 0, 1, 2, 3, 0, 5]);
  const parts = [header, extra, text('shop.csv'), text('a comment'), Buffer.alloc(2), PACKED.subarray(10)];
  for (const size of [1, 11, Number.POSITIVE_INFINITY])
    expect((await readText(Buffer.concat(parts), {}, size)).cells).toHaveLength(ROWS);
});

test('a decompression bomb is not read to its end', async () => {
  const bomb = gzipSync(Buffer.alloc(20_000_000, 'x'));
  let bytes = 0;
  const read = async () => {
    for await (const chunk of gunzip('bomb.gz', chunked(bomb, 1000), { freeBytes: 1_000_000 }))
      bytes += chunk.length;
  };
  await expect(read()).rejects.toMatchObject({
    name: 'RunStopped',
    message: expect.stringMatching(/^bomb.gz was not read further: it unpacks to \d+ times its size/),
  });
  expect(bytes).toBeLessThan(5_000_000);
});
