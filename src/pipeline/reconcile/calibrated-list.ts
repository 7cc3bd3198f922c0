import type { KnownRun, Ledger } from '../../ledger/index.ts';
import { itemIdentifier, normalisedKey } from '../../model/index.ts';
import { keyNormaliser, keysOfItem } from '../../plan/index.ts';
import { type Resource, resourceNamed } from '../../resources/index.ts';
import type { StoreClient } from '../../store/index.ts';
// Not from the index of store, which would load the sockets too: most commands send nothing.
import { soundPages } from '../../store/pagination/index.ts';

export interface AskedStore {
  readonly client: Pick<StoreClient, 'deliver' | 'holdsSecret'>;
  /** Pages that are requested at a time, at most. */
  readonly concurrency: number;
  /** Country of phone numbers in records that name none, as the import had it. */
  readonly country?: string | undefined;
}

/** Records that are surely in the store: how many were looked for, and how many the list had. */
export interface Calibration {
  readonly wanted: number;
  readonly seen: number;
}

/** An item of the store's list. */
export interface ListedItem {
  /** Normalised. */
  readonly keys: readonly string[];
  readonly id: string;
}

/** Number of known records that the list must show before it is trusted. */
const CALIBRATION = 20;

/** Requested items a page. The store may return fewer. */
const PAGE_SIZE = 100;

/**
 * Reads the store's list of a resource that has one, and compares it with records that are surely there. `isComplete`: no part of
 * the list may have been missed. Throws RunStopped if it cannot be read.
 */
export async function readCalibratedList(
  { client, concurrency, country }: AskedStore,
  resource: Pick<Resource, 'list' | 'key' | 'mails' | 'phoneKey'>,
  sure: ReadonlyMap<string, string>,
  onItems: (items: readonly ListedItem[]) => Promise<void> | void,
): Promise<{ readonly known: Calibration; readonly isComplete: boolean }> {
  const unseen = new Map(sure);
  let isWhole = true;
  const list = { path: resource.list?.path ?? '', pageSize: PAGE_SIZE, id: '_id' };
  for await (const page of soundPages(client, list, concurrency)) {
    isWhole &&= page.sure;
    const items = page.items.flatMap((item) => {
      const id = itemIdentifier(item, list.id);
      if (id !== undefined && !client.holdsSecret(id))
        return [{ id, keys: keysOfItem(resource, item, country) }];
      // A record that cannot be identified may be any of those that are looked for.
      isWhole = false;
      return [];
    });
    for (const { keys, id } of items)
      for (const each of keys) if (unseen.get(each) === id) unseen.delete(each);
    await onItems(items);
  }
  const known = { wanted: sure.size, seen: sure.size - unseen.size };
  return { known, isComplete: isWhole && sure.size > 0 && unseen.size === 0 };
}

/**
 * Samples records that are surely in the store: normalised key → identifier. A run has them over its whole length. A small one is
 * made up for by the other runs at its store, the latest first. Requires the lock on the store.
 */
export async function sureRecords(
  ledger: Ledger,
  { store, resource }: Pick<KnownRun, 'store' | 'resource'>,
  first?: KnownRun,
): Promise<Map<string, string>> {
  const { lookup, trashed } = await ledger.history(store, resource);
  const normalise = keyNormaliser(resourceNamed(resource));
  const sure = new Map<string, string>();

  /** Leaves out records that were replaced or put into the trash since. */
  async function add(found: readonly { readonly key: string; readonly id: string }[]): Promise<void> {
    const [now, gone] = [
      await lookup?.(found.map(({ key }) => normalisedKey(key))),
      await trashed?.(found.map(({ id }) => id)),
    ];
    for (const { key, id } of found)
      if (now?.get(normalisedKey(key))?.id === id && !gone?.has(id)) sure.set(normalise(key), id);
  }

  async function sample(run: KnownRun): Promise<void> {
    const { created = 0 } = await ledger.outcomes(run);
    if (created === 0) return;
    const missing = CALIBRATION - sure.size;
    const every = Math.max(1, Math.floor(created / missing));
    const found: { readonly key: string; readonly id: string }[] = [];
    let count = 0;
    for await (const page of ledger.created(run)) {
      for (const { key, id } of page)
        if (key !== '' && count++ % every === 0 && found.length < missing) found.push({ key, id });
      if (found.length >= missing) break;
    }
    await add(found);
  }

  if (first) await sample(first);
  if (sure.size >= CALIBRATION) return sure;
  for (const run of await ledger.runs()) {
    if (sure.size >= CALIBRATION) break;
    if (run.store === store && run.resource === resource && run.number !== first?.number) await sample(run);
  }
  return sure;
}
