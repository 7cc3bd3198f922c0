import { type Checkpoint, type PackedIntent, packKinds, packRows } from '../../ledger/engine.ts';
import { INCOMPLETE, type RecordResult } from '../../model/index.ts';
import type { RowSeal } from '../row-seal.ts';
import type { Sql } from '../sql.ts';
import { storedOrNull, storedText } from '../text.ts';
import { sealedIntents } from './sealed-intents.ts';

/** One part of a run's log, as it is written into the tables. */
export interface FoldedLog {
  /** In source order. */
  readonly ended: readonly RecordResult[];
  /** All intents without an outcome; they replace those before. */
  readonly open: readonly PackedIntent[];
  readonly checkpoints?: readonly Checkpoint[] | undefined;
  /** The fold of the log that counts from now on. Lines of earlier ones are deleted. */
  readonly next: number;
  /** Of the lease. */
  readonly epoch: number;
}

export interface RecordTablesOptions {
  /** Number of the run. */
  readonly run: number;
  /** True if the run may have records that were unsent when it stopped, and are settled again. */
  readonly isResumed: boolean;
  /** Names of the run's files, if it has several. */
  readonly files: readonly string[];
  readonly seal: RowSeal;
}

/** The tables of one run, into which its log is folded. */
export interface RecordTables {
  /** Call before the transaction of `fold`: adds what other runs share, without a fence. */
  prepare(sql: Sql, ended: readonly RecordResult[]): Promise<void>;
  /** Writes all of it. `sql`: a fenced transaction. */
  fold(sql: Sql, folded: FoldedLog): Promise<void>;
}

export function openRecordTables({ run, isResumed, files, seal }: RecordTablesOptions): RecordTables {
  /** Numbers of lists of fields. There are few: as many as combinations of empty cells. */
  const shapes = new Map<string, number>();

  return {
    async prepare(sql, ended) {
      const fields = new Set(ended.flatMap(({ digests }) => (digests ? [digests.fields] : [])));
      const unknown = [...fields].filter((each) => !shapes.has(each)).sort();
      if (unknown.length === 0) return;
      const stored = new Map(unknown.map((each) => [storedText(each), each]));
      // In one order in all workers, so that none waits for another one in a circle.
      await sql.query(
        'insert into shape (fields) select unnest($1::text[]) order by 1 on conflict do nothing',
        [[...stored.keys()]],
      );
      const lines = await sql.query<{ number: number; fields: string }>(
        'select number, fields from shape where fields = any ($1::text[])',
        [[...stored.keys()]],
      );
      for (const { number, fields } of lines) shapes.set(stored.get(fields) ?? fields, number);
    },
    async fold(sql, { ended, open, checkpoints = [], next, epoch }) {
      // Waits for an earlier try: its connection may be lost, and its commit still on the way.
      const before = await sql.query('select 1 from run where number = $1 and fold < $2 for update', [
        run,
        next,
      ]);
      // Only the answer to the commit was lost.
      if (before.length === 0) return;
      if (ended.length > 0) {
        if (isResumed) await sql.query(FORGET, [run, ended.map(({ seq }) => seq)]);
        await sql.query(isResumed ? RESETTLE : SETTLE, [run, ...recordColumns(ended, { files, shapes })]);
      }
      const kept = ended.filter(({ rows }) => rows);
      if (kept.length > 0) await sql.query(KEEP, [run, ...keptColumns(kept, seal)]);
      if (checkpoints.length > 0) await sql.query(MARK, [run, ...markColumns(checkpoints)]);
      await supersede(sql, run, ended);
      await sql.query(NEXT_FOLD, [run, next, epoch, sealedIntents(open, seal)]);
    },
  };
}

const RECORD_COLUMNS =
  'seq, row, file, key, outcome, id, http_status, attempts, duration_ms, code, field, message, shape, digests';

const SETTLE = `
  insert into record (run, ${RECORD_COLUMNS})
  select $1::integer, * from unnest($2::integer[], $3::integer[], $4::integer[], $5::text[], $6::text[], $7::text[],
    $8::integer[], $9::integer[], $10::integer[], $11::text[], $12::text[], $13::text[], $14::integer[], $15::text[])`;

/** In a resumed run, records that were unsent before are settled again. */
const RESETTLE = `${SETTLE}
  on conflict (run, seq) do update set ${RECORD_COLUMNS.split(', ')
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')}`;

/** A record that is settled again is the current one: it may have shared a doubt that is over. */
const FORGET = `
  with sequels as (delete from sequel where run = $1 and seq = any ($2::integer[]))
  delete from kept where run = $1 and seq = any ($2::integer[])`;

const KEEP = `
  insert into kept (run, seq, rows, kinds)
  select $1::integer, * from unnest($2::integer[], $3::text[], $4::text[])`;

const MARK = `
  insert into mark (run, seq, file, at, row, line)
  select $1::integer, * from unnest($2::integer[], $3::integer[], $4::bigint[], $5::integer[], $6::integer[])
  on conflict (run, seq) do update
    set file = excluded.file, at = excluded.at, row = excluded.row, line = excluded.line`;

