import type { Lookup, StoreHistory } from './contract.ts';
import type { Database } from './database/database.ts';
import { earlierRecords } from './records/earlier.ts';
import {
  countriesOf,
  type KeyLookup,
  lookupFor,
  type RecordTarget,
  someIds,
  sourcesIn,
  trashedFor,
} from './records/identity.ts';

/** `lookupIn`: finds the look-up of another resource. */
export function historyOf(
  database: Database,
  target: RecordTarget,
  lookupIn: (target: RecordTarget) => KeyLookup | undefined,
): StoreHistory {
  const { store, resource } = target;
  const sourceOf = sourcesIn(database);
  const trashed = trashedFor(database, target);
  const find = earlierRecords(database, store, resource);
  return {
    lookup: asLookup(lookupFor(database, target)),
    sourcesOf: async (refs) => refs.map(sourceOf),
    countries: async () => countriesOf(database, target),
    ids: someIds(database, store),
    trashed: trashed && (async (ids) => trashed(ids)),
    findEarlier: async (places) => places.map(({ run, row, cells }) => find(run, row, cells)),
    lookupAmong: async (other) => asLookup(lookupIn({ store, resource: other })),
  };
}

function asLookup(find: KeyLookup | undefined): Lookup | undefined {
  return find && Object.assign(async (keys: readonly string[]) => find(keys), { now: find });
}

/** The history for reading only. It does not contain what runs that died have left. */
export function peekedHistory(database: Database, target: RecordTarget): StoreHistory {
  return historyOf(database, target, (other) => lookupFor(database, other));
}
