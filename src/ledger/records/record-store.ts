import { INCOMPLETE, type Position, type RecordResult } from '../../model/index.ts';
import { bulkStatement, type SqlValue } from '../database/bulk-statement.ts';
import { type Database, inTransaction } from '../database/database.ts';
import { BULK, STATEMENTS } from '../database/statements.ts';
import { filesOfRun } from '../runs.ts';
import { type PackedIntent, packedText, packKinds, packRows } from './intents.ts';

/** The tables of one run, into which its log is folded. */
export interface RecordStore {
  /** Writes all of it, or nothing, and syncs it. Throws the error of SQLite. */
  fold(folded: FoldedEpoch): void;
}

/** An epoch of the log as it is written into the tables. */
export interface FoldedEpoch {
  /** In source order. */
  readonly ended: readonly RecordResult[];
  /** All intents without an outcome; they replace those of the epoch before. */
  readonly open: readonly PackedIntent[];
  readonly checkpoints?: readonly Checkpoint[] | undefined;
  /** The epoch that begins: entries of earlier ones do not count any more. */
  readonly next: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A place in the run's files from which they can be read again: the beginning of the record `seq`. */
export interface Checkpoint extends Position {
  readonly seq: number;
  /** Index in the run's list of files. */
  readonly file: number;
}

export interface RecordStoreOptions {
  /** Number of the run. */
  readonly run: number;
  /** True if the run may have records that were unsent when it stopped, and are settled again. */
  readonly isResumed: boolean;
}

export function openRecordStore(database: Database, { run, isResumed }: RecordStoreOptions): RecordStore {
  const insertRecords = bulkStatement(database, isResumed ? BULK.resettle : BULK.settle);
  const insertKept = bulkStatement(database, BULK.keep);
  const insertCheckpoints = bulkStatement(database, BULK.mark);
  const forgetKept = bulkStatement(database, BULK.forgetKept(run));
  const forgetSequels = bulkStatement(database, BULK.forgetSequels(run));
  const forgetIntents = database.prepare(STATEMENTS.forgetIntents);
  const insertIntents = database.prepare(STATEMENTS.intend);
  const numbering = { shape: shapesIn(database), files: filesOfRun(database, run) };
  const supersede = superseder(database, run);
  const beginEpoch = database.prepare(STATEMENTS.beginEpoch);

  return {
    fold({ ended, open, checkpoints = [], next, at }) {
      inTransaction(database, () => {
        if (isResumed) {
          const seqs = ended.map(({ seq }) => seq);
          forgetKept(seqs);
          forgetSequels(seqs);
        }
        const records: SqlValue[] = [];
        const kept: SqlValue[] = [];
        for (const settled of ended) {
          addRecord(records, run, settled, numbering);
          addKept(kept, run, settled);
        }
        insertRecords(records);
        insertKept(kept);
        insertCheckpoints(
          checkpoints.flatMap(({ seq, file, offset, row, line }) => [run, seq, file, offset, row, line]),
        );
        for (const settled of ended) if (settled.supersedes || settled.sharesOutcomeOf) supersede(settled);
        forgetIntents.run(run);
        if (open.length > 0) insertIntents.run(run, `[${open.map(packedText).join()}]`, at);
        beginEpoch.run(next, run);
      });
    },
  };
}

/** How lists of fields and names of files are numbered. */
interface Numbering {
  readonly shape: ShapeOf;
  readonly files: readonly string[];
}

function addRecord(
  values: SqlValue[],
  run: number,
  { seq, row, file, key, outcome, digests }: RecordResult,
  { shape, files }: Numbering,
): void {
  const fileAt = file === undefined ? -1 : files.indexOf(file);
  values.push(
    run,
    seq,
    row,
    key,
    outcome.outcome,
    outcome.id ?? null,
    outcome.httpStatus ?? null,
    outcome.attempts,
    Math.round(outcome.durationMs),
    outcome.code ?? null,
    outcome.field ?? null,
    outcome.message ?? null,
    digests ? shape(digests.fields) : null,
    digests?.digests ?? null,
    fileAt < 0 ? null : fileAt,
  );
}

function addKept(values: SqlValue[], run: number, { seq, rows, outcome: { kinds } }: RecordResult): void {
  if (rows) values.push(run, seq, packRows(rows), kinds ? packKinds(kinds) : null);
}

type ShapeOf = (fields: string) => number;

/**
 * Returns the number of a list of fields, and adds new lists. There are few: as many as combinations of empty cells.
 */
function shapesIn(database: Database): ShapeOf {
  const known = database.prepare(STATEMENTS.shapes).all() as { number: number; fields: string }[];
  const numbers = new Map(known.map(({ number, fields }) => [fields, number]));
  const add = database.prepare(STATEMENTS.addShape);
  return (fields) => {
    let number = numbers.get(fields);
    if (number === undefined) {
      ({ number } = add.get(fields) as { number: number });
      numbers.set(fields, number);
    }
    return number;
  };
}

/**
 * Updates which record is current. A record supersedes those of earlier runs that are imported again in it. If it was
 * not sent because an earlier record is in doubt, that one stays current for both.
 */
function superseder(database: Database, run: number): (settled: RecordResult) => void {
  const supersede = database.prepare(STATEMENTS.supersede);
  const relink = database.prepare(STATEMENTS.relink);
  return ({ seq, outcome, supersedes = [], sharesOutcomeOf }) => {
    if (sharesOutcomeOf) supersede.run(run, seq, sharesOutcomeOf[0], sharesOutcomeOf[1], 0);
    for (const [earlierRun, earlierSeq] of supersedes) {
      supersede.run(earlierRun, earlierSeq, run, seq, INCOMPLETE.has(outcome.outcome) ? 1 : 0);
      relink.run(run, seq, earlierRun, earlierSeq);
    }
  };
}
