import type { RecordRef } from '../../model/index.ts';
import type { Database } from '../database/database.ts';
import { earlierRecords, type FindEarlier } from './earlier.ts';
import {
  type FindTrashed,
  type Lookup,
  lookupFor,
  type RecordOrigin,
  type RecordTarget,
  someIds,
  sourcesIn,
  trashedFor,
} from './identity.ts';

/** Knowledge from earlier runs about the records of one store and resource. */
export interface StoreHistory {
  /** Undefined if no key is known. */
  readonly lookup: Lookup | undefined;
  /** Returns the file a record was imported from; undefined for one that no import made. */
  sourceOf(ref: RecordRef): RecordOrigin | undefined;
  /** Some identifiers that the store assigned. */
  readonly ids: readonly string[];
  /** Undefined if the trash is empty. */
  readonly trashed: FindTrashed | undefined;
  readonly findEarlier: FindEarlier;
  /** Returns the lookup of another resource at the same store, for references to it. Throws RunStopped. */
  lookupAmong(resource: string): Lookup | undefined;
}

export function historyOf(
  database: Database,
  target: RecordTarget,
  lookupIn: (target: RecordTarget) => Lookup | undefined,
): StoreHistory {
  const { store, resource } = target;
  return {
    lookup: lookupFor(database, target),
    sourceOf: sourcesIn(database),
    ids: someIds(database, store),
    trashed: trashedFor(database, target),
    findEarlier: earlierRecords(database, store, resource),
    lookupAmong: (other) => lookupIn({ store, resource: other }),
  };
}

/** The history for reading only. It does not contain what runs that died have left. */
export function peekedHistory(database: Database, target: RecordTarget): StoreHistory {
  return historyOf(database, target, (other) => lookupFor(database, other));
}
