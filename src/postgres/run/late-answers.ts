import { setTimeout as delay } from 'node:timers/promises';
import type { Amendment } from '../../ledger/engine.ts';
import { type Outcome, type RecordResult, RunStopped } from '../../model/index.ts';
import type { LeaseId } from '../fence.ts';
import { amendAll } from '../queries/amend.ts';
import type { Sql } from '../sql.ts';

/** A worker that lost its lease has to end also if the database does not answer. */
const MOST_MS = 15_000;
const RETRY_MS = 250;

/** Outcomes that say what became of a request. */
const CERTAIN: ReadonlySet<Outcome['outcome']> = new Set(['created', 'rejected', 'failed', 'unsent']);

/**
 * Writes outcomes that a run could not record any more, without a fence: they are evidence for the next holder of the lease,
 * and change nothing by themselves.
 */
export async function noteLateAnswers(
  sql: Sql,
  { epoch }: LeaseId,
  run: number,
  results: readonly RecordResult[],
): Promise<void> {
  const certain = results.filter(({ outcome }) => CERTAIN.has(outcome.outcome));
  if (certain.length === 0) return;
  const values = [
    ...[run, epoch],
    certain.map(({ seq }) => seq),
    certain.map(({ outcome }) => JSON.stringify(outcome)),
  ];
  const isOver = new AbortController();
  const timer = delay(MOST_MS, undefined, { signal: isOver.signal });
  const write = async () => {
    // The database may be starting again. Without this evidence the records only stay in doubt, and the run has ended with
    // its own reason.
    while (!isOver.signal.aborted && !(await isWritten(sql, values))) await delay(RETRY_MS);
  };
  try {
    await Promise.race([write(), timer]);
  } finally {
    isOver.abort();
    await timer.catch(() => {});
  }
}

async function isWritten(sql: Sql, values: readonly unknown[]): Promise<boolean> {
  try {
    await sql.query(NOTE, values);
    return true;
  } catch (error) {
    if (!(error instanceof RunStopped)) throw error;
    return false;
  }
}

const NOTE = `
  insert into late_answer (run, seq, epoch, answer)
  select $1::integer, late.seq, $2::bigint, late.answer from unnest($3::integer[], $4::text[]) as late (seq, answer)
  on conflict do nothing`;

interface LateLine {
  readonly run: number;
  readonly seq: number;
  readonly answer: string;
  readonly quarantined: boolean;
}

/**
 * Resolves doubts by late answers: each that of exactly its record, if it is about the intent that left it in doubt. `sql`: a
 * fenced transaction. Returns how many were resolved.
 */
export async function useLateAnswers(sql: Sql, baseUrl: string): Promise<number> {
  const lines = await sql.query<LateLine>(DOUBTS_WITH_ANSWERS, [baseUrl]);
  const amendments = lines.flatMap(({ run, seq, answer, quarantined }): Amendment[] => {
    const outcome = JSON.parse(answer) as Outcome;
    if (outcome.outcome === 'created' && outcome.id === undefined) return [];
    // Only once the worker is gone is it certain that it sends no other intent of this record.
    if (outcome.outcome === 'unsent' && quarantined) return [];
    return [{ run, seq, outcome }];
  });
  if (amendments.length > 0) await amendAll(sql, amendments);
  return amendments.length;
}

const DOUBTS_WITH_ANSWERS = `
  select late.run, late.seq, late.answer, coalesce(run.doubts_until > clock_timestamp(), false) as quarantined
  from run
    join late_answer as late on late.run = run.number
    join doubt on doubt.run = late.run and doubt.seq = late.seq and doubt.epoch = late.epoch
    join record on record.run = late.run and record.seq = late.seq
  where run.store = $1 and record.outcome = 'in-doubt' and record.code = 'crash'`;
