import {
  type KeptRow,
  type LaterRecord,
  type OutcomeStatus,
  type RecordRef,
  type RecordResult,
  type RecordResultStub,
  surplusColumnOf,
  surplusIn,
} from '../../model/index.ts';
import type { Database } from '../database/database.ts';
import { STATEMENTS } from '../database/statements.ts';
import { filesOfRun, type KnownRun } from '../runs.ts';
import { unpackKinds, unpackRows } from './intents.ts';

/**
 * Reads the settled records of a run in source order, with the rows to return. Streams from disk. Records in
 * `unwritten`, which could not be written to disk, are merged into the order. A record that was imported again in a
 * later run has the outcome of that run.
 */
export function* settledOf(
  database: Database,
  run: number,
  unwritten: readonly RecordResult[] = [],
): Generator<RecordResult> {
  const lines = (statement: string) => database.prepare(statement).iterate(run) as Iterable<PlainLine>;
  const written = inSourceOrder(lines(STATEMENTS.settledPlain), lines(STATEMENTS.settledOther));
  const settled = mapped(written, settledIn(filesOfRun(database, run)));
  yield* withSequels(
    withUnwritten(settled, unwritten),
    sequelsOf(database, run, (line) => line),
  );
}

/** Reads only the outcomes, without rows, not in source order: records that were just created come first. Streams from disk. */
export function* endingsOf(database: Database, run: number): Generator<RecordResultStub> {
  const lines = (statement: string) => database.prepare(statement).iterate(run) as Iterable<EndingLine>;
  const files = filesOfRun(database, run);
  const plain = files.length > 0 ? STATEMENTS.endingsPlainOfFiles : STATEMENTS.endingsPlain;
  for (const { seq, row, file, key } of lines(plain))
    yield { seq, row, file: fileAt(files, file), key, outcome: JUST_CREATED };
  const sequels = sequelsOf(database, run, (line) => ({ ...line, rows: null }));
  yield* withSequels(mapped(lines(STATEMENTS.endingsOther), endingIn(files)), sequels);
}

export const JUST_CREATED: RecordResultStub['outcome'] = { outcome: 'created' };

/** Records of one page. */
const PAGE = 500;

