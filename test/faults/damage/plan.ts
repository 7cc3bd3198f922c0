import { randomFrom } from '../products.ts';

/** Random numbers and choices that are the same for the same seed. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  /** Throws for an empty list. */
  one<Item>(items: readonly Item[]): Item;
  weighted<Item extends { readonly weight: number }>(items: readonly Item[]): Item;
}

export function randomOf(seed: number): Random {
  const next = randomFrom(seed);
  const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    whole,
    one(items) {
      if (items.length === 0) throw new Error('nothing to choose from');
      return items[whole(0, items.length - 1)] as (typeof items)[number];
    },
    weighted(items) {
      let left = next() * items.reduce((sum, { weight }) => sum + weight, 0);
      for (const item of items) {
        left -= item.weight;
        if (left < 0) return item;
      }
      return items.at(-1) as (typeof items)[number];
    },
  };
}

/** How a home is used before it is damaged. */
export interface History {
  /** Number of records in the last import. */
  readonly records: number;
  /** Imports before the last one. */
  readonly before: 'nothing' | 'a finished run' | 'a run that was killed and resumed';
  /** True if an incremental export ran first; it keeps files in the home. */
  readonly exported: boolean;
  /** How the last import ended. `listed`: `run list` then settled it. */
  readonly end: HistoryEnd;
}

export type HistoryEnd = 'killed' | 'killed twice' | 'killed and listed' | 'interrupted' | 'finished';

const BEFORE = [
  { what: 'nothing', weight: 5 },
  { what: 'a finished run', weight: 3 },
  { what: 'a run that was killed and resumed', weight: 1 },
] as const;

const ENDS = [
  { what: 'killed', weight: 10 },
  { what: 'killed twice', weight: 4 },
  { what: 'killed and listed', weight: 2 },
  { what: 'interrupted', weight: 1 },
  { what: 'finished', weight: 3 },
] as const;

/** The log is folded into the tables every 400 records, and in a thread from some 2,000 on: imports are shorter and longer. */
export function historyOf(random: Random): History {
  return {
    records: random.one([300, 600, 1200, 3600]),
    before: random.weighted(BEFORE).what,
    exported: random.next() < 0.3,
    end: random.weighted(ENDS).what,
  };
}
