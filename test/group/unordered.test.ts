import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { groupUnordered, type UnorderedGrouping } from '../../src/group/index.ts';
import { type Row, type RowLinks, RunStopped, type SourceRecord } from '../../src/model/index.ts';
import { damage, rowsOf, tableOf } from '../support/map-rows.ts';
import { scaledRuns } from '../support/property-tests.ts';
import { removeTestFolder } from '../support/run.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'storeport-test-'));
});
afterEach(() => removeTestFolder(folder));

async function* batchesOf(...batches: Row[][]): AsyncGenerator<Row[]> {
  yield* batches;
}

async function records(batches: AsyncIterable<Row[]>, gathering: UnorderedGrouping): Promise<SourceRecord[]> {
  const found: SourceRecord[] = [];
  for await (const batch of groupUnordered(batches, gathering, { folder })) found.push(...batch);
  return found;
}

const byKey: UnorderedGrouping = { keyOf: ({ cells }) => cells[0] ?? '' };

/** Creates rows with these keys; `!` before a key marks a damaged row. */
function keyed(keys: readonly string[]): Row[] {
  const rows = rowsOf(tableOf('Key', 'X'), ...keys.map((key, n) => [key.replace(/^!/, ''), String(n)]));
  return rows.map((row, index) => (keys[index]?.startsWith('!') ? damage(row) : row));
}

const numbers = (found: readonly SourceRecord[]) => found.map(({ rows }) => rows.map(({ row }) => row));

describe('rows that share a key', () => {
  test.each([
    [[], []],
    [
      ['a', 'b', 'a', 'b', 'a'],
      [
        [2, 4, 6],
        [3, 5],
      ],
    ],
    [
      ['b', '', 'a', '', 'b'],
      [[2, 6], [3], [4], [5]],
    ],
    [
      ['1', '2', '2', '1'],
      [
        [2, 5],
        [3, 4],
      ],
    ],
    [
      ['__proto__', 'constructor', '__proto__'],
      [[2, 4], [3]],
    ],
    [
      ["it's", 'a', "it's"],
      [[2, 4], [3]],
    ],
  ])('%j', async (keys, expected) => {
    expect(numbers(await records(batchesOf(keyed(keys)), byKey))).toEqual(expected);
  });

  test('are returned unchanged: cells, lines, places, issues, and the table of their own file', async () => {
    const other = { file: 'other.csv', header: ['Key', 'X'] };
    const rows: Row[] = [
      ...keyed(['a', '!b']),
      { table: other, row: 2, line: 7, cells: ['a', 'ü\n"\u0000'], offset: 12 },
    ];
    const [first, second] = await records(batchesOf(rows), byKey);
    expect(first?.rows).toEqual([rows[0], rows[2]]);
    expect(first?.rows[1]?.table).toBe(other);
    expect(second?.rows).toEqual([rows[1]]);
  });

  test('a key of digits does not refer to the row with that number', async () => {
    expect(numbers(await records(batchesOf(keyed(['', '1', '', '1', '3'])), byKey))).toEqual([
      [2],
      [3, 5],
      [4],
      [6],
    ]);
  });

  test.each([
    ['inside a record belongs to it', ['a', '!', '!', 'a', 'b'], [[2, 3, 4, 5], [6]]],
    ['between two records is a record of its own', ['a', '!', 'b', 'a'], [[2, 5], [3], [4]]],
    ['at the end is a record of its own', ['a', '!'], [[2], [3]]],
    ['whose key can be read belongs to the record of its key', ['a', 'b', '!a'], [[2, 4], [3]]],
  ])('a damaged row %s', async (_what, keys, expected) => {
    expect(numbers(await records(batchesOf(keyed(keys)), byKey))).toEqual(expected);
  });

  test('the first lead row is moved before the others', async () => {
    const rows = keyed(['a', 'b', 'a', 'a', 'b']);
    const isLead = ({ cells }: Row) => ['2', '3'].includes(cells[1] ?? '');
    expect(numbers(await records(batchesOf(rows), { ...byKey, isLead }))).toEqual([
      [4, 2, 5],
      [3, 6],
    ]);
  });

  test('in any order and any batches: records are complete, and follow their first rows', async () => {
    const keys = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '', '!c'), { maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(keys, fc.array(fc.nat(200)), async (given, cuts) => {
        const rows = keyed(given);
        const at = [0, ...cuts.map((cut) => Math.min(cut, rows.length)).sort((a, b) => a - b), rows.length];
        const cut = at.slice(1).map((end, index) => rows.slice(at[index], end));
        const found = await records(batchesOf(...cut), byKey);
        const expected = new Map<string, Row[]>();
        for (const row of rows) {
          const key = row.cells[0] || `alone ${row.row}`;
          expected.set(key, [...(expected.get(key) ?? []), row]);
        }
        expect(found.map((record) => record.rows)).toEqual([...expected.values()]);
        expect(found.map((record) => record.seq)).toEqual(found.map((_, index) => index));
      }),
      { numRuns: scaledRuns(25) },
    );
  });
});

