import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gzipped } from '../../src/write/gzip.ts';
import { openTable } from '../../src/write/index.ts';
import type { Sink } from '../../src/write/sink.ts';
import { scaledRuns } from '../support/property-tests.ts';
import { temporaryFolder } from '../support/run.ts';

/** Creates a slow sink that keeps its chunks, and fails from the write with this number on. */
function slowSink(failsAt = Number.POSITIVE_INFINITY) {
  const chunks: Buffer[] = [];
  const calls: string[] = [];
  let writes = 0;
  const sink: Sink = {
    async write(chunk) {
      await new Promise((resolve) => setImmediate(resolve));
      if (++writes >= failsAt) throw new Error('no space left');
      chunks.push(Buffer.from(chunk));
    },
    commit: async () => void calls.push('commit'),
    abort: async () => void calls.push('abort'),
    isClosed: () => false,
  };
  return { sink, calls, bytes: () => Buffer.concat(chunks) };
}

test('whatever is written is the same after gunzip', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 5_000 }), { maxLength: 20 }), async (parts) => {
      const { sink, calls, bytes } = slowSink();
      const gzip = gzipped(sink);
      for (const part of parts) await gzip.write(Buffer.from(part));
      await gzip.commit();
      expect(gunzipSync(bytes()).equals(Buffer.concat(parts))).toBe(true);
      expect(calls).toEqual(['commit']);
    }),
    { numRuns: scaledRuns(100) },
  );
});

test('a slow sink slows the writer down', async () => {
  const { sink, bytes } = slowSink();
  const gzip = gzipped(sink);
  // Noise does not compress.
  const noise = randomBytes(64 * 1024);
  for (let written = 1; written <= 40; written++) {
    await gzip.write(noise);
    expect(written * 64 * 1024 - bytes().length).toBeLessThan(1024 * 1024);
  }
  await gzip.commit();
});

test.each([1, 3])('a failure of the sink at write %i is thrown, and nothing is committed', async (at) => {
  const { sink, calls } = slowSink(at);
  const gzip = gzipped(sink);
  const writing = async () => {
    for (let n = 0; n < 200; n++)
      await gzip.write(Buffer.from(Array.from({ length: 20_000 }, Math.random).join()));
    await gzip.commit();
  };
  await expect(writing()).rejects.toThrow('no space left');
  await expect(gzip.write('more')).rejects.toThrow('no space left');
  await gzip.abort();
  expect(calls).toEqual(['abort']);
});

test('a file whose name ends in .gz is compressed, and appears whole or not at all', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'a.ndjson.gz');
  writeFileSync(path, 'old');
  const given_up = await openTable(path, { format: 'ndjson', columns: [] });
  await given_up.write([{ a: 1 }]);
  await given_up.abort();
  expect(readFileSync(path, 'utf8')).toBe('old');
  const table = await openTable(path, { format: 'ndjson', columns: [] });
  await table.write([{ a: 1 }, { a: 2 }]);
  await table.commit();
  expect(gunzipSync(readFileSync(path)).toString()).toBe('{"a":1}\n{"a":2}\n');
  expect(readdirSync(folder)).toEqual(['a.ndjson.gz']);
});
