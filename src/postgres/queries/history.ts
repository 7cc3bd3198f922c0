import {
  importedFrom,
  type KnownLine,
  type Lookup,
  type OriginLine,
  priorStateOf,
  type RecordOrigin,
  type RecordTarget,
  type SourceFile,
  type StoreHistory,
} from '../../ledger/engine.ts';
import type { OutcomeStatus, PriorState, RecordRef, Trashed } from '../../model/index.ts';
import type { RowSeal } from '../row-seal.ts';
import type { Sql } from '../sql.ts';
import { indexedKey, loadedLine, loadedText, storedText } from '../text.ts';
import { findEarlierIn } from './earlier.ts';

/**
 * A target that has a key. In the order of the index: a search for any key would read the table from its beginning, past the
 * keys of all other stores.
 */
const HAS_KEYS = `(
  select identity.target from identity where identity.target = target.number order by key limit 1
) is not null`;

/** Keys, identifiers or places that one statement asks for. */
const ASKED = 500;

export interface HistoryOptions {
  readonly seal: RowSeal;
  /** Opens the lookup of another resource at the store. */
  readonly lookupIn: (target: RecordTarget) => Promise<Lookup | undefined>;
}

/**
 * Knowledge from earlier runs about the records of one store and resource. The keys of runs that died must be indexed.
 */
export async function historyIn(
  sql: Sql,
  target: RecordTarget,
  { seal, lookupIn }: HistoryOptions,
): Promise<StoreHistory> {
  const [lookup, ids, trashed] = [
    await lookupAt(sql, target),
    await someIdsIn(sql, target.store),
    await trashedAt(sql, target),
  ];
  return {
    lookup,
    ids,
    trashed,
    countries: () => countriesIn(sql, target),
    sourcesOf: (refs) => inBatches(refs, (some) => sourcesAt(sql, some)),
    findEarlier: findEarlierIn(sql, target, seal),
    lookupAmong: (resource) => lookupIn({ store: target.store, resource }),
  };
}

/** Countries that the runs of a store and resource read phone numbers in. */
async function countriesIn(sql: Sql, { store, resource }: RecordTarget): Promise<string[]> {
  const lines = await sql.query<{ country: string }>(
    `
    select distinct options::json ->> 'country' as country from run
    where store = $1 and resource = $2 and remembered and options::json ->> 'country' is not null`,
    [store, resource],
  );
  return lines.map(({ country }) => country);
}

/** True if anything is known of that resource, or will be once runs that died are indexed. At any store if none is named. */
export async function hasHistoryIn(
  sql: Sql,
  { store, resource }: { readonly store?: string; readonly resource: string },
): Promise<boolean> {
  const [line] = await sql.query<{ known: boolean }>(
    `
    select exists (
      select 1 from target where resource = $1 and ($2::text is null or store = $2) and ${HAS_KEYS}
    ) or exists (
      select 1 from run where resource = $1 and ($2::text is null or store = $2) and remembered and not identified
    ) as known`,
    [resource, store ?? null],
  );
  return line?.known ?? false;
}

/** Undefined if no key is known of that store and resource, so that callers can skip lookups. */
export async function lookupAt(sql: Sql, { store, resource }: RecordTarget): Promise<Lookup | undefined> {
  const [target] = await sql.query<{ number: number }>(
    `
    select number from target where store = $1 and resource = $2 and ${HAS_KEYS}`,
    [store, resource],
  );
  if (!target) return undefined;
  return async (keys) => new Map(await inBatches(keys, (some) => statesOf(sql, target.number, some)));
}

/** Each join is by a primary key and may find one line, which `limit 1` tells Postgres: it never reads a table as a whole. */
async function statesOf(
  sql: Sql,
  target: number,
  keys: readonly string[],
): Promise<(readonly [string, PriorState])[]> {
  const lines = await sql.query<Omit<KnownLine, 'key'> & { readonly at: number }>(
    `
    select wanted.at::integer, run.id as run, record.row, record.outcome, record.id, record.code, shape.fields, record.digests,
      known.run as by_run, known.seq as by_seq
    from unnest($1::text[]) with ordinality as wanted (key, at)
      cross join lateral (
        select run, seq from identity where target = $2 and identity.key = wanted.key limit 1
      ) as known
      cross join lateral (
        select * from record where record.run = known.run and record.seq = known.seq limit 1
      ) as record
      join run on run.number = known.run
      left join shape on shape.number = record.shape
    where record.outcome in ('created', 'updated', 'unchanged', 'in-doubt')`,
    [keys.map(indexedKey), target],
  );
  return lines.map(({ at, ...line }) => {
    const key = keys[at - 1] ?? '';
    return [key, priorStateOf({ ...loadedLine(line, ['id', 'code', 'fields']), key })];
  });
}

