import {
  type Checkpoint,
  type Created,
  fileAt,
  type Holder,
  type OlderRun,
  type RecordLine,
  type RecordTarget,
  settledIn,
} from '../../ledger/engine.ts';
import { type LaterRecord, NOT_POSSIBLE, type OutcomeStatus, type RecordResult } from '../../model/index.ts';
import type { RowSeal } from '../row-seal.ts';
import type { Sql } from '../sql.ts';
import { loadedLine, storedText } from '../text.ts';
import { tablesOfRun } from './runs.ts';
import { loadedRecord, openedRows, type SeqRange, seqPages } from './settled.ts';

const PAGE = 500;
/** Their lines are short. */
const LATER_PAGE = 5000;
/** Most records of a run are complete, and not kept. */
const KEPT_PAGE = 2000;

/**
 * Reads the records of a run with these outcomes that no later run replaced, with their rows. The caller may settle them
 * again meanwhile.
 */
export async function* retryPages(
  sql: Sql,
  run: number,
  { outcomes, seal }: { readonly outcomes: readonly OutcomeStatus[]; readonly seal: RowSeal },
): AsyncGenerator<RecordResult[]> {
  const { files } = await tablesOfRun(sql, run);
  const settled = settledIn(files);
  const kept = (sql: Sql, part: SeqRange) =>
    sql.query<RecordLine>(
      `
      select record.seq, row, file, key, outcome, id, http_status, attempts, duration_ms, code, field, message, kept.rows
      from kept cross join lateral (
        select * from record where record.run = kept.run and record.seq = kept.seq limit 1
      ) as record
      where kept.run = $1 and kept.seq between $2 and $3 and outcome = any ($4) and coalesce(code, '') <> all ($5)
        and not exists (select 1 from sequel where sequel.run = kept.run and sequel.seq = kept.seq)
      order by kept.seq`,
      [...part, outcomes, [...NOT_POSSIBLE]],
    );
  for await (const lines of seqPages(sql, 'kept', run, KEPT_PAGE, kept))
    yield lines.map((line) => settled(openedRows(loadedRecord(line), seal)));
}

/** Reads the records that a run created, or that a later run created in their place. */
export async function* createdPages(sql: Sql, run: number): AsyncGenerator<Created[]> {
  const { files } = await tablesOfRun(sql, run);
  const created = (sql: Sql, part: SeqRange) =>
    sql.query<Omit<Created, 'file'> & Pick<RecordLine, 'file'>>(
      `
      select record.seq, record.row, record.file, coalesce(later.key, record.key) as key,
        coalesce(later.id, record.id) as id
      from record
        left join lateral (
          select later.outcome, later.key, later.id
          from sequel join record as later on later.run = by_run and later.seq = by_seq
          where sequel.run = record.run and sequel.seq = record.seq limit 1
        ) as later on true
      where record.run = $1 and record.seq between $2 and $3 and coalesce(later.outcome, record.outcome) = 'created'
        and coalesce(later.id, record.id) is not null
      order by record.seq`,
      part,
    );
  for await (const lines of seqPages(sql, 'record', run, PAGE, created))
    yield lines.map((line) => ({ ...loadedLine(line, ['key', 'id']), file: fileAt(files, line.file) }));
}

/** Reads the records of one store and resource that have these identifiers, the latest first. Reads all of its records. */
export async function holdersIn(
  sql: Sql,
  { store, resource }: RecordTarget,
  ids: readonly string[],
): Promise<Holder[]> {
  const lines = await sql.query<Omit<Holder, 'ref'> & { by_run: number; by_seq: number }>(
    `
    select record.id, run.id as run, record.row, record.key, record.run as by_run, record.seq as by_seq
    from run join record on record.run = run.number
    where run.store = $1 and run.resource = $2 and run.remembered and run.command <> 'undo'
      and outcome in ('created', 'updated', 'unchanged') and record.id = any ($3)
    order by record.run desc, record.seq`,
    [store, resource, ids.map(storedText)],
  );
  return lines.map((line) => {
    const { id, run, row, key, by_run, by_seq } = loadedLine(line, ['id', 'key']);
    return { id, run, row, key, ref: [by_run, by_seq] };
  });
}

/** Records that later runs at the store of a run have settled, the latest run first. */
export async function* laterPages(
  sql: Sql,
  { number, store, resource }: OlderRun,
): AsyncGenerator<LaterRecord[]> {
  const runs = await sql.query<{ number: number; id: string }>(
    `
    select number, id from run
    where store = $1 and resource = $2 and number > $3 and command = 'import' and remembered order by number desc`,
    [store, resource, number],
  );
  for (const { number: later, id: run } of runs) {
    const settled = (sql: Sql, part: SeqRange) =>
      sql.query<{ key: string; id: string | null }>(
        `
        select key, id from record
        where run = $1 and seq between $2 and $3
          and (outcome in ('created', 'updated') or outcome = 'unchanged' and code is null
            or outcome = 'in-doubt' and attempts > 0)`,
        part,
      );
    for await (const lines of seqPages(sql, 'record', later, LATER_PAGE, settled))
      yield lines.map((line) => {
        const { key, id } = loadedLine(line, ['key', 'id']);
        return { run, key, ...(id === null ? {} : { id }) };
      });
  }
}

/** The last checkpoint at or before the record `seq`. */
export async function checkpointIn(sql: Sql, run: number, seq: number): Promise<Checkpoint | undefined> {
  const [checkpoint] = await sql.query<Checkpoint>(
    `
    select seq, file, at::float8 as "offset", row, line from mark where run = $1 and seq <= $2
    order by seq desc limit 1`,
    [run, seq],
  );
  return checkpoint;
}
