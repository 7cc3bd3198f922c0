/** Returns a Mulberry32 generator of numbers in [0, 1): the same sequence for the same start. */
export function sequence(start: number): () => number {
  let state = start | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/**
 * Returns a random number in [0, 1) for a position, without computing those before. `salt` separates independent numbers
 * of one position: a filter can compute the rating of a million items without the rest of each.
 */
export function roll(seed: number, position: number, salt: number): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(position + 1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 16) ^ Math.imul(salt + 1, 0x27d4eb2f), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000;
}

/** Returns the element at a share of the list; `share` is in [0, 1). */
export function pick<T>(list: readonly T[], share: number): T {
  return list[Math.floor(share * list.length)] as T;
}

const FIRST_DAY_MS = Date.UTC(2024, 0, 1);
const SPAN_MS = Date.UTC(2026, 0, 1) - FIRST_DAY_MS;

/**
 * Returns a time of creation for the item at a position. All `total` items are spread over the years 2024 and 2025, in
 * order of position.
 */
export function createdAt(position: number, total: number, share: number): string {
  return new Date(
    FIRST_DAY_MS + Math.floor(((position + share) / Math.max(1, total)) * SPAN_MS),
  ).toISOString();
}
