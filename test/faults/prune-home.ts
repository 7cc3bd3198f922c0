import { openDatabase } from '../../src/ledger/database/database.ts';
import { type NewRun, openLedger } from '../../src/ledger/index.ts';
import type { RecordResult } from '../../src/model/index.ts';
import { NEW_RUN } from '../support/new-run.ts';
import { allOf } from '../support/pages.ts';

/** Enough for several transactions of a prune. */
export const PRUNE_RECORDS = 12_000;

const RECORDS = Array.from({ length: PRUNE_RECORDS }, (_, seq) => seq);

/** Fills a home with runs that a prune works on: created, then partly updated, unchanged, invalid and corrected, in doubt. */
export async function fillPruneHome(home: string): Promise<void> {
  const ledger = openLedger(home);
  try {
    await ledger.lock(NEW_RUN.store, 'test');
    const add = async (id: string, results: Iterable<RecordResult>, more: Partial<NewRun> = {}) => {
      const open = await ledger.begin({ ...NEW_RUN, id, ...more }, 4);
      for (const result of results) open.settle(result, false);
      await open.flush();
      await open.end({ state: 'done', files: NEW_RUN.files, finishedAt: 2000, workedMs: 1 });
      await open.close();
      return open.number;
    };
    const number = await add(
      'r1',
      RECORDS.map((seq) => resultOf(seq, seq % 100 === 7 ? 'invalid' : 'created')),
    );
    await add(
      'r2',
      RECORDS.filter((seq) => seq % 100 === 7).map((seq) => ({
        ...resultOf(seq, 'created'),
        supersedes: [[number, seq] as const],
      })),
    );
    await add(
      'r3',
      RECORDS.map((seq) => resultOf(seq, seq % 10 === 0 ? 'updated' : 'unchanged')),
    );
    await add('r4', [resultOf(0, 'in-doubt', 'd'), resultOf(1, 'in-doubt', '')]);
  } finally {
    await ledger.close();
  }
}

function resultOf(
  seq: number,
  word: 'created' | 'updated' | 'unchanged' | 'invalid' | 'in-doubt',
  key = `k${seq}`,
) {
  const isOpen = word === 'invalid' || word === 'in-doubt';
  const row = seq + 2;
  return {
    ...{ seq, row, key },
    outcome: { outcome: word, attempts: 1, durationMs: 0, ...(isOpen ? {} : { id: `id${seq}` }) },
    ...(isOpen ? { rows: [{ row, cells: [key] }] } : {}),
  };
}

export interface PruneHomeState {
  /** All that a prune must not change, as text. */
  readonly kept: string;
  /** Records whose lines were dropped. */
  readonly dropped: number;
}

/** Opens a home, which checks its files, and reads what a prune must not change. Throws if the ledger is damaged. */
export async function stateOfHome(home: string): Promise<PruneHomeState> {
  const ledger = openLedger(home);
  let state: PruneHomeState;
  try {
    const { lookup, findEarlier } = await ledger.history(NEW_RUN.store, NEW_RUN.resource);
    const runs = await ledger.runs();
    const doubts: RecordResult[] = [];
    for (const run of runs)
      for (const result of await allOf(ledger.settled(run)))
        if (result.outcome.outcome === 'in-doubt') doubts.push(result);
    const corrected = await findEarlier([9, 109].map((row) => ({ run: 'r1', row, cells: [] })));
    const kept = {
      known: [...((await lookup?.([...RECORDS.map((seq) => `k${seq}`), 'd'])) ?? [])],
      outcomes: await Promise.all(runs.map(async (run) => [run.id, await ledger.outcomes(run)])),
      doubts,
      corrected: corrected.map((earlier) => earlier?.current),
    };
    const dropped = runs.flatMap(({ pruned }) => Object.values(pruned?.dropped ?? {}));
    state = { kept: JSON.stringify(kept), dropped: dropped.reduce((sum, count) => sum + count, 0) };
  } finally {
    await ledger.close();
  }
  const database = openDatabase(home);
  try {
    const [{ integrity_check: found }] = database.pragma('integrity_check') as [{ integrity_check: string }];
    if (found !== 'ok') throw new Error(found);
  } finally {
    database.close();
  }
  return state;
}
