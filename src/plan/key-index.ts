import { hash } from 'node:crypto';
import { mix } from './mix.ts';

/**
 * The keys of a run, each with its first row: 16 bytes a slot, 18 to 20 bytes a key. A key is represented by 96 bits: its
 * own if it is 24 hexadecimal digits, as the identifiers of most stores are, else those of its SHA-256. So two different
 * keys are confused once in 10^15 runs of ten million keys.
 */
export interface KeyIndex {
  /** Returns the first row of this key. If the key is new, notes `row` as its first and returns undefined. */
  claim(key: string, row: number): number | undefined;
  /** The row that claimed this key; undefined if none did. */
  find(key: string): number | undefined;
}

/** Bits that choose one of many small tables: growing copies only one of them, which takes little time and memory. */
const PART_BITS = 6;

/**
 * Open addressing with four words a slot: three of the hash, whose last one is 0 for a free slot, and the row. It grows in
 * place, by chunks: replaced arrays would wait for the garbage collector and be several times as large as the index.
 */
interface Part {
  readonly chunks: Uint32Array[];
  used: number;
}

const CHUNK_SLOTS = 1024;
const SLOT_WORDS = 4;
const CHUNK_WORDS = CHUNK_SLOTS * SLOT_WORDS;
const MOST_FULL = 0.9;
const GROWTH = 1.15;

export function createKeyIndex(): KeyIndex {
  const scratch = createScratch();
  const parts: Part[] = [];
  const words = new Uint32Array(3);

  /** Finds a key, and adds it if it is new and `row` is given. */
  function look(key: string, row: number | undefined): number | undefined {
    if (!readHex(key, words)) readDigest(key, words);
    const a = words[0] as number;
    const b = words[1] as number;
    const c = words[2] as number;
    const number = a >>> (32 - PART_BITS);
    parts[number] ??= { chunks: [createChunk()], used: 0 };
    const part = parts[number] as Part;
    const { chunks } = part;
    let at = chunkOf(chunks, b);
    let chunk = chunks[at] as Uint32Array;
    let word = wordOf(b);
    while (chunk[word + 2] !== 0) {
      if (chunk[word] === a && chunk[word + 1] === b && chunk[word + 2] === c) return chunk[word + 3];
      word += SLOT_WORDS;
      if (word < CHUNK_WORDS) continue;
      word = 0;
      at = at + 1 < chunks.length ? at + 1 : 0;
      chunk = chunks[at] as Uint32Array;
    }
    if (row === undefined) return undefined;
    chunk[word] = a;
    chunk[word + 1] = b;
    chunk[word + 2] = c;
    chunk[word + 3] = row;
    if (++part.used > chunks.length * CHUNK_SLOTS * MOST_FULL) grow(chunks, scratch);
    return undefined;
  }

  return { claim: look, find: (key) => look(key, undefined) };
}

/** The value of each ASCII character as a hexadecimal digit; negative if it is none. */
const HEX_DIGITS = Int8Array.from({ length: 0x80 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code)),
);
const HEX_LENGTH = 24;

/**
 * Reads a key of 24 hexadecimal digits as three words: a hash would cost as much as the rest of the index. Returns false
 * for any other key, and for one whose last word would mark a free slot.
 *
 * Such keys are often numbered in one of their words, and the table needs all bits of the first two mixed. `mix` can be
 * reversed and so can each step here, so different keys stay different.
 */
function readHex(key: string, words: Uint32Array): boolean {
  if (key.length !== HEX_LENGTH) return false;
  const c = hexWord(key, 16);
  if (c <= 0) return false;
  const a = hexWord(key, 0);
  const b = hexWord(key, 8);
  if (a < 0 || b < 0) return false;
  const mixedB = mix(b) ^ mix(a ^ mix(c));
  words[0] = a ^ mix(mixedB);
  words[1] = mixedB;
  words[2] = c;
  return true;
}

/** The number of eight hexadecimal digits; negative if there are others. */
function hexWord(key: string, from: number): number {
  let word = 0;
  for (let at = from; at < from + 8; at++) {
    const code = key.charCodeAt(at);
    const digit = code < 0x80 ? (HEX_DIGITS[code] as number) : -1;
    if (digit < 0) return -1;
    word = (word << 4) | digit;
  }
  return word >>> 0;
}

function readDigest(key: string, words: Uint32Array): void {
  const digest = digestOf(key);
  words[0] = wordIn(digest, 0);
  words[1] = wordIn(digest, 4);
  words[2] = wordIn(digest, 8) || 1;
}

/** A string with a byte in each character: a buffer would take twice the time. */
function digestOf(key: string): string {
  if (key.isWellFormed()) return hash('sha256', key, 'binary');
  // UTF-8 would confuse keys with halves of surrogate pairs. Another function, since both may give the same bytes.
  return hash('sha512-256', Buffer.from(key, 'utf16le'), 'binary');
}

function wordIn(digest: string, at: number): number {
  const low = digest.charCodeAt(at) | (digest.charCodeAt(at + 1) << 8);
  return (low | (digest.charCodeAt(at + 2) << 16) | (digest.charCodeAt(at + 3) << 24)) >>> 0;
}

// The upper bits of the first word choose the part. The second word is independent of them: its upper bits choose the
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
    if (before[from + 2] === 0) continue;
    const b = before[from + 1] as number;
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
    chunk[word] = before[from] as number;
    chunk[word + 1] = b;
    chunk[word + 2] = before[from + 2] as number;
    chunk[word + 3] = before[from + 3] as number;
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