/** Undefined if the trash is empty. */
async function trashedAt(sql: Sql, { store, resource }: RecordTarget): Promise<StoreHistory['trashed']> {
  const [target] = await sql.query<{ number: number }>(
    `
    select number from target
    where store = $1 and resource = $2 and exists (select 1 from trash where target = target.number)`,
    [store, resource],
  );
  if (!target) return undefined;
  return async (ids) => new Map(await inBatches(ids, (some) => trashOf(sql, target.number, some)));
}

async function trashOf(
  sql: Sql,
  target: number,
  ids: readonly string[],
): Promise<(readonly [string, Trashed])[]> {
  const lines = await sql.query<{ id: string; run: string; outcome: OutcomeStatus }>(
    `
    select trashed.id, run.id as run, record.outcome
    from unnest($1::text[]) as wanted (id)
      cross join lateral (
        select id, run, seq from trash where target = $2 and trash.id = wanted.id limit 1
      ) as trashed
      cross join lateral (
        select outcome from record where record.run = trashed.run and record.seq = trashed.seq limit 1
      ) as record
      join run on run.number = trashed.run`,
    [ids.map(storedText), target],
  );
  return lines.map(({ id, run, outcome }) => [loadedText(id), { run, sure: outcome === 'updated' }]);
}

/** Only identifiers from the store's own answers show what its identifiers look like, not those that a user entered. */
async function someIdsIn(sql: Sql, store: string): Promise<string[]> {
  const lines = await sql.query<{ id: string }>(
    `
    select record.id
    from target
      cross join lateral (
        select run, seq from identity where identity.target = target.number order by key limit 1000
      ) as known
      cross join lateral (
        select id, outcome, http_status from record where record.run = known.run and record.seq = known.seq limit 1
      ) as record
    where target.store = $1 and outcome in ('created', 'updated') and http_status between 200 and 299
      and record.id is not null
    limit 100`,
    [store],
  );
  return lines.map(({ id }) => loadedText(id));
}

async function sourcesAt(sql: Sql, refs: readonly RecordRef[]): Promise<(RecordOrigin | undefined)[]> {
  const lines = await sql.query<OriginLine & { number: number; at: number }>(
    `
    select wanted.at::integer, run.number, run.id as run, run.command, record.file
    from unnest($1::integer[], $2::integer[]) with ordinality as wanted (run, seq, at)
      cross join lateral (
        select file from record where record.run = wanted.run and record.seq = wanted.seq limit 1
      ) as record
      join run on run.number = wanted.run`,
    [refs.map(([run]) => run), refs.map(([, seq]) => seq)],
  );
  // The lists of files may be long, and many records are of one run.
  const files = await filesOfRuns(sql, [...new Set(lines.map(({ number }) => number))]);
  const origins = new Map(lines.map((line) => [line.at, importedFrom(line, files.get(line.number) ?? [])]));
  return refs.map((_, index) => origins.get(index + 1));
}

async function filesOfRuns(
  sql: Sql,
  runs: readonly number[],
): Promise<ReadonlyMap<number, readonly SourceFile[]>> {
  const lines = await sql.query<{ number: number; files: string }>(
    'select number, files from run where number = any ($1::integer[])',
    [runs],
  );
  return new Map(lines.map(({ number, files }) => [number, JSON.parse(files) as SourceFile[]]));
}

/** Concatenates the answers about all parts of a list. */
async function inBatches<Asked, Found>(
  asked: readonly Asked[],
  find: (some: readonly Asked[]) => Promise<readonly Found[]>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (let at = 0; at < asked.length; at += ASKED) found.push(...(await find(asked.slice(at, at + ASKED))));
  return found;
}
