import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { group, groupUnordered } from '../../src/group/index.ts';
import type { Row, SourceRecord } from '../../src/model/index.ts';
import { damage, rowsOf, tableOf } from '../support/map-rows.ts';
import { removeTestFolder } from '../support/run.ts';

const MOST = 20_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'storeport-limit-'));
});
afterEach(() => removeTestFolder(folder));

const table = tableOf('Key', 'X');
const keyOf = ({ cells }: Row) => cells[0] ?? '';

async function* inBatches(rows: readonly Row[]): AsyncGenerator<Row[]> {
  for (let at = 0; at < rows.length; at += 7000) yield rows.slice(at, at + 7000);
}

/** How the rows of a file become records. */
const WAYS: Readonly<Record<string, (rows: readonly Row[]) => AsyncIterable<SourceRecord[]>>> = {
  'consecutive rows': (rows) => group(inBatches(rows), { keyOf }),
  'rows in any order': (rows) => groupUnordered(inBatches(rows), { keyOf }, { folder }),
};

/** Reads until an error or the end: the sizes of the records, and the message. */
async function read(way: (rows: readonly Row[]) => AsyncIterable<SourceRecord[]>, rows: readonly Row[]) {
  const sizes: number[] = [];
  let stop: unknown;
  try {
    for await (const records of way(rows)) sizes.push(...records.map((record) => record.rows.length));
  } catch (error) {
    stop = error;
  }
  return { sizes, stop };
}

describe.each(Object.entries(WAYS))('%s', (_, way) => {
  test('may be a record of 20,000 rows', async () => {
    const cells = [['a'], ...Array.from({ length: MOST }, () => ['b']), ['c']];
    expect(await read(way, rowsOf(table, ...cells))).toEqual({ sizes: [1, MOST, 1], stop: undefined });
  });

  test('stop the reading at one row more, after the records before', async () => {
    const cells = [['a'], ...Array.from({ length: MOST + 1 }, () => ['b']), ['c']];
    const { sizes, stop } = await read(way, rowsOf(table, ...cells));
    expect(sizes).toEqual([1]);
    expect(stop).toMatchObject({
      reason: 'source-failed',
      message: expect.stringMatching(
        /was not read beyond row 20003: the record that begins in row 3 has more than 20,000 rows\. The column/,
      ),
    });
  });

  test('stop the reading at a record with too much text', async () => {
    const long = 'x'.repeat(1_000_000);
    const cells = [['a'], ...Array.from({ length: 20 }, () => ['b', long])];
    const { sizes, stop } = await read(way, rowsOf(table, ...cells));
    expect(sizes).toEqual([1]);
    expect(stop).toMatchObject({
      message: expect.stringContaining('has more than 16,777,216 characters in 18 rows'),
    });
  });
});

test('damaged rows that may belong to a record count as its rows', async () => {
  const rows = rowsOf(table, ['a'], ...Array.from({ length: MOST }, () => ['']));
  const damaged = rows.map((row, at) => (at === 0 ? row : damage(row)));
  const { stop } = await read((all) => group(inBatches(all), { keyOf }), damaged);
  expect(stop).toMatchObject({ message: expect.stringContaining('has more than 20,000 rows') });
});
