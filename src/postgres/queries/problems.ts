import type { OutcomeStatus } from '../../model/index.ts';
import { LONG_ANSWER_MS, type Sql } from '../sql.ts';
import { loadedLine } from '../text.ts';

/** A problem of records of a run: equal outcome, code and field. The names are those of a summary. */
export interface RunProblem {
  readonly outcome: OutcomeStatus;
  readonly code: string;
  /** '' if it concerns no field. */
  readonly field: string;
  /** Number of records that have it. */
  readonly count: number;
  readonly issues: number;
  /** Row and message of the first record. */
  readonly example_row: number;
  readonly example: string;
}

const MOST_PROBLEMS = 20;

/** The index `record_open` has the same condition, word for word. */
const OPEN = `outcome in ('invalid', 'rejected', 'failed', 'unsent', 'in-doubt')`;

/**
 * Problems of the run with this id as the ledger has them, the most frequent first, for a run without a summary. Records that
 * were imported again are left out. Reads only records that are incomplete.
 */
export async function problemsInRun(sql: Sql, id: string): Promise<RunProblem[]> {
  const lines = await sql.query<RunProblem>(
    `
    with found as (
      select run, outcome, coalesce(code, '') as code, coalesce(field, '') as field, count(*)::integer as count,
        min(row) as example_row
      from record where run = (select number from run where id = $1) and ${OPEN}
        and not exists (select 1 from sequel where sequel.run = record.run and sequel.seq = record.seq)
      group by run, outcome, 3, 4 order by count desc, example_row limit ${MOST_PROBLEMS}
    )
    select outcome, code, field, count, count as issues, example_row, coalesce((
        select message from record where record.run = found.run and row = example_row and ${OPEN}
          and record.outcome = found.outcome and coalesce(record.code, '') = found.code
          and coalesce(record.field, '') = found.field limit 1
      ), '') as example
    from found order by count desc, example_row`,
    [id],
    LONG_ANSWER_MS,
  );
  return lines.map((line) => loadedLine(line, ['code', 'field', 'example']));
}
