import type { Shelf } from './collections.ts';
import type { Parameter, QueryValue, QueryValues } from './query.ts';

/** A filter of a list: the query parameter, and which records a value of it admits. */
export interface Filter extends Parameter {
  admits(value: QueryValue): (position: number) => boolean;
}

/** A list endpoint: what it lists, by what it can be filtered, and how many items a page has by default. */
export interface List {
  readonly shelf: Shelf;
  readonly filters: readonly Filter[];
  readonly defaultLimit: number;
  /** One page as JSON text: `{results, paginate}`. A page past the end has no results. */
  page(values: QueryValues): string;
}

/** Most items a page holds, whatever `limit` asks for; `per_page` says what was granted. */
export const MAX_LIMIT = 1000;

/** Filter results kept per list: as many as a client has in use at a time, at 4 bytes a match. */
const MAX_SELECTIONS = 32;

/** Positions that a filter admits, found when the shelf held `count` records. */
interface Selection {
  readonly count: number;
  readonly positions: Uint32Array;
}

export function createList(shelf: Shelf, defaultLimit: number, filters: readonly Filter[] = []): List {
  const selections = new Map<string, Selection>();

  /** Undefined: all. Filtering once for all pages keeps a walk over a million records linear. */
  function select(values: QueryValues): Uint32Array | undefined {
    const used = filters.filter(({ name }) => values[name] !== undefined);
    if (used.length === 0) return undefined;
    const key = JSON.stringify(used.map(({ name }) => [name, values[name]]));
    const known = selections.get(key);
    if (known?.count === shelf.count()) return known.positions;

    const tests = used.map(({ name, admits }) => admits(values[name] as QueryValue));
    const positions: number[] = [];
    const count = shelf.count();
    for (let position = 0; position < count; position += 1) {
      if (tests.every((test) => test(position))) positions.push(position);
    }
    const selection = { count, positions: Uint32Array.from(positions) };
    selections.set(key, selection);
    const [oldest] = selections.keys();
    if (selections.size > MAX_SELECTIONS && oldest !== undefined) selections.delete(oldest);
    return selection.positions;
  }

  return {
    shelf,
    filters,
    defaultLimit,
    page(values) {
      const number = values.page as number;
      const perPage = Math.min(values.limit as number, MAX_LIMIT);
      const selected = select(values);
      const total = selected ? selected.length : shelf.count();
      const first = (number - 1) * perPage;
      const texts: string[] = [];
      for (let index = first; index < Math.min(first + perPage, total); index += 1) {
        texts.push(shelf.textAt(selected ? (selected[index] as number) : index));
      }
      const lastPage = Math.max(1, Math.ceil(total / perPage));
      const paginate = { total, per_page: perPage, current_page: number, last_page: lastPage };
      return `{"results":[${texts.join(',')}],"paginate":${JSON.stringify(paginate)}}`;
    },
  };
}
