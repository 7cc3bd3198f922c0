import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, inTransaction, openDatabase } from '../../src/ledger/database/database.ts';
import type { Amendment } from '../../src/ledger/index.ts';
import { earlierRecords } from '../../src/ledger/records/earlier.ts';
import {
  identify,
  identifyDead,
  lookupFor,
  someIds,
  sourcesIn,
  trashedFor,
} from '../../src/ledger/records/identity.ts';
import { openRecordStore } from '../../src/ledger/records/record-store.ts';
import { amend, holdersOf } from '../../src/ledger/records/resolve-queries.ts';
import { createdBy, recordsToRetry } from '../../src/ledger/records/retry-queries.ts';
import { endingsOf, settledOf } from '../../src/ledger/records/settled.ts';
import { allRuns, endRun, insertRun, outcomesOf } from '../../src/ledger/runs.ts';
import { normalisedKey, type RecordRef, type RecordResult } from '../../src/model/index.ts';
import type { Sql } from '../../src/postgres/index.ts';
import { amendAll } from '../../src/postgres/queries/amend.ts';
import { historyIn, lookupAt } from '../../src/postgres/queries/history.ts';
import { identifyIn, unidentifiedIn } from '../../src/postgres/queries/identify.ts';
import { checkpointIn, createdPages, holdersIn, retryPages } from '../../src/postgres/queries/records.ts';
import { outcomesIn, runAgain, runsIn, runWithId } from '../../src/postgres/queries/runs.ts';
import { endingsPages, settledPages } from '../../src/postgres/queries/settled.ts';
import { loadedLine } from '../../src/postgres/text.ts';
import { copyLedger } from '../support/copied-ledger.ts';
import { NEW_RUN } from '../support/new-run.ts';
import { TEST_SEAL, testSql } from '../support/postgres.ts';
import { scaledRuns } from '../support/property-tests.ts';
import { type RandomRun, randomRuns } from '../support/random-runs.ts';
import { removeTestFolder } from '../support/run.ts';

// The queries of Postgres are compared with those of SQLite over copies of the same tables.

const RESOURCES = ['products', 'customers'];
const IDS = Array.from({ length: 12 }, (_, seq) => `id-${seq}`);

let sql: Sql;
beforeAll(async () => {
  sql = await testSql();
});
afterAll(() => sql.close());

async function all<Each>(pages: AsyncIterable<readonly Each[]>): Promise<Each[]> {
  const found: Each[] = [];
  for await (const page of pages) found.push(...page);
  return found;
}

/** Runs `work` with a ledger of SQLite that has these runs. The keys of those that ended are indexed if `isIndexed`. */
async function withRuns(
  runs: readonly RandomRun[],
  isIndexed: boolean,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'storeport-queries-'));
  const database = openDatabase(home);
  try {
    for (const { run, records, state } of runs) {
      const number = inTransaction(database, () => insertRun(database, run, home));
      const checkpoints = records.map(({ seq, row }) => ({ seq, row, file: 0, offset: 7 * seq, line: row }));
      openRecordStore(database, { run: number, isResumed: false }).fold({
        ...{ ended: records, open: [], next: 1, at: 1 },
        checkpoints: checkpoints.filter(({ seq }) => seq % 3 === 1),
      });
      if (state === 'running') continue;
      inTransaction(database, () => {
        endRun(database, number, {
          ...{ state, files: run.files, finishedAt: 9000, workedMs: 80 },
          ...(state === 'stopped'
            ? { stopped: { reason: 'interrupted', message: 'Ctrl-C' }, notRead: 3 }
            : {}),
          activity: undefined,
        });
        if (isIndexed) identify(database, number);
      });
    }
    await copyLedger(database, sql);
    await work(database);
  } finally {
    database.close();
    removeTestFolder(home);
  }
}

/** Reads the same from both engines. */
async function expectSame(database: Database, runs: readonly RandomRun[]): Promise<void> {
  const known = allRuns(database, join(tmpdir(), 'home'));
  expect(await runsIn(sql)).toEqual(known);
  for (const run of known) {
    const { number, id } = run;
    expect(await runWithId(sql, id)).toEqual(run);
    expect(await runAgain(sql, run)).toEqual(run);
    expect(await outcomesIn(sql, number)).toEqual(outcomesOf(database, run));
    expect(await all(settledPages(sql, number, TEST_SEAL))).toEqual([...settledOf(database, number)]);
    expect(bySeq(await all(endingsPages(sql, number)))).toEqual(bySeq([...endingsOf(database, number)]));
    const outcomes = ['failed', 'unsent', 'rejected'] as const;
    expect(await all(retryPages(sql, number, { outcomes, seal: TEST_SEAL }))).toEqual(
      [...recordsToRetry(database, number, outcomes)].flat(),
    );
    expect(await all(createdPages(sql, number))).toEqual([...createdBy(database, number)].flat());
    expect(await holdersIn(sql, run, IDS)).toEqual(holdersOf(database, run, IDS));
  }
  for (const resource of RESOURCES) await expectSameHistory(database, resource, runs);
}

function bySeq<Each extends { readonly seq: number }>(records: Each[]): Each[] {
  return records.sort((a, b) => a.seq - b.seq);
}

