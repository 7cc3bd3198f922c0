import type { PageDrift, PageHabits } from '../misbehave/pages.ts';
import type { Shelf } from '../storage/collections.ts';
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
  page(values: QueryValues, habits: PageHabits): string;
}

export interface SandboxListOptions {
  /** Among the lists of a sandbox. */
  readonly name: string;
  readonly shelf: Shelf;
  readonly defaultLimit: number;
  readonly filters?: readonly Filter[];
  /** The shelf has an item for any position, also behind its end: the list can be made to grow. */
  readonly endless?: true;
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

/** The positions of a list in its order. */
interface Sequence {
  readonly length: number;
  at(index: number): number;
}

export function createList(options: SandboxListOptions): List {
  const { name, shelf, defaultLimit, filters = [], endless } = options;
  const selections = new Map<string, Selection>();

  function testsOf(values: QueryValues): ((position: number) => boolean)[] {
    return filters
      .filter((filter) => values[filter.name] !== undefined)
      .map((filter) => filter.admits(values[filter.name] as QueryValue));
  }

  /** Undefined: all. Filtering once for all pages keeps a walk over a million records linear. */
  function select(values: QueryValues): Uint32Array | undefined {
    const tests = testsOf(values);
    if (tests.length === 0) return undefined;
    const key = JSON.stringify(filters.map((filter) => values[filter.name] ?? null));
    const known = selections.get(key);
    if (known?.count === shelf.count()) return known.positions;

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

  function sequence(values: QueryValues): Sequence {
    const selected = select(values);
    return selected
      ? { length: selected.length, at: (index) => selected[index] as number }
      : { length: shelf.count(), at: (index) => index };
  }

  return {
    shelf,
    filters,
    defaultLimit,
    page(values, habits) {
      const asked = values.page as number;
      const number = habits.ignorePage ? 1 : asked;
      const perPage = Math.min(values.limit as number, MAX_LIMIT, habits.limit ?? MAX_LIMIT);
      const drift = endless ? habits.drift(name) : undefined;
      const tests = testsOf(values);
      const shows = (extra: number) => tests.every((test) => test(shelf.count() + extra));
      const whole = sequence(values);
      const items = drift === undefined ? whole : drifted(whole, drift, { count: shelf.count(), shows });
      const first = (number - 1) * perPage;
      const texts: string[] = [];
      if (!habits.isEmpty())
        for (let index = first; index < Math.min(first + perPage, items.length); index += 1)
          texts.push(shelf.textAt(items.at(index)));
      const lastPage = Math.max(1, Math.ceil(items.length / perPage));
      const paginate = {
        ...(habits.total === 'absent' ? {} : { total: Math.max(0, items.length + habits.total) }),
        per_page: perPage,
        current_page: number,
        last_page: lastPage,
      };
      drift?.served({
        isLast: number >= lastPage,
        first: items.length === 0 ? undefined : items.at(0),
        shows,
      });
      return `{"results":[${texts.join(',')}],"paginate":${JSON.stringify(paginate)}}`;
    },
  };
}

/** New items in front, the first ones gone, new ones behind. */
function drifted(
  whole: Sequence,
  { front, back, gone }: PageDrift,
  { count, shows }: { readonly count: number; readonly shows: (extra: number) => boolean },
): Sequence {
  const shown = (extras: readonly number[]) =>
    extras.filter((extra) => count + extra >= gone && shows(extra)).map((extra) => count + extra);
  const [before, after] = [shown(front), shown(back)];
  let passed = 0;
  while (passed < whole.length && whole.at(passed) < gone) passed += 1;
  const middle = whole.length - passed;
  return {
    length: before.length + middle + after.length,
    at(index) {
      if (index < before.length) return before[index] as number;
      if (index < before.length + middle) return whole.at(passed + index - before.length);
      return after[index - before.length - middle] as number;
    },
  };
}