const NEXT_FOLD = `
  with folded as (delete from log where run = $1 and fold < $2),
    noted as (
      insert into intents (run, entries) values ($1, $4) on conflict (run) do update set entries = excluded.entries
    )
  update run set fold = $2, epoch = $3 where number = $1`;

/** Values by column, since `unnest` takes a list for each. */
function recordColumns(
  records: readonly RecordResult[],
  { files, shapes }: { readonly files: readonly string[]; readonly shapes: ReadonlyMap<string, number> },
): unknown[] {
  const columns: unknown[][] = Array.from({ length: 14 }, () => []);
  for (const { seq, row, file, key, outcome, digests } of records) {
    const fileIndex = file === undefined ? -1 : files.indexOf(file);
    const values = [
      seq,
      row,
      fileIndex < 0 ? null : fileIndex,
      storedText(key),
      outcome.outcome,
      storedOrNull(outcome.id),
      outcome.httpStatus ?? null,
      outcome.attempts,
      Math.round(outcome.durationMs),
      storedOrNull(outcome.code),
      storedOrNull(outcome.field),
      storedOrNull(outcome.message),
      digests ? (shapes.get(digests.fields) ?? null) : null,
      digests?.digests ?? null,
    ];
    for (let at = 0; at < values.length; at++) columns[at]?.push(values[at]);
  }
  return columns;
}

function keptColumns(records: readonly RecordResult[], seal: RowSeal): unknown[] {
  return [
    records.map(({ seq }) => seq),
    records.map(({ rows = [] }) => seal.seal(packRows(rows))),
    records.map(({ outcome: { kinds } }) => (kinds ? packKinds(kinds) : null)),
  ];
}

function markColumns(checkpoints: readonly Checkpoint[]): unknown[] {
  return [
    checkpoints.map(({ seq }) => seq),
    checkpoints.map(({ file }) => file),
    checkpoints.map(({ offset }) => offset),
    checkpoints.map(({ row }) => row),
    checkpoints.map(({ line }) => line),
  ];
}

/** One record that gives way to another. */
type Succession = readonly [run: number, seq: number, byRun: number, bySeq: number, byIncomplete: boolean];

/**
 * Updates which record is current. A record supersedes those of earlier runs that are imported again in it. If it was not
 * sent because an earlier record is in doubt, that one stays current for both.
 */
async function supersede(sql: Sql, run: number, ended: readonly RecordResult[]): Promise<void> {
  const shared: Succession[] = [];
  const replaced: Succession[] = [];
  for (const { seq, outcome, supersedes = [], sharesOutcomeOf } of ended) {
    if (sharesOutcomeOf) shared.push([run, seq, sharesOutcomeOf[0], sharesOutcomeOf[1], false]);
    const isIncomplete = INCOMPLETE.has(outcome.outcome);
    for (const [earlierRun, earlierSeq] of supersedes)
      replaced.push([earlierRun, earlierSeq, run, seq, isIncomplete]);
  }
  for (const each of [...withoutTwins(shared), ...withoutTwins(replaced)])
    await sql.query(SUPERSEDE, columnsOf(each));
  for (const each of withoutTwins(replaced)) await sql.query(RELINK, columnsOf(each).slice(0, 4));
}

/** Parts in which no record occurs twice, since one statement changes a line once. In the same order. */
function withoutTwins(successions: readonly Succession[]): Succession[][] {
  const parts: Map<string, Succession>[] = [];
  for (const each of successions) {
    const id = `${each[0]} ${each[1]}`;
    let part = parts.at(-1);
    if (!part || part.has(id)) {
      part = new Map();
      parts.push(part);
    }
    part.set(id, each);
  }
  return parts.map((part) => [...part.values()]);
}

function columnsOf(successions: readonly Succession[]): unknown[] {
  return [0, 1, 2, 3, 4].map((column) => successions.map((each) => each[column]));
}

/** An incomplete record does not replace a complete one. */
const SUPERSEDE = `
  insert into sequel (run, seq, by_run, by_seq)
  select run, seq, by_run, by_seq
  from unnest($1::integer[], $2::integer[], $3::integer[], $4::integer[], $5::boolean[])
    as later (run, seq, by_run, by_seq, is_incomplete)
  where not is_incomplete
    or not exists (select 1 from sequel where sequel.run = later.run and sequel.seq = later.seq)
    or exists (
      select 1 from sequel join record on record.run = sequel.by_run and record.seq = sequel.by_seq
      where sequel.run = later.run and sequel.seq = later.seq
        and outcome in ('invalid', 'rejected', 'failed', 'unsent', 'in-doubt')
    )
  on conflict (run, seq) do update set by_run = excluded.by_run, by_seq = excluded.by_seq`;

const RELINK = `
  update sequel set by_run = later.by_run, by_seq = later.by_seq
  from unnest($1::integer[], $2::integer[], $3::integer[], $4::integer[]) as later (run, seq, by_run, by_seq)
  where sequel.by_run = later.run and sequel.by_seq = later.seq`;
