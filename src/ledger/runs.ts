import {
  type EmptyRows,
  folderAround,
  type ImageCounts,
  type Json,
  type JsonObject,
  lostFolder,
  type OpenLook,
  type OpenMappingWarning,
  type OpenSuspicion,
  type OutcomeStatus,
  pathAfter,
  pathToWrite,
  type ReadFormat,
  type RuleUse,
  type RunActivity,
  type StopReason,
} from '../model/index.ts';
import { type Database, hasLedger, openDatabase } from './database/database.ts';
import { STATEMENTS } from './database/statements.ts';

export type RunCommand = 'import' | 'adopt' | 'undo';

/** The data of a run when it begins. */
export interface NewRun {
  readonly id: string;
  /** `adopt` and `undo` have records too, and are runs like an import. */
  readonly command: RunCommand;
  readonly resource: string;
  readonly mode: string;
  /** Effective base URL, without credentials. */
  readonly store: string;
  /** True if the store outlives the command, so that later runs may know what this one created. */
  readonly remembered: boolean;
  readonly mappingName: string;
  readonly mappingDigest: string;
  readonly files: readonly SourceFile[];
  readonly header: readonly string[];
  /** The options of the command: everything needed to resume the run later. Nothing secret. */
  readonly options: JsonObject;
  readonly out: string;
  readonly version: string;
  /** Milliseconds since 1970, as are all times here. */
  readonly startedAt: number;
}

export interface SourceFile {
  /** As the user named it; `-` is standard input. */
  readonly file: string;
  /** Absolute; undefined if it cannot be read again. */
  readonly path?: string;
  readonly size?: number;
  /** Of all its bytes; undefined for standard input that was not read to its end. */
  readonly sha256?: string;
  /** How it was read, up to the point that was reached. */
  readonly reading?: ReadFormat;
  /** Rows that the mapping left out; undefined if it leaves out none. */
  readonly skippedRows?: number;
  /** Rows that the options of the run left out; undefined if they leave out none. */
  readonly leftOutRows?: number;
  /** Undefined if it has none. */
  readonly emptyRows?: EmptyRows;
  /** Columns, or fields of its first objects, that the mapping does not use; undefined if it uses all. */
  readonly unused?: readonly string[];
  /** Unused columns of data that a shop would miss, by kind; undefined if there are none. */
  readonly missed?: readonly { readonly kind: string; readonly columns: readonly string[] }[];
  /** Suspect cells; undefined if there are none. */
  readonly suspicious?: readonly OpenSuspicion[];
  /**
   * Rules of the user's mapping that fail silently if they never apply; undefined if only a part of the file was
   * requested.
   */
  readonly rules?: readonly RuleUse[];
  /** Warnings of the mapping about its records; undefined if there are none. */
  readonly warnings?: readonly OpenMappingWarning[];
  /** Figures of its valid records; undefined if there are none. */
  readonly look?: OpenLook;
  /** For objects that already are payloads: fields that were left out of each, since the API does not have them. */
  readonly leftOut?: readonly string[];
  /** Counts of the check of images in all files of the run, if there was one. Only the first file has them. */
  readonly images?: ImageCounts;
}

/** `running`: it has begun and not ended. If nobody holds the store's lock, it died. */
export type RunState = 'running' | 'done' | 'stopped';

/** A run as stored in the ledger. */
export interface KnownRun extends NewRun {
  /** Its working folder, if that is gone: `out` is then below the present one. */
  readonly lostFolder?: string;
  readonly number: number;
  readonly state: RunState;
  /**
   * True if its files were read to their end, so that all its records are here and can be planned again without them.
   */
  readonly whole: boolean;
  readonly stopped?: { readonly reason: StopReason; readonly message: string };
  /** Records that were not read when it stopped; undefined if they could not be counted. */
  readonly notRead?: number;
  readonly finishedAt?: number;
  /** Undefined until it is noted. */
  readonly activity?: RunActivity;
  /** Total duration of all its executions. */
  readonly workedMs: number;
  /** Undefined if no prune was allowed to drop anything. A prune may have found that all is needed. */
  readonly lastPrune?: LastPrune;
  /** Set if lines of its records were dropped. It can then not be shown, continued or undone. */
  readonly pruned?: PrunedRun;
}

