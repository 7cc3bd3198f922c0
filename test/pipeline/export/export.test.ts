import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseExportMapping } from '../../../src/map/index.ts';
import type { JsonObject } from '../../../src/model/index.ts';
import { checkouts } from '../../../src/resources/checkouts.ts';
import { removeTestFolder } from '../../support/run.ts';
import { exportReviews, listStore } from './export-store.ts';

let folder: string;
let home: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'storeport-export-'));
  home = join(folder, 'home');
});
afterEach(() => removeTestFolder(folder));

const review = (number: number, createdAt = '2026-03-01T00:00:00.000Z'): JsonObject => ({
  _id: `r${number}`,
  content: number % 3 === 0 ? '=1+1' : 'good',
  rating: 5,
  createdAt,
});
const reviews = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => review(from + index));
const ids = (from: number, to: number) => reviews(from, to).map(({ _id }) => _id);
const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line)._id);
const manifestOf = (path: string) => JSON.parse(readFileSync(`${path}.manifest.json`, 'utf8'));

describe('the manifest', () => {
  test('describes the export, and has the size and digest of its file', async () => {
    const out = join(folder, 'r.csv.gz');
    await exportReviews(listStore(reviews(1, 250)), { home, out, format: 'csv', filters: ['rating=5'] });
    const bytes = readFileSync(out);
    expect(manifestOf(out)).toEqual({
      storeport: '1.2.3',
      file: 'r.csv.gz',
      resource: 'reviews',
      format: 'csv',
      store: 'http://store.test',
      filters: ['rating=5'],
      since: null,
      limit: null,
      columns: expect.arrayContaining(['_id', 'customer.firstname']),
      started_at: expect.stringMatching(/^20\d\d-.*Z$/),
      finished_at: expect.stringMatching(/^20\d\d-.*Z$/),
      complete: true,
      pages: 3,
      rows: 250,
      added: 250,
      mismatched: 0,
      unchecked: 0,
      first_id: 'r1',
      last_id: 'r250',
      drift: { total_at_start: 250, total: 250, repeated: 0, read_again: 0, unsure: 0, short: 0 },
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    expect(parse(gunzipSync(bytes), { columns: true })).toHaveLength(250);
  });

  test('of the earlier export remains with its file if an export fails', async () => {
    const out = join(folder, 'r.ndjson');
    const store = listStore(reviews(1, 3));
    await exportReviews(store, { home, out });
    const before = [readFileSync(out, 'utf8'), readFileSync(`${out}.manifest.json`, 'utf8')];
    const signal = AbortSignal.abort();
    await expect(exportReviews(store, { home, out, interrupted: signal })).rejects.toThrow(/interrupted/);
    expect([readFileSync(out, 'utf8'), readFileSync(`${out}.manifest.json`, 'utf8')]).toEqual(before);
    expect(readdirSync(folder).sort()).toEqual([
      'home',
      'r.ndjson',
      'r.ndjson.manifest.json',
      'r.ndjson.report.html',
    ]);
  });

  test('is not written beside a device', async () => {
    await exportReviews(listStore(reviews(1, 3)), { home, out: '/dev/null' });
    expect(existsSync('/dev/null.manifest.json')).toBe(false);
  });
});

describe('--since', () => {
  test('leaves out older items, and keeps items without a date', async () => {
    const out = join(folder, 'r.ndjson');
    const store = listStore([
      review(1, '2026-02-28T23:59:59Z'),
      review(2, '2026-03-01T00:00:00Z'),
      review(3, 'once'),
      { _id: 'r4' },
    ]);
    const summary = await exportReviews(store, { home, out, since: '2026-03-01' });
    expect(linesOf(out)).toEqual(['r2', 'r3', 'r4']);
    expect(summary).toMatchObject({ items: 3, early: 1, undated: 2 });
    expect(manifestOf(out)).toMatchObject({ rows: 3, since: '2026-03-01T00:00:00.000Z' });
  });

  test('is refused before the first request if the API names no date', async () => {
    const store = listStore([]);
    const refused = exportReviews(store, { home, resource: checkouts, since: '7d' });
    await expect(refused).rejects.toThrow(/does not say when checkouts were made/);
    expect(store.pages).toEqual([]);
  });
});

describe('--incremental', () => {
  const night = (store: ReturnType<typeof listStore>, date: string, options = {}) =>
    exportReviews(store, {
      home,
      out: join(folder, `r-${date}.ndjson`),
      template: join(folder, 'r-{date}.ndjson'),
      incremental: true,
      ...options,
    });

  test('writes to a file each night the items that earlier nights did not have', async () => {
    const store = listStore(reviews(1, 150));
    expect(await night(store, '01')).toMatchObject({ items: 150, known: 0, had_earlier: false });
    store.items.unshift(...reviews(151, 160));
    expect(await night(store, '02')).toMatchObject({ items: 10, known: 150, had_earlier: true });
    expect(await night(store, '03')).toMatchObject({ items: 0, known: 160 });
    store.items.push(...reviews(161, 161));
    await night(store, '04');
    expect(linesOf(join(folder, 'r-01.ndjson'))).toEqual(ids(1, 150));
    expect(linesOf(join(folder, 'r-02.ndjson'))).toEqual(ids(151, 160));
    expect(linesOf(join(folder, 'r-03.ndjson'))).toEqual([]);
    expect(linesOf(join(folder, 'r-04.ndjson'))).toEqual(ids(161, 161));
  });

  test.each(['csv', 'ndjson', 'json', 'csv.gz', 'ndjson.gz', 'json.gz'])(
    'adds to the file that is still there: %s',
    async (ending) => {
      const out = join(folder, `r.${ending}`);
      const format = ending.split('.')[0] as 'csv' | 'json' | 'ndjson';
      const store = listStore([]);
      for (const upTo of [0, 3, 3, 130]) {
        store.items.push(...reviews(store.items.length + 1, upTo));
        await exportReviews(store, { home, out, format, incremental: true });
      }
      const whole = join(folder, `whole.${ending}`);
      await exportReviews(store, { home, out: whole, format });
      const text = (path: string) =>
        ending.endsWith('.gz') ? gunzipSync(readFileSync(path)).toString() : readFileSync(path, 'utf8');
      expect(text(out)).toBe(text(whole));
      const { sha256, ...told } = manifestOf(out);
      expect(told).toMatchObject({ rows: 130, added: 127, first_id: 'r1', last_id: 'r130' });
      expect(createHash('sha256').update(readFileSync(out)).digest('hex')).toBe(sha256);
    },
  );

  test('adds to the file of a mapping only with the same columns, in JSON as well', async () => {
    const out = join(folder, 'r.ndjson');
    const store = listStore(reviews(1, 2));
    const again = (columns: object) => {
      const mapping = parseExportMapping('mine', JSON.stringify({ resource: 'reviews', export: columns }));
      return exportReviews(store, { home, out, incremental: true, mapping });
    };
    await again({ Id: '_id' });
    store.items.push(review(3));
    await expect(again({ Id: '_id', Stars: 'rating' })).rejects.toThrow(/other columns, or another format/);
    await again({ Id: '_id' });
    expect(readFileSync(out, 'utf8')).toBe('{"Id":"r1"}\n{"Id":"r2"}\n{"Id":"r3"}\n');
    expect(manifestOf(out)).toMatchObject({ columns: ['Id'], rows: 3 });
  });

  test('neither extends nor overwrites a file that something else has changed', async () => {
    const out = join(folder, 'r.ndjson');
    const store = listStore(reviews(1, 3));
    const again = (options = {}) => exportReviews(store, { home, out, incremental: true, ...options });
    await again();
    store.items.push(review(4));
    await expect(again({ format: 'csv' })).rejects.toThrow(/other columns, or another format/);
    writeFileSync(out, 'mine\n');
    await expect(again()).rejects.toThrow(/is not the file that the last export wrote/);
    expect(readFileSync(out, 'utf8')).toBe('mine\n');
    rmSync(out);
    await again();
    expect(linesOf(out)).toEqual(['r4']);
  });

  test('does not overwrite a file that is not in its history', async () => {
    const out = join(folder, 'r.ndjson');
    await exportReviews(listStore(reviews(1, 3)), { home, out, incremental: true });
    const held = readFileSync(out, 'utf8');
    const elsewhere = { home: join(folder, 'other-home'), out, incremental: true };
    const store = listStore(reviews(3, 3));
    await expect(exportReviews(store, elsewhere)).rejects.toThrow(/no earlier export is known that wrote it/);
    expect(readFileSync(out, 'utf8')).toBe(held);
  });

  test('writes only new items to a device, as to a file', async () => {
    const nightly = { home, out: '/dev/null', incremental: true };
    const store = listStore(reviews(1, 3));
    expect(await exportReviews(store, nightly)).toMatchObject({ items: 3, had_earlier: false });
    store.items.push(review(4));
    expect(await exportReviews(store, nightly)).toMatchObject({ items: 1, had_earlier: true });
  });

  test('has a separate history for other filters and other files', async () => {
    const store = listStore(reviews(1, 3));
    await night(store, '01');
    expect(await night(store, '02', { filters: ['rating=5'] })).toMatchObject({ items: 3 });
    const other = join(folder, 'other.ndjson');
    expect(await night(store, '03', { out: other, template: other })).toMatchObject({ items: 3 });
    expect(await night(store, '04')).toMatchObject({ items: 0 });
  });

  test('exports the items that --limit left out at the next time', async () => {
    const store = listStore(reviews(1, 5));
    await night(store, '01', { limit: 2 });
    await night(store, '02');
    expect(linesOf(join(folder, 'r-01.ndjson'))).toEqual(['r1', 'r2']);
    expect(linesOf(join(folder, 'r-02.ndjson'))).toEqual(['r3', 'r4', 'r5']);
  });

  test('recognises items without identifiers by their content, and equal ones by a number', async () => {
    const checkout = (email: string): JsonObject => ({ customer: { email } });
    const store = listStore([checkout('a'), checkout('b'), checkout('a')]);
    const emails = async (date: string) => {
      await night(store, date, { resource: checkouts });
      const text = readFileSync(join(folder, `r-${date}.ndjson`), 'utf8').trimEnd();
      return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line).customer.email);
    };
    expect(await emails('01')).toEqual(['a', 'b', 'a']);
    store.items.unshift(checkout('a'), checkout('c'));
    expect(await emails('02')).toEqual(['c', 'a']);
    expect(await emails('03')).toEqual([]);
  });

  test('has no effect on the history if the export fails', async () => {
    const store = listStore(reviews(1, 3));
    await night(store, '01');
    store.items.push(...reviews(4, 6));
    const interrupted = AbortSignal.abort();
    await expect(night(store, '02', { interrupted })).rejects.toThrow(/interrupted/);
    expect(existsSync(join(folder, 'r-02.ndjson'))).toBe(false);
    await night(store, '02');
    expect(linesOf(join(folder, 'r-02.ndjson'))).toEqual(['r4', 'r5', 'r6']);
  });

  test.each([
    ['has a line that cannot be read', '"r1"\nr2\n'],
    ['was cut at the end of a line', '"r1"\n"r2"\n'],
    ['is empty', ''],
  ])('names a damaged history, which %s, and leaves the exported file unchanged', async (_, damage) => {
    const store = listStore(reviews(1, 3));
    await night(store, '01');
    const [keys = ''] = readdirSync(join(home, 'exports'));
    writeFileSync(join(home, 'exports', keys), damage);
    await expect(night(store, '02')).rejects.toThrow(`${keys} is damaged`);
    expect(readdirSync(join(home, 'exports'))).toEqual([keys]);
  });

  describe('after a crash', () => {
    const memory = () => join(home, 'exports');
    const named = (ending: string) =>
      join(memory(), readdirSync(memory()).find((name) => name.endsWith(ending)) as string);

    /** The second night, without the rename of its history. */
    async function secondNight(): Promise<ReturnType<typeof listStore>> {
      const store = listStore(reviews(1, 3));
      await night(store, '01');
      const first = readFileSync(named('.keys'));
      store.items.push(...reviews(4, 6));
      await night(store, '02');
      renameSync(named('.keys'), named('.keys').replace('.keys', '.next'));
      writeFileSync(named('.next').replace('.next', '.keys'), first);
      store.items.push(...reviews(7, 9));
      return store;
    }

    test('that happened after the file appeared, no item is exported twice, and the manifest is written', async () => {
      const store = await secondNight();
      const out = join(folder, 'r-02.ndjson');
      const told = manifestOf(out);
      rmSync(`${out}.manifest.json`);
      await night(store, '03');
      expect(linesOf(join(folder, 'r-03.ndjson'))).toEqual(['r7', 'r8', 'r9']);
      expect(manifestOf(out)).toEqual(told);
      expect(readdirSync(memory())).toHaveLength(1);
    });

    test('that happened before the file appeared, no item is lost', async () => {
      const store = await secondNight();
      rmSync(join(folder, 'r-02.ndjson'));
      rmSync(join(folder, 'r-02.ndjson.manifest.json'));
      await night(store, '03');
      expect(linesOf(join(folder, 'r-03.ndjson'))).toEqual(ids(4, 9));
      expect(readdirSync(memory())).toHaveLength(1);
    });
  });
});

test.each([
  [10, { read: 10, total: 10 }],
  [5_000, { read: 250, total: 250 }],
  [undefined, { read: 250, total: 250 }],
])('with a limit of %s, the progress counts the items that will be written', async (limit, last) => {
  const seen: unknown[] = [];
  await exportReviews(listStore(reviews(1, 250)), {
    home,
    out: join(folder, 'r.ndjson'),
    limit,
    onProgress: (progress) => seen.push(progress),
  });
  expect(seen.at(-1)).toEqual(last);
});
