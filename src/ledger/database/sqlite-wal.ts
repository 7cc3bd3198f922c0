import { readSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/**
 * Reads the write-ahead log of SQLite (`ledger.db-wal`) as SQLite does: up to the last commit before the first invalid
 * frame. The format is described at sqlite.org/fileformat2.html#walformat.
 *
 *     header:     magic, version, page size, checkpoint number, 2 × salt, 2 × checksum of these
 *     each frame: page number, pages in the database after a commit (else 0), 2 × salt, 2 × running checksum; the page
 */
export interface WalPosition {
  /** Identify one generation of the log: SQLite changes them when it starts the file over. */
  readonly salts: readonly [number, number];
  /** Number of frames before this position. */
  readonly frames: number;
  /** Checksum of everything before this position. */
  readonly sums: readonly [number, number];
}

export interface WalPart {
  /** The position after the last commit; the start of reading if there is none. */
  readonly end: WalPosition;
  readonly commits: number;
  /** Pages of the database after the last commit; 0 if there is none. */
  readonly databasePages: number;
  /** The crc32 of the latest content of each page in this part. */
  readonly pages: ReadonlyMap<number, number>;
  /** The header of the database, from page 1; undefined if this part does not have that page. */
  readonly description: Buffer | undefined;
}

/** Bytes of the database header at the beginning of page 1. */
export const DESCRIPTION_BYTES = 100;

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The last bit is the byte order of the checksums. */
const MAGIC = 0x377f0682;
/** Frames per read. A larger buffer is returned to the system and requested again for each commit. */
const FRAMES_AT_ONCE = 24;

/** The position of the first frame; undefined if the file has no whole header. */
export function walBegin(file: number): (WalPosition & { readonly pageSize: number }) | undefined {
  const bytes = Buffer.alloc(HEADER_BYTES);
  if (readSync(file, bytes, 0, HEADER_BYTES, 0) < HEADER_BYTES) return undefined;
  const magic = bytes.readUInt32BE(0);
  if ((magic & ~1) >>> 0 !== MAGIC) return undefined;
  const view = viewOf(bytes);
  const sums = continueSums([0, 0], { view, from: 0, to: 24, little: isLittle(magic) });
  if (bytes.readUInt32BE(24) !== sums[0] || bytes.readUInt32BE(28) !== sums[1]) return undefined;
  return {
    salts: [bytes.readUInt32BE(16), bytes.readUInt32BE(20)],
    frames: 0,
    sums,
    pageSize: bytes.readUInt32BE(8),
  };
}

/** Reads from `from` to the last commit, or to the last commit at or before frame `to`. */
export function readWal(
  file: number,
  from: WalPosition,
  { pageSize, to = Number.POSITIVE_INFINITY }: { readonly pageSize: number; readonly to?: number },
): WalPart {
  const frameBytes = FRAME_HEADER_BYTES + pageSize;
  if (!hasFrame(file, from, HEADER_BYTES + from.frames * frameBytes))
    return { end: from, commits: 0, databasePages: 0, pages: new Map(), description: undefined };
  const buffer = Buffer.allocUnsafe(frameBytes * FRAMES_AT_ONCE);
  const view = viewOf(buffer);
  const little = isLittle(magicOf(file));
  const pages = new Map<number, number>();
  /** Pages of frames after the last commit. */
  let pending = new Map<number, number>();
  let [end, commits, databasePages] = [from, 0, 0];
  let [frames, sums] = [from.frames, from.sums];
  let description: Buffer | undefined;
  let pendingDescription: Buffer | undefined;
  const part = (): WalPart => ({ end, commits, databasePages, pages, description });
  for (;;) {
    const read = readSync(file, buffer, 0, buffer.length, HEADER_BYTES + frames * frameBytes);
    for (let at = 0; at + frameBytes <= read; at += frameBytes) {
      if (frames === to) return part();
      const page = view.getUint32(at);
      const size = view.getUint32(at + 4);
      if (page === 0 || view.getUint32(at + 8) !== from.salts[0] || view.getUint32(at + 12) !== from.salts[1])
        return part();
      sums = continueSums(sums, { view, from: at, to: at + 8, little });
      sums = continueSums(sums, { view, from: at + FRAME_HEADER_BYTES, to: at + frameBytes, little });
      if (view.getUint32(at + 16) !== sums[0] || view.getUint32(at + 20) !== sums[1]) return part();
      frames += 1;
      const content = buffer.subarray(at + FRAME_HEADER_BYTES, at + frameBytes);
      pending.set(page, crc32(content));
      if (page === 1) pendingDescription = Buffer.from(content.subarray(0, DESCRIPTION_BYTES));
      if (size === 0) continue;
      description = pendingDescription;
      for (const [number, crc] of pending) pages.set(number, crc);
      pending = new Map();
      end = { salts: from.salts, frames, sums };
      commits += 1;
      databasePages = size;
    }
    if (read < buffer.length) return part();
  }
}

/** True if a frame of this generation may be there. Mostly there is none, and then nothing is allocated. */
function hasFrame(file: number, { salts }: WalPosition, position: number): boolean {
  const bytes = Buffer.alloc(FRAME_HEADER_BYTES);
  if (readSync(file, bytes, 0, FRAME_HEADER_BYTES, position) < FRAME_HEADER_BYTES) return false;
  return bytes.readUInt32BE(8) === salts[0] && bytes.readUInt32BE(12) === salts[1];
}

function magicOf(file: number): number {
  const bytes = Buffer.alloc(4);
  readSync(file, bytes, 0, 4, 0);
  return bytes.readUInt32BE(0);
}

function isLittle(magic: number): boolean {
  return (magic & 1) === 0;
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

interface Words {
  readonly view: DataView;
  readonly from: number;
  readonly to: number;
  /** True if words are little-endian. */
  readonly little: boolean;
}

/** Continues both sums over pairs of 32-bit words. */
function continueSums(
  before: readonly [number, number],
  { view, from, to, little }: Words,
): readonly [number, number] {
  let [a, b] = before;
  for (let at = from; at < to; at += 8) {
    a = (a + view.getInt32(at, little) + b) | 0;
    b = (b + view.getInt32(at + 4, little) + a) | 0;
  }
  return [a >>> 0, b >>> 0];
}
