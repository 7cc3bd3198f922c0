import { INCOMPLETE, type KeptRow, type OutcomeStatus, type RecordRef } from '../../model/index.ts';
import type { Database } from '../database/database.ts';
import { STATEMENTS } from '../database/statements.ts';
import type { OutcomeCounts, SourceFile } from '../runs.ts';
import { unpackRows } from './intents.ts';

/** A record of an earlier run, found by a row of that run. */
export interface EarlierRecord {
  readonly ref: RecordRef;
  /** Its outcome in its own run. */
  readonly outcome: OutcomeStatus;
  readonly code: string;
  readonly field: string | undefined;
  readonly message: string;
  /** Its rows as they were, while it is incomplete. */
  readonly rows: readonly KeptRow[] | undefined;
  /** Number of files that its run read. With several, a row number does not identify a row. */
  readonly files: number;
  /** Columns of its run. */
  readonly header: readonly string[];
  /**
   * Set if its line was dropped when its run was pruned; its outcome is then `unchanged`, and no line has its `ref`. `sure`:
   * all dropped records had arrived. `unknown`: some had not, and this may be one of them.
   */
  readonly dropped?: 'sure' | 'unknown';
  /** Its current state, maybe in a later run. */
  readonly current: {
    readonly run: string;
    readonly ref: RecordRef;
    readonly row: number;
    readonly outcome: OutcomeStatus;
    readonly code: string;
  };
}

/**
 * Finds the record of a run, by the run's id, that a source row belongs to. In a run of several files, more than one
 * may have a row with that number. Of those that are incomplete, the one whose row shares most of these cells is
 * returned.
 */
export type FindEarlier = (run: string, row: number, cells: readonly string[]) => EarlierRecord | undefined;

/** Searches the runs for one store and resource; rows of other runs have no meaning there. */
export function earlierRecords(database: Database, store: string, resource: string): FindEarlier {
  const runs = new Map<string, EarlierRun | undefined>();
  const findRun = database.prepare(STATEMENTS.runById);
  const open = database.prepare(STATEMENTS.openAt);
  const one = database.prepare(STATEMENTS.recordWithRows);
  const findCurrent = database.prepare(STATEMENTS.currentRecord);
  const search = createSearch(database);

  function runOf(id: string): EarlierRun | undefined {
    if (!runs.has(id)) {
      const line = findRun.get(id, store, resource) as (Pick<EarlierRun, 'number'> & Texts) | undefined;
      runs.set(
        id,
        line && {
          number: line.number,
          files: JSON.parse(line.files) as SourceFile[],
          header: JSON.parse(line.header) as string[],
          dropped: droppedOf(line.pruned),
        },
      );
    }
    return runs.get(id);
  }

  function recordAt(run: EarlierRun, row: number, cells: readonly string[]): EarlierLine | undefined {
    const candidates = open.all(run.number, row, run.files.length > 1 ? NEAR : 1) as EarlierLine[];
    const found = mostSimilar(candidates, row, cells);
    if (found) return found;
    // A complete record has no rows here any more: find the one that begins at this row, or before it.
    const seq = search(run, row);
    const line = seq === undefined ? undefined : (one.get(run.number, seq) as EarlierLine | undefined);
    // If lines were dropped, the one before the row may be that of another record.
    if (line?.rows !== null || (run.dropped && line.row !== row)) return undefined;
    return line;
  }

  return (id, row, cells) => {
    const run = runOf(id);
    const line = run && recordAt(run, row, cells);
    if (!line) return run?.dropped && droppedRecord(id, row, run, run.dropped);
    const last = findCurrent.get(run.number, line.seq) as CurrentLine | undefined;
    return earlierRecordOf(id, run, line, last);
  };
}

