import {
  contactKey,
  normalisedKey,
  type OutcomeStatus,
  type PriorState,
  type RecordRef,
  type Trashed,
} from '../../model/index.ts';
import { type Database, inTransaction } from '../database/database.ts';
import { STATEMENTS } from '../database/statements.ts';
import type { RunCommand, SourceFile } from '../runs.ts';

/**
 * Indexes the keys of a run: for keys that it created, updated or left in doubt, its records become the current ones.
 * Done at the end of a run and not for each record, since in the order of the keys it costs a third.
 */
export function identify(database: Database, run: number): void {
  database.prepare(STATEMENTS.addTarget).run(run);
  database.prepare(STATEMENTS.identify).run(run);
  // Keys that SQLite cannot normalise.
  const others = database.prepare(STATEMENTS.identifiedByHand).all(run) as { seq: number; key: string }[];
  const insert = database.prepare(STATEMENTS.identifyOne);
  for (const { seq, key } of others) insert.run(normalisedKey(key), run, seq);
  database.prepare(STATEMENTS.identifyMails).run(run);
  const contacts = database.prepare(STATEMENTS.identifiedByContact).all(run) as {
    seq: number;
    key: string;
  }[];
  for (const { seq, key } of contacts) insert.run(contactKey(key), run, seq);
  database.prepare(STATEMENTS.trash).run(run);
  // Usually the trash is empty, and then the updates of the run need not be searched.
  if (database.prepare(STATEMENTS.trashExists).get()) database.prepare(STATEMENTS.restore).run(run);
  database.prepare(STATEMENTS.identified).run(run);
}

/** The records of one resource at one store. */
export interface RecordTarget {
  readonly store: string;
  readonly resource: string;
}

/**
 * Indexes the keys of runs that died. Not done when such a run is found: a resumed run knows its own keys, and indexes
 * all of them at its end. `exceptRun` is the number of that run.
 */
export function identifyDead(
  database: Database,
  { store, resource }: RecordTarget,
  exceptRun?: number | undefined,
): void {
  const runs = database.prepare(STATEMENTS.unidentified).all(store, resource) as { number: number }[];
  for (const { number } of runs)
    if (number !== exceptRun) inTransaction(database, () => identify(database, number));
}

/** True if anything is known of that resource, at any store. */
export function knowsResource(database: Database, resource: string): boolean {
  return database.prepare(STATEMENTS.knowsResource).get(resource) !== undefined;
}

/** The file from which a record was imported. */
export interface RecordOrigin {
  /** Id of the run. */
  readonly run: string;
  /** As the user named it. */
  readonly file: string;
  /** Absolute; undefined if it cannot be read again. */
  readonly path?: string;
}

/** Undefined for a record that no import made. */
export function sourcesIn(database: Database): (ref: RecordRef) => RecordOrigin | undefined {
  const select = database.prepare(STATEMENTS.sourceOf);
  return ([run, seq]) => {
    const line = select.get(run, seq) as SourceLine | undefined;
    return line && importedFrom(line, JSON.parse(line.files) as SourceFile[]);
  };
}

/** `files`: those of the record's run. Undefined if the run is not an import. */
export function importedFrom(
  { run, command, file: at }: OriginLine,
  files: readonly SourceFile[],
): RecordOrigin | undefined {
  if (command !== 'import') return undefined;
  const { file, path } = files[at ?? 0] ?? {};
  return file === undefined ? undefined : { run, file, ...(path === undefined ? {} : { path }) };
}

/** The run of a record, and the index of its file there. */
export interface OriginLine {
  readonly run: string;
  readonly command: RunCommand;
  readonly file: number | null;
}

interface SourceLine extends OriginLine {
  readonly files: string;
}

/** Countries that the runs of a store and resource read phone numbers in. */
export function countriesOf(database: Database, { store, resource }: RecordTarget): string[] {
  const lines = database.prepare(STATEMENTS.countries).all(store, resource) as { country: string }[];
  return lines.map(({ country }) => country);
}

/** Returns some identifiers that a store assigned, of any resource. */
export function someIds(database: Database, store: string): string[] {
  return (database.prepare(STATEMENTS.someIds).all(store) as { id: string }[]).map(({ id }) => id);
}

/** Returns the state of keys at one store from earlier runs. Keys are normalised. */
export type KeyLookup = (keys: readonly string[]) => ReadonlyMap<string, PriorState>;

/** Undefined if nothing is known of that store and resource yet, so that callers can skip lookups. */
export function lookupFor(database: Database, { store, resource }: RecordTarget): KeyLookup | undefined {
  const target = database.prepare(STATEMENTS.target).get(store, resource) as { number: number } | undefined;
  if (!target) return undefined;
  const select = database.prepare(STATEMENTS.known);
  return (keys) => {
    const lines = select.all(JSON.stringify(keys), target.number) as KnownLine[];
    return new Map(lines.map((line) => [line.key, priorStateOf(line)]));
  };
}

/** Returns those of the identifiers whose records are in the trash since an undo. */
export type FindTrashed = (ids: readonly string[]) => ReadonlyMap<string, Trashed>;

/** Undefined if the trash is empty, so that callers can skip lookups. */
export function trashedFor(database: Database, { store, resource }: RecordTarget): FindTrashed | undefined {
  const target = database.prepare(STATEMENTS.anyTrash).get(store, resource) as { number: number } | undefined;
  if (!target) return undefined;
  const select = database.prepare(STATEMENTS.trashed);
  return (ids) => {
    const lines = select.all(JSON.stringify(ids), target.number) as TrashLine[];
    return new Map(lines.map(({ id, run, outcome }) => [id, { run, sure: outcome === 'updated' }]));
  };
}

interface TrashLine {
  readonly id: string;
  readonly run: string;
  readonly outcome: OutcomeStatus;
}

/** The latest record of a key. */
export interface KnownLine {
  readonly key: string;
  readonly run: string;
  readonly row: number;
  readonly outcome: OutcomeStatus;
  readonly id: string | null;
  readonly code: string | null;
  readonly fields: string | null;
  readonly digests: string | null;
  readonly by_run: number;
  readonly by_seq: number;
}

export function priorStateOf({
  run,
  row,
  outcome,
  id,
  code,
  fields,
  digests,
  by_run,
  by_seq,
}: KnownLine): PriorState {
  return {
    run,
    row,
    ref: [by_run, by_seq],
    ...(id === null || outcome === 'in-doubt' ? {} : { id }),
    ...(code === null ? {} : { code }),
    ...(fields === null || digests === null ? {} : { digests: { fields, digests } }),
  };
}
