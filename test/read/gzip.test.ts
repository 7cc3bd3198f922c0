import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { gunzip } from '../../src/read/gunzip.ts';
import { openSource } from '../../src/read/index.ts';
import { readSource } from '../../src/read/open-source.ts';
import { settingsOf } from '../../src/read/options.ts';
import { chunked, readText } from './read-text.ts';

const TEXT = `a,b\n${Array.from({ length: 2000 }, (_, i) => `${i},row ${i * 7919}\n`).join('')}`;
const PACKED = gzipSync(TEXT);

test.each([1, 1000, Number.POSITIVE_INFINITY])('is known by its content, in chunks of %d', async (size) => {
  const { cells, source } = await readText(PACKED, {}, size);
  expect(cells.length).toBe(2000);
  expect(source.reading()).toMatchObject({ format: 'csv', packed: 'gzip' });
  // The digest and the progress are those of the file, not of what is in it.
  expect(source.bytesRead()).toBe(PACKED.length);
  expect(source.digest()).toBe((await readText(PACKED)).source.digest());
});

test('also on standard input', async () => {
  const source = await openSource('-', { stdin: Readable.from([PACKED]) });
  let rows = 0;
  for await (const batch of source.batches) rows += batch.length;
  expect(rows).toBe(2000);
});

test.each([1, 7, Number.POSITIVE_INFINITY])('several members are one file, in chunks of %d', async (size) => {
  const members = [TEXT.slice(0, 500), TEXT.slice(500, 501), TEXT.slice(501)].map((text) => gzipSync(text));
  expect((await readText(Buffer.concat(members), {}, size)).cells.length).toBe(2000);
});

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

test('one that is cut off stops the run with a clear word, and what is whole is read', async () => {
  const { rows, error } = await rowsUntilError(PACKED.subarray(0, PACKED.length - 10), 100);
  expect(error).toMatchObject({
    name: 'RunStopped',
    reason: 'source-failed',
    message: 'shop.csv.gz is cut off: its gzip data ends too early.',
  });
  expect(rows).toBeGreaterThan(1500);
});

test('one that is damaged, or has something else behind it, says so', async () => {
  const broken = Buffer.from(PACKED);
  broken.fill(0xff, 2000, 2100);
  for (const bytes of [broken, Buffer.concat([PACKED, Buffer.from('a,b\n')])]) {
    const { error } = await rowsUntilError(bytes, 1000);
    expect(error).toMatchObject({
      name: 'RunStopped',
      message: expect.stringContaining('is damaged: its gzip data'),
    });
  }
});

test('a bomb is left unread', async () => {
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
