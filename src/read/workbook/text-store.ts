import { openTemporaryFile, type TemporaryFile } from '../bytes/temporary-file.ts';

/** Many texts, as UTF-8 outside the heap, and in a temporary file if they are large. */
export interface TextStore {
  readonly length: number;
  add(text: string): void;
  /** Returns the text at an index; undefined if there is none. */
  get(index: number): string | undefined;
  close(): void;
}

export interface TextStoreOptions {
  /** Pages in memory. Beyond them all pages are on disk, and these are a cache. */
  readonly pages?: number;
  readonly pageBytes?: number;
}

/** 16 KiB are read in about 4 µs. Sheets mostly use their texts in the order in which the workbook lists them. */
const PAGE_BYTES = 16 * 1024;
/** 24 MiB */
const PAGES = 1536;
/** Texts that are kept as strings: columns such as a status repeat a few texts in each row. */
const KEPT_TEXTS = 4096;
const LONGEST_KEPT = 200;
/** Texts of a workbook: each takes eight bytes, however short it is. */
const MAX_TEXTS = 10_000_000;
/** Offsets are kept in blocks, so that growing does not copy them. */
const OFFSETS = 65_536;

export function createTextStore({ pages = PAGES, pageBytes = PAGE_BYTES }: TextStoreOptions = {}): TextStore {
  /** The end of each text in the stream of all texts. */
  const ends: Float64Array[] = [];
  let length = 0;
  let size = 0;
  /** The page that is being filled, and its number. */
  let room: Buffer = Buffer.allocUnsafeSlow(pageBytes);
  let filled = 0;
  let last = 0;
  /** Complete pages: page n is in the slot n modulo their number, or else on disk. */
  const slots: (Buffer | undefined)[] = [];
  const inSlot: number[] = [];
  let file: TemporaryFile | undefined;
  const kept: (string | undefined)[] = new Array(KEPT_TEXTS);
  const keptIndex = new Int32Array(KEPT_TEXTS).fill(-1);

  function append(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const copied = bytes.copy(room, filled, at);
      at += copied;
      filled += copied;
      if (filled === pageBytes) completePage();
    }
  }

  function completePage(): void {
    if (last === pages && file === undefined) {
      file = openTemporaryFile('The texts of a large workbook are kept');
      for (const page of slots) file.append(page as Buffer);
    }
    file?.append(room);
    const slot = last % pages;
    const free = slots[slot];
    slots[slot] = room;
    inSlot[slot] = last;
    room = free ?? Buffer.allocUnsafeSlow(pageBytes);
    filled = 0;
    last++;
  }

  function pageAt(page: number): Buffer {
    if (page === last) return room;
    const slot = page % pages;
    const bytes = slots[slot] as Buffer;
    if (inSlot[slot] === page) return bytes;
    file?.read(bytes, page * pageBytes);
    inSlot[slot] = page;
    return bytes;
  }

  function read(from: number, to: number): string {
    const page = Math.floor(from / pageBytes);
    const start = from - page * pageBytes;
    if (start + (to - from) <= pageBytes) return pageAt(page).toString('utf8', start, start + (to - from));
    const parts: Buffer[] = [];
    for (let at = from; at < to; ) {
      const number = Math.floor(at / pageBytes);
      const offset = at - number * pageBytes;
      // Copied, since the next page may take the place of this one.
      const part = Buffer.from(pageAt(number).subarray(offset, Math.min(pageBytes, offset + (to - at))));
      parts.push(part);
      at += part.length;
    }
    return Buffer.concat(parts).toString();
  }

  function endOf(index: number): number {
    return index < 0 ? 0 : (ends[Math.floor(index / OFFSETS)]?.[index % OFFSETS] ?? 0);
  }

  return {
    get length() {
      return length;
    },
    add(text) {
      if (length >= MAX_TEXTS) throw new Error(`it has more than ${MAX_TEXTS} texts`);
      const bytes = Buffer.from(text);
      append(bytes);
      size += bytes.length;
      if (length % OFFSETS === 0) ends.push(new Float64Array(OFFSETS));
      (ends.at(-1) as Float64Array)[length % OFFSETS] = size;
      length++;
    },
    get(index) {
      if (!(index >= 0 && index < length)) return undefined;
      const place = index % KEPT_TEXTS;
      if (keptIndex[place] === index) return kept[place];
      const text = read(endOf(index - 1), endOf(index));
      if (text.length <= LONGEST_KEPT) {
        kept[place] = text;
        keptIndex[place] = index;
      }
      return text;
    },
    close: () => file?.close(),
  };
}
