import {
  type KnownRun,
  knownRun,
  type NewRun,
  type OutcomeCounts,
  type RunEnd,
  type SourceFile,
  type StoredRun,
} from '../../ledger/engine.ts';
import type { OutcomeStatus, RunActivity } from '../../model/index.ts';
import { LONG_ANSWER_MS, type Sql } from '../sql.ts';
import { loadedLine, storedText } from '../text.ts';

/** The columns as SQLite has them. No line of a fleet's run is dropped. */
const RUN_COLUMNS = `
  number, id, state, command, whole::integer, stop_reason, stop_message, resource, mode, store, remembered::integer,
  mapping_name, mapping_digest, files, header, options, out, version, not_read, started_at::float8,
  finished_at::float8, worked_ms::float8, activity, null as pruned_at, null as pruned, null as prune_next, null as base`;

/** Undoes `storedText`: a message may quote what a file has. */
function loadedRun(line: StoredRun): KnownRun {
  return knownRun(loadedLine(line, ['stop_message', 'mapping_name', 'out']));
}

/** Which runs are read; all if nothing is said. */
export interface RunFilter {
  /** Base URL. */
  readonly store?: string | undefined;
  /** Maximum number. */
  readonly most?: number | undefined;
}

/** Latest first. */
export async function runsIn(sql: Sql, { store, most }: RunFilter = {}): Promise<KnownRun[]> {
  const lines = await sql.query<StoredRun>(
    `select ${RUN_COLUMNS} from run where $1::text is null or store = $1 order by number desc limit $2`,
    [store ?? null, most ?? null],
  );
  return lines.map(loadedRun);
}

/** The run with that id. */
export async function runWithId(sql: Sql, id: string): Promise<KnownRun | undefined> {
  const [line] = await sql.query<StoredRun>(`select ${RUN_COLUMNS} from run where id = $1`, [id]);
  return line && loadedRun(line);
}

/** Reads a run again, as it is now. */
export async function runAgain(sql: Sql, run: Pick<KnownRun, 'number' | 'id'>): Promise<KnownRun> {
  const [line] = await sql.query<StoredRun>(`select ${RUN_COLUMNS} from run where number = $1`, [run.number]);
  if (!line) throw new Error(`run ${run.id} is gone`);
  return loadedRun(line);
}

/** Begins a run, and returns its number. `epoch`: of the lease. The caller begins a fenced transaction, as for all changes. */
export async function insertRunIn(sql: Sql, run: NewRun, epoch: number): Promise<number> {
  const [line] = await sql.query<{ number: number }>(
    `
    insert into run
      (id, state, command, resource, mode, store, remembered, mapping_name, mapping_digest, files, header, options, out,
        version, started_at, epoch)
    values ($1, 'running', $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
    returning number`,
    [
      run.id,
      run.command,
      run.resource,
      run.mode,
      run.store,
      run.remembered,
      storedText(run.mappingName),
      run.mappingDigest,
      JSON.stringify(run.files),
      JSON.stringify(run.header),
      JSON.stringify(run.options),
      storedText(run.out),
      run.version,
      run.startedAt,
      epoch,
    ],
  );
  if (!line) throw new Error('a run that was inserted has no number');
  return line.number;
}

/** Opens a run again. Its keys will change, so they must be indexed again. */
export async function reopenRunIn(sql: Sql, run: number, epoch: number): Promise<void> {
  await sql.query(`update run set state = 'running', identified = false, epoch = $2 where number = $1`, [
    run,
    epoch,
  ]);
}

export async function keepActivityIn(sql: Sql, run: number, activity: RunActivity): Promise<void> {
  await sql.query('update run set activity = $2 where number = $1', [run, JSON.stringify(activity)]);
}

export async function endRunIn(sql: Sql, run: number, end: RunEnd): Promise<void> {
  const { state, files, stopped, notRead, finishedAt, workedMs, activity } = end;
  await sql.query(
    `
    update run set state = $2::text, stop_reason = $3, stop_message = $4, not_read = $5, files = $6,
      worked_ms = worked_ms + $7::bigint, finished_at = $8::bigint, whole = whole or $2::text = 'done',
      activity = coalesce($9, activity)
    where number = $1`,
    [
      run,
      state,
      stopped?.reason ?? null,
      stopped ? storedText(stopped.message) : null,
      notRead ?? null,
      JSON.stringify(files),
      Math.round(workedMs),
      Math.round(finishedAt),
      activity === undefined ? null : JSON.stringify(activity),
    ],
  );
}

/** Number of the records of a run by outcome. One that was imported again counts with its current outcome. */
export async function outcomesIn(sql: Sql, run: number): Promise<OutcomeCounts> {
  return (await outcomesOfRuns(sql, [run])).get(run) ?? {};
}

export type OutcomesOfRun = Readonly<Record<string, number>>;

/** The same for several runs, by their numbers. A run without records is left out. */
export async function outcomesOfRuns(
  sql: Sql,
  runs: readonly number[],
): Promise<ReadonlyMap<number, OutcomesOfRun>> {
  const counts = await sql.query<{ run: number; outcome: OutcomeStatus; count: number }>(
    `
    select run, outcome, sum(count)::integer as count from (
      select run, outcome, count(*) as count from record where run = any ($1::integer[]) group by run, outcome
      union all
      select sequel.run, record.outcome, -1
        from sequel join record on record.run = sequel.run and record.seq = sequel.seq
        where sequel.run = any ($1::integer[])
      union all
      select sequel.run, record.outcome, 1 from sequel join record on record.run = by_run and record.seq = by_seq
        where sequel.run = any ($1::integer[])
    ) as counted
    group by run, outcome having sum(count) > 0`,
    [runs],
    LONG_ANSWER_MS,
  );
  const found = new Map<number, Record<string, number>>();
  for (const { run, outcome, count } of counts) found.set(run, { ...found.get(run), [outcome]: count });
  return found;
}

/** Selects the numbers of runs with records in doubt. One that was imported again counts with its current outcome. */
export const RUNS_IN_DOUBT = `
  select run from record where outcome = 'in-doubt'
    and not exists (select 1 from sequel where sequel.run = record.run and sequel.seq = record.seq)
  union
  select sequel.run from record join sequel on by_run = record.run and by_seq = record.seq where outcome = 'in-doubt'`;

/** The list of a run's files as it is stored, and the columns of its rows. */
export interface RunTables {
  /** Names, if the run has several files; records are then stored with theirs. */
  readonly files: readonly string[];
  readonly header: readonly string[];
}

export async function tablesOfRun(sql: Sql, run: number): Promise<RunTables> {
  const [line] = await sql.query<{ files: string; header: string }>(
    'select files, header from run where number = $1',
    [run],
  );
  if (!line) throw new Error(`run ${run} is gone`);
  const names = (JSON.parse(line.files) as SourceFile[]).map(({ file }) => file);
  return { files: names.length > 1 ? names : [], header: JSON.parse(line.header) as string[] };
}
