import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type KnownRun, type Ledger, openLedger } from '../../src/ledger/index.ts';
import { INCOMPLETE, type OutcomeStatus, type RecordRef, type RecordResult } from '../../src/model/index.ts';
import { NEW_RUN } from '../support/new-run.ts';
import { allOf, pagesOf } from '../support/pages.ts';
import { removeTestFolder } from '../support/run.ts';

// Drives the table "After the run" of STATES.md, for a record whose run has ended.

type Ended = 'created' | 'rejected' | 'failed' | 'unsent' | 'invalid' | 'in-doubt';
type Event =
  | 'sent again'
  | 'there'
  | 'not there'
  | 'imported again, complete'
  | 'imported again, incomplete'
  | 'imported in doubt';

/** The outcome in the run's statistics afterwards; `no way`: no code asks for it. */
const TABLE = {
  created: {
    'sent again': 'no way',
    there: 'no way',
    'not there': 'no way',
    'imported again, complete': 'no way',
    'imported again, incomplete': 'no way',
    'imported in doubt': 'no way',
  },
  rejected: {
    'sent again': 'created',
    there: 'no way',
    'not there': 'no way',
    'imported again, complete': 'created',
    'imported again, incomplete': 'invalid',
    'imported in doubt': 'no way',
  },
  failed: {
    'sent again': 'created',
    there: 'no way',
    'not there': 'no way',
    'imported again, complete': 'created',
    'imported again, incomplete': 'invalid',
    'imported in doubt': 'no way',
  },
  unsent: {
    'sent again': 'created',
    there: 'no way',
    'not there': 'no way',
    'imported again, complete': 'created',
    'imported again, incomplete': 'invalid',
    'imported in doubt': 'no way',
  },
  invalid: {
    'sent again': 'no way',
    there: 'no way',
    'not there': 'no way',
    'imported again, complete': 'created',
    'imported again, incomplete': 'invalid',
    'imported in doubt': 'no way',
  },
  'in-doubt': {
    'sent again': 'no way',
    there: 'created',
    'not there': 'failed',
    'imported again, complete': 'no way',
    'imported again, incomplete': 'no way',
    'imported in doubt': 'in-doubt',
  },
} as const satisfies Record<Ended, Record<Event, OutcomeStatus | 'no way'>>;

const STATES = Object.keys(TABLE) as Ended[];
const EVENTS = Object.keys(TABLE.created) as Event[];

const STORE = NEW_RUN.store;
const ROWS = [{ row: 7, cells: ['x'] }];

let home: string;
let ledger: Ledger;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'storeport-afterwards-'));
  ledger = openLedger(home);
  await ledger.lock(STORE, 'test');
});
afterEach(async () => {
  await ledger.close();
  removeTestFolder(home);
});

function record(word: OutcomeStatus, more: Partial<RecordResult> = {}): RecordResult {
  const outcome = {
    outcome: word,
    attempts: 1,
    durationMs: 0,
    ...(word === 'created' ? { id: 'id-1' } : {}),
  };
  return { seq: 5, row: 7, key: 'k', outcome, ...(INCOMPLETE.has(word) ? { rows: ROWS } : {}), ...more };
}

/** Creates a run that ended with this one record. */
async function runWith(id: string, settled: RecordResult): Promise<KnownRun> {
  const run = { ...NEW_RUN, id };
  const open = await ledger.begin(run, 4);
  open.settle(settled, false);
  await open.flush();
  await open.end({ state: 'done', files: run.files, finishedAt: 2, workedMs: 1 });
  await open.close();
  return await known(id);
}

const known = async (id: string) => (await ledger.runs()).find((run) => run.id === id) as KnownRun;
const said = async (run: KnownRun) =>
  (await allOf(ledger.settled(run))).map(({ outcome }) => outcome.outcome);
const refOf = (run: KnownRun): RecordRef => [run.number, 5];

