import { createHash } from 'node:crypto';
import { itemIdentifier, type JsonObject } from '../../model/index.ts';
import { createKeyIndex } from '../../plan/index.ts';
import type { ListEndpoint } from '../../resources/index.ts';
import type { Filters } from './filters.ts';
import { type Age, ageOf } from './since.ts';

export interface NewItems {
  readonly items: readonly JsonObject[];
  /** Identify the items for a later export; empty unless `remember` is set. */
  readonly keys: readonly string[];
}

/** Selects from the pages of a list the items that an export writes, each once. */
export interface ExportSelection {
  /** Notes the key of an item that an earlier export wrote. */
  noteExported(key: string): void;
  /** Selects at most `most` items. `again`: the page was read before, so its items are not counted as repeated. */
  select(page: { readonly items: readonly JsonObject[]; readonly again: boolean }, most: number): NewItems;
  readonly counts: Counts;
}

export interface Counts {
  /** Left out: the list had them before. */
  repeated: number;
  /** Left out: an earlier export wrote them. */
  known: number;
  /** Left out: do not match the filters. */
  mismatched: number;
  /** Left out: from before `--since`. */
  early: number;
  /** Written, although they have no value to compare with the filters. */
  unchecked: number;
  /** Written, although they have no readable date. */
  undated: number;
}

export interface SelectionOptions {
  readonly list: ListEndpoint;
  readonly filters: Pick<Filters, 'matchOf'>;
  /** Milliseconds since 1970. */
  readonly since?: number | undefined;
  /** True if `take` returns keys, also of items without an identifier. */
  readonly remember: boolean;
}

/** Origins of a key, in place of a row number in the index. */
const EARLIER = 1;
const NOW = 2;

export function createSelection({ list, filters, since, remember }: SelectionOptions): ExportSelection {
  const seen = createKeyIndex();
  const equals = createKeyIndex();
  const counts: Counts = { repeated: 0, known: 0, mismatched: 0, early: 0, unchecked: 0, undated: 0 };

  /** Keeps equal items without identifiers: a number distinguishes them. */
  function contentKey(item: JsonObject): string {
    const digest = createHash('sha256').update(JSON.stringify(item)).digest('base64');
    let number = 1;
    while (equals.claim(`${digest} ${number}`, NOW) !== undefined) number++;
    return `${digest} ${number}`;
  }

  function keyOf(item: JsonObject): string | undefined {
    return itemIdentifier(item, list.id) ?? (remember ? contentKey(item) : undefined);
  }

  const ageIn = (item: JsonObject): Age =>
    since === undefined || list.created === undefined ? 'recent' : ageOf(item, list.created, since);

  /** True if the item is to be written. Counts it if it is left out or cannot be checked. */
  function isWanted(item: JsonObject): boolean {
    const match = filters.matchOf(item);
    if (match === 'mismatch') {
      counts.mismatched++;
      return false;
    }
    const age = ageIn(item);
    if (age === 'early') {
      counts.early++;
      return false;
    }
    if (match === 'unchecked') counts.unchecked++;
    if (age === 'undated') counts.undated++;
    return true;
  }

  return {
    counts,
    noteExported: (key) => void seen.claim(key, EARLIER),
    select({ items, again }, most) {
      const selected: JsonObject[] = [];
      const keys: string[] = [];
      for (const item of items) {
        if (selected.length >= most) break;
        const key = keyOf(item);
        const origin = key === undefined ? undefined : seen.claim(key, NOW);
        if (origin === EARLIER) counts.known++;
        else if (origin === NOW) counts.repeated += again ? 0 : 1;
        else if (isWanted(item)) {
          selected.push(item);
          if (remember && key !== undefined) keys.push(key);
        }
      }
      return { items: selected, keys };
    },
  };
}