/** Creates rows from texts such as `name < parent > part + part`; a name may have aliases: `A/id:1`. */
function related(...texts: string[]): Row[] {
  return rowsOf(tableOf('Name'), ...texts.map((text) => [text]));
}

function linksOf({ cells: [text = ''] }: Row): RowLinks {
  const [, names = '', parent, parts] = /^([^<>]*)(?:<([^>]*))?(?:>(.*))?$/.exec(text) ?? [];
  const listed = (cell: string | undefined, separator: string) =>
    (cell ?? '')
      .split(separator)
      .map((name) => name.trim())
      .filter((name) => name !== '');
  const [of] = listed(parent, '/').map((name) => ({ name, column: 'Parent' }));
  const named = listed(parts, '+').map((name) => ({ name, column: 'Parts' }));
  return { names: listed(names, '/'), parent: of, parts: named, issues: [] };
}

describe('rows that name each other', () => {
  test.each([
    ['a child after its parent', ['P', 'C < P'], [[2, 3]]],
    ['a child before its parent, which leads', ['C < P', 'X', 'P'], [[4, 2], [3]]],
    ['by any of the names', ['P/id:7', 'C < id:7', 'D < P'], [[2, 3, 4]]],
    ['two parents with one name: the first is used', ['P', 'P', 'C < P'], [[2, 4], [3]]],
    ['a parent that names its parts, before or after it', ['A', 'P > A + B', 'B', 'X'], [[3, 2, 4], [5]]],
    ['parts of a part join the record', ['A', 'a < A', 'P > A', 'p < P'], [[4, 2, 3, 5]]],
    ['a row that names a part twice, or itself', ['P > A + A + P', 'A'], [[2, 3]]],
    ['both ways', ['C < P', 'P > C', 'C'], [[3, 2, 4]]],
    ['both sides, which agree', ['P > C', 'C < P', 'X'], [[2, 3], [4]]],
    ['both sides, by different names', ['C/id:2 < P', 'P/id:1 > id:2', 'D < id:1'], [[3, 2, 4]]],
    ['a part of a part, in any order', ['D < C', 'C < P', 'X', 'P'], [[5, 2, 3], [4]]],
    ['a part of a part that its end names too', ['P > C + D', 'C < P', 'D < C'], [[2, 3, 4]]],
    ['a part of a part that the part names', ['P', 'C < P > D', 'D'], [[2, 3, 4]]],
    ['a chain, and a row that names its end', ['Q > P', 'C < P', 'D < C', 'P'], [[2, 3, 4, 5]]],
    ['a name of several rows means the one that is part of nothing', ['A < A', 'C < A', 'A'], [[4, 2, 3]]],
    ['a name of a part only means that part', ['C < P', 'P', 'C < P', 'D < C'], [[3, 2, 4, 5]]],
  ])('%s: %j', async (_what, texts, expected) => {
    const found = await records(batchesOf(related(...texts)), { linksOf });
    expect(numbers(found)).toEqual(expected);
    expect(found.flatMap(({ issues = [] }) => issues)).toEqual([]);
  });

  test.each([
    [
      'a parent that does not exist',
      ['P', 'C < Q'],
      [[2], [3]],
      [[3, 'no-parent', 'Parent', /"Q".*no row has that name/]],
    ],
    [
      'a chain that ends in a name that does not exist',
      ['P', 'D < C', 'C < Q'],
      [[2], [4, 3]],
      [[4, 'no-parent', 'Parent', /"Q".*no row has that name/]],
    ],
    [
      'a row that names itself',
      ['A < A', 'B < A', 'A < A'],
      [[2, 3], [4]],
      [
        [2, 'no-parent', 'Parent', /"A", which is its own name/],
        [4, 'no-parent', 'Parent', /"A", which is its own name/],
      ],
    ],
    [
      'a circle of names, with its dependents,',
      ['A < C', 'B < A', 'C < B', 'D < C', 'E < D', 'P', 'F < P'],
      [[2], [3], [4], [5], [6], [7, 8]],
      [
        [2, 'part-of-itself', 'Parent', /"C".*circle/],
        [3, 'part-of-itself', 'Parent', /"A".*circle/],
        [4, 'part-of-itself', 'Parent', /"B".*circle/],
        [5, 'part-of-itself', 'Parent', /"C".*circle/],
        [6, 'part-of-itself', 'Parent', /"D".*circle/],
      ],
    ],
    [
      'a part of its own part',
      ['P < Q > Q', 'Q'],
      [[3, 2]],
      [[3, 'part-of-itself', 'Parts', /"Q" is listed as a part of row 2, which belongs to it/]],
    ],
    [
      'a part that names another parent',
      ['P', 'A < P', 'Q > A'],
      [[2, 3], [4]],
      [
        [2, 'part-of-two', undefined, /"A" is a part of row 4 as well/],
        [4, 'part-of-two', 'Parts', /"A" \(row 3\) is listed as a part of it, and itself names another row/],
      ],
    ],
    [
      'a part that names a part of a third row as its parent',
      ['P', 'A < P', 'Q > A', 'R > P'],
      [[5, 2, 3], [4]],
      [
        [5, 'part-of-two', undefined, /"A" is a part of row 4 as well/],
        [4, 'part-of-two', 'Parts', /"A" \(row 3\) is listed as a part of it, and itself names another row/],
      ],
    ],
    [
      'a part that names a parent that does not exist',
      ['A < P', 'Q > A'],
      [[2], [3]],
      [
        [2, 'no-parent', 'Parent', /"P"/],
        [3, 'part-of-two', 'Parts', /"A" \(row 2\) is listed as a part of it, and itself names another row/],
      ],
    ],
    [
      'a part whose part has parts',
      ['P > Q', 'C < Q > A', 'Q', 'A'],
      [[2], [4, 3, 5]],
      [[2, 'part-with-parts', 'Parts', /"Q" \(row 4\)/]],
    ],
    [
      'a part that does not exist',
      ['P > A + B', 'A'],
      [[2, 3]],
      [[2, 'no-part', 'Parts', /"B".*no row has that name/]],
    ],
    [
      'a part of two',
      ['P > A', 'A', 'Q > A'],
      [[2, 3], [4]],
      [
        [2, 'part-of-two', 'Parts', /"A" is a part of row 4 as well/],
        [4, 'part-of-two', 'Parts', /"A" is a part of row 2 as well/],
      ],
    ],
    [
      'a part above the row that names it, with an orphan between them',
      ['A', 'C < Q', 'P > A + B', 'D < R'],
      [[4, 2], [3], [5]],
      [
        [4, 'no-part', 'Parts', /"B"/],
        [3, 'no-parent', 'Parent', /"Q"/],
        [5, 'no-parent', 'Parent', /"R"/],
      ],
    ],
    [
      'a part of two, under two names',
      ['P > A', 'A/a', 'Q > a'],
      [[2, 3], [4]],
      [
        [2, 'part-of-two', 'Parts', /"A" is a part of row 4 as well/],
        [4, 'part-of-two', 'Parts', /"a" is a part of row 2 as well/],
      ],
    ],
    [
      'a part that has parts',
      ['P > Q', 'Q > A', 'A'],
      [[2], [3, 4]],
      [[2, 'part-with-parts', 'Parts', /"Q" \(row 3\)/]],
    ],
  ])('%s is an issue: %j', async (_what, texts, expected, issues) => {
    const found = await records(batchesOf(related(...texts)), { linksOf });
    expect(numbers(found)).toEqual(expected);
    const said = found.flatMap(({ rows, issues = [] }) =>
      issues.map(({ code, column, origin, message }) => {
        expect(origin?.row).toBe(rows[0]?.row);
        return [origin?.row, code, column, message];
      }),
    );
    expect(said).toEqual(
      issues.map(([row, code, column, words]) => [row, code, column, expect.stringMatching(words as RegExp)]),
    );
  });

  test.each([
    [
      'by two rows that name it',
      ['P > A', 'A', 'Q > A'],
      [
        [2, 3],
        [4, 3],
      ],
      [3, 3],
    ],
    [
      'above both',
      ['A', 'P > A', 'Q > A'],
      [
        [3, 2],
        [4, 2],
      ],
      [2, 2],
    ],
    [
      'together with its own parts',
      ['P > A', 'a < A', 'A', 'Q > A'],
      [
        [2, 3, 4],
        [5, 3, 4],
      ],
      [3, 4, 3, 4],
    ],
    [
      'beside parts of their own',
      ['P > A + B', 'A', 'B', 'C', 'Q > A + C'],
      [
        [2, 3, 4],
        [6, 3, 5],
      ],
      [3, 3],
    ],
    [
      'by three rows, under two names',
      ['P > A', 'A/a', 'Q > a', 'R > A'],
      [
        [2, 3],
        [4, 3],
        [5, 3],
      ],
      [3, 3, 3],
    ],
    ['a row that names it twice counts once', ['P > A + a', 'A/a'], [[2, 3]], []],
    ['none', ['P > A', 'A', 'X'], [[2, 3], [4]], []],
  ])('a part may be shared: %s: %j', async (_what, texts, expected, shared) => {
    const found = await records(batchesOf(related(...texts)), { linksOf, sharesParts: true });
    expect(numbers(found)).toEqual(expected);
    expect(found.flatMap(({ issues = [] }) => issues)).toEqual([]);
    expect(found.flatMap(({ rows }) => rows.filter((row) => row.shared)).map(({ row }) => row)).toEqual(
      shared,
    );
  });

  test('if parts may be shared, one that names another parent is still an issue', async () => {
    const found = await records(batchesOf(related('P', 'A < P', 'Q > A')), { linksOf, sharesParts: true });
    expect(found.flatMap(({ issues = [] }) => issues.map(({ code }) => code))).toEqual([
      'part-of-two',
      'part-of-two',
    ]);
  });

  test('in any relation: chains join the record at their end, and a circle is an issue', async () => {
    const parents = fc.array(fc.option(fc.nat(12), { nil: undefined }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(parents, async (given) => {
        const rows = related(...given.map((of, n) => (of === undefined ? `${n}` : `${n} < ${of}`)));
        /** Returns the end of the chain; undefined if it has none. */
        const endOf = (n: number, steps = 0): number | undefined => {
          const of = given[n];
          if (of === undefined || of === n || of >= given.length) return n;
          return steps > given.length ? undefined : endOf(of, steps + 1);
        };
        const leads = new Map<number, number[]>();
        for (const n of given.keys()) {
          const lead = endOf(n) ?? n;
          leads.set(lead, [...(leads.get(lead) ?? []), n]);
        }
        const found = await records(batchesOf(rows), { linksOf });
        const isFaulty = (n: number) => endOf(n) === undefined || given[n] !== undefined;
        expect(found.map(({ rows, issues = [] }) => [rows.map(({ row }) => row - 2), issues.length])).toEqual(
          [...leads].map(([lead, all]) => [[lead, ...all.filter((n) => n !== lead)], isFaulty(lead) ? 1 : 0]),
        );
      }),
      { numRuns: scaledRuns(50) },
    );
  });

  test('an issue about a row of another file names that file', async () => {
    const [parent, part] = related('P > A', 'A') as [Row, Row];
    const table = { file: 'other.csv', header: ['Name'] };
    const [second] = rowsOf(table, ['Q > A']) as [Row];
    const found = await records(batchesOf([parent, part], [second]), { linksOf });
    expect(found[0]?.issues?.[0]?.message).toMatch(/a part of row 2 of other\.csv as well/);
  });

  test('issues of the cells with the names stay with their row', async () => {
    const issue = { code: 'not-a-number', message: 'no' };
    const [row] = related('P') as [Row];
    const found = await records(batchesOf([row]), {
      linksOf: (each) => ({ ...linksOf(each), issues: [issue] }),
    });
    expect(found[0]?.rows[0]?.issues).toEqual([issue]);
  });
});

describe('the rows on disk', () => {
  test('are in an unlinked file, so that nothing is left after a kill', async () => {
    const rows = groupUnordered(batchesOf(keyed(['a']), keyed(['b'])), byKey, { folder });
    expect(await rows.next()).toEqual({ value: [], done: false });
    expect(readdirSync(folder)).toEqual([]);
    await rows.return(undefined);
  });

  test('are all read before the first record is returned, and the caller gets control in between', async () => {
    const sizes: number[] = [];
    for await (const batch of groupUnordered(batchesOf(keyed(['a']), keyed(['b'])), byKey, { folder }))
      sizes.push(batch.length);
    expect(sizes).toEqual([0, 0, 2]);
  });

  test('leave the event loop a turn before each batch of records', async () => {
    const rows = keyed(Array.from({ length: 1000 }, (_, n) => String(n)));
    const seen: boolean[] = [];
    let hadTurn = false;
    for await (const batch of groupUnordered(batchesOf(rows), byKey, { folder })) {
      if (batch.length > 0) seen.push(hadTurn);
      hadTurn = false;
      setImmediate(() => {
        hadTurn = true;
      });
    }
    expect(seen.length).toBeGreaterThan(5);
    expect(seen).not.toContain(false);
  });

  test('report the share that was returned', async () => {
    const parts: number[] = [];
    const rows = keyed(Array.from({ length: 1000 }, (_, n) => String(n % 500)));
    for await (const _ of groupUnordered(batchesOf(rows), byKey, {
      folder,
      onDrained: (part) => parts.push(part),
    }));
    expect(parts.length).toBeGreaterThan(3);
    expect(parts.at(-1)).toBe(1);
    expect(parts).toEqual([...parts].sort((a, b) => a - b));
  });

  test('stop the run with a message if the folder cannot take a file', async () => {
    const reading = records(batchesOf(keyed(['a'])), byKey);
    await expect(reading).resolves.toHaveLength(1);
    const nowhere = groupUnordered(batchesOf(keyed(['a'])), byKey, { folder: join(folder, 'missing') });
    await expect(nowhere.next()).rejects.toThrow(RunStopped);
    await expect(
      groupUnordered(batchesOf([]), byKey, { folder: join(folder, 'missing') }).next(),
    ).rejects.toThrow(/could not be stored in .*missing/);
  });
});
