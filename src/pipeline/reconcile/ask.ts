import type { KnownRun, Ledger } from '../../ledger/index.ts';
import { ConfigError, itemIdentifier, type JsonObject, normalisedKey } from '../../model/index.ts';
import type { Resource } from '../../resources/index.ts';
import type { StoreClient } from '../../store/index.ts';
// Not from the index of store, which would load the sockets too: most commands send nothing.
import { soundPages } from '../../store/pagination/index.ts';
import type { Doubtful, Finding, OpenDoubts } from './doubts.ts';

export interface AskedStore {
  readonly client: Pick<StoreClient, 'deliver'>;
  /** Pages that are requested at a time, at most. */
  readonly concurrency: number;
}

/** Findings from the store's list. */
export interface Asked {
  readonly found: ReadonlyMap<Doubtful, Finding>;
  /** Records that are surely in the store: how many were looked for, and how many the list had. */
  readonly known: { readonly wanted: number; readonly seen: number };
  /** Keys that are in the list more than once, with their identifiers. */
  readonly twice: readonly { readonly key: string; readonly ids: readonly string[] }[];
}

/** Number of known records that the list must show before it is trusted. */
const CALIBRATION = 20;

/** The store may have changed the key of such a record, so a list without the key that was sent proves nothing. */
const OTHER_KEY = 'other-record';

/** Requested items a page. The store may return fewer. */
const PAGE_SIZE = 100;

/**
 * Looks for records in doubt in the store's list. The list is calibrated with records that the ledger knows to be there.
 * A record in the list counts as found if the list also has one of those, with the identifier of the ledger. A record
 * that is not in the list counts as absent only if the list has all of those, and no part of it may have been missed.
 * Throws ConfigError if the resource has no list, RunStopped if the list cannot be read.
 */
export async function askStore(
  { client, concurrency }: AskedStore,
  resource: Resource,
  { ledger, run, doubtful }: OpenDoubts,
): Promise<Asked> {
  const path = resource.list?.path;
  if (path === undefined || resource.key === undefined)
    throw new ConfigError(`The store's API has no list of ${resource.name} to look into.`, [
      'Look in the store, and say what is there with --there or --not-there, or in the report in-doubt of the run.',
    ]);
  const sure = await sureRecords(ledger, run);
  if (sure.size === 0)
    throw new ConfigError(
      `The ledger knows no ${resource.singular} that is surely in the store, so its list cannot be judged.`,
      ['Look in the store yourself, and say what is there with --there or --not-there.'],
    );
  const wanted = new Map(
    doubtful.filter(({ key }) => key !== '').map((record) => [normalisedKey(record.key), record]),
  );
  const ids = new Map<string, Set<string>>();
  let seen = 0;
  let isWhole = true;
  const list = { path, pageSize: PAGE_SIZE, id: '_id' };
  for await (const page of soundPages(client, list, concurrency)) {
    isWhole &&= page.sure;
    for (const item of page.items) {
      const id = itemIdentifier(item, list.id);
      if (id === undefined) continue;
      for (const key of keysOf(item, resource.key)) {
        if (sure.get(key) === id && sure.delete(key)) seen++;
        if (wanted.has(key)) ids.set(key, (ids.get(key) ?? new Set()).add(id));
      }
    }
  }

  const found = new Map<Doubtful, Finding>();
  const twice: Asked['twice'][number][] = [];
  for (const [key, record] of wanted) {
    const [id, ...others] = ids.get(key) ?? [];
    if (others.length > 0) twice.push({ key: record.key, ids: [id as string, ...others] });
    else if (id !== undefined && seen > 0) found.set(record, { id });
    else if (id === undefined && sure.size === 0 && isWhole && record.code !== OTHER_KEY)
      found.set(record, 'not-there');
  }
  return { found, known: { wanted: seen + sure.size, seen }, twice };
}

function keysOf(item: JsonObject, fields: readonly string[]): string[] {
  return fields.flatMap((field) => {
    const value = item[field];
    return typeof value === 'string' && value !== '' ? [normalisedKey(value)] : [];
  });
}

/** Samples records that the run created, over its whole length: normalised key → identifier. */
async function sureRecords(ledger: Ledger, run: KnownRun): Promise<Map<string, string>> {
  const { created = 0 } = await ledger.outcomes(run);
  const every = Math.max(1, Math.floor(created / CALIBRATION));
  const sure = new Map<string, string>();
  let count = 0;
  for await (const page of ledger.created(run))
    for (const { key, id } of page)
      if (key !== '' && count++ % every === 0 && sure.size < CALIBRATION) sure.set(normalisedKey(key), id);
  return sure;
}
