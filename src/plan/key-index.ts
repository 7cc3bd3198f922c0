import { fingerprint } from './fingerprint.ts';
import { createKeySpill, type KeySpill } from './key-spill.ts';

/**
 * Which keys a run has met, and in which row first: 12 bytes a slot, 16 to 20 bytes a key. Memory holds 64-bit
 * fingerprints of the keys; they themselves lie on disk, and are looked at where fingerprints are the same. So two
 * keys are never taken for one, however many there are.
 */
export interface KeyIndex {
  /**
   * The row where this key stood before, or undefined and the key is now known to stand in `row`. Throws RunStopped
   * where the disk has no room for it.
   */
  claim(key: string, row: number): number | undefined;
  /** Gives back the room on the disk. */
  close(): void;
}

/** Many small tables: when one grows, only that one is there twice for a moment. */
const PART_BITS = 8;

/** `spillFolder`: where keys go that the buffer does not hold. `fingerprintOf`: another one, for tests. */
export function createKeyIndex(
  spillFolder: string,
  fingerprintOf: (text: string) => readonly [number, number] = fingerprint,
): KeyIndex {
  const spill = createKeySpill(spillFolder);
  const parts: Part[] = [];
  return {
    claim(key, row) {
      const [a, b] = fingerprintOf(key);
      const part = a >>> (32 - PART_BITS);
      parts[part] ??= createPart(spill);
      return (parts[part] as Part).claim(a, b, key, row);
    },
    close: spill.close,
  };
}

interface Part {
  claim(a: number, b: number, key: string, row: number): number | undefined;
}

const FIRST_SLOTS = 16;
const MOST_FULL = 0.75;
const GROWTH = 1.25;

/** Open addressing over three words a slot: the two halves of the fingerprint, and the place of the key on disk. */
function createPart(spill: KeySpill): Part {
  let slots = FIRST_SLOTS;
  let used = 0;
  let words = new Uint32Array(slots * 3);

  // The upper bits of `a` chose the part, and `b` is independent of them.
  const first = (b: number): number => Math.floor((b / 0x1_0000_0000) * slots) * 3;
  const next = (at: number): number => (at + 3 === words.length ? 0 : at + 3);
  const put = (at: number, a: number, b: number, place: number) => {
    words[at] = a;
    words[at + 1] = b;
    words[at + 2] = place;
  };
  const grow = () => {
    const before = words;
    slots = Math.ceil(slots * GROWTH);
    words = new Uint32Array(slots * 3);
    for (let from = 0; from < before.length; from += 3) {
      const [a, b, place] = [before[from], before[from + 1], before[from + 2]] as [number, number, number];
      if (place === 0) continue;
      let at = first(b);
      while (words[at + 2] !== 0) at = next(at);
      put(at, a, b, place);
    }
  };

  return {
    claim(a, b, key, row) {
      let at = first(b);
      // Place 0 marks a free slot.
      for (let place = words[at + 2]; place; place = words[at + 2]) {
        const before = words[at] === a && words[at + 1] === b ? spill.rowAt(place, key) : undefined;
        if (before !== undefined) return before;
        at = next(at);
      }
      put(at, a, b, spill.add(key, row));
      if (++used > slots * MOST_FULL) grow();
      return undefined;
    },
  };
}