const HAPPENS: Record<Event, (run: KnownRun) => Promise<unknown>> = {
  async 'sent again'(run) {
    const [page] = await pagesOf(ledger.toRetry(run, ['failed', 'unsent', 'rejected']));
    expect(page).toHaveLength(1);
    const open = await ledger.reopen(run, 4);
    open.settle(record('created'), false);
    await open.flush();
    await open.end({ state: 'done', files: run.files, finishedAt: 3, workedMs: 1 });
    await open.close();
  },
  async there({ number }) {
    await ledger.amend([{ run: number, seq: 5, outcome: { outcome: 'created', id: 'id-2' } }]);
  },
  async 'not there'({ number }) {
    await ledger.amend([{ run: number, seq: 5, outcome: { outcome: 'failed', code: 'not-there' } }]);
  },
  'imported again, complete': (run) => runWith('later', record('created', { supersedes: [refOf(run)] })),
  'imported again, incomplete': (run) => runWith('later', record('invalid', { supersedes: [refOf(run)] })),
  'imported in doubt': (run) => runWith('later', record('in-doubt', { sharesOutcomeOf: refOf(run) })),
};

describe.each(STATES)('a record that ended %s', (state) => {
  test.each(EVENTS)('and then: %s', async (event) => {
    const run = await runWith('first', record(state));
    const expected: OutcomeStatus | 'no way' = TABLE[state][event];
    if (expected === 'no way') {
      // The queries that lead to these events do not return this record.
      if (event === 'sent again')
        expect(await pagesOf(ledger.toRetry(run, ['failed', 'unsent', 'rejected']))).toEqual([]);
      return;
    }
    await HAPPENS[event](run);
    expect(await said(await known('first'))).toEqual([expected]);
    expect(await ledger.outcomes(await known('first'))).toEqual({ [expected]: 1 });
    const [end] = await allOf(ledger.settled(await known('first')));
    expect(end?.rows).toEqual(INCOMPLETE.has(expected) ? ROWS : undefined);
    expect(end?.row).toBe(7);
  });
});

describe('a record that was imported again', () => {
  test('twice has the outcome of the last one, and so does the one in between', async () => {
    const first = await runWith('first', record('invalid'));
    const second = await runWith('second', record('rejected', { supersedes: [refOf(first)] }));
    await runWith('third', record('created', { supersedes: [refOf(second)] }));
    expect([await said(await known('first')), await said(await known('second'))]).toEqual([
      ['created'],
      ['created'],
    ]);
  });

  test('stays complete if it is imported once more and left incomplete', async () => {
    const first = await runWith('first', record('invalid'));
    await runWith('second', record('created', { supersedes: [refOf(first)] }));
    await runWith('third', record('invalid', { supersedes: [refOf(first)] }));
    expect(await said(await known('first'))).toEqual(['created']);
  });

  test('is not sent again with its first run, but with the run of the current record', async () => {
    const first = await runWith('first', record('failed'));
    const second = await runWith('second', record('failed', { supersedes: [refOf(first)] }));
    expect(await pagesOf(ledger.toRetry(await known('first'), ['failed']))).toEqual([]);
    expect(await pagesOf(ledger.toRetry(second, ['failed']))).toHaveLength(1);
  });

  test('and was only in doubt gets the outcome that is found out for the first', async () => {
    const first = await runWith('first', record('in-doubt'));
    await runWith('second', record('in-doubt', { sharesOutcomeOf: refOf(first) }));
    await HAPPENS.there(first);
    expect(await said(await known('second'))).toEqual(['created']);
    expect(await ledger.outcomes(await known('second'))).toEqual({ created: 1 });
  });

  test('is found by the row that errors.csv names, and has its current state', async () => {
    const first = await runWith('first', record('invalid'));
    const second = await runWith('second', record('rejected', { supersedes: [refOf(first)] }));
    const findIn = async (store: string, run: string, row: number) => {
      const { findEarlier } = await ledger.history(store, 'products');
      return (await findEarlier([{ run, row, cells: [] }]))[0];
    };
    expect(await findIn(STORE, 'first', 7)).toMatchObject({
      ref: refOf(first),
      outcome: 'invalid',
      current: { run: 'second', ref: refOf(second), outcome: 'rejected' },
    });
    expect(await findIn(STORE, 'first', 6)).toBeUndefined();
    expect(await findIn(STORE, 'first', 8)).toBeUndefined();
    expect(await findIn(STORE, 'other', 7)).toBeUndefined();
    expect(await findIn('https://other.example', 'first', 7)).toBeUndefined();
  });
});
