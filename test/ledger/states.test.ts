import { existsSync, mkdtempSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/ledger/database/database.ts';
import { readPending } from '../../src/ledger/fold/pending.ts';
import { encodeIntent, type Ledger, type OpenRun, openLedger } from '../../src/ledger/index.ts';
import { logFileOf } from '../../src/ledger/recover.ts';
import type { Operation, Outcome, OutcomeStatus, RecordResult } from '../../src/model/index.ts';
import { NEW_RUN } from '../support/new-run.ts';
import { allOf } from '../support/pages.ts';
import { removeTestFolder } from '../support/run.ts';

// Drives the table "Events and transitions" of STATES.md through real ledgers.

type State = 'unknown' | 'intended create' | 'intended update' | 'unsent' | 'settled';

type Event =
  | 'intend a create'
  | 'intend an update'
  | 'answer'
  | 'give up unsent'
  | 'settle without sending'
  | 'process dies'
  | 'run is resumed';

/**
 * The state after the event. `refused`: the call is rejected. `no way`: no code asks for it, and the ledger relies on
 * that. test/send/at-most-once.test.ts shows that each record is intended at most once and settled once, and settled as sent
 * only if it was intended. Taking the lock, without which no run is resumed, leaves no record intended (below).
 */
type Cell = State | 'refused' | 'no way';

const TABLE = {
  unknown: {
    'intend a create': 'intended create',
    'intend an update': 'intended update',
    answer: 'no way',
    'give up unsent': 'no way',
    'settle without sending': 'settled',
    'process dies': 'unknown',
    'run is resumed': 'unknown',
  },
  'intended create': {
    'intend a create': 'no way',
    'intend an update': 'no way',
    answer: 'settled',
    'give up unsent': 'unsent',
    'settle without sending': 'no way',
    'process dies': 'settled',
    'run is resumed': 'no way',
  },
  'intended update': {
    'intend a create': 'no way',
    'intend an update': 'no way',
    answer: 'settled',
    'give up unsent': 'unsent',
    'settle without sending': 'no way',
    'process dies': 'unknown',
    'run is resumed': 'no way',
  },
  unsent: {
    'intend a create': 'no way',
    'intend an update': 'no way',
    answer: 'refused',
    'give up unsent': 'refused',
    'settle without sending': 'refused',
    'process dies': 'unsent',
    'run is resumed': 'unknown',
  },
  settled: {
    'intend a create': 'no way',
    'intend an update': 'no way',
    answer: 'refused',
    'give up unsent': 'refused',
    'settle without sending': 'refused',
    'process dies': 'settled',
    'run is resumed': 'settled',
  },
} as const satisfies Record<State, Record<Event, Cell>>;

const STATES = Object.keys(TABLE) as State[];
const EVENTS = Object.keys(TABLE.unknown) as Event[];

const SEQ = 5;
const RECORD = { seq: SEQ, row: 7, key: 'k5' };
const ROWS = [{ row: 7, cells: ['x'] }];
const SLOTS = 4;

let home: string;
let ledger: Ledger;
let open: OpenRun | undefined;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'storeport-states-'));
  ledger = openLedger(home);
  await ledger.lock(NEW_RUN.store, NEW_RUN.id);
  open = await ledger.begin(NEW_RUN, SLOTS);
});
afterEach(async () => {
  await open?.close();
  await ledger.close();
  removeTestFolder(home);
});

function running(): OpenRun {
  if (!open) throw new Error('nothing runs');
  return open;
}

function ending(word: OutcomeStatus, more: Partial<Outcome> = {}): RecordResult {
  const kept = word === 'unsent' || word === 'invalid' || word === 'in-doubt' || word === 'rejected';
  return {
    ...RECORD,
    outcome: { outcome: word, attempts: 1, durationMs: 0, ...more },
    ...(kept ? { rows: ROWS } : {}),
  };
}

const intend = (kind: Operation['kind']) => running().intend(encodeIntent({ ...RECORD, kind, rows: ROWS }));

async function settle(word: OutcomeStatus, sent: boolean): Promise<void> {
  running().settle(ending(word), sent);
  await running().flush();
}

/** The process dies; the next one takes the lock. */
async function die(): Promise<void> {
  await open?.close();
  open = undefined;
  await ledger.close();
  ledger = openLedger(home);
  await ledger.lock(NEW_RUN.store, 'r2');
}

/** The run stops, and another process resumes it. */
async function resumeRun(): Promise<void> {
  await running().flush();
  await running().end({ state: 'stopped', files: NEW_RUN.files, finishedAt: 2000, workedMs: 1 });
  await die();
  const [run] = await ledger.runs();
  if (!run) throw new Error('the run is not known any more');
  open = await ledger.reopen(run, SLOTS);
}

const HAPPENS: Readonly<Record<Event, (state: State) => void | Promise<void>>> = {
  'intend a create': () => intend('create'),
  'intend an update': () => intend('update'),
  answer: (state) => settle(state === 'intended update' ? 'updated' : 'created', true),
  'give up unsent': () => settle('unsent', true),
  'settle without sending': () => settle('invalid', false),
  'process dies': die,
  'run is resumed': resumeRun,
};

const REACH: Readonly<Record<State, () => void | Promise<void>>> = {
  unknown: () => {},
  'intended create': () => intend('create'),
  'intended update': () => intend('update'),
  unsent: () => settle('unsent', false),
  settled: async () => {
    await intend('create');
    await settle('created', true);
  },
};

