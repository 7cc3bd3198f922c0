import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { group } from '../../src/group/index.ts';
import { identifierIn, type Row, type SourceRecord } from '../../src/model/index.ts';
import { damage, rowsOf, tableOf } from '../support/map-rows.ts';

async function* batchesOf(...batches: Row[][]): AsyncGenerator<Row[]> {
  yield* batches;
}

const keyIn = (column: number) => (row: Row) => identifierIn(row, column);

async function records(batches: AsyncIterable<Row[]>, column: number | undefined = 0, firstSeq = 0) {
  const found: SourceRecord[] = [];
  for await (const batch of group(batches, column === undefined ? {} : { keyOf: keyIn(column) }, firstSeq)) {
    expect(batch.length).toBeGreaterThan(0);
    found.push(...batch);
  }
  return found;
}

/** Returns the row numbers of each record, for rows with these keys; `!` before a key marks a damaged row. */
async function grouped(...keys: string[]): Promise<number[][]> {
  const found = await records(batchesOf(keyed(keys)));
  return found.map(({ rows }) => rows.map(({ row }) => row));
}

function keyed(keys: readonly string[]): Row[] {
  const rows = rowsOf(
    tableOf('Key', 'X'),
    ...keys.map((key) => (key === '!' ? [] : [key.replace(/^!/, '')])),
  );
  return rows.map((row, index) => (keys[index]?.startsWith('!') ? damage(row) : row));
}

describe('rows become records', () => {
  test.each([
    [[], []],
    [['a'], [[2]]],
    [
      ['a', 'a', 'b', 'b', 'b', 'c'],
      [[2, 3], [4, 5, 6], [7]],
    ],
    [['a', ' a ', 'a\t'], [[2, 3, 4]]],
    [
      ['a', 'A'],
      [[2], [3]],
    ],
    [
      ['a', 'b', 'a'],
      [[2], [3], [4]],
    ],
    [
      ['', '', 'a', '', 'a'],
      [[2], [3], [4], [5], [6]],
    ],
    [
      [' ', 'a'],
      [[2], [3]],
    ],
    [
      ['__proto__', '__proto__', 'constructor'],
      [[2, 3], [4]],
    ],
  ])('%j', async (keys, expected) => {
    expect(await grouped(...keys)).toEqual(expected);
  });

  test('without a key column, each row is a record', async () => {
    const rows = keyed(['a', 'a', '!']);
    const found = [];
    for await (const batch of group(batchesOf(rows), {})) found.push(...batch);
    expect(found.map((record) => [record.seq, ...record.rows])).toEqual([
      [0, rows[0]],
      [1, rows[1]],
      [2, rows[2]],
    ]);
  });

  test('a row too short to have the key is a record of its own', async () => {
    const rows = rowsOf(tableOf('X', 'Key'), ['1', 'a'], ['2'], ['3', 'a']);
    const found = await records(batchesOf(rows), 1);
    expect(found.map((record) => record.rows)).toEqual([[rows[0]], [rows[1]], [rows[2]]]);
  });
});

describe('a damaged row whose key cannot be read', () => {
  test.each([
    ['inside a record belongs to it', ['a', '!', 'a'], [[2, 3, 4]]],
    [
      'belongs to the record also when there are several',
      ['a', '!', '!', 'a', '!', 'a'],
      [[2, 3, 4, 5, 6, 7]],
    ],
    ['between two records is a record of its own', ['a', '!', 'b'], [[2], [3], [4]]],
    ['is a record of its own, also if there are several', ['a', '!', '!', 'b'], [[2], [3], [4], [5]]],
    ['at the beginning is a record of its own', ['!', '!', 'a'], [[2], [3], [4]]],
    ['at the end is a record of its own', ['a', 'a', '!'], [[2, 3], [4]]],
    ['beside rows without a key is a record of its own', ['', '!', '', '!'], [[2], [3], [4], [5]]],
    ['before a row without a key is a record of its own', ['a', '!', '', 'a'], [[2], [3], [4], [5]]],
  ])('%s: %j', async (_what, keys, expected) => {
    expect(await grouped(...keys)).toEqual(expected);
  });

  test('a damaged row whose key can be read belongs to its key', async () => {
    expect(await grouped('a', '!a', '!b', 'b')).toEqual([
      [2, 3],
      [4, 5],
    ]);
  });

  test('as many of them as a record may have rows are handled', async () => {
    const [before, between, after] = keyed(['a', '!', 'a']) as [Row, Row, Row];
    const rows = [before, ...Array<Row>(19_998).fill(between), after];
    expect((await records(batchesOf(rows))).map((record) => record.rows.length)).toEqual([20_000]);
  });
});

