import { fingerprint } from './fingerprint.ts';

/**
 * Which keys a run has met, and in which row first: 12 bytes a slot, 16 to 20 bytes a key. Keys themselves are not
 * held, but 64-bit fingerprints of them: among a million keys the chance that any two share one is about one in 40
 * million.
 */
export interface KeyIndex {
  /** The row where this key stood before, or undefined and the key is now known to stand in `row`. */
  claim(key: string, row: number): number | undefined;
}

/** Many small tables: when one grows, only that one is there twice for a moment. */
const PART_BITS = 8;

export function createKeyIndex(): KeyIndex {
  const parts: Part[] = [];
  return {
    claim(key, row) {
      const [a, b] = fingerprint(key);
      const part = a >>> (32 - PART_BITS);
      parts[part] ??= createPart();
      return (parts[part] as Part).claim(a, b, row);
    },
  };
}

interface Part {
  claim(a: number, b: number, row: number): number | undefined;
}

const FIRST_SLOTS = 16;
const MOST_FULL = 0.75;
const GROWTH = 1.25;

/** Open addressing over three words a slot: the two halves of the fingerprint, and the row. */
function createPart(): Part {
  let slots = FIRST_SLOTS;
  let used = 0;
  let words = new Uint32Array(slots * 3);

  /** Where the fingerprint stands, or the free slot where it belongs. Row 0 marks a free slot. */
  const find = (a: number, b: number): number => {
    // The upper bits of `a` chose the part, and `b` is independent of them.
    let at = Math.floor((b / 0x1_0000_0000) * slots) * 3;
    while (words[at + 2] !== 0 && (words[at] !== a || words[at + 1] !== b)) {
      at += 3;
      if (at === words.length) at = 0;
    }
    return at;
  };
  const put = (at: number, a: number, b: number, row: number) => {
    words[at] = a;
    words[at + 1] = b;
    words[at + 2] = row;
  };
  const grow = () => {
    const before = words;
    slots = Math.ceil(slots * GROWTH);
    words = new Uint32Array(slots * 3);
    for (let at = 0; at < before.length; at += 3) {
      const [a, b, row] = [before[at], before[at + 1], before[at + 2]] as [number, number, number];
      if (row !== 0) put(find(a, b), a, b, row);
    }
  };

  return {
    claim(a, b, row) {
      const at = find(a, b);
      const before = words[at + 2];
      if (before) return before;
      put(at, a, b, row);
      if (++used > slots * MOST_FULL) grow();
      return undefined;
    },
  };
}
