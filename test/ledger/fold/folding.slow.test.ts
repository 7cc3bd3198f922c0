import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction, ledgerFailed, openDatabase } from '../../../src/ledger/database/database.ts';
import { STATEMENTS } from '../../../src/ledger/database/statements.ts';
import { createEpochFold } from '../../../src/ledger/fold/fold-epoch.ts';
import type { FoldThread } from '../../../src/ledger/fold/fold-thread.ts';
import { openFolding } from '../../../src/ledger/fold/folding.ts';
import { expectedLog } from '../../../src/ledger/fold/pending.ts';
import { encodeIntent, openLedger } from '../../../src/ledger/index.ts';
import { openJournal, type RunJournal } from '../../../src/ledger/records/journal.ts';
import { logFileOf } from '../../../src/ledger/recover.ts';
import { insertRun } from '../../../src/ledger/runs.ts';
import { createRunLog, secondLogOf } from '../../../src/ledger/wal/log.ts';
import { tipOf } from '../../../src/ledger/wal/log-tip.ts';
import type { RecordResult } from '../../../src/model/index.ts';
import { NEW_RUN } from '../../support/new-run.ts';
import { allOf } from '../../support/pages.ts';
import { scaledRuns } from '../../support/property-tests.ts';
import { removeTestFolder } from '../../support/run.ts';

const SLOTS = 16;
const OPTIONS = { run: 1, isResumed: false };

let folder: string;
let home: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'storeport-folding-'));
  home = join(folder, 'home');
});
afterEach(() => removeTestFolder(folder));

interface Opened {
  readonly journal: RunJournal;
  /** Closes all without an end of the run, as a kill would. */
  readonly close: () => Promise<void>;
}

/** A run whose folds are made over a second connection, each as late as `fold` wants it. */
function begin(fold: (work: () => void, done: (error: Error | null) => void) => void): Opened {
  const database = openDatabase(home);
  inTransaction(database, () => insertRun(database, NEW_RUN, home));
  const log = createRunLog(logFileOf(home, NEW_RUN.id), { run: NEW_RUN.id, store: NEW_RUN.store });
  inTransaction(database, () => database.prepare(STATEMENTS.hasLog).run(1, 1));
  log.begin(0);
  const folding = openFolding({
    ...{ database, log, now: () => 1000, ...OPTIONS },
    startThread(): FoldThread {
      const other = openDatabase(home);
      const foldThere = createEpochFold(other, OPTIONS);
      return {
        isReady: true,
        fold: (epoch, done) => fold(() => foldThere(epoch), done),
        close: async () => void other.close(),
      };
    },
  });
  return {
    journal: openJournal({ log, folding, slots: SLOTS, failed: (error) => ledgerFailed(home, error) }),
    async close() {
      log.close();
      await folding.close();
      database.close();
    },
  };
}

function working(work: () => void, done: (error: Error | null) => void): void {
  try {
    work();
    done(null);
  } catch (error) {
    done(error as Error);
  }
}

const intentOf = (seq: number) => ({
  ...{ seq, row: seq + 2, key: `k${seq}`, kind: 'create' as const },
  rows: [{ row: seq + 2, cells: ['x'] }],
});
const created = (seq: number): RecordResult => ({
  ...{ seq, row: seq + 2, key: `k${seq}` },
  outcome: { outcome: 'created', id: `id${seq}`, attempts: 1, durationMs: 1 },
});
const unchanged = (seq: number): RecordResult => ({
  ...{ seq, row: seq + 2, key: `k${seq}` },
  outcome: { outcome: 'unchanged', attempts: 0, durationMs: 0 },
});

