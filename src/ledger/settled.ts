import type { OutcomeWord, Settled } from '../model/index.ts';
import type { Database } from './database.ts';
import { unpackRows } from './rows.ts';
import { STATEMENTS } from './statements.ts';

/**
 * The settled records of a run in source order, with the rows that are given back. Streams from disk. `unwritten`,
 * those that could not be written there, stand in their places.
 */
export function* settledOf(
  database: Database.Database,
  run: number,
  unwritten: readonly Settled[] = [],
): Generator<Settled> {
  const lines = database.prepare(STATEMENTS.settled).iterate(run) as Iterable<Line>;
  let next = 0;
  for (const line of lines) {
    for (; next < unwritten.length && (unwritten[next]?.seq ?? 0) < line.seq; next++)
      yield unwritten[next] as Settled;
    // What is written is older: it was to be replaced.
    if (unwritten[next]?.seq !== line.seq) yield toSettled(line);
  }
  yield* unwritten.slice(next);
}

interface Line {
  readonly seq: number;
  readonly row: number;
  readonly key: string;
  readonly outcome: OutcomeWord;
  readonly id: string | null;
  readonly http_status: number | null;
  readonly attempts: number;
  readonly duration_ms: number;
  readonly code: string | null;
  readonly field: string | null;
  readonly message: string | null;
  readonly rows: string | null;
}

function toSettled(line: Line): Settled {
  return {
    seq: line.seq,
    row: line.row,
    key: line.key,
    outcome: {
      outcome: line.outcome,
      id: line.id ?? undefined,
      httpStatus: line.http_status ?? undefined,
      attempts: line.attempts,
      durationMs: line.duration_ms,
      code: line.code ?? undefined,
      field: line.field ?? undefined,
      message: line.message ?? undefined,
    },
    ...(line.rows === null ? {} : { rows: unpackRows(line.rows) }),
  };
}
