import { fingerprint } from '../model/index.ts';
import { createKeySpill } from './key-spill.ts';

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
  /** The row that claimed this key, if any did. */
  find(key: string): number | undefined;
  /** Gives back the room on the disk. */
  close(): void;
}

/** Many small tables: when one grows, only that one is there twice for a moment, and nobody waits for it. */
const PART_BITS = 6;

/**
 * Open addressing over three words a slot: the two halves of the fingerprint, and the place of the key on disk, where 0
 * marks a free slot. It grows in place, by chunks: arrays that were outgrown would wait for the collector, several times
 * as large as the index. Plain data, since closures in each of the tables would take twice the time.
 */
interface Part {
  readonly chunks: Uint32Array[];
  used: number;
}

const CHUNK_SLOTS = 1024;
const SLOT_WORDS = 3;
const CHUNK_WORDS = CHUNK_SLOTS * SLOT_WORDS;
const MOST_FULL = 0.75;
const GROWTH = 1.25;

/** `spillFolder`: where keys go that the buffer does not hold. `fingerprintOf`: another one, for tests. */
export function createKeyIndex(
  spillFolder: string,
  fingerprintOf: (text: string) => readonly [number, number] = fingerprint,
): KeyIndex {
  const spill = createKeySpill(spillFolder);
  const scratch = createScratch();
  const parts: Part[] = [];

  /** Without a row, the key is only looked for. */
  function look(key: string, row: number | undefined): number | undefined {
    const [a, b] = fingerprintOf(key);
    const number = a >>> (32 - PART_BITS);
    parts[number] ??= { chunks: [createChunk()], used: 0 };
    const part = parts[number] as Part;
    const { chunks } = part;
    let at = chunkOf(chunks, b);
    let chunk = chunks[at] as Uint32Array;
    let word = wordOf(b);
    for (;;) {
      const place = chunk[word + 2];
      if (!place) break;
      const before = chunk[word] === a && chunk[word + 1] === b ? spill.rowAt(place, key) : undefined;
      if (before !== undefined) return before;
      word += SLOT_WORDS;
      if (word < CHUNK_WORDS) continue;
      word = 0;
      at = at + 1 < chunks.length ? at + 1 : 0;
      chunk = chunks[at] as Uint32Array;
    }
    if (row === undefined) return undefined;
    chunk[word] = a;
    chunk[word + 1] = b;
    chunk[word + 2] = spill.add(key, row);
    if (++part.used > chunks.length * CHUNK_SLOTS * MOST_FULL) grow(chunks, scratch);
    return undefined;
  }

  return { claim: look, find: (key) => look(key, undefined), close: spill.close };
}

// The upper bits of the first half chose the part; the second one is independent of them, and so are its two ends.
function chunkOf(chunks: readonly Uint32Array[], b: number): number {
  return Math.floor((b / 0x1_0000_0000) * chunks.length);
}

function wordOf(b: number): number {
  return (b & (CHUNK_SLOTS - 1)) * SLOT_WORDS;
}

function grow(chunks: Uint32Array[], scratch: Scratch): void {
  const before = scratch(chunks.length * CHUNK_WORDS);
  for (const [index, chunk] of chunks.entries()) {
    before.set(chunk, index * CHUNK_WORDS);
    chunk.fill(0);
  }
  const wanted = Math.ceil(chunks.length * GROWTH);
  while (chunks.length < wanted) chunks.push(createChunk());
  for (let from = 0; from < before.length; from += SLOT_WORDS) {
    const [a, b, place] = [before[from], before[from + 1], before[from + 2]] as [number, number, number];
    if (place === 0) continue;
    let at = chunkOf(chunks, b);
    let chunk = chunks[at] as Uint32Array;
    let word = wordOf(b);
    while (chunk[word + 2] !== 0) {
      word += SLOT_WORDS;
      if (word < CHUNK_WORDS) continue;
      word = 0;
      at = at + 1 < chunks.length ? at + 1 : 0;
      chunk = chunks[at] as Uint32Array;
    }
    chunk[word] = a;
    chunk[word + 1] = b;
    chunk[word + 2] = place;
  }
}

function createChunk(): Uint32Array {
  return new Uint32Array(CHUNK_WORDS);
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