async function expectSameHistory(
  database: Database,
  resource: string,
  runs: readonly RandomRun[],
): Promise<void> {
  const target = { store: NEW_RUN.store, resource };
  const here = await historyIn(sql, target, { seal: TEST_SEAL, lookupIn: (other) => lookupAt(sql, other) });
  const records = runs.flatMap(({ records }) => records);
  const keys = [...new Set(records.map(({ key }) => normalisedKey(key)))];
  expect(await here.lookup?.(keys)).toEqual(lookupFor(database, target)?.(keys));
  expect([...here.ids].sort()).toEqual(someIds(database, target.store).sort());
  expect(await here.trashed?.(IDS)).toEqual(trashedFor(database, target)?.(IDS));
  const refs = runs.flatMap(({ records }, index) => records.map(({ seq }): RecordRef => [index + 1, seq]));
  expect(await here.sourcesOf([...refs, [99, 0]])).toEqual([...refs.map(sourcesIn(database)), undefined]);
  const places = ['r1', 'r2', 'r3', 'r4', 'none'].flatMap((run) =>
    Array.from({ length: 30 }, (_, row) => ({ run, row, cells: ['Mug', '😀'] })),
  );
  const find = earlierRecords(database, target.store, resource);
  expect(await here.findEarlier(places)).toEqual(places.map(({ run, row, cells }) => find(run, row, cells)));
  for (const other of RESOURCES)
    expect(await (await here.lookupAmong(other))?.(keys)).toEqual(
      lookupFor(database, { ...target, resource: other })?.(keys),
    );
}

/** Keys and trash that both engines have indexed. */
async function expectSameIndexes(database: Database): Promise<void> {
  const identity = `select store, resource, key, run, seq from identity join target on number = target`;
  const trash = `select store, resource, id, run, seq from trash join target on number = target`;
  const sorted = (lines: object[]) => lines.map((line) => JSON.stringify(line)).sort();
  const loaded = (line: { key?: string }) => loadedLine(line, ['key']);
  for (const text of [identity, trash])
    expect(sorted((await sql.query<object>(text)).map(loaded))).toEqual(
      sorted(database.prepare(text).all() as object[]),
    );
}

const property = (
  isIndexed: boolean,
  check: (database: Database, runs: readonly RandomRun[]) => Promise<void>,
) =>
  fc.assert(
    fc.asyncProperty(randomRuns, (runs) => withRuns(runs, isIndexed, (database) => check(database, runs))),
    { numRuns: scaledRuns(30) },
  );

describe('queries of Postgres find the same as those of SQLite', () => {
  test('runs, records and history', () => property(true, expectSame));

  test('the keys and the trash of runs that ended', () =>
    property(false, async (database) => {
      for (const resource of RESOURCES) {
        const target = { store: NEW_RUN.store, resource };
        identifyDead(database, target);
        for (const run of await unidentifiedIn(sql, target)) await identifyIn(sql, run);
        expect(await unidentifiedIn(sql, target)).toEqual([]);
      }
      await expectSameIndexes(database);
    }));

  test('records that were amended', () =>
    property(true, async (database, runs) => {
      const doubts = runs.flatMap(({ records }, index) =>
        records
          .filter(({ outcome }) => outcome.outcome === 'in-doubt')
          .map(({ seq }) => ({ run: index + 1, seq })),
      );
      const amendments: Amendment[] = doubts.map((ref, index) =>
        index % 2 === 0
          ? { ...ref, outcome: { outcome: 'created', id: `found-${index}` } }
          : { ...ref, outcome: { outcome: 'failed', code: 'not-there', message: 'it is not there' } },
      );
      amend(database, amendments);
      await amendAll(sql, amendments);
      await expectSame(database, runs);
    }));

  test('the checkpoint at or before a record', () =>
    withRuns([manyRecords(10)], true, async () => {
      expect(await checkpointIn(sql, 1, 0)).toBeUndefined();
      const first = { seq: 1, row: 3, file: 0, offset: 7, line: 3 };
      expect(await checkpointIn(sql, 1, 1)).toEqual(first);
      expect(await checkpointIn(sql, 1, 3)).toEqual(first);
      expect(await checkpointIn(sql, 1, 9)).toEqual({ seq: 7, row: 9, file: 0, offset: 49, line: 9 });
    }));

  test('records of more than one page', () =>
    withRuns([manyRecords(2345)], true, (database) => expectSame(database, [manyRecords(2345)])));
});

/** A run of records with every outcome that returns rows, and created ones between them. */
function manyRecords(count: number): RandomRun {
  const words = ['created', 'failed', 'created', 'unsent', 'in-doubt'] as const;
  const records = Array.from({ length: count }, (_, seq): RecordResult => {
    const word = words[seq % words.length] ?? 'created';
    return {
      ...{
        seq,
        row: seq + 2,
        key: `K${seq}`,
        outcome: { outcome: word, attempts: 1, durationMs: 2, id: `i${seq}` },
      },
      rows: word === 'created' ? undefined : [{ row: seq + 2, cells: ['x'] }],
    };
  });
  return { run: NEW_RUN, records, state: 'done' };
}

test('outcomes that could not be written are merged into the settled records', () =>
  withRuns([manyRecords(1500)], true, async () => {
    const unwritten = [700, 1499, 1500, 1501].map(
      (seq): RecordResult => ({
        seq,
        row: 1,
        key: 'u',
        outcome: { outcome: 'created', attempts: 1, durationMs: 1 },
      }),
    );
    const settled = await all(settledPages(sql, 1, TEST_SEAL, unwritten));
    expect(settled.map(({ seq }) => seq)).toEqual(Array.from({ length: 1502 }, (_, seq) => seq));
    expect(settled.filter(({ key }) => key === 'u').map(({ seq }) => seq)).toEqual([700, 1499, 1500, 1501]);
  }));
