import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { inTransaction, openDatabase } from '../../src/ledger/database/database.ts';
import { FIRST_FORMAT, FORMAT, migrationsAfter } from '../../src/ledger/database/migrations.ts';
import { STATEMENTS } from '../../src/ledger/database/statements.ts';
import { type PendingEntries, readPending } from '../../src/ledger/fold/pending.ts';
import { encodeIntent, type KnownRun, openLedger } from '../../src/ledger/index.ts';
import { ConfigError, type Outcome, RunStopped } from '../../src/model/index.ts';
import { NEW_RUN as run } from '../support/new-run.ts';
import { allOf } from '../support/pages.ts';
import { removeTestFolder } from '../support/run.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'storeport-ledger-'));
});
afterEach(() => removeTestFolder(home));

/** Few, so that entries wait for the timer; the tests of grouping have a number of their own. */
const SLOTS = 16;

const outcome = (word: Outcome['outcome'], more: Partial<Outcome> = {}): Outcome => ({
  outcome: word,
  attempts: 1,
  durationMs: 3.4,
  ...more,
});
const intent = (seq: number) => ({
  seq,
  row: seq + 2,
  key: `k${seq}`,
  kind: 'create' as const,
  rows: [{ row: seq + 2, cells: ['x', ''] }],
});

