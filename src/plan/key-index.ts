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

/** Many small tables: when one grows, only that one is there twice for a moment, and nobody waits for it. */
const PART_BITS = 8;

/** `spillFolder`: where keys go that the buffer does not hold. `fingerprintOf`: another one, for tests. */
export function createKeyIndex(
  spillFolder: string,
  fingerprintOf: (text: string) => readonly [number, number] = fingerprint,
): KeyIndex {
  const spill = createKeySpill(spillFolder);
  const scratch = createScratch();
  const parts: Part[] = [];
  return {
    claim(key, row) {
      const [a, b] = fingerprintOf(key);
      const part = a >>> (32 - PART_BITS);
      parts[part] ??= createPart(spill, scratch);
      return (parts[part] as Part).claim(a, b, key, row);
    },
    close: spill.close,
  };
}

interface Part {
  claim(a: number, b: number, key: string, row: number): number | undefined;
}

const CHUNK_BITS = 8;
const CHUNK_SLOTS = 1 << CHUNK_BITS;
const SLOT_WORDS = 3;
const MOST_FULL = 0.75;
const GROWTH = 1.25;

/**
 * Open addressing over three words a slot: the two halves of the fingerprint, and the place of the key on disk. It grows
 * in place, by chunks: arrays that were outgrown would wait for the collector, several times as large as the index.
 */
function createPart(spill: KeySpill, scratch: Scratch): Part {
  const chunks = [createChunk()];
  let slots = CHUNK_SLOTS;
  let used = 0;

  const chunkOf = (slot: number) => chunks[slot >>> CHUNK_BITS] as Uint32Array;
  const wordOf = (slot: number) => (slot & (CHUNK_SLOTS - 1)) * SLOT_WORDS;
  // The upper bits of `a` chose the part, and `b` is independent of them.
  const first = (b: number) => Math.floor((b / 0x1_0000_0000) * slots);
  const next = (slot: number) => (slot + 1 === slots ? 0 : slot + 1);
  const put = (slot: number, a: number, b: number, place: number) => {
    const chunk = chunkOf(slot);
    const word = wordOf(slot);
    chunk[word] = a;
    chunk[word + 1] = b;
    chunk[word + 2] = place;
  };
  const grow = () => {
    const before = scratch(slots * SLOT_WORDS);
    for (const [index, chunk] of chunks.entries()) {
      before.set(chunk, index * chunk.length);
      chunk.fill(0);
    }
    const wanted = Math.ceil(chunks.length * GROWTH);
    while (chunks.length < wanted) chunks.push(createChunk());
    slots = chunks.length * CHUNK_SLOTS;
    for (let from = 0; from < before.length; from += SLOT_WORDS) {
      const [a, b, place] = [before[from], before[from + 1], before[from + 2]] as [number, number, number];
      if (place === 0) continue;
      let slot = first(b);
      while (chunkOf(slot)[wordOf(slot) + 2] !== 0) slot = next(slot);
      put(slot, a, b, place);
    }
  };

  return {
    claim(a, b, key, row) {
      let slot = first(b);
      for (;;) {
        const chunk = chunkOf(slot);
        const word = wordOf(slot);
        const place = chunk[word + 2];
        // Place 0 marks a free slot.
        if (!place) break;
        const before = chunk[word] === a && chunk[word + 1] === b ? spill.rowAt(place, key) : undefined;
        if (before !== undefined) return before;
        slot = next(slot);
      }
      put(slot, a, b, spill.add(key, row));
      if (++used > slots * MOST_FULL) grow();
      return undefined;
    },
  };
}

function createChunk(): Uint32Array {
  return new Uint32Array(CHUNK_SLOTS * SLOT_WORDS);
}

/** Room for a moment, the same for all who ask. */
type Scratch = (words: number) => Uint32Array;

function createScratch(): Scratch {
  let room = new Uint32Array();
  return (words) => {
    if (room.length < words) room = new Uint32Array(words * 2);
    return room.subarray(0, words);
  };
}
