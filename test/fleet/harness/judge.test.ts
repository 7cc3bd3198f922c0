import { describe, expect, test } from 'vitest';
import { type FleetHistory, fleetViolations, type LedgerRecord } from '../../faults/fleet/judge.ts';
import type { StoreFacts } from '../../faults/oracle.ts';

type Journal = StoreFacts['journal'];

const create = (key: string, id: string): Journal[number] => ({
  kind: 'create',
  status: 200,
  whole: true,
  did: { collection: 'products', key, id },
});
const record = (
  seq: number,
  key: string,
  outcome: string,
  id: string | null,
  current = outcome,
): LedgerRecord => ({
  ...{ seq, key, outcome, id, current, shares: current !== outcome },
});

/** A store with two records; the answer of one was lost. Nothing is wrong. */
function history(
  change: Partial<FleetHistory> = {},
  journal: Journal = [create('a', '1'), create('b', '2')],
) {
  const good: FleetHistory = {
    stores: new Map([['s1', { journal, references: journal.map(({ did }) => did?.key ?? '') }]]),
    runs: [
      {
        ...{ id: 'r1', store: 's1', state: 'done', wanted: 2, outcomes: { created: 1, 'in-doubt': 1 } },
        records: [record(0, 'a', 'created', '1'), record(1, 'b', 'in-doubt', null)],
      },
    ],
    tasks: [{ id: 't1', store: 's1', state: 'done' }],
    losses: [],
    sent: [],
    concurrency: 1,
    faultsAt: new Map([['s1', 1]]),
  };
  return { ...good, ...change };
}

/** The good history, with this change of its only run. */
function withRun(change: Partial<FleetHistory['runs'][number]>): FleetHistory {
  const good = history();
  return { ...good, runs: [{ ...good.runs[0]!, ...change }] };
}

test('a history in which all is well has no violation', () => {
  expect(fleetViolations(history())).toEqual([]);
});

test('a doubt that a late answer settled after the report is no violation', () => {
  const settled = withRun({
    records: [record(0, 'a', 'created', '1'), record(1, 'b', 'created', '2')],
    outcomes: { created: 1, 'in-doubt': 1 },
  });
  expect(fleetViolations(settled)).toEqual([]);
});

test('a shared outcome that changed after the report is no violation', () => {
  const sent = withRun({
    records: [record(0, 'a', 'in-doubt', null, 'created'), record(1, 'b', 'in-doubt', null)],
    outcomes: { unsent: 1, 'in-doubt': 1 },
  });
  expect(fleetViolations({ ...sent, stores: new Map([['s1', { journal: [], references: [] }]]) })).toEqual(
    [],
  );
});

describe('a violation is found', () => {
  test.each<[string, FleetHistory, string]>([
    [
      'a record that a store made twice',
      history({}, [create('a', '1'), create('b', '2'), create('b', '3')]),
      's1: b was made more than once',
    ],
    [
      'a record that the ledger does not know',
      history({}, [create('a', '1'), create('b', '2'), create('c', '3')]),
      's1: made c as 3, which the ledger does not know',
    ],
    [
      'a created record that the store did not make',
      history({}, [create('b', '2')]),
      's1: the ledger has a as created with 1, which the store did not make',
    ],
    ['a record without an outcome', withRun({ wanted: 3 }), 's1: run r1: has outcomes for 2 of 3 records'],
    [
      'a record with two outcomes',
      withRun({
        records: [...history().runs[0]!.records, record(1, 'b', 'created', '2')],
        outcomes: { created: 2, 'in-doubt': 1 },
      }),
      's1: run r1: has 1 outcomes too many',
    ],
    [
      'totals that differ from the records',
      withRun({ outcomes: { created: 2 } }),
      's1: run r1: its totals are 2 created, its records are 1 created, 1 in-doubt',
    ],
    [
      'a record that was created and is reported otherwise',
      withRun({
        records: [record(0, 'a', 'created', '1', 'unsent'), record(1, 'b', 'in-doubt', null)],
        outcomes: { unsent: 1, 'in-doubt': 1 },
      }),
      's1: run r1: created a and reports it as unsent',
    ],
    ['missing totals', withRun({ outcomes: undefined }), 's1: run r1: has no totals'],
    ['a run without an end', withRun({ state: 'running' }), 's1: run r1: is running at the end'],
    [
      'an outcome that no fault explains',
      withRun({
        records: [record(0, 'a', 'created', '1'), record(1, 'b', 'failed', null)],
        outcomes: { created: 1, failed: 1 },
      }),
      's1: run r1: has 1 failed: b',
    ],
    [
      'more doubts than requests in flight',
      history({ faultsAt: new Map() }),
      's1: has 1 in doubt, at most 0 may be',
    ],
    [
      'a task without an end',
      history({ tasks: [{ id: 't1', store: 's1', state: 'running' }] }),
      's1: task t1 is running at the end',
    ],
    [
      'a former holder that sends more than it had in flight',
      history({
        losses: [{ store: 's1', pid: 7, epoch: 4, fromMs: 10, untilMs: 20 }],
        sent: [11, 12, 21].map((ms) => ({ ms, store: 's1', pid: 7, kind: 'create', key: 'b' })),
      }),
      's1: process 7, which had lost epoch 4, sent 2 creates',
    ],
    [
      'a former holder that sends what was never noted',
      history({
        losses: [{ store: 's1', pid: 7, epoch: 4, fromMs: 10, untilMs: 20 }],
        sent: [{ ms: 11, store: 's1', pid: 7, kind: 'create', key: 'x' }],
      }),
      's1: process 7, which had lost epoch 4, sent x, which the ledger does not know',
    ],
  ])('%s', (_, given, violation) => {
    expect(fleetViolations(given)).toContain(violation);
  });
});
