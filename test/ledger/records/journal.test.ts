import { describe, expect, test } from 'vitest';
import { encodeIntent } from '../../../src/ledger/index.ts';
import { openJournal } from '../../../src/ledger/records/journal.ts';
import type { EntryLog } from '../../../src/ledger/wal/entry-log.ts';
import { SYNCS_AT_ONCE } from '../../../src/ledger/wal/log.ts';
import { type RecordResult, RunStopped } from '../../../src/model/index.ts';

const SLOTS = 16;
/** Intents that are written without a wait for more. */
const GROUP = SLOTS / 2;

/** A journal over a log whose syncs end when the test wants, and over tables that fold at once. */
function openTestJournal() {
  const syncs: ((error: Error | null) => void)[] = [];
  let entries: string[] = [];
  let folds = 0;
  const log: EntryLog = {
    syncsAtOnce: SYNCS_AT_ONCE,
    get position() {
      return entries.length;
    },
    write: (pieces) => void entries.push(pieces.join('')),
    sync: (done) => void syncs.push(done),
  };
  const journal = openJournal({
    log,
    folding: {
      fold(_, done) {
        folds++;
        entries = [];
        done(null);
      },
    },
    slots: SLOTS,
    failed: (error) => new RunStopped('ledger-failed', `the ledger: ${error}`),
  });
  return { journal, syncs, folds: () => folds };
}

const turns = async (count = 5) => {
  for (let n = 0; n < count; n++) await new Promise((resolve) => setImmediate(resolve));
};

const intentOf = (seq: number) =>
  encodeIntent({ seq, row: seq + 2, key: `k${seq}`, kind: 'create', rows: [] });
const created = (seq: number): RecordResult => ({
  ...{ seq, row: seq + 2, key: `k${seq}` },
  outcome: { outcome: 'created', id: `i${seq}`, attempts: 1, durationMs: 1 },
});

/** Notes intents of one group; `state` says how each ended. */
function intendGroup(journal: ReturnType<typeof openTestJournal>['journal'], from: number) {
  const state = Array<string>(GROUP).fill('waits');
  for (let n = 0; n < GROUP; n++)
    journal.intend(intentOf(from + n)).then(
      () => {
        state[n] = 'on disk';
      },
      () => {
        state[n] = 'failed';
      },
    );
  return () => [...new Set(state)];
}

describe('groups of intents', () => {
  test('go to the disk while an earlier one is under way, as many as a power cut allows for', async () => {
    const { journal, syncs } = openTestJournal();
    for (let group = 0; group < SYNCS_AT_ONCE + 1; group++) {
      intendGroup(journal, group * GROUP);
      await turns();
    }
    expect(syncs).toHaveLength(SYNCS_AT_ONCE);
    syncs[0]?.(null);
    await turns();
    expect(syncs).toHaveLength(SYNCS_AT_ONCE + 1);
  });

  test('may each be sent once their own sync has ended', async () => {
    const { journal, syncs } = openTestJournal();
    const first = intendGroup(journal, 0);
    await turns();
    const second = intendGroup(journal, GROUP);
    await turns();
    syncs[1]?.(null);
    await turns();
    expect([first(), second()]).toEqual([['waits'], ['on disk']]);
    syncs[0]?.(null);
    await turns();
    expect(first()).toEqual(['on disk']);
  });

  test('all fail once one sync has failed, also if a later one succeeds', async () => {
    const { journal, syncs } = openTestJournal();
    const first = intendGroup(journal, 0);
    await turns();
    const second = intendGroup(journal, GROUP);
    await turns();
    syncs[0]?.(new Error('i/o error'));
    await turns();
    expect([first(), second()]).toEqual([['failed'], ['waits']]);
    syncs[1]?.(null);
    const third = intendGroup(journal, 2 * GROUP);
    await turns();
    expect([second(), third()]).toEqual([['failed'], ['failed']]);
    await expect(journal.flush()).rejects.toThrow('ledger');
  });

  test('are not folded before all of the log is on disk, and what follows waits for the fold', async () => {
    const { journal, syncs, folds } = openTestJournal();
    for (let group = 0; group < SYNCS_AT_ONCE; group++) {
      intendGroup(journal, group * GROUP);
      await turns();
    }
    for (let seq = 100; seq < 1000; seq++) journal.settle(created(seq), false);
    const next = intendGroup(journal, 1000);
    syncs[0]?.(null);
    await turns();
    expect([folds(), syncs.length]).toEqual([0, SYNCS_AT_ONCE]);
    syncs[1]?.(null);
    await turns();
    expect([folds(), syncs.length]).toEqual([1, SYNCS_AT_ONCE + 1]);
    syncs[2]?.(null);
    await turns();
    expect(next()).toEqual(['on disk']);
  });

  test('and their outcomes are in the tables after a flush', async () => {
    const { journal, syncs, folds } = openTestJournal();
    intendGroup(journal, 0);
    await turns();
    syncs[0]?.(null);
    await turns();
    for (let seq = 0; seq < GROUP; seq++) journal.settle(created(seq), true);
    const flushed = journal.flush();
    await turns();
    expect([folds(), journal.unwritten().length]).toEqual([0, GROUP]);
    syncs[1]?.(null);
    await flushed;
    expect([folds(), journal.unwritten().length]).toEqual([1, 0]);
  });
});

describe('outcomes of records that are not sent', () => {
  const invalid = (seq: number, cell: string): RecordResult => ({
    ...{ seq, row: seq + 2, key: `k${seq}` },
    outcome: { outcome: 'invalid', attempts: 0, durationMs: 0 },
    rows: [{ row: seq + 2, cells: Array<string>(100).fill(cell) }],
  });

  /** Outcomes that are taken before one must wait, while nothing is folded. */
  function takenAtOnce(cell: string): number {
    const { journal } = openTestJournal();
    let seq = 0;
    while (seq < 10_000 && !journal.settle(invalid(seq, cell), false)) seq++;
    return seq;
  }

  test.each(['', 'long '.repeat(100)])('wait by the memory of their rows, with cells of %j', (cell) => {
    expect(takenAtOnce(cell) * 100 * (32 + cell.length)).toBeLessThanOrEqual(1 << 20);
  });

  test('are in the tables as soon as their rows are long, without a flush', async () => {
    const { journal, folds } = openTestJournal();
    for (let seq = 0; seq < 20; seq++) journal.settle(invalid(seq, 'long '.repeat(100)), false);
    await expect.poll(folds).toBe(1);
  });
});