/** Sends records as workers do, until `count` are settled; every `step`-th has its outcome without being sent. */
async function work(journal: RunJournal, count: number, step: number, intended: Set<number>): Promise<void> {
  let next = 0;
  const slot = async () => {
    for (let seq = next++; seq < count; seq = next++) {
      if (seq % step === step - 1) {
        await journal.settle(unchanged(seq), false);
        continue;
      }
      await journal.intend(encodeIntent(intentOf(seq)));
      intended.add(seq);
      if (seq % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
      await journal.settle(created(seq), true);
    }
  };
  await Promise.all(Array.from({ length: SLOTS }, slot));
}

/** The outcomes of all settled records, as the next process finds them, also if it is killed before it removes the log. */
async function foundIn(copy: string): Promise<Map<number, string>> {
  const first = logFileOf(copy, NEW_RUN.id);
  const files = [first, secondLogOf(first)].flatMap((file) => [file, tipOf(file)]).filter(existsSync);
  const kept = files.map((file) => [file, readFileSync(file)] as const);
  const found = await recovered(copy);
  expect(files.filter(existsSync)).toEqual([]);
  for (const [file, bytes] of kept) writeFileSync(file, bytes);
  expect(await recovered(copy)).toEqual(found);
  return found;
}

async function recovered(copy: string): Promise<Map<number, string>> {
  const ledger = openLedger(copy);
  try {
    await ledger.lock(NEW_RUN.store, 'r2');
    const [run] = await ledger.runs();
    const found = run ? await allOf(ledger.settled(run)) : [];
    const outcomes = new Map(found.map(({ seq, outcome }) => [seq, outcome.outcome]));
    expect(outcomes.size).toBe(found.length);
    return outcomes;
  } finally {
    await ledger.close();
  }
}

describe('folding in another thread', () => {
  test('a kill while a fold waits, or just after it, loses no intent and leaves no more in doubt than was in flight', async () => {
    let moment = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 15 }), { minLength: 4, maxLength: 4 }),
        fc.integer({ min: 3, max: 9 }),
        async (delays, step) => {
          home = join(folder, `home-${moment++}`);
          const intended = new Set<number>();
          let kills = 0;
          /** Looks at a copy of the home as the process after a kill would. */
          const kill = async () => {
            const copy = `${home}-killed-${kills++}`;
            cpSync(home, copy, { recursive: true });
            const found = await foundIn(copy);
            expect([...intended].filter((seq) => !found.has(seq))).toEqual([]);
            const inDoubt = [...found.values()].filter((outcome) => outcome === 'in-doubt');
            expect(inDoubt.length).toBeLessThanOrEqual(SLOTS);
          };
          const failures: unknown[] = [];
          const { journal, close } = begin((todo, done) =>
            setTimeout(
              () => {
                try {
                  kill();
                  todo();
                  kill();
                } catch (error) {
                  failures.push(error);
                }
                done(null);
              },
              delays[kills % delays.length],
            ),
          );
          await work(journal, 4000, step, intended);
          await journal.flush();
          expect(failures).toEqual([]);
          expect(kills).toBeGreaterThan(4);
          expect(journal.unwritten()).toEqual([]);
          await close();
          const found = await foundIn(home);
          expect(found.size).toBe(4000);
          expect([...found.values()].filter((outcome) => outcome === 'created').length).toBe(intended.size);
        },
      ),
      { numRuns: scaledRuns(4) },
    );
  });

  test('sending continues during a fold, until too much has come together behind it', async () => {
    let end: (() => void) | undefined;
    const { journal, close } = begin((todo, done) => {
      end = () => working(todo, done);
    });
    const intended = new Set<number>();
    let isDone = false;
    const worked = work(journal, 30_000, 40_000, intended).then(() => {
      isDone = true;
    });
    // Far more than one fold takes, and then no more.
    await expect.poll(() => intended.size, { timeout: 60_000 }).toBeGreaterThan(5_000);
    let before = -1;
    for (let unchanged = 0; unchanged < 5; unchanged++) {
      if (intended.size > before) unchanged = 0;
      before = intended.size;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(end).toBeDefined();
    expect(before).toBeLessThan(20_000);
    const until = async (over: () => boolean) => {
      while (!over()) {
        end?.();
        end = undefined;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    await until(() => isDone);
    await worked;
    let flushed = false;
    const flush = journal.flush().then(() => {
      flushed = true;
    });
    await until(() => flushed);
    await flush;
    await close();
    expect((await foundIn(home)).size).toBe(30_000);
  });

  test('records that are not sent wait too', async () => {
    let end: (() => void) | undefined;
    const { journal, close } = begin((todo, done) => {
      end = () => working(todo, done);
    });
    let settled = 0;
    const settling = (async () => {
      for (let seq = 0; seq < 20_000; seq++) {
        await journal.settle(unchanged(seq), false);
        settled++;
        if (seq % 400 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    while (end === undefined) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(settled).toBeLessThan(15_000);
    const going = setInterval(() => {
      end?.();
      end = undefined;
    }, 1);
    await settling;
    await journal.flush();
    clearInterval(going);
    await close();
    expect((await foundIn(home)).size).toBe(20_000);
  });

  test('a fold that fails is the end: nothing more is intended, and its outcomes are not lost to the reports', async () => {
    let folds = 0;
    let intendedBefore = -1;
    const intended = new Set<number>();
    const { journal, close } = begin((todo, done) => {
      const fold = () => {
        if (folds++ !== 1) return working(todo, done);
        intendedBefore = intended.size;
        done(new Error('database or disk is full'));
      };
      // Between the turns in which intents are written: a sync is under way.
      setTimeout(() => setImmediate(fold), 5);
    });
    await expect(work(journal, 10_000, 20_000, intended)).rejects.toMatchObject({
      reason: 'ledger-failed',
      message: expect.stringContaining('database or disk is full'),
    });
    await expect(journal.intend(encodeIntent(intentOf(9_999)))).rejects.toMatchObject({
      reason: 'ledger-failed',
    });
    await expect(journal.flush()).rejects.toMatchObject({ reason: 'ledger-failed' });
    expect(intended.size).toBe(intendedBefore);
    const unwritten = journal.unwritten().map(({ seq }) => seq);
    expect(unwritten.length).toBeGreaterThan(300);
    await close();
    const found = await foundIn(home);
    expect([...intended].filter((seq) => !found.has(seq))).toEqual([]);
  });

  test('a record that is settled twice is refused', async () => {
    const { journal, close } = begin((todo, done) => setTimeout(working, 1, todo, done));
    await work(journal, 4_000, 10_000, new Set());
    await journal.flush();
    journal.settle(created(5), true);
    await expect(journal.flush()).rejects.toMatchObject({ message: expect.stringContaining('twice') });
    await close();
  });
});

test('a flush during a sync folds once, with the outcomes that arrived meanwhile', async () => {
  const { journal, close } = begin(working);
  const seqs = Array.from({ length: SLOTS }, (_, seq) => seq);
  await Promise.all(seqs.map((seq) => journal.intend(encodeIntent(intentOf(seq)))));
  // Enough for a group: its sync begins in this turn of the event loop.
  const more = seqs.slice(0, SLOTS / 2).map((seq) => journal.intend(encodeIntent(intentOf(SLOTS + seq))));
  await new Promise((resolve) => setImmediate(resolve));
  for (const seq of seqs) journal.settle(created(seq), true);
  await Promise.all([journal.flush(), ...more]);
  await close();
  const database = openDatabase(home);
  expect(expectedLog(database, 1).epoch).toBe(1);
  database.close();
  expect((await foundIn(home)).size).toBe(SLOTS + SLOTS / 2);
});
