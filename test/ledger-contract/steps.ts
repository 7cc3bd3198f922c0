import {
  encodeIntent,
  type Intent,
  type KnownRun,
  type Ledger,
  type NewRun,
  type OpenRun,
} from '../../src/ledger/index.ts';
import {
  INCOMPLETE,
  type KeptRow,
  type Outcome,
  type OutcomeStatus,
  type RecordResult,
} from '../../src/model/index.ts';
import { NEW_RUN } from '../support/new-run.ts';

/** Requests in flight. */
export const SLOTS = 4;

export const ROWS: readonly KeptRow[] = [{ row: 7, cells: ['x', ''] }];

/** A record of a run. Its rows are those that its outcome returns. */
export function record(seq: number, word: OutcomeStatus, more: Partial<RecordResult> = {}): RecordResult {
  const outcome: Outcome = {
    ...{ outcome: word, attempts: 1, durationMs: 3 },
    ...(word === 'created' || word === 'updated' ? { id: `id-${seq}`, httpStatus: 200 } : {}),
    ...(INCOMPLETE.has(word) ? { code: 'c', field: 'name', message: 'it is wrong' } : {}),
  };
  return {
    ...{ seq, row: seq + 2, key: `K${seq}`, outcome },
    ...(INCOMPLETE.has(word) ? { rows: ROWS } : {}),
    ...more,
  };
}

export function intentOf(
  { seq, row, key, file, digests, supersedes }: RecordResult,
  kind: Intent['kind'] = 'create',
  rows: readonly KeptRow[] = ROWS,
): Buffer {
  return encodeIntent({ seq, row, key, kind, rows, file, digests, supersedes });
}

/** Sends records: notes an intent for each, then its outcome. */
export async function send(open: OpenRun, records: readonly RecordResult[]): Promise<void> {
  for (const each of records) {
    await open.intend(intentOf(each, 'create', each.rows ?? ROWS));
    await open.settle(each, true);
  }
}

/** How a run ends. */
export const DONE = { state: 'done', files: NEW_RUN.files, finishedAt: 5000, workedMs: 40 } as const;

/** A run with these records, which were settled without being sent. It is done. */
export async function finished(
  ledger: Ledger,
  records: readonly RecordResult[],
  more: Partial<NewRun> = {},
): Promise<KnownRun> {
  const run = { ...NEW_RUN, ...more };
  const open = await ledger.begin(run, SLOTS);
  for (const each of records) await open.settle(each, false);
  await open.flush();
  await open.end({ ...DONE, files: run.files });
  await open.close();
  return known(ledger, run.id);
}

export async function known(ledger: Ledger, id: string): Promise<KnownRun> {
  const run = await ledger.find(id);
  if (!run) throw new Error(`there is no run ${id}`);
  return run;
}
