import { closeSync, fstatSync, fsyncSync, readSync, writeSync } from 'node:fs';
import { endianness } from 'node:os';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { openSync, statSync } from '../../model/files/fs.ts';
import { PRIVATE_FILE, replaceFileSync } from '../../model/index.ts';
import { openIfThere } from '../files/files.ts';
import { syncFolder } from '../files/folders.ts';
import { readWal, type WalPart, type WalPosition, walBegin } from './sqlite-wal.ts';

/**
 * `ledger.sums`: the crc32 of each page that `ledger.db` must have, and the position up to which SQLite's write-ahead log
 * was read. SQLite itself does not notice a lost log, an older copy of a file, or most overwritten pages. A comparison
 * with these sums shows them all.
 *
 *     64 bytes: magic, page size, pages, 2 × salt, frames, 2 × checksum, size and time of ledger.db when it was
 *     closed, crc32 of these; then 4 bytes for each page
 */
export interface SumsHeader {
  readonly pageSize: number;
  readonly pages: number;
  /** Position up to which the log was read; undefined if SQLite had checkpointed and emptied it. */
  readonly wal: WalPosition | undefined;
  /** Size and time of `ledger.db` when it was closed; undefined if it was not. */
  readonly closed: FileStamp | undefined;
}

export interface FileStamp {
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

const MAGIC = Buffer.from('sp-sums1');
const HEADER_BYTES = 64;
const SUM_BYTES = 4;
/** Pages of a very large commit: the keys of some million records. */
const PAGES_AHEAD = 65_536;

/** The header for a ledger without pages. */
export const NO_PAGES: SumsHeader = { pageSize: 4096, pages: 0, wal: undefined, closed: undefined };

/** Updates the sums. Each call needs the turn (share.ts). */
export interface PageChecksums {
  /** True if the log has a whole commit that the sums do not cover. SQLite may still ignore that commit. */
  isBehind(): boolean;
  /** Reads the commits since the last call. Throws the error of the system. */
  catchUp(): void;
  /** Allocates space for the pages of the next commit, so that updating the sums cannot fail on a full disk. */
  reserve(): void;
  /** Syncs the file. After that SQLite may checkpoint what was read. */
  sync(): void;
  /** Number of frames read from the log. */
  readonly frames: number;
  /** Writes down the final state of `ledger.db`, once SQLite has emptied its log. */
  noteClosed(state: FileStamp): void;
  /** True if `noteClosed` was called with that state and nothing was committed since. */
  isClosedAs(state: FileStamp | undefined): boolean;
  close(): void;
}

export function openPageChecksums(sumsFile: string, walFile: string): PageChecksums {
  const sums = openSync(sumsFile, 'r+');
  /** Kept open: SQLite replaces the file only while no process has the ledger open. */
  let wal: number | undefined;
  let frames = 0;
  let allocated = fstatSync(sums).size;

  /** The part of the log that the sums do not cover; undefined if there is no log. */
  function unread() {
    wal ??= openIfThere(walFile);
    const begin = wal === undefined ? undefined : walBegin(wal);
    if (wal === undefined || begin === undefined) return undefined;
    const header = readHeader(sums);
    if (header === undefined) throw new Error(`${sumsFile} was damaged meanwhile`);
    const isNew = !sameGeneration(header.wal, begin);
    const part = readWal(wal, isNew || !header.wal ? begin : header.wal, begin);
    return { part, isNew, pageSize: begin.pageSize };
  }

  return {
    isBehind: () => (unread()?.part.commits ?? 0) > 0,
    catchUp() {
      const found = unread();
      frames = found?.part.end.frames ?? 0;
      if (found === undefined || found.part.commits === 0) return;
      writeSums(sums, found.part.pages);
      writeHeader(sums, headerAfter(found.part, found.pageSize));
      // After a power cut, at most one commit of a generation is then unknown to the sums.
      if (found.isNew) fsyncSync(sums);
    },
    reserve() {
      const pages = readHeader(sums)?.pages ?? 0;
      const needed = HEADER_BYTES + (pages + PAGES_AHEAD / 2) * SUM_BYTES;
      if (allocated >= needed) return;
      // Another connection may have allocated the space, and written sums into it.
      allocated = fstatSync(sums).size;
      if (allocated >= needed) return;
      const zeros = Buffer.alloc(HEADER_BYTES + (pages + PAGES_AHEAD) * SUM_BYTES - allocated);
      writeSync(sums, zeros, 0, zeros.length, allocated);
      allocated += zeros.length;
      // After a power cut the file must be as long as its header says.
      fsyncSync(sums);
    },
    sync: () => fsyncSync(sums),
    get frames() {
      return frames;
    },
    noteClosed(state) {
      const header = readHeader(sums);
      if (header) writeHeader(sums, { ...header, wal: undefined, closed: state });
    },
    isClosedAs(state) {
      const closed = readHeader(sums)?.closed;
      return closed !== undefined && isSameState(closed, state);
    },
    close() {
      closeSync(sums);
      if (wal !== undefined) closeSync(wal);
    },
  };
}

export function sameGeneration(known: WalPosition | undefined, begin: WalPosition): boolean {
  return known?.salts[0] === begin.salts[0] && known.salts[1] === begin.salts[1];
}

/** The header after a part of the log that ends in a commit. */
function headerAfter(part: WalPart, pageSize: number): SumsHeader {
  return { pageSize, pages: part.databasePages, wal: part.end, closed: undefined };
}

/** Writes the file under another name, then renames it. Throws the error of the system. */
export function createSums(file: string, header: SumsHeader, sums: Uint32Array): void {
  const part = `${file}.next`;
  const descriptor = openSync(part, 'w', PRIVATE_FILE);
  try {
    writeHeader(descriptor, header);
    writeSums(descriptor, new Map(Array.from(sums, (sum, index) => [index + 1, sum])));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  replaceFileSync(part, file);
  syncFolder(dirname(file));
}

export interface KnownSums {
  readonly header: SumsHeader;
  /** Read when it is first used: few commands need the sums of a large ledger. */
  readonly sums: Uint32Array;
}

/** The content of `ledger.sums`; undefined if it is damaged. Call it only while no process writes the file. */
export function readSums(file: string): KnownSums | undefined {
  const descriptor = openSync(file, 'r');
  try {
    const header = readHeader(descriptor);
    if (header === undefined) return undefined;
    const bytes = header.pages * SUM_BYTES;
    if (fstatSync(descriptor).size < HEADER_BYTES + bytes) return undefined;
    let sums: Uint32Array | undefined;
    return {
      header,
      get sums() {
        sums ??= readAllSums(file, bytes);
        return sums;
      },
    };
  } finally {
    closeSync(descriptor);
  }
}

function readAllSums(file: string, length: number): Uint32Array {
  const bytes = Buffer.from(new ArrayBuffer(length));
  const descriptor = openSync(file, 'r');
  try {
    if (readSync(descriptor, bytes, 0, length, HEADER_BYTES) < length)
      throw new Error(`${file} was cut meanwhile`);
  } finally {
    closeSync(descriptor);
  }
  // They are little-endian in the file.
  if (endianness() === 'BE') bytes.swap32();
  return new Uint32Array(bytes.buffer);
}

/** Updates a file that no process has open. */
export function updateSums(file: string, header: SumsHeader, sums: ReadonlyMap<number, number>): void {
  const descriptor = openSync(file, 'r+');
  try {
    writeSums(descriptor, sums);
    writeHeader(descriptor, header);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function isSameState(a: FileStamp, b: FileStamp | undefined): boolean {
  return a.size === b?.size && a.mtimeNs === b.mtimeNs;
}

export function stampOf(file: string): FileStamp | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && { size: found.size, mtimeNs: found.mtimeNs };
}

/** Writes the sums of adjacent pages at once. */
function writeSums(file: number, sums: ReadonlyMap<number, number>): void {
  const pages = Uint32Array.from(sums.keys()).sort();
  for (let from = 0; from < pages.length; ) {
    const first = pages[from] ?? 0;
    let to = from + 1;
    while (to < pages.length && pages[to] === first + to - from) to += 1;
    const bytes = Buffer.alloc((to - from) * SUM_BYTES);
    for (let at = from; at < to; at++)
      bytes.writeUInt32LE(sums.get(pages[at] ?? 0) ?? 0, (at - from) * SUM_BYTES);
    writeSync(file, bytes, 0, bytes.length, HEADER_BYTES + (first - 1) * SUM_BYTES);
    from = to;
  }
}

function writeHeader(file: number, { pageSize, pages, wal, closed }: SumsHeader): void {
  const bytes = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(bytes);
  const numbers = [pageSize, pages, ...(wal?.salts ?? [0, 0]), wal?.frames ?? 0, ...(wal?.sums ?? [0, 0])];
  for (const [index, number] of numbers.entries()) bytes.writeUInt32LE(number, 8 + 4 * index);
  bytes.writeBigInt64LE(closed?.size ?? 0n, 40);
  bytes.writeBigInt64LE(closed?.mtimeNs ?? 0n, 48);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 60)), 60);
  writeSync(file, bytes, 0, HEADER_BYTES, 0);
}

function readHeader(file: number): SumsHeader | undefined {
  const bytes = Buffer.alloc(HEADER_BYTES);
  if (readSync(file, bytes, 0, HEADER_BYTES, 0) < HEADER_BYTES) return undefined;
  if (!bytes.subarray(0, 8).equals(MAGIC) || bytes.readUInt32LE(60) !== crc32(bytes.subarray(0, 60)))
    return undefined;
  const number = (index: number) => bytes.readUInt32LE(8 + 4 * index);
  const frames = number(4);
  const [size, mtimeNs] = [bytes.readBigInt64LE(40), bytes.readBigInt64LE(48)];
  return {
    pageSize: number(0),
    pages: number(1),
    wal: frames === 0 ? undefined : { salts: [number(2), number(3)], frames, sums: [number(5), number(6)] },
    closed: size === 0n ? undefined : { size, mtimeNs },
  };
}