/** Reads the file as another process would find it at this moment. */
function onDisk(sql: string): unknown[] {
  const database = new Database(join(home, 'ledger.db'), { readonly: true });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

/** Reads log and tables as a process would find them after a kill. */
function left(): PendingEntries {
  const database = openDatabase(home);
  try {
    return readPending(database, 1, join(home, 'r1.log'));
  } finally {
    database.close();
  }
}
const openSeqs = () => left().open.map(({ seq }) => seq);

describe('ledger', () => {
  test('an intent is on disk when intend resolves, with its rows, and removed when its outcome is', async () => {
    const ledger = openLedger(home);
    const open = await ledger.begin(run, SLOTS);
    await open.intend(encodeIntent(intent(0)));
    expect(left()).toEqual({ ended: [], open: [intent(0)] });
    open.settle(
      { seq: 0, row: 2, key: 'k0', outcome: outcome('created', { id: 'abc', httpStatus: 200 }) },
      true,
    );
    await open.flush();
    expect(left()).toEqual({ ended: [], open: [] });
    expect(onDisk('select outcome, id, http_status, duration_ms from record')).toEqual([
      { outcome: 'created', id: 'abc', http_status: 200, duration_ms: 3 },
    ]);
    await open.close();
    await ledger.close();
  });

  test('commits are synced to disk, not only handed to the system', () => {
    const database = openDatabase(home);
    expect(database.pragma('journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    // 2 is FULL: a write-ahead log is then synced at each commit, so that a power cut undoes none.
    expect(database.pragma('synchronous')).toEqual([{ synchronous: 2 }]);
    database.close();
  });

  test('the outcome of one record and the intent of the next are one write', async () => {
    const ledger = openLedger(home);
    const open = await ledger.begin(run, SLOTS);
    await open.intend(encodeIntent(intent(0)));
    open.settle({ seq: 0, row: 2, key: 'k0', outcome: outcome('created', { id: 'a' }) }, true);
    const next = open.intend(encodeIntent(intent(1)));
    expect(left()).toEqual({ ended: [], open: [intent(0)] });
    await next;
    expect(left()).toEqual({
      ended: [{ seq: 0, row: 2, key: 'k0', outcome: outcome('created', { id: 'a' }) }],
      open: [intent(1)],
    });
    expect(onDisk('select seq from record')).toEqual([]);
    await ledger.close();
  });

  test('an outcome is soon on disk even if no other intent follows', async () => {
    const ledger = openLedger(home);
    const open = await ledger.begin(run, SLOTS);
    await open.intend(encodeIntent(intent(0)));
    open.settle({ seq: 0, row: 2, key: 'k0', outcome: outcome('rejected', { code: 'c' }) }, true);
    await vi.waitFor(() => expect(openSeqs()).toEqual([]));
    expect(left().ended).toEqual([
      { seq: 0, row: 2, key: 'k0', outcome: outcome('rejected', { code: 'c' }), rows: intent(0).rows },
    ]);
    await ledger.close();
  });

  test('the log is folded into the tables, even while intents are open, and starts over', async () => {
    const ledger = openLedger(home);
    const open = await ledger.begin(run, SLOTS);
    await open.intend(encodeIntent(intent(0)));
    for (let seq = 1; seq <= 1000; seq++) {
      await open.intend(encodeIntent(intent(seq)));
      open.settle({ seq, row: seq + 2, key: `k${seq}`, outcome: outcome('created') }, true);
      if (seq % 97 === 0) expect(openSeqs()).toContain(0);
    }
    const folded = onDisk('select count(*) as count from record') as { count: number }[];
    expect(folded[0]?.count).toBeGreaterThan(500);
    expect(folded[0]?.count).toBeLessThan(1000);
    const { ended, open: still } = left();
    expect(still[0]).toEqual(intent(0));
    expect(ended.length + (folded[0]?.count ?? 0) + still.length - 1).toBe(1000);
    await open.flush();
    expect(left()).toEqual({ ended: [], open: [intent(0)] });
    await ledger.close();
  });

  test('more records than one statement accepts are written too', async () => {
    const ledger = openLedger(home);
    const open = await ledger.begin(run, SLOTS);
    const seqs = Array.from({ length: 150 }, (_, seq) => seq);
    for (const seq of seqs)
      open.settle({ seq, row: seq + 2, key: `k${seq}`, outcome: outcome('invalid'), rows: [] }, false);
    await open.flush();
    expect((await allOf(open.settled())).map(({ seq, key, rows }) => [seq, key, rows])).toEqual(
      seqs.map((seq) => [seq, `k${seq}`, []]),
    );
    await ledger.close();
  });

  test('settled records are read in source order, with the rows that were kept', async () => {
    const ledger = openLedger(home);
    const open = await ledger.begin(run, SLOTS);
    open.settle({ seq: 2, row: 9, key: '', outcome: outcome('created', { id: 'b' }) }, false);
    open.settle(
      {
        seq: 0,
        row: 2,
        key: 'é',
        outcome: outcome('rejected', { httpStatus: 400, code: 'c', field: 'f', message: 'm' }),
        rows: [
          { row: 2, cells: ['a\nb', '"'] },
          { row: 3, cells: [] },
        ],
      },
      false,
    );
    await open.flush();
    expect(await allOf(open.settled())).toEqual([
      {
        seq: 0,
        row: 2,
        key: 'é',
        outcome: outcome('rejected', { httpStatus: 400, code: 'c', field: 'f', message: 'm', durationMs: 3 }),
        rows: [
          { row: 2, cells: ['a\nb', '"'] },
          { row: 3, cells: [] },
        ],
      },
      { seq: 2, row: 9, key: '', outcome: outcome('created', { id: 'b', durationMs: 3 }) },
    ]);
    await ledger.close();
  });

  test('a record cannot be settled twice', async () => {
    const ledger = openLedger(home);
    const open = await ledger.begin(run, SLOTS);
    open.settle({ seq: 0, row: 2, key: '', outcome: outcome('created') }, false);
    await open.flush();
    open.settle({ seq: 0, row: 2, key: '', outcome: outcome('failed') }, false);
    await expect(open.flush()).rejects.toThrow(RunStopped);
    expect(onDisk('select outcome from record')).toEqual([{ outcome: 'created' }]);
    await ledger.close();
  });

  test('nothing is confirmed any more after a commit has failed', async () => {
    const ledger = openLedger(home);
    const open = await ledger.begin(run, SLOTS);
    await open.intend(encodeIntent(intent(0)));
    open.settle({ seq: 9, row: 11, key: '', outcome: outcome('created') }, false);
    await open.flush();
    open.settle({ seq: 9, row: 11, key: '', outcome: outcome('created') }, false);
    await expect(open.flush()).rejects.toMatchObject({ reason: 'ledger-failed' });
    await expect(open.intend(encodeIntent(intent(4)))).rejects.toMatchObject({ reason: 'ledger-failed' });
    await expect(open.intend(encodeIntent(intent(5)))).rejects.toMatchObject({ reason: 'ledger-failed' });
    expect(openSeqs()).toEqual([0]);
    await ledger.close();
  });

  test('records that could not be written are still returned, in source order', async () => {
    const ledger = openLedger(home);
    const open = await ledger.begin(run, SLOTS);
    open.settle({ seq: 1, row: 3, key: '', outcome: outcome('created') }, false);
    await open.flush();
    open.settle({ seq: 1, row: 3, key: '', outcome: outcome('created') }, false);
    open.settle({ seq: 0, row: 2, key: 'a', outcome: outcome('unsent') }, false);
    await expect(open.flush()).rejects.toMatchObject({ reason: 'ledger-failed' });
    open.settle({ seq: 2, row: 4, key: 'b', outcome: outcome('unsent') }, false);
    await expect(open.flush()).rejects.toMatchObject({ reason: 'ledger-failed' });
    expect((await allOf(open.settled())).map(({ seq, outcome: { outcome: word } }) => [seq, word])).toEqual([
      [0, 'unsent'],
      [1, 'created'],
      [2, 'unsent'],
    ]);
    await ledger.close();
  });

  test('runs are separate in one ledger, and are found when it is opened again', async () => {
    const first = openLedger(home, () => 1000);
    const one = await first.begin(run, SLOTS);
    one.settle({ seq: 0, row: 2, key: '', outcome: outcome('created') }, false);
    await one.flush();
    await one.end({
      state: 'stopped',
      files: [{ file: 'a.csv', size: 9, sha256: 'f' }],
      stopped: { reason: 'store-unreachable', message: 'gone' },
      notRead: 4,
      finishedAt: 1500,
      workedMs: 70,
    });
    await first.close();
    const second = openLedger(home, () => 2000);
    const two = await second.begin({ ...run, id: 'r2', startedAt: 2000 }, SLOTS);
    expect(await allOf(two.settled())).toEqual([]);
    const [later, earlier] = await second.runs();
    expect(earlier).toEqual({
      ...run,
      number: 1,
      whole: false,
      state: 'stopped',
      stopped: { reason: 'store-unreachable', message: 'gone' },
      files: [{ file: 'a.csv', size: 9, sha256: 'f' }],
      notRead: 4,
      finishedAt: 1500,
      workedMs: 70,
    });
    expect(later).toEqual({
      ...run,
      id: 'r2',
      number: 2,
      state: 'running',
      whole: false,
      startedAt: 2000,
      workedMs: 0,
    });
    expect(await allOf(second.settled(earlier as KnownRun))).toHaveLength(1);
    expect(await second.outcomes(earlier as KnownRun)).toEqual({ created: 1 });
    await second.close();
  });

  test('keys are looked up without a scan of the records', () => {
    const database = openDatabase(home);
    const steps = database.prepare(`explain query plan ${STATEMENTS.known}`).all('[]', 1) as {
      detail: string;
    }[];
    database.close();
    expect(steps.map(({ detail }) => detail).join('\n')).toMatch(
      /SCAN wanted[^\n]*\nSEARCH identity [^\n]*\(target=\? AND key=\?\)\nSEARCH record [^\n]*\(run=\? AND seq=\?\)/,
    );
  });

  test('a ledger of a newer version is refused, with a hint', () => {
    const database = new Database(join(home, 'ledger.db'));
    database.exec('pragma user_version = 99');
    database.close();
    expect(() => openLedger(home)).toThrow(/newer storeport.*99/);
  });

  test.each<[string, () => void]>([
    [
      'without checksums',
      () => {
        const database = new Database(join(home, 'ledger.db'));
        database.exec('create table run (x); pragma user_version = 10');
        database.close();
      },
    ],
    [
      'with all tables in the log of SQLite',
      () => {
        const database = new Database(join(home, 'other.db'));
        database.exec('pragma journal_mode = WAL; create table run (x); pragma user_version = 10');
        copyFileSync(join(home, 'other.db-wal'), join(home, 'ledger.db-wal'));
        writeFileSync(join(home, 'ledger.db'), '');
        database.close();
        rmSync(join(home, 'other.db'));
      },
    ],
    [
      'with checksums',
      () => {
        const database = openDatabase(home);
        inTransaction(database, () => database.exec(`pragma user_version = ${FIRST_FORMAT - 1}`));
        database.close();
      },
    ],
  ])(
    'a ledger from before the first release %s is refused with the way to go on, and stays as it is',
    (_, make) => {
      make();
      const names = ['ledger.db', 'ledger.db-wal', 'ledger.sums'].map((name) => join(home, name));
      const contents = () => names.map((name) => (existsSync(name) ? readFileSync(name) : undefined));
      const before = contents();
      expect(() => openLedger(home)).toThrow(
        expect.objectContaining({
          name: 'ConfigError',
          message: expect.stringMatching(/is from before the first release \(its format 1\d, ours 1\d\)/),
          hints: [
            'Finish its runs with the version that made it.',
            expect.stringMatching(/new folder with --home.*How: storeport run adopt --help$/),
          ],
        }),
      );
      expect(contents()).toEqual(before);
    },
  );

  test('a later version applies only the migrations that a ledger does not have yet', () => {
    const later = ['create table run (x);', 'create table more (x);', 'create table last (x);'];
    expect(migrationsAfter(0, later)).toBe(later.join(' '));
    expect(migrationsAfter(FIRST_FORMAT, later)).toBe(later.slice(1).join(' '));
    expect(migrationsAfter(FIRST_FORMAT + 2, later)).toBe('');
  });

  test('a new ledger has the format of this version', async () => {
    await openLedger(home).close();
    expect(onDisk('pragma user_version')).toEqual([{ user_version: FORMAT }]);
  });

  test('a file that is not a ledger is refused and left unchanged', () => {
    writeFileSync(
      join(home, 'ledger.db'),
      'these are notes, not a database, and there are quite a few of them',
    );
    expect(() => openLedger(home)).toThrow(ConfigError);
  });

  test('a folder that cannot be created is refused in one sentence', () => {
    writeFileSync(join(home, 'file'), '');
    expect(() => openLedger(join(home, 'file', 'below'))).toThrow(/cannot be opened/);
  });
});