describe('if rows without a key continue the row above', () => {
  /** Returns the row numbers of each record, with batches of `size` rows. */
  async function continued(size: number, ...keys: string[]): Promise<number[][]> {
    const rows = keyed(keys);
    const batches = [];
    for (let at = 0; at < rows.length; at += size) batches.push(rows.slice(at, at + size));
    const found: number[][] = [];
    for await (const records of group(batchesOf(...batches), { keyOf: keyIn(0), emptyContinues: true }))
      found.push(...records.map((record) => record.rows.map(({ row }) => row)));
    return found;
  }

  test.each([
    ['they are part of its record', ['a', '', '', 'b', '', 'c'], [[2, 3, 4], [5, 6], [7]]],
    ['and so is the key again', ['a', '', 'a', 'b'], [[2, 3, 4], [5]]],
    ['those above the first key are records of their own', ['', '', 'a', ''], [[2], [3], [4, 5]]],
    [
      'a damaged one belongs to the record as well',
      ['a', '!', '', 'b', '!'],
      [
        [2, 3, 4],
        [5, 6],
      ],
    ],
    ['a damaged one above the first key does not lead others', ['!', '', 'a', ''], [[2], [3], [4, 5]]],
  ])('%s: %j', async (_what, keys, expected) => {
    expect(await continued(100, ...keys)).toEqual(expected);
    expect(await continued(1, ...keys)).toEqual(expected);
  });
});

describe('batches', () => {
  const keys = fc.array(fc.constantFrom('a', 'b', '', '!', '!a'), { maxLength: 40 });

  test('may be cut anywhere without changing the records', async () => {
    await fc.assert(
      fc.asyncProperty(keys, fc.array(fc.nat(40)), fc.nat(9), async (given, cuts, firstSeq) => {
        const rows = keyed(given);
        const at = [0, ...cuts.map((cut) => Math.min(cut, rows.length)).sort((a, b) => a - b), rows.length];
        const cut = at.slice(1).map((end, index) => rows.slice(at[index], end));
        const whole = await records(batchesOf(rows), 0, firstSeq);
        expect(await records(batchesOf(...cut), 0, firstSeq)).toEqual(whole);

        // No row is lost or moved, and records are numbered in sequence.
        expect(whole.flatMap((record) => record.rows)).toEqual(rows);
        expect(whole.map((record) => record.seq)).toEqual(whole.map((_, index) => firstSeq + index));
      }),
    );
  });

  test('no record has two keys, and no two neighbouring records have the same key', async () => {
    await fc.assert(
      fc.asyncProperty(keys, async (given) => {
        const found = await records(batchesOf(keyed(given)));
        const names = found.map(({ rows }) => [...new Set(rows.map(({ cells }) => cells[0] ?? ''))]);
        for (const [index, own] of names.entries()) {
          expect(own.filter((name) => name !== '').length).toBeLessThanOrEqual(1);
          const name = own.find((each) => each !== '');
          if (name !== undefined) expect(names[index + 1] ?? []).not.toContain(name);
        }
      }),
    );
  });
});

describe('memory', () => {
  /**
   * Returns the maximum number of rows that were read but not returned, while `count` rows of these keys were grouped.
   */
  async function mostHeld(count: number, keyOf: (index: number) => string): Promise<number> {
    let read = 0;
    let given = 0;
    let most = 0;
    async function* one(): AsyncGenerator<Row[]> {
      for (let index = 0; index < count; index++) {
        most = Math.max(most, read - given);
        read++;
        yield keyed([keyOf(index)]);
      }
    }
    for await (const batch of group(one(), { keyOf: keyIn(0) }))
      for (const record of batch) given += record.rows.length;
    expect(given).toBe(count);
    return most;
  }

  test('holds no more than the rows of one record', async () => {
    expect(await mostHeld(5000, (index) => String(Math.floor(index / 7)))).toBeLessThanOrEqual(7);
    expect(await mostHeld(5000, (index) => String(index))).toBeLessThanOrEqual(1);
  });

  test('holds nothing of a file in which no key can be read', async () => {
    expect(await mostHeld(5000, () => '!')).toBeLessThanOrEqual(1);
    expect(await mostHeld(5000, () => '')).toBeLessThanOrEqual(1);
  });
});
