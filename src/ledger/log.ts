import { closeSync, fdatasync, fdatasyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { ConfigError, PRIVATE_FILE } from '../model/index.ts';
import { syncFolder } from './folders.ts';

/**
 * The write-ahead log of one run: what was noted since the tables were written last. A commit of SQLite dirties
 * several pages and their directory for each group of records; one entry here is one write and one sync of bytes that
 * are there already, and the sync happens beside the program.
 *
 * Entries stand one behind the other from the beginning of the file, each with the epoch that it belongs to. Once the
 * tables have taken what they say, the epoch ends and the next entry is written over the first one; the tables say
 * which epoch counts.
 *
 *     epoch, number of the entry in it, length of the text, checksum: 4 × uint32; then JSON
 */
export interface Log {
  /** Bytes written since the epoch began. */
  readonly position: number;
  /** Hands the entry to the system; nothing is promised yet. Throws what the system says. */
  write(entry: object): void;
  /** Calls back when all that was written is on disk, or with what went wrong. One at a time. */
  sync(done: (error: Error | null) => void): void;
  /** The tables have what was written, and say so: the next entry is the first of `epoch`. */
  begin(epoch: number): void;
  close(): void;
}

/** Written once, so that a sync later on is about bytes and not about a file that grows. */
const ALLOCATED_BYTES = 1024 * 1024;
const HEADER_BYTES = 16;

/** Makes the file, or empties it. Throws what the system says. */
export function createLog(file: string): Log {
  const descriptor = openSync(file, 'w', PRIVATE_FILE);
  writeAll(descriptor, Buffer.alloc(ALLOCATED_BYTES), 0);
  fdatasyncSync(descriptor);
  syncFolder(dirname(file));
  let epoch = 0;
  let number = 0;
  let position = 0;

  return {
    get position() {
      return position;
    },
    write(entry) {
      const bytes = encode(epoch, number, JSON.stringify(entry));
      writeAll(descriptor, bytes, position);
      position += bytes.length;
      number += 1;
    },
    sync(done) {
      fdatasync(descriptor, done);
    },
    begin(next) {
      epoch = next;
      number = 0;
      position = 0;
    },
    close() {
      closeSync(descriptor);
    },
  };
}

/** A disk that becomes full takes a part without a word, and only the next call says so. */
function writeAll(descriptor: number, bytes: Buffer, position: number): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
}

export function removeLog(file: string): void {
  rmSync(file, { force: true });
}

/**
 * The entries of `epoch`, in order. The last one may be half written, as a kill leaves it; it was then never promised
 * to anyone, and is left out. Throws ConfigError where one is damaged that others were built on.
 */
export function readLog<Entry>(file: string, epoch: number): Entry[] {
  const bytes = readIfThere(file);
  const entries: Entry[] = [];
  for (let position = 0; ; ) {
    const text = decode(bytes, position, epoch, entries.length);
    if (text === undefined) {
      refuseDamage(file, bytes, position, epoch, entries.length);
      return entries;
    }
    entries.push(JSON.parse(text.toString()) as Entry);
    position += HEADER_BYTES + text.length;
  }
}

function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

function encode(epoch: number, number: number, text: string): Buffer {
  const length = Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + length);
  bytes.writeUInt32LE(epoch, 0);
  bytes.writeUInt32LE(number, 4);
  bytes.writeUInt32LE(length, 8);
  bytes.write(text, HEADER_BYTES);
  bytes.writeUInt32LE(checksum(bytes, 0, length), 12);
  return bytes;
}

/** The text of the entry at `position`, if that is the one that is expected there and it is whole. */
function decode(bytes: Buffer, position: number, epoch: number, number: number): Buffer | undefined {
  if (position + HEADER_BYTES > bytes.length) return undefined;
  if (bytes.readUInt32LE(position) !== epoch || bytes.readUInt32LE(position + 4) !== number) return undefined;
  const length = bytes.readUInt32LE(position + 8);
  if (length === 0 || position + HEADER_BYTES + length > bytes.length) return undefined;
  if (bytes.readUInt32LE(position + 12) !== checksum(bytes, position, length)) return undefined;
  return bytes.subarray(position + HEADER_BYTES, position + HEADER_BYTES + length);
}

/** Of everything but itself. */
function checksum(bytes: Buffer, position: number, length: number): number {
  const start = position + HEADER_BYTES;
  return crc32(bytes.subarray(start, start + length), crc32(bytes.subarray(position, position + 12)));
}

/** An entry is written when the one before it is on disk. Where a later one is whole, the one that is not was damaged. */
function refuseDamage(file: string, bytes: Buffer, from: number, epoch: number, number: number): void {
  const next = Buffer.alloc(8);
  next.writeUInt32LE(epoch, 0);
  next.writeUInt32LE(number + 1, 4);
  for (let at = bytes.indexOf(next, from); at >= 0; at = bytes.indexOf(next, at + 1))
    if (decode(bytes, at, epoch, number + 1))
      throw new ConfigError(`The ledger is damaged: ${file} can not be read from byte ${from} on.`, [
        'It was left as it is. Restore the folder of --home from a backup, or look in the store which records are there.',
      ]);
}
