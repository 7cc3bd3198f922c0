import { randomFrom } from '../hostile-csv.ts';

/** Choices of one file, in a fixed order. */
export interface Dice {
  below(count: number): number;
  of<T>(list: readonly T[]): T;
  /** One of the names, as often as their weights say. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
  chance(share: number): boolean;
  /** A list of at most `most` things. */
  list<T>(most: number, make: () => T): T[];
}

export function diceOf(seed: number): Dice {
  const random = randomFrom(seed);
  const below = (count: number) => Math.floor(random() * count);
  return {
    below,
    of: (list) => list[below(list.length)] as never,
    weighted(weights) {
      const entries = Object.entries<number>(weights);
      let left = random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        left -= weight;
        if (left < 0) return name as never;
      }
      return entries.at(-1)?.[0] as never;
    },
    chance: (share) => random() < share,
    list: (most, make) => Array.from({ length: below(most + 1) }, make),
  };
}
