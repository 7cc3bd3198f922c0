import type { KeptRow, OutcomeWord, RecordRef, Settled } from '../model/index.ts';
import type { Database } from './database.ts';
import { unpackRows } from './rows.ts';
import { STATEMENTS } from './statements.ts';

/**
 * The settled records of a run in source order, with the rows that are given back. Streams from disk. `unwritten`,
 * those that could not be written there, stand in their places. For a record that came back in a later run stands what
 * became of it there.
 */
export function* settledOf(
  database: Database.Database,
  run: number,
  unwritten: readonly Settled[] = [],
): Generator<Settled> {
  const sequels = sequelsOf(database, run);
  let sequel = sequels.next();
  for (const settled of withUnwritten(database, run, unwritten)) {
    if (!sequel.done && sequel.value.seq === settled.seq) {
      yield { ...sequel.value, row: settled.row };
      sequel = sequels.next();
    } else yield settled;
  }
}

function* withUnwritten(
  database: Database.Database,
  run: number,
  unwritten: readonly Settled[],
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

/** Those of a run that came back, as they are now, with the rows under the columns of that run. */
function* sequelsOf(database: Database.Database, run: number): Generator<Settled> {
  const lines = database.prepare(STATEMENTS.sequels).iterate(run) as Iterable<SequelLine>;
  const { header } = database.prepare(STATEMENTS.headerOf).get(run) as { header: string };
  const columns = JSON.parse(header) as string[];
  const moves = new Map<string, readonly number[]>();
  for (const line of lines) {
    let places = moves.get(line.header);
    if (!places) {
      places = placesOf(columns, JSON.parse(line.header) as string[]);
      moves.set(line.header, places);
    }
    const { rows, ...settled } = toSettled({ ...line, row: 0 });
    const ref: RecordRef = [line.by_run, line.by_seq];
    yield {
      ...settled,
      ...(rows ? { rows: rows.map((row) => moved(row, places)) } : {}),
      cameBack: { run: line.run, ref },
    };
  }
}

/** Where each of `columns` stands in another header; the second of a name is the second there. -1: nowhere. */
function placesOf(columns: readonly string[], header: readonly string[]): number[] {
  const taken = new Set<number>();
  return columns.map((name) => {
    const place = header.findIndex((other, index) => other === name && !taken.has(index));
    if (place >= 0) taken.add(place);
    return place;
  });
}

function moved({ row, cells }: KeptRow, places: readonly number[]): KeptRow {
  return { row, cells: places.map((place) => cells[place] ?? '') };
}

export interface Line {
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

interface SequelLine extends Omit<Line, 'row'> {
  readonly by_run: number;
  readonly by_seq: number;
  /** Id of the run that speaks. */
  readonly run: string;
  readonly header: string;
}

export function toSettled(line: Line): Settled {
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