/** Number of records by outcome; only outcomes that occur. */
export type OutcomeCounts = Readonly<Partial<Record<OutcomeStatus, number>>>;

export interface LastPrune {
  readonly at: number;
  /** The record at which an interrupted prune continues; undefined if it has ended. */
  readonly next?: number;
}

export interface PrunedRun {
  /** The time of its last prune. */
  readonly at: number;
  /** Its records whose lines were dropped. */
  readonly dropped: OutcomeCounts;
}

/** The end of one execution of a run. */
export interface RunEnd {
  readonly state: 'done' | 'stopped';
  readonly files: readonly SourceFile[];
  readonly stopped?: { readonly reason: StopReason; readonly message: string } | undefined;
  readonly notRead?: number | undefined;
  readonly finishedAt: number;
  readonly activity?: RunActivity | undefined;
  readonly workedMs: number;
}

/** `home`: the folder of the ledger. */
export function insertRun(database: Database, run: NewRun, home: string): number {
  const { lastInsertRowid } = database
    .prepare(STATEMENTS.beginRun)
    .run(
      run.id,
      run.command,
      run.resource,
      run.mode,
      run.store,
      run.remembered ? 1 : 0,
      run.mappingName,
      run.mappingDigest,
      JSON.stringify(run.files),
      JSON.stringify(run.header),
      JSON.stringify(run.options),
      run.out,
      run.version,
      run.startedAt,
      folderAround(home),
    );
  return Number(lastInsertRowid);
}

/** Notes that a run is executed again, with its paths as they are now. */
export function reopenRun(database: Database, run: KnownRun, home: string): void {
  const { number, files, options, out } = run;
  database
    .prepare(STATEMENTS.reopenRun)
    .run(number, JSON.stringify(files), JSON.stringify(options), out, folderAround(home));
}

export function endRun(database: Database, run: number, end: RunEnd): void {
  const { state, files, stopped, notRead, finishedAt, workedMs, activity } = end;
  database
    .prepare(STATEMENTS.endRun)
    .run(
      state,
      stopped?.reason ?? null,
      stopped?.message ?? null,
      notRead ?? null,
      JSON.stringify(files),
      workedMs,
      finishedAt,
      run,
      activity === undefined ? null : JSON.stringify(activity),
    );
}

/** Latest first. */
export function allRuns(database: Database, home: string): KnownRun[] {
  return (database.prepare(STATEMENTS.runs).all() as StoredRun[]).map((line) => runIn(home, line));
}

/** The run with that id; undefined if there is none. */
export function runById(database: Database, id: string, home: string): KnownRun | undefined {
  const line = database.prepare(STATEMENTS.runOfId).get(id) as StoredRun | undefined;
  return line && runIn(home, line);
}

/** Reads a run again, as it is now. */
export function runNow(database: Database, run: KnownRun, home: string): KnownRun {
  return runIn(home, database.prepare(STATEMENTS.run).get(run.number) as StoredRun);
}

/**
 * A run with its paths where they are now, if the folder that holds the home was moved, copied or restored, or if the working
 * folder beside another home was renamed.
 */
function runIn(home: string, line: StoredRun): KnownRun {
  const run = knownRun(line);
  const to = folderAround(home);
  const moved = { from: line.base ?? to, to };
  const out = pathToWrite(run.out, moved);
  const lost = lostFolder(out);
  if (moved.from === to && lost === undefined) return run;
  const moves = lost ? [moved, lost] : [moved];
  const now = (value: Json): Json =>
    Array.isArray(value) ? value.map(now) : typeof value === 'string' ? pathAfter(value, moves) : value;
  return {
    ...run,
    out: lost?.out ?? out,
    ...(lost && { lostFolder: lost.from }),
    files: run.files.map((file) =>
      file.path === undefined ? file : { ...file, path: pathAfter(file.path, moves) },
    ),
    options: Object.fromEntries(Object.entries(run.options).map(([name, value]) => [name, now(value)])),
  };
}

