import { fingerprint } from '../model/index.ts';
import { createKeySpill } from './key-spill.ts';

/**
 * The keys of a run, each with its first row: 12 bytes a slot, 16 to 20 bytes a key. Memory holds 64-bit fingerprints.
 * The keys themselves are on disk and are compared if fingerprints are equal. So two different keys are never confused,
 * even among very many.
 */
export interface KeyIndex {
  /**
   * Returns the first row of this key. If the key is new, notes `row` as its first and returns undefined. Throws
   * RunStopped if the disk is full.
   */
  claim(key: string, row: number): number | undefined;
  /** The row that claimed this key; undefined if none did. */
  find(key: string): number | undefined;
  /** Frees the space on disk. */
  close(): void;
}

/** Bits that choose one of many small tables: growing copies only one of them, which takes little time and memory. */
const PART_BITS = 6;

/**
 * Open addressing with three words a slot: the two halves of the fingerprint, and the key's place on disk, which is 0 for
 * a free slot. It grows in place, by chunks: replaced arrays would wait for the garbage collector and be several times as
 * large as the index. Plain data, since closures in each table would take twice the time.
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

/** `spillFolder`: folder for keys that do not fit into the buffer. `fingerprintOf`: replaced in tests. */
export function createKeyIndex(
  spillFolder: string,
  fingerprintOf: (text: string) => readonly [number, number] = fingerprint,
): KeyIndex {
  const spill = createKeySpill(spillFolder);
  const scratch = createScratch();
  const parts: Part[] = [];

  /** Finds a key, and adds it if it is new and `row` is given. */
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

// The upper bits of the first half choose the part. The second half is independent of them: its upper bits choose the
// chunk, its lower bits the slot.
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

/** A temporary array, reused by all callers. */
type Scratch = (words: number) => Uint32Array;

function createScratch(): Scratch {
  let room = new Uint32Array();
  return (words) => {
    if (room.length < words) room = new Uint32Array(words * 2);
    return room.subarray(0, words);
  };
}
