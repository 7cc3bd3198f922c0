import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { RunStopped } from '../model/index.ts';

/**
 * Keys on disk, each with its row, for exact comparison by the index of keys. The last added keys are in a buffer, so a
 * run with a few thousand keys needs no file.
 *
 * Entries are consecutive, each at a multiple of 8 bytes, so that 32 bits can address 32 GiB.
 *
 *     row, length of the key: 2 × uint32; then the key in UTF-16, since UTF-8 has no half of a surrogate pair
 */
export interface KeyStore {
  /** Adds a key. Returns its place, which is never 0. Throws RunStopped if the disk or the places are full. */
  add(key: string, row: number): number;
  /** The row of the key at a place; undefined if it is another key. Throws RunStopped if it cannot be read. */
  rowAt(place: number, key: string): number | undefined;
  /** Deletes the file. Nothing can be added or read afterwards. */
  close(): void;
}

const PLACE_BYTES = 8;
const HEADER_BYTES = 8;
const HEADER_UNITS = HEADER_BYTES / 2;
const MOST_PLACES = 0x1_0000_0000;

const BUFFER_BYTES = 64 * 1024;
/** Bytes of a key that are read at once. */
const PIECE_BYTES = 4 * 1024;

/** `folder`: place of the file, which is created when the buffer is full. `mostPlaces`: fewer in tests. */
export function createKeySpill(folder: string, mostPlaces = MOST_PLACES): KeyStore {
  const buffer = createRoom(BUFFER_BYTES);
  const piece = createRoom(PIECE_BYTES);
  let file: UnlinkedTempFile | undefined;
  let ended: Error | undefined;
  /** Offset of the buffer in the file. No entry is at 0. */
  let start = PLACE_BYTES;
  /** UTF-16 units in the buffer. Between two entries they fill a whole number of places. */
  let used = 0;

  function onDisk(work: (file: UnlinkedTempFile) => void): void {
    if (ended) throw ended;
    try {
      file ??= openNamelessFile(folder);
      work(file);
    } catch (error) {
      throw stop(notKept(folder, error));
    }
  }
  /** Deletes the file at once, also if the disk is full: the ledger needs the space for the run's end. */
  function stop(why: Error): Error {
    ended = why;
    file?.close();
    file = undefined;
    return why;
  }
  function flush(): void {
    onDisk((file) => file.write(buffer.bytes, used * 2, start));
    start += used * 2;
    used = 0;
  }

  function rowInBuffer(at: number, key: string): number | undefined {
    const isSame = buffer.words[at / 2 + 1] === key.length && standsAt(buffer, at + HEADER_UNITS, key, 0);
    return isSame ? buffer.words[at / 2] : undefined;
  }
  function rowInFile(offset: number, key: string): number | undefined {
    const text = offset + HEADER_BYTES;
    const end = text + key.length * 2;
    // The last entry may begin in the file and end in the buffer.
    if (end > start) flush();
    onDisk((file) => file.read(piece.bytes, Math.min(end, start, offset + PIECE_BYTES) - offset, offset));
    if (piece.words[1] !== key.length) return undefined;
    const row = piece.words[0];
    let from = Math.min(key.length, piece.units.length - HEADER_UNITS);
    if (!standsAt(piece, HEADER_UNITS, key, 0, from)) return undefined;
    while (from < key.length) {
      const count = Math.min(key.length - from, piece.units.length);
      const position = text + from * 2;
      onDisk((file) => file.read(piece.bytes, count * 2, position));
      if (!standsAt(piece, 0, key, from, count)) return undefined;
      from += count;
    }
    return row;
  }

  return {
    add(key, row) {
      const place = (start + used * 2) / PLACE_BYTES;
      if (place >= mostPlaces) throw stop(tooMany());
      if (used === buffer.units.length) flush();
      buffer.words[used / 2] = row;
      buffer.words[used / 2 + 1] = key.length;
      used += HEADER_UNITS;
      for (let index = 0; index < key.length; index++) {
        if (used === buffer.units.length) flush();
        buffer.units[used++] = key.charCodeAt(index);
      }
      used = Math.ceil(used / HEADER_UNITS) * HEADER_UNITS;
      return place;
    },
    rowAt(place, key) {
      const offset = place * PLACE_BYTES;
      return offset < start ? rowInFile(offset, key) : rowInBuffer((offset - start) / 2, key);
    },
    close() {
      stop(new Error('The index of keys was closed.'));
    },
  };
}

/** One block of memory: as bytes for the file, as words for headers, as UTF-16 units for keys. */
interface Room {
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
  readonly units: Uint16Array;
}

function createRoom(length: number): Room {
  const memory = new ArrayBuffer(length);
  return { bytes: new Uint8Array(memory), words: new Uint32Array(memory), units: new Uint16Array(memory) };
}

/** True if the units at `at` in the room equal `count` units of the key, beginning with unit `from`. */
function standsAt({ units }: Room, at: number, key: string, from: number, count = key.length): boolean {
  for (let index = 0; index < count; index++)
    if (units[at + index] !== key.charCodeAt(from + index)) return false;
  return true;
}

function notKept(folder: string, error: unknown): RunStopped {
  return new RunStopped(
    'temporary-file-failed',
    `The keys that were read could not be kept in ${folder}, so nothing more was read: ${(error as Error).message}.`,
    ['Make space on the disk that holds this folder, then run the command again.'],
  );
}

function tooMany(): RunStopped {
  return new RunStopped(
    'temporary-file-failed',
    'There are more keys than can be told apart in one run: they would fill more than 32 GiB.',
    ['Divide the source into several files, and run the command for each.'],
  );
}

/** A file without a name, which only its process sees. It is deleted when it is closed, or when the process ends. */
export interface UnlinkedTempFile {
  /** Writes the first `length` bytes, which are not durable after a power cut. */
  write(bytes: Uint8Array, length: number, position: number): void;
  /** Reads into the first `length` bytes. */
  read(bytes: Uint8Array, length: number, position: number): void;
  close(): void;
}

/** Throws the system's error, as reading and writing do. */
export function openNamelessFile(folder: string): UnlinkedTempFile {
  const path = join(folder, `storeport-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  // `wx`: never follows a link that somebody else has placed. Only the owner may read: keys may be mail addresses.
  const descriptor = openSync(path, 'wx+', 0o600);
  // The open file does not need its name. Windows may refuse to remove it before the file is closed.
  const isNameless = remove(path);

  return {
    write(bytes, length, position) {
      for (let written = 0; written < length; )
        written += writeSync(descriptor, bytes, written, length - written, position + written);
    },
    read(bytes, length, position) {
      for (let got = 0; got < length; ) {
        const more = readSync(descriptor, bytes, got, length - got, position + got);
        if (more === 0) throw new Error('the file has become shorter');
        got += more;
      }
    },
    close() {
      try {
        closeSync(descriptor);
      } catch {
        // The content is no longer needed, and this error must not hide that of the run.
      }
      if (!isNameless) remove(path);
    },
  };
}

function remove(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}