/** Returns the names of a run's files if it has several; records are then stored with theirs. */
export function filesOfRun(database: Database, run: number): readonly string[] {
  const { files } = database.prepare(STATEMENTS.filesOf).get(run) as { files: string };
  const names = (JSON.parse(files) as SourceFile[]).map(({ file }) => file);
  return names.length > 1 ? names : [];
}

/** Finds the run with that id under `home`. Does not create a ledger. */
export function runUnder(home: string, id: string): KnownRun | undefined {
  return runsUnder(home).find((run) => run.id === id);
}

/** The runs under `home`, the latest first. Does not create a ledger, and settles no run that died. */
export function runsUnder(home: string): KnownRun[] {
  if (!hasLedger(home)) return [];
  const database = openDatabase(home);
  try {
    return allRuns(database, home);
  } finally {
    database.close();
  }
}

/** A run with the number of its records by outcome. */
export interface CountedRun {
  readonly run: KnownRun;
  readonly outcomes: Readonly<Partial<Record<OutcomeStatus, number>>>;
}

/** The latest runs under `home`, not more than `most`. Like `runsUnder`, it changes nothing. Throws ConfigError. */
export function countedRuns(home: string, most: number): CountedRun[] {
  if (!hasLedger(home)) return [];
  const database = openDatabase(home);
  try {
    return allRuns(database, home)
      .slice(0, most)
      .map((run) => ({ run, outcomes: outcomesOf(database, run) }));
  } finally {
    database.close();
  }
}

/** Number of the records of a run by outcome. */
export function outcomesOf(
  database: Database,
  { number }: KnownRun,
): Readonly<Partial<Record<OutcomeStatus, number>>> {
  const counts = database.prepare(STATEMENTS.outcomes).all(number) as {
    outcome: OutcomeStatus;
    count: number;
  }[];
  return Object.fromEntries(counts.map(({ outcome, count }) => [outcome, count]));
}

/** A run as the tables have it. */
export interface StoredRun {
  readonly number: number;
  readonly id: string;
  readonly state: RunState;
  readonly command: RunCommand;
  readonly whole: number;
  readonly stop_reason: StopReason | null;
  readonly stop_message: string | null;
  readonly resource: string;
  readonly mode: string;
  readonly store: string;
  readonly remembered: number;
  readonly mapping_name: string;
  readonly mapping_digest: string;
  readonly files: string;
  readonly header: string;
  readonly options: string;
  readonly out: string;
  readonly version: string;
  readonly not_read: number | null;
  readonly started_at: number;
  readonly finished_at: number | null;
  readonly worked_ms: number;
  readonly activity: string | null;
  readonly pruned_at: number | null;
  readonly pruned: string | null;
  readonly prune_next: number | null;
  readonly base: string | null;
}

export function knownRun(line: StoredRun): KnownRun {
  return {
    number: line.number,
    id: line.id,
    state: line.state,
    command: line.command,
    whole: line.whole === 1,
    ...(line.stop_reason === null
      ? {}
      : { stopped: { reason: line.stop_reason, message: line.stop_message ?? '' } }),
    resource: line.resource,
    mode: line.mode,
    store: line.store,
    remembered: line.remembered === 1,
    mappingName: line.mapping_name,
    mappingDigest: line.mapping_digest,
    files: JSON.parse(line.files) as SourceFile[],
    header: JSON.parse(line.header) as string[],
    options: JSON.parse(line.options) as JsonObject,
    out: line.out,
    version: line.version,
    ...(line.not_read === null ? {} : { notRead: line.not_read }),
    startedAt: line.started_at,
    ...(line.finished_at === null ? {} : { finishedAt: line.finished_at }),
    ...(line.activity === null ? {} : { activity: JSON.parse(line.activity) as RunActivity }),
    workedMs: line.worked_ms,
    ...(line.pruned_at === null ? {} : pruneOf(line, line.pruned_at)),
  };
}

function pruneOf(
  { pruned, prune_next: next }: StoredRun,
  at: number,
): Pick<KnownRun, 'lastPrune' | 'pruned'> {
  const dropped = JSON.parse(pruned ?? '{}') as OutcomeCounts;
  return {
    lastPrune: { at, ...(next === null ? {} : { next }) },
    ...(Object.keys(dropped).length === 0 ? {} : { pruned: { at, dropped } }),
  };
}
