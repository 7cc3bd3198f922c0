import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readlink, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError, type Row } from '../../src/model/index.ts';
import { openSource, type Source } from '../../src/read/index.ts';
import { readSource } from '../../src/read/open-source.ts';
import { settingsOf } from '../../src/read/options.ts';

let folder: string;
let large: string;
const ROWS = 50_000;
/** 40 bytes: a batch is bounded by its bytes. */
const ROW = `1,${'2'.repeat(37)}\n`;
const TEXT = `a,b\n${ROW.repeat(ROWS)}`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storeport-read-'));
  large = join(folder, 'large.csv');
  await writeFile(large, TEXT);
});
afterAll(() => rm(folder, { recursive: true }));

/** True if this process has the file open. */
async function isOpen(file: string): Promise<boolean> {
  const links = await readdir('/proc/self/fd');
  const targets = await Promise.all(links.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return targets.includes(file);
}
const onLinux = test.skipIf(process.platform !== 'linux');

test('a file is read in batches, with its size, progress and digest', async () => {
  const source = await openSource(large);
  expect(source.size).toBe(TEXT.length);
  expect(source.digest()).toBeUndefined();
  let rows = 0;
  let batches = 0;
  for await (const batch of source.batches) {
    rows += batch.length;
    batches += 1;
    expect(source.bytesRead()).toBeLessThanOrEqual(Math.max(1, batches) * 65_536);
  }
  expect(rows).toBe(ROWS);
  // One batch for each chunk.
  expect(batches).toBe(Math.ceil(TEXT.length / 16_384));
  expect(source.bytesRead()).toBe(TEXT.length);
  expect(source.digest()).toBe(createHash('sha256').update(TEXT).digest('hex'));
});

test.each([
  ['CSV', 'short.csv', 'a,b\n', 'x\n'],
  ['NDJSON', 'short.ndjson', '{}\n', '1\n'],
  ['a list of JSON', 'short.json', '[{}', ',1'],
])('rows of two bytes come in batches of at most 500: %s', async (_format, name, beginning, row) => {
  const file = join(folder, name);
  await writeFile(file, `${beginning}${row.repeat(20_000)}${name.endsWith('.json') ? ']' : ''}`);
  let rows = 0;
  for await (const batch of (await openSource(file)).batches) {
    expect(batch.length).toBeLessThanOrEqual(500);
    rows += batch.filter(({ issues }) => issues).length;
  }
  expect(rows).toBe(20_000);
});

test('a table has at most 16,384 columns, and a row as many cells', async () => {
  const wide = join(folder, 'wide.csv');
  await writeFile(wide, `a${',b'.repeat(16_384)}\n`);
  await expect(openSource(wide)).rejects.toThrow('has more than 16,384 columns, the most that are read');
  await expect(openSource(wide, { noHeader: true })).rejects.toThrow('more than 16,384 columns');
  await writeFile(wide, `a,b\n1${',2'.repeat(20_000)}\n1${','.repeat(20_000)}\n`);
  const rows: Row[] = [];
  for await (const batch of (await openSource(wide)).batches) rows.push(...batch);
  expect(rows.map(({ cells }) => cells.length)).toEqual([16_384, 16_384]);
  expect(rows[0]?.issues?.[0]?.message).toMatch(
    /^This row has more than 16,384 cells.* Only its first 16,384 cells are kept\.$/,
  );
  expect(rows[1]?.issues).toBeUndefined();
});

onLinux('leaving early closes the file', async () => {
  const source = await openSource(large);
  expect(await isOpen(large)).toBe(true);
  for await (const _ of source.batches) break;
  expect(await isOpen(large)).toBe(false);
});

onLinux('an error in the loop closes the file', async () => {
  const source = await openSource(large);
  const loop = async () => {
    for await (const _ of source.batches) throw new Error('the consumer failed');
  };
  await expect(loop()).rejects.toThrow('the consumer failed');
  expect(await isOpen(large)).toBe(false);
});

onLinux('a source that is never read can be closed', async () => {
  const source = await openSource(large);
  await source.close();
  await source.close();
  expect(await isOpen(large)).toBe(false);
});

onLinux('a file is closed when its end is reached, and when its header is refused', async () => {
  for await (const _ of (await openSource(large)).batches) {
  }
  expect(await isOpen(large)).toBe(false);
  const page = join(folder, 'data.csv');
  await writeFile(page, '<!doctype html>');
  await expect(openSource(page)).rejects.toThrow(ConfigError);
  expect(await isOpen(page)).toBe(false);
});

test('a file that cannot be opened causes one clear sentence', async () => {
  const missing = join(folder, 'missing.csv');
  await expect(openSource(missing)).rejects.toThrow(ConfigError);
  await expect(openSource(missing)).rejects.toThrow(/^There is no file .*missing\.csv\.$/);
  await expect(openSource(folder)).rejects.toThrow(
    new ConfigError(`${folder} is a folder: name the file in it.`),
  );
});

test('`-` is standard input, with chunks of any size, also as text', async () => {
  for (const chunks of [[TEXT], [Buffer.from(TEXT)], ['a,b\n1', ',2\n']]) {
    const source = await openSource('-', { stdin: () => Readable.from(chunks) });
    expect(source.table.file).toBe('-');
    expect(source.size).toBeUndefined();
    let largest = 0;
    for await (const batch of source.batches) largest = Math.max(largest, batch.length);
    expect(largest).toBeLessThanOrEqual(500);
  }
  await expect(openSource('-', { stdin: () => Readable.from([]) })).rejects.toThrow(
    'standard input is empty',
  );
});

test('a read error in mid-file stops the run, after the rows before it are returned', async () => {
  async function* failing() {
    yield Buffer.from(`a,b\n1,${'x'.repeat(1000)}\n3,four`);
    throw new Error('EIO: i/o error, read');
  }
  const source = await readSource('disk.csv', failing(), settingsOf({}));
  const rows: string[][] = [];
  const read = async () => {
    for await (const batch of source.batches) rows.push(...batch.map((row) => [...row.cells]));
  };
  await expect(read()).rejects.toMatchObject({
    name: 'RunStopped',
    reason: 'source-failed',
    message: 'disk.csv could not be read further: EIO: i/o error, read.',
  });
  expect(rows).toEqual([['1', 'x'.repeat(1000)]]);
});

test('the reader does not read ahead of its consumer', async () => {
  const row = `1,${'x'.repeat(1000)}\n`;
  let given = 0;
  async function* counting() {
    for (; given < 200; given++) yield Buffer.from(given === 0 ? `a,b\n${row}` : row);
  }
  const source = await readSource('slow.csv', counting(), settingsOf({}));
  // Except the head, from which the kind of the file is detected.
  const head = given;
  expect(head).toBeLessThanOrEqual(66);
  let taken = 0;
  for await (const batch of source.batches) {
    expect(given).toBeLessThanOrEqual(head + taken + 1);
    taken += batch.length;
  }
  expect(taken).toBe(200);
});

const LETTERS = `name;note\n${Array.from({ length: 10_000 }, (_, n) => `Tasse ${n};grün\n`).join('')}`;

test.each([
  ['as it is', Buffer.from(LETTERS), 'UTF-8'],
  ['with a mark', Buffer.from(`\uFEFF${LETTERS}`), 'UTF-8'],
  ['packed', gzipSync(LETTERS), 'UTF-8'],
  ['in another encoding', Buffer.from(LETTERS, 'latin1'), 'windows-1252'],
  ['packed, in UTF-16', gzipSync(Buffer.from(`\uFEFF${LETTERS}`, 'utf16le')), 'UTF-16LE'],
])('reading can resume at any row: %s', async (_, bytes, encoding) => {
  const file = join(folder, 'read-on.csv');
  await writeFile(file, bytes);
  const rowsFrom = async (from?: Row) => {
    const source = await openSource(file, from && { from: from as Required<Row> });
    const rows: Row[] = [];
    for await (const batch of source.batches) rows.push(...batch);
    expect(source.reading().encoding).toBe(encoding);
    return rows.map(({ row, line, offset, cells }) => ({ row, line, offset, cells }));
  };
  const all = await rowsFrom();
  expect(all.length).toBe(10_000);
  for (const at of [0, 700, 9_999]) expect(await rowsFrom(all[at] as Row)).toEqual(all.slice(at));
});

describe('a file that is read twice', () => {
  const CHANGED = TEXT.replaceAll('1,2', '3,4');
  const stopped = { name: 'RunStopped', reason: 'source-changed' };

  async function opened() {
    const file = join(folder, 'twice.csv');
    await writeFile(file, TEXT);
    await utimes(file, 1, 1);
    return { file, source: await openSource(file) };
  }

  async function scanned({ reread }: Source): Promise<void> {
    const cells = reread?.scan?.(0, () => {});
    for (let next = await cells?.next(); next?.done === false; next = await cells?.next());
  }

  async function read({ batches }: Pick<Source, 'batches'>): Promise<void> {
    for await (const _ of batches);
  }

  test('must have the same size each time', async () => {
    for (const again of [scanned, async ({ reread }: Source) => read((await reread?.open()) as Source)]) {
      const { file, source } = await opened();
      await writeFile(`${file}.new`, TEXT.slice(0, -4));
      await rename(`${file}.new`, file);
      await expect(again(source)).rejects.toMatchObject(stopped);
      await source.close();
    }
  });

  test('must have the same content each time, which its digest shows at the end', async () => {
    const { file, source } = await opened();
    await writeFile(`${file}.new`, CHANGED);
    await utimes(`${file}.new`, 1, 1);
    await rename(`${file}.new`, file);
    await scanned(source);
    await expect(read(source)).rejects.toMatchObject(stopped);
  });

  test('may have a new modification time', async () => {
    const { file, source } = await opened();
    await utimes(file, 2, 2);
    await scanned(source);
    await utimes(file, 3, 3);
    await read(source);
    expect(source.digest()).toBe(createHash('sha256').update(TEXT).digest('hex'));
  });

  test('must have the digest that was recorded, even if its time was set back', async () => {
    const { file, source } = await opened();
    source.expect?.(createHash('sha256').update(TEXT).digest('hex'));
    const { atime, mtime } = await stat(file);
    await writeFile(file, CHANGED);
    await utimes(file, atime, mtime);
    await expect(read(source)).rejects.toMatchObject(stopped);
    expect(source.digest()).toBeUndefined();
  });
});