/** `last`: the line of a later run that replaced it. */
export function earlierRecordOf(
  id: string,
  run: Pick<EarlierRun, 'number' | 'files' | 'header'>,
  line: EarlierLine,
  last: CurrentLine | undefined,
): EarlierRecord {
  const now = last ?? { ...line, run: id, number: run.number };
  return {
    ref: [run.number, line.seq],
    outcome: line.outcome,
    code: line.code ?? '',
    field: line.field ?? undefined,
    message: line.message ?? '',
    rows: line.rows === null ? undefined : unpackRows(line.rows),
    files: run.files.length,
    header: run.header,
    current: {
      run: now.run,
      ref: [now.number, now.seq],
      row: now.row,
      outcome: now.outcome,
      code: now.code ?? '',
    },
  };
}

/**
 * Returns the line whose row shares most of these cells, since some may have been corrected. All lines have a row with
 * this number.
 */
export function mostSimilar(
  lines: readonly EarlierLine[],
  row: number,
  cells: readonly string[],
): EarlierLine | undefined {
  const now = new Set(cells);
  let best: { readonly line: EarlierLine; readonly alike: number } | undefined;
  for (const line of lines) {
    const then = line.rows === null ? undefined : unpackRows(line.rows).find((kept) => kept.row === row);
    const alike = then ? then.cells.filter((cell) => cell !== '' && now.has(cell)).length : -1;
    if (alike > (best?.alike ?? -1)) best = { line, alike };
  }
  return best?.line;
}

/** Maximum number of candidates: several files may have a row with that number, in records that begin before it. */
export const NEAR = 50;

export interface EarlierRun {
  readonly number: number;
  readonly files: readonly SourceFile[];
  readonly header: readonly string[];
  /** Undefined if no line was dropped. */
  readonly dropped: EarlierRecord['dropped'];
}

interface Texts {
  readonly files: string;
  readonly header: string;
  readonly pruned: string | null;
}

/** `pruned`: dropped lines of a run by outcome, as JSON. Lines that were imported again are never dropped. */
function droppedOf(pruned: string | null): EarlierRecord['dropped'] {
  const outcomes = Object.keys(JSON.parse(pruned ?? '{}') as OutcomeCounts) as OutcomeStatus[];
  if (outcomes.length === 0) return undefined;
  return outcomes.some((outcome) => INCOMPLETE.has(outcome)) ? 'unknown' : 'sure';
}

/** The record that was in a row whose line was dropped. */
function droppedRecord(
  id: string,
  row: number,
  { number, files, header }: EarlierRun,
  dropped: EarlierRecord['dropped'] & string,
): EarlierRecord {
  const end = { ref: [number, NO_LINE] as RecordRef, outcome: 'unchanged' as const, code: '' };
  return {
    ...{ ...end, field: undefined, message: '', rows: undefined, files: files.length, header, dropped },
    current: { ...end, run: id, row },
  };
}

/** No line has this number. */
const NO_LINE = -1;

export interface CurrentLine {
  readonly run: string;
  readonly number: number;
  readonly seq: number;
  readonly row: number;
  readonly outcome: OutcomeStatus;
  readonly code: string | null;
}

/** A record with its rows, as the tables have it. */
export interface EarlierLine {
  readonly seq: number;
  readonly row: number;
  readonly outcome: OutcomeStatus;
  readonly code: string | null;
  readonly field: string | null;
  readonly message: string | null;
  readonly rows: string | null;
}

/**
 * Finds the record around a row. In one file, row numbers grow with records, so it searches by bisection. With several
 * files it examines all records.
 */
function createSearch(database: Database): (run: EarlierRun, row: number) => number | undefined {
  const bounds = database.prepare(STATEMENTS.seqBounds);
  const next = database.prepare(STATEMENTS.nextRecord);
  const anywhere = database.prepare(STATEMENTS.recordOfRow);
  return ({ number, files }, row) => {
    if (files.length > 1) return (anywhere.get(number, row) as { seq: number } | undefined)?.seq;
    const { first, last } = bounds.get(number) as { first: number | null; last: number | null };
    if (first === null || last === null) return undefined;
    let [low, high] = [first, last];
    let found: number | undefined;
    while (low <= high) {
      const middle = Math.floor((low + high) / 2);
      const record = next.get(number, middle) as { seq: number; row: number } | undefined;
      if (record && record.row <= row) [found, low] = [record.seq, record.seq + 1];
      else high = middle - 1;
    }
    return found;
  };
}
