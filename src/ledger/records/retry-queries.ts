import type { OutcomeStatus, RecordResult } from '../../model/index.ts';
import type { Database } from '../database/database.ts';
import { STATEMENTS } from '../database/statements.ts';
import { filesOfRun } from '../runs.ts';
import { fileAt, type RecordLine, settledIn } from './settled.ts';

/** Records read from the ledger at once. */
const PAGE = 400;

/**
 * Reads the records of a run with these outcomes that no later run replaced, with their rows. The caller may settle
 * them again meanwhile.
 */
export function* recordsToRetry(
  database: Database,
  run: number,
  outcomes: readonly OutcomeStatus[],
): Generator<RecordResult[]> {
  const select = database.prepare(STATEMENTS.toRetry);
  const words = JSON.stringify(outcomes);
  const settled = settledIn(filesOfRun(database, run));
  yield* inPages((last) => (select.all(run, last, words, PAGE) as RecordLine[]).map(settled));
}

/** A record that a run has created. */
export interface Created {
  readonly seq: number;
  readonly row: number;
  /** Set if the run has several files. */
  readonly file?: string | undefined;
  readonly key: string;
  readonly id: string;
}

/** Reads the records that a run created, or that a later run created in their place. */
export function* createdBy(database: Database, run: number): Generator<Created[]> {
  const select = database.prepare(STATEMENTS.created);
  const files = filesOfRun(database, run);
  const lines = (last: number) =>
    select.all(run, last, PAGE) as (Omit<Created, 'file'> & Pick<RecordLine, 'file'>)[];
  yield* inPages((last) => lines(last).map((line): Created => ({ ...line, file: fileAt(files, line.file) })));
}

/** `pageAfter` returns the records after a place in the run. */
function* inPages<Each extends { readonly seq: number }>(
  pageAfter: (seq: number) => Each[],
): Generator<Each[]> {
  for (let last = -1; ; ) {
    const page = pageAfter(last);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    last = page.at(-1)?.seq ?? last;
  }
}