/** Collects records into pages, so that a reader waits for pages only. */
export function* pagesOf<Each>(records: Iterable<Each>): Generator<Each[]> {
  let page: Each[] = [];
  for (const record of records) {
    page.push(record);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** Records that later runs at the store of a run have settled, the latest run first. */
export function* laterThan(
  database: Database,
  { number, store, resource }: Pick<KnownRun, 'number' | 'store' | 'resource'>,
): Generator<LaterRecord> {
  const lines = database.prepare(STATEMENTS.settledAfter).iterate(store, resource, number) as Iterable<
    LaterRecord & { readonly id: string | null }
  >;
  for (const { run, key, id } of lines) yield { run, key, ...(id === null ? {} : { id }) };
}

function* mapped<From, To>(items: Iterable<From>, change: (item: From) => To): Generator<To> {
  for (const item of items) yield change(item);
}

/** Merges two sequences that are in source order. */
function* inSourceOrder<Item extends { readonly seq: number }>(
  some: Iterable<Item>,
  others: Iterable<Item>,
): Generator<Item> {
  const rest = others[Symbol.iterator]();
  let other = rest.next();
  for (const item of some) {
    for (; !other.done && other.value.seq < item.seq; other = rest.next()) yield other.value;
    yield item;
  }
  for (; !other.done; other = rest.next()) yield other.value;
}

/** Merges outcomes that could not be written, both in source order. */
export function* withUnwritten(
  written: Iterable<RecordResult>,
  unwritten: readonly RecordResult[],
): Generator<RecordResult> {
  let next = 0;
  for (const record of written) {
    for (; next < unwritten.length && (unwritten[next]?.seq ?? 0) < record.seq; next++)
      yield unwritten[next] as RecordResult;
    // The written line is older: the other was to replace it.
    if (unwritten[next]?.seq !== record.seq) yield record;
  }
  yield* unwritten.slice(next);
}

/** Replaces each record that was imported again by the current record of a later run. Both are in source order. */
export function* withSequels<Ended extends RecordResultStub>(
  records: Iterable<Ended>,
  sequels: Iterator<RecordResult, undefined>,
): Generator<Ended | RecordResult> {
  let sequel = sequels.next();
  for (const record of records) {
    while (!sequel.done && sequel.value.seq < record.seq) sequel = sequels.next();
    if (!sequel.done && sequel.value.seq === record.seq) {
      yield { ...sequel.value, row: record.row, file: record.file };
      sequel = sequels.next();
    } else yield record;
  }
}

/**
 * Reads the records of a run that were imported again, with their current outcomes, and with rows under the columns of
 * this run. `wanted`: returns the part of a line that is wanted.
 */
function* sequelsOf(
  database: Database,
  run: number,
  wanted: (line: SequelLine) => SequelLine,
): Generator<RecordResult, undefined> {
  const lines = database.prepare(STATEMENTS.sequels).iterate(run) as Iterable<SequelLine>;
  const { header } = database.prepare(STATEMENTS.headerOf).get(run) as { header: string };
  const sequelOf = sequelIn(JSON.parse(header) as string[]);
  for (const line of lines) yield sequelOf(wanted(line));
  return undefined;
}

/** Converts lines of later runs, with rows under these columns. */
export function sequelIn(columns: readonly string[]): (line: SequelLine) => RecordResult {
  // The file of the later run does not matter here.
  const ofSequel = settledIn([]);
  const moves = new Map<string, (kept: KeptRow) => KeptRow>();
  return (line) => {
    const moved = moves.get(line.header) ?? movedTo(columns, JSON.parse(line.header) as string[]);
    moves.set(line.header, moved);
    const { rows, ...settled } = ofSequel({ ...line, row: 0 });
    const ref: RecordRef = [line.by_run, line.by_seq];
    return {
      ...settled,
      ...(rows ? { rows: rows.map(moved) } : {}),
      supersededBy: { run: line.run, ref },
    };
  };
}

/**
 * Finds the index of each of `columns` in another header; of duplicate names, the second is matched with the second. -1
 * if it is missing.
 */
function placesOf(columns: readonly string[], header: readonly string[]): number[] {
  const taken = new Set<number>();
  return columns.map((name) => {
    const place = header.findIndex((other, index) => other === name && !taken.has(index));
    if (place >= 0) taken.add(place);
    return place;
  });
}

/** Moves the cells of rows from another header to these columns. Surplus cells stay beyond the last one. */
function movedTo(columns: readonly string[], header: readonly string[]): (kept: KeptRow) => KeptRow {
  const places = placesOf(columns, header);
  const surplusAt = surplusColumnOf(header);
  const ownSurplusAt = surplusColumnOf(columns);
  return (kept) => {
    const cells = places.map((place) => kept.cells[place] ?? '');
    const surplus = surplusIn(header, kept.cells, surplusAt);
    if (surplus !== '') cells[ownSurplusAt < 0 ? columns.length : ownSurplusAt] = surplus;
    return { ...kept, cells };
  };
}

/** A record as the tables have it. */
export interface RecordLine {
  readonly seq: number;
  readonly row: number;
  /** Index in the run's list of files. */
  readonly file?: number | null;
  readonly key: string;
  readonly outcome: OutcomeStatus;
  readonly id: string | null;
  readonly http_status: number | null;
  readonly attempts: number;
  readonly duration_ms: number;
  readonly code: string | null;
  readonly field: string | null;
  readonly message: string | null;
  readonly rows: string | null;
  readonly kinds?: string | null;
}

/** A record without further details has only the first ones. */
export type PlainLine = Pick<
  RecordLine,
  'seq' | 'row' | 'file' | 'key' | 'id' | 'http_status' | 'attempts' | 'duration_ms'
> &
  Partial<RecordLine>;
export type EndingLine = Pick<RecordLine, 'seq' | 'row' | 'file' | 'key'> & Partial<RecordLine>;

export interface SequelLine extends Omit<RecordLine, 'row'> {
  readonly by_run: number;
  readonly by_seq: number;
  /** Id of the run with the current record. */
  readonly run: string;
  readonly header: string;
}

/** Converts lines of a run with these files. */
export function settledIn(files: readonly string[]): (line: PlainLine) => RecordResult {
  return (line) => ({
    seq: line.seq,
    row: line.row,
    ...(files.length > 0 ? { file: fileAt(files, line.file) } : {}),
    key: line.key,
    outcome: {
      outcome: line.outcome ?? 'created',
      id: line.id ?? undefined,
      httpStatus: line.http_status ?? undefined,
      attempts: line.attempts,
      durationMs: line.duration_ms,
      code: line.code ?? undefined,
      field: line.field ?? undefined,
      message: line.message ?? undefined,
      kinds: line.kinds ? unpackKinds(line.kinds) : undefined,
    },
    ...(line.rows ? { rows: unpackRows(line.rows) } : {}),
  });
}

export function endingIn(files: readonly string[]): (line: EndingLine) => RecordResultStub {
  return ({ seq, row, file, key, outcome = 'created', id, code }) => ({
    ...{ seq, row, key },
    file: fileAt(files, file),
    outcome: { outcome, id: id ?? undefined, code: code ?? undefined },
  });
}

export function fileAt(files: readonly string[], at: number | null | undefined): string | undefined {
  return at === null || at === undefined ? undefined : files[at];
}
