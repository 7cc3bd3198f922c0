import { fingerprint, normalisedKey } from '../model/index.ts';

/**
 * Some keys of a file, by their fingerprints. It may report a key that was not added, but never misses one that was.
 */
export interface KeySet {
  has(key: string): boolean;
  readonly size: number;
}

/**
 * Finds keys that occur again after rows with other keys. Needs 11 to 22 bytes for each key, and half as much again
 * while the table grows.
 */
export interface ReturningKeys {
  /** Takes the key of the next row; '' for a row that ends the record above and does not belong to it. */
  see(key: string): void;
  readonly found: KeySet;
}

export function createReturningKeys(): ReturningKeys {
  const seen = createFingerprints();
  const found = createFingerprints();
  let above = '';
  return {
    see(key) {
      // Texts that differ may be one key in two normal forms of Unicode: here they count as two groups.
      if (key === above) return;
      above = key;
      if (key === '') return;
      const [a, b] = fingerprint(normalisedKey(key));
      if (!seen.add(a, b)) found.add(a, b);
    },
    found: keySet(found),
  };
}

/** A separate object, so that a caller that keeps it does not keep all keys seen. */
function keySet(found: Fingerprints): KeySet {
  return {
    has: (key) => found.has(...fingerprint(normalisedKey(key))),
    get size() {
      return found.size;
    },
  };
}

const FIRST_SLOTS = 1024;
const MOST_FULL = 0.75;

type Fingerprints = ReturnType<typeof createFingerprints>;

/** A hash set with open addressing, two words a slot. Two zeros mark a free slot. */
function createFingerprints() {
  let words = new Uint32Array(FIRST_SLOTS * 2);
  let size = 0;

  /** Returns the slot of a fingerprint, or the free one where it belongs. */
  function slotOf(a: number, b: number): number {
    const mask = words.length / 2 - 1;
    let slot = b & mask;
    while (words[slot * 2] !== a || words[slot * 2 + 1] !== b) {
      if (words[slot * 2] === 0 && words[slot * 2 + 1] === 0) break;
      slot = (slot + 1) & mask;
    }
    return slot * 2;
  }

  function grow(): void {
    const before = words;
    words = new Uint32Array(before.length * 2);
    for (let at = 0; at < before.length; at += 2) {
      const [a, b] = [before[at] as number, before[at + 1] as number];
      if (a === 0 && b === 0) continue;
      const slot = slotOf(a, b);
      words[slot] = a;
      words[slot + 1] = b;
    }
  }

  return {
    /** Returns true if it was new. */
    add(a: number, b: number): boolean {
      // The fingerprint of two zeros would look like a free slot, so another one replaces it.
      const first = a === 0 && b === 0 ? 1 : a;
      const slot = slotOf(first, b);
      if (words[slot] !== 0 || words[slot + 1] !== 0) return false;
      words[slot] = first;
      words[slot + 1] = b;
      if (++size > (words.length / 2) * MOST_FULL) grow();
      return true;
    },
    has(a: number, b: number): boolean {
      const slot = slotOf(a === 0 && b === 0 ? 1 : a, b);
      return words[slot] !== 0 || words[slot + 1] !== 0;
    },
    get size() {
      return size;
    },
  };
}
