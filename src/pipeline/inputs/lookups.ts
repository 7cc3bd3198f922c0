import { createHash } from 'node:crypto';
import { dirname, isAbsolute, sep } from 'node:path';
import type { Lookup, StoreHistory } from '../../ledger/index.ts';
import type { LookupResolver, LookupResult, LookupTable, Mapping } from '../../map/index.ts';
import { realpathSync, relative, resolve, statSync } from '../../model/files/fs.ts';
import {
  againHint,
  ConfigError,
  contactKey,
  identifierIn,
  listedNames,
  normalisedKey,
  type PriorState,
} from '../../model/index.ts';
import { openSource } from '../../read/index.ts';
import { isKnownByMail, resourceNamed } from '../../resources/index.ts';
import { isEmptyRow } from './empty-rows.ts';

/** The lookup tables of a mapping that are files, by their definition in the mapping (as JSON). */
export type LookupTables = ReadonlyMap<string, ReadonlyMap<string, LookupResult>>;

type FileTable = Extract<LookupTable, { file: string }>;

/** In bytes. The whole file is held in memory during an import. */
const LARGEST = 20 * 1024 * 1024;

/** A delimiter and a line break, which every row has besides its two cells. */
const LEAST_BYTES = 2;

/** Answers of the ledger that are cached. */
const REMEMBERED = 10_000;

/** Replaces an identifier if nothing is sent. */
export const PLACEHOLDER = 'the id from the ledger';

/**
 * Reads the lookup files of a mapping. Their names are relative to the mapping file. They must be below its folder, or
 * below one of `folders`, which the user allows: a mapping may be somebody else's. Throws ConfigError otherwise. Returns
 * the mapping with a digest that includes these files, so that a run cannot be resumed with changed ones.
 */
export async function readLookups(
  mapping: Mapping,
  folders: readonly string[] = [],
  largest = LARGEST,
): Promise<{ readonly mapping: Mapping; readonly tables: LookupTables }> {
  const tables = new Map<string, ReadonlyMap<string, LookupResult>>();
  const digest = createHash('sha256').update(mapping.digest);
  for (const table of mapping.lookups) {
    if (!('file' in table) || tables.has(JSON.stringify(table))) continue;
    const answers = await readTable(table, allowedPath(mapping.name, table.file, folders), largest);
    tables.set(JSON.stringify(table), answers);
    digest.update(JSON.stringify([table, ...answers]));
  }
  return { mapping: tables.size === 0 ? mapping : { ...mapping, digest: digest.digest('hex') }, tables };
}

/** The path of a lookup file, with links resolved. Throws ConfigError if it is not below one of the folders. */
function allowedPath(mapping: string, file: string, folders: readonly string[]): string {
  const path = resolve(dirname(mapping), file);
  // The message must not reveal whether a file outside of the folders exists. So missing files are checked by name.
  const real = behindLinks(path);
  if ([dirname(mapping), ...folders].some((folder) => isBelow(behindLinks(resolve(folder)), real))) {
    if (statSync(real, { throwIfNoEntry: false })?.isFile() === false)
      throw new ConfigError(`${file} is not a file, so nothing can be looked up in it.`);
    return real;
  }
  throw new ConfigError(
    `The mapping ${mapping} looks things up in ${file}, which is outside of the folder of the mapping.`,
    [
      `Put the file beside the mapping, or allow its folder, ${dirname(path)}, with --allow-lookup.`,
      ...againHint({ 'allow-lookup': [...folders, dirname(path)] }),
    ],
  );
}

function behindLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : resolve(behindLinks(above), relative(above, path));
  }
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function readTable(
  { file, key, value }: FileTable,
  path: string,
  largest: number,
): Promise<Map<string, LookupResult>> {
  const tooLarge = (why: string) =>
    new ConfigError(`${file} is too large to look things up in: ${why}.`, [
      `The limit is ${largest} bytes: leave out the columns and rows that are not needed.`,
    ]);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > largest) throw tooLarge(`it has ${size} bytes`);
  let bytes = 0;
  const source = await openSource(path, { skipLines: 0 });
  try {
    const [keyAt, valueAt] = [key, value].map((name) => columnOf(source.table.header, name, file)) as [
      number,
      number,
    ];
    const answers = new Map<string, LookupResult>();
    for await (const rows of source.batches)
      for (const row of rows) {
        if (isEmptyRow(row)) continue;
        const [issue] = row.issues ?? [];
        if (issue) throw new ConfigError(`${file}, row ${row.row}: ${issue.message}.`);
        const [from, to] = [fold(identifierIn(row, keyAt)), identifierIn(row, valueAt)];
        if (from === '' || to === '') continue;
        const before = answers.get(from);
        const isSame = before === undefined || ('value' in before && before.value === to);
        answers.set(from, isSame ? { value: to } : { missing: 'ambiguous' });
        // A compressed file may be small and contain much more than its size.
        bytes += from.length + to.length + LEAST_BYTES;
        if (bytes > largest) throw tooLarge(`it exceeds that at row ${row.row}`);
      }
    return answers;
  } finally {
    await source.close();
  }
}