/** Returns the state that a new process would find, in tables and log together. */
async function found(): Promise<{ readonly state: State; readonly end: RecordResult | undefined }> {
  const database = openDatabase(home);
  try {
    const [run] = await ledger.runs();
    // A run that was settled after a crash has no log, and needs none.
    const { ended, open: intents } =
      run?.state === 'running'
        ? readPending(database, 1, logFileOf(home, NEW_RUN.id))
        : { ended: [], open: [] };
    const intent = intents.find(({ seq }) => seq === SEQ);
    const end =
      ended.find(({ seq }) => seq === SEQ) ??
      (run && (await allOf(ledger.settled(run))).find(({ seq }) => seq === SEQ));
    if (intent) return { state: intent.kind === 'create' ? 'intended create' : 'intended update', end };
    if (!end) return { state: 'unknown', end };
    return { state: end.outcome.outcome === 'unsent' ? 'unsent' : 'settled', end };
  } finally {
    database.close();
  }
}

const CELLS = STATES.flatMap((state) =>
  EVENTS.map((event): [State, Event, Cell] => [state, event, TABLE[state][event]]),
);
const withCell = (wanted: (cell: Cell) => boolean) => CELLS.filter(([, , cell]) => wanted(cell));

describe('a record', () => {
  test.each(withCell((cell) => cell !== 'refused' && cell !== 'no way'))(
    'that is %s, and then: %s; is %s',
    async (from, event, to) => {
      await REACH[from]();
      expect((await found()).state).toBe(from);
      await HAPPENS[event](from);
      // A resumed run finds the line of the unsent record, and plans the record again.
      const expected = event === 'run is resumed' && from === 'unsent' ? 'unsent' : to;
      expect((await found()).state).toBe(expected);
    },
  );

  test.each(withCell((cell) => cell === 'refused'))('that is %s: %s is refused', async (from, event) => {
    await REACH[from]();
    const before = await found();
    await expect(HAPPENS[event](from)).rejects.toMatchObject({ reason: 'ledger-failed' });
    expect(await found()).toEqual(before);
    // No intent is accepted any more, so nothing is sent any more.
    await expect(
      running().intend(encodeIntent({ ...RECORD, seq: 6, kind: 'create', rows: ROWS })),
    ).rejects.toMatchObject({
      reason: 'ledger-failed',
    });
  });
});

describe('guarantees of the table', () => {
  test('a create without an answer is in doubt after its process died, with its rows', async () => {
    await intend('create');
    await die();
    expect((await found()).end).toMatchObject({
      ...RECORD,
      outcome: { outcome: 'in-doubt', code: 'crash' },
      rows: ROWS,
    });
  });

  test('an update without an answer leaves no line, and may be repeated', async () => {
    await intend('update');
    await die();
    expect(await found()).toEqual({ state: 'unknown', end: undefined });
    const [run] = await ledger.runs();
    if (run) open = await ledger.reopen(run, SLOTS);
    await intend('update');
    await settle('updated', true);
    expect((await found()).end?.outcome.outcome).toBe('updated');
  });

  test('taking the lock leaves no record intended, and no log', async () => {
    await intend('create');
    expect(existsSync(logFileOf(home, NEW_RUN.id))).toBe(true);
    await die();
    expect((await ledger.runs())[0]).toMatchObject({ state: 'stopped', stopped: { reason: 'crashed' } });
    expect(existsSync(logFileOf(home, NEW_RUN.id))).toBe(false);
  });

  test('the end of a run that died is not before its start, even if the clock was set back', async () => {
    await intend('create');
    await running().close();
    utimesSync(logFileOf(home, NEW_RUN.id), 0, NEW_RUN.startedAt / 1000 - 1);
    open = undefined;
    await die();
    expect((await ledger.runs())[0]).toMatchObject({ finishedAt: NEW_RUN.startedAt, workedMs: 0 });
  });

  test('a record that was unsent when the run stopped is settled again, in the same line', async () => {
    await REACH.unsent();
    await resumeRun();
    await intend('create');
    expect((await found()).state).toBe('intended create');
    await settle('created', true);
    const [run] = await ledger.runs();
    expect(run && (await allOf(ledger.settled(run)))).toMatchObject([
      { seq: SEQ, outcome: { outcome: 'created' } },
    ]);
    expect(run && (await allOf(ledger.settled(run)))[0]).not.toHaveProperty('rows');
  });

  test.each<OutcomeStatus>(['invalid', 'duplicate', 'unchanged', 'in-doubt', 'unsent'])(
    '%s needs no intent, and is kept after the process died',
    async (word) => {
      await settle(word, false);
      await die();
      expect((await found()).end?.outcome.outcome).toBe(word);
    },
  );

  test.each<OutcomeStatus>(['created', 'rejected', 'failed', 'in-doubt'])(
    '%s is kept if the process dies before the tables have it',
    async (word) => {
      await intend('create');
      running().settle(ending(word), true);
      // The next intent carries the outcome into the log.
      await running().intend(encodeIntent({ ...RECORD, seq: 6, key: 'k6', kind: 'create', rows: ROWS }));
      await die();
      expect((await found()).end?.outcome.outcome).toBe(word);
    },
  );
});