function columnOf(header: readonly string[], name: string, file: string): number {
  const places = header.flatMap((each, index) => (fold(each) === fold(name) ? [index] : []));
  const [place] = places;
  if (place !== undefined && places.length === 1) return place;
  throw new ConfigError(
    `${file} has ${place === undefined ? 'no column' : `${places.length} columns`} "${name}", which a lookup needs.`,
    [`Its columns: ${listedNames(header)}.`],
  );
}

function fold(text: string): string {
  return normalisedKey(text).toLowerCase();
}

/** References of a check to records that an import before it will create. */
export interface PlannedReferences {
  /** The result for a key (normalised) that the store does not have; undefined if it may have it all the same. */
  find(resource: string, key: string): LookupResult | undefined;
}

export interface LookupOptions {
  /** History of earlier runs; undefined if nothing is known. */
  readonly history?: Pick<StoreHistory, 'lookupAmong'> | undefined;
  /** The resources that the mapping looks up in the history. */
  readonly among?: readonly string[] | undefined;
  readonly dryRun: boolean;
  /** In a check: what imports before this one will create. */
  readonly planned?: PlannedReferences | undefined;
  /** Another key of a record, to look up if nothing has the first one; undefined if there is none. */
  readonly otherKey?: ((resource: string, key: string) => string | undefined) | undefined;
  readonly imageBase?: LookupResolver['imageBase'];
  /** Country of phone numbers that are looked up without one. */
  readonly country?: string | undefined;
  readonly onLeftOut?: LookupResolver['onLeftOut'];
}

/** Steps of a mapping look things up while a record is mapped, and cannot wait. So what they need is fetched before. */
export interface FetchedLookups extends LookupResolver {
  /**
   * To be called before each batch is mapped. `evaluate` maps the batch with the given resolver, and its result is not
   * used. Undefined if there is nothing to wait for.
   */
  fetch(evaluate: (collecting: LookupResolver) => void): Promise<void> | undefined;
}

/**
 * Resolves lookups of a mapping's steps, by the files and by what earlier runs know. In a check, a key that the ledger does
 * not have counts as known: a run before the import may create it. `planned` knows those of a migration.
 */
export function createLookupResolver(
  tables: LookupTables,
  { history, among = [], dryRun, planned, otherKey, country, ...images }: LookupOptions,
): FetchedLookups {
  let byResource: ReadonlyMap<string, CachedLookup> | undefined;
  /** Lookups that must wait for their answers. */
  let waiting: readonly FetchingLookup[] = [];

  async function openLookups(from: NonNullable<typeof history>): Promise<void> {
    const opened = new Map<string, CachedLookup>();
    for (const resource of new Set(among)) {
      const lookup = await from.lookupAmong(resource);
      opened.set(resource, lookup?.now ? cachedLookup(lookup.now) : fetchingLookup(lookup));
    }
    byResource = opened;
    waiting = [...opened.values()].filter((each): each is FetchingLookup => 'fetch' in each);
  }

  async function fetchAll(evaluate: (collecting: LookupResolver) => void): Promise<void> {
    if (history && !byResource) await openLookups(history);
    if (waiting.length === 0) return;
    for (const each of waiting) each.forget();
    // The result of one look-up may be the key of another, so the last evaluation finds nothing new.
    for (let isNew = true; isNew; ) {
      for (const each of waiting) each.collect(true);
      evaluate({ find, imageBase: images.imageBase });
      for (const each of waiting) each.collect(false);
      const fetched = await Promise.all(waiting.map((each) => each.fetch()));
      isNew = fetched.some((any) => any);
    }
  }

  /** Looks up the spellings of a key, which are normalised, in the ledger, and in a check among what is planned. */
  function findAmong(resource: string, keys: readonly string[]): LookupResult {
    if (history && !byResource) throw new Error('lookups are fetched before records are mapped');
    const lookup = byResource?.get(resource);
    const found = firstKnown(keys, (key) => lookup?.find(key) ?? UNKNOWN);
    if (!dryRun || !('missing' in found) || (planned && found.missing === 'in-doubt')) return found;
    return firstKnown(keys, (key) => planned?.find(resource, key) ?? { value: PLACEHOLDER });
  }

  /** A customer is known by the one spelling of its mail address or phone number, or by that of an earlier file. */
  function spellingsIn(resource: string, key: string): readonly string[] {
    const written = normalisedKey(key);
    if (!isKnownByMail(resourceNamed(resource))) return [written];
    return [...new Set([contactKey(key, country), written])];
  }

  function find(table: LookupTable, key: string): LookupResult {
    if ('file' in table) return tables.get(JSON.stringify(table))?.get(fold(key)) ?? UNKNOWN;
    if (dryRun && !history && !planned) return { value: PLACEHOLDER };
    const found = findAmong(table.from, spellingsIn(table.from, key));
    const other = 'missing' in found && found.missing === 'unknown' ? otherKey?.(table.from, key) : undefined;
    if (other === undefined) return found;
    const second = findAmong(table.from, [other]);
    return 'missing' in second && second.missing === 'unknown' ? found : second;
  }

  return {
    ...images,
    find,
    fetch(evaluate) {
      const isDone = !history || among.length === 0 || (byResource && waiting.length === 0);
      return isDone ? undefined : fetchAll(evaluate);
    },
  };
}

const UNKNOWN: LookupResult = { missing: 'unknown' };

/** The first result that is known; if none is, the last one. */
function firstKnown(keys: readonly string[], find: (key: string) => LookupResult): LookupResult {
  let found = UNKNOWN;
  for (const key of keys) {
    found = find(key);
    if (!('missing' in found) || found.missing !== 'unknown') return found;
  }
  return found;
}

function resultOf(known: PriorState | undefined): LookupResult {
  if (known === undefined) return UNKNOWN;
  return known.id === undefined ? { missing: 'in-doubt' } : { value: known.id };
}

interface CachedLookup {
  find(key: string): LookupResult;
}

/** Looks each key up when it is asked for. */
function cachedLookup(lookup: NonNullable<Lookup['now']>): CachedLookup {
  const answers = new Map<string, LookupResult>();
  return {
    find(key) {
      const before = answers.get(key);
      if (before) return before;
      const answer = resultOf(lookup([key]).get(key));
      if (answers.size === REMEMBERED) answers.clear();
      answers.set(key, answer);
      return answer;
    },
  };
}

/** A lookup whose answers must be waited for. It collects keys, fetches them, and then has their answers. */
interface FetchingLookup extends CachedLookup {
  /** Called before a batch. Forgets answers if there are too many. */
  forget(): void;
  /** From now on, keys without an answer are collected, and count as unknown; or no longer. */
  collect(isCollecting: boolean): void;
  /** Fetches the collected keys. Resolves with false if there are none. */
  fetch(): Promise<boolean>;
}

function fetchingLookup(lookup: Lookup | undefined): CachedLookup | FetchingLookup {
  if (!lookup) return { find: () => UNKNOWN };
  const answers = new Map<string, LookupResult>();
  const wanted = new Set<string>();
  let collects = false;
  return {
    find(key) {
      const answer = answers.get(key);
      if (answer) return answer;
      if (!collects)
        throw new Error(`"${key}" is looked up, and was not when the batch was evaluated before`);
      wanted.add(key);
      return UNKNOWN;
    },
    forget() {
      if (answers.size >= REMEMBERED) answers.clear();
    },
    collect(isCollecting) {
      collects = isCollecting;
    },
    async fetch() {
      const keys = [...wanted];
      if (keys.length === 0) return false;
      wanted.clear();
      const known = await lookup(keys);
      for (const key of keys) answers.set(key, resultOf(known.get(key)));
      return true;
    },
  };
}

/** Names the lookups that a check without a store cannot do; undefined if there are none. */
export function uncheckedLookups(lookups: Mapping['lookups']): string | undefined {
  const from = [...new Set(lookups.flatMap((table) => ('from' in table ? [table.from] : [])))];
  if (from.length === 0) return undefined;
  return `the mapping looks things up among the ${from.join(' and ')} of earlier runs. This check contacts no store, so only an import finds out whether they exist; everything else is checked.`;
}
