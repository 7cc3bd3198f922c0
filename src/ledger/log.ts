import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { damagedLedger, LEDGER_FILE, PRIVATE_FILE } from '../model/index.ts';
import { syncFolder } from './folders.ts';
import { giveUpTip, openTip, readTip, type Tip, tipOf } from './log-tip.ts';

/**
 * The write-ahead log of one run: what was noted since the tables were written last. A commit of SQLite dirties
 * several pages and their directory for each group of records; one entry here is one write and one sync of bytes that
 * are there already, and the sync happens beside the program.
 *
 * The file begins with a block that names its run and store. Entries follow one behind the other, each with the epoch
 * that it belongs to. Once the tables have taken what they say, the epoch ends and the next entry is written over the
 * first one; the tables say which epoch counts.
 *
 *     epoch, number of the entry in it, length of the text, checksum: 4 × uint32; then JSON
 *
 * The tip beside it (log-tip.ts) says how many entries there must be.
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

/** Which run a log belongs to. */
export interface LogOwner {
  readonly run: string;
  readonly store: string;
}

/** Written once, so that a sync later on is about bytes and not about a file that grows. */
const ALLOCATED_BYTES = 1024 * 1024;
/** The block that names the run. */
const OWNER_BYTES = 512;
const HEADER_BYTES = 16;

/** Makes the file and its tip, or empties them. Throws what the system says. */
export function createLog(file: string, owner: LogOwner): Log {
  const tip = openTip(tipOf(file));
  tip.write({ state: 'being made', epoch: 0, entries: 0 });
  tip.sync();
  const descriptor = openSync(file, 'w', PRIVATE_FILE);
  const empty = Buffer.alloc(ALLOCATED_BYTES);
  ownerBlock(owner).copy(empty);
  writeAll(descriptor, empty, 0);
  fdatasyncSync(descriptor);
  syncFolder(dirname(file));
  const reaches = (epoch: number, entries: number) => tip.write({ state: 'in use', epoch, entries });
  reaches(0, 0);
  tip.sync();
  let epoch = 0;
  let number = 0;
  let position = 0;

  return {
    get position() {
      return position;
    },
    write(entry) {
      const bytes = encode(epoch, number, JSON.stringify(entry));
      writeAll(descriptor, bytes, OWNER_BYTES + position);
      position += bytes.length;
      number += 1;
    },
    sync(done) {
      const written = number;
      fdatasync(descriptor, (error) => {
        try {
          // Before anyone is told: what was sent for these entries must not be forgotten with them.
          if (!error) reaches(epoch, written);
        } catch (failure) {
          return done(failure as Error);
        }
        done(error);
      });
    },
    begin(next) {
      epoch = next;
      number = 0;
      position = 0;
      reaches(epoch, 0);
    },
    close() {
      closeSync(descriptor);
      tip.close();
    },
  };
}

/** Length of the text, checksum: 2 × uint32; then JSON. */
function ownerBlock(owner: LogOwner): Buffer {
  const text = Buffer.from(JSON.stringify(owner));
  const bytes = Buffer.alloc(8 + text.length);
  bytes.writeUInt32LE(text.length, 0);
  bytes.writeUInt32LE(crc32(text), 4);
  text.copy(bytes, 8);
  return bytes;
}

/** Undefined for a file that is no log of ours, or one of an earlier version. */
export function ownerOf(file: string): LogOwner | undefined {
  return ownerIn(firstBytes(file, OWNER_BYTES));
}

function ownerIn(bytes: Buffer): LogOwner | undefined {
  const length = bytes.length < OWNER_BYTES ? 0 : bytes.readUInt32LE(0);
  if (length === 0 || length > OWNER_BYTES - 8) return undefined;
  const text = bytes.subarray(8, 8 + length);
  return bytes.readUInt32LE(4) === crc32(text) ? (JSON.parse(text.toString()) as LogOwner) : undefined;
}

/** The epoch of the first entry. Undefined where there is none, or the file is no log of ours. */
export function firstEpochOf(file: string): number | undefined {
  const bytes = firstBytes(file, ALLOCATED_BYTES);
  return firstEpochIn(bytes, ownerIn(bytes) ? OWNER_BYTES : 0);
}

/** None of a file that is gone meanwhile, or of something else of that name that cannot be read. */
function firstBytes(file: string, most: number): Buffer {
  const bytes = Buffer.alloc(most);
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    return bytes.subarray(0, readSync(descriptor, bytes, 0, most, 0));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || !LOG_NAME.test(basename(file)))
      return bytes.subarray(0, 0);
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** A disk that becomes full takes a part without a word, and only the next call says so. */
function writeAll(descriptor: number, bytes: Buffer, position: number): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
}

/** The tables have all that it says. */
export function removeLog(file: string): void {
  giveUpTip(tipOf(file));
  rmSync(file, { force: true });
  rmSync(tipOf(file), { force: true });
}

/**
 * Holds logs and their tips against each other, without the tables. Throws ConfigError where one of them is missing, or
 * is not what was written.
 */
export function checkLogs(home: string): void {
  const names = new Set(readdirSync(home));
  const logs = [...names].filter((name) => LOG_NAME.test(name));
  const withTip = [...names]
    .filter((name) => TIP_NAME.test(name))
    .map((name) => name.replace('.tip', '.log'));
  for (const name of new Set([...logs, ...withTip])) {
    const file = join(home, name);
    const bytes = readIfThere(file);
    // Logs of earlier versions have no tip.
    if (names.has(basename(tipOf(file))) || (bytes && ownerIn(bytes))) whatIsIn(file, bytes);
  }
}

const LOG_NAME = /^\d{8}-\d{6}-[0-9a-f]+\.log$/;
const TIP_NAME = /^\d{8}-\d{6}-[0-9a-f]+\.tip$/;

/** Undefined for a log that is being made or removed, which nothing was promised in. */
function whatIsIn(
  file: string,
  bytes: Buffer | undefined,
): { readonly tip: Tip; readonly bytes: Buffer } | undefined {
  const tip = readTip(tipOf(file), bytes !== undefined);
  if (tip.state !== 'in use') return undefined;
  if (bytes === undefined)
    throw damagedLedger(file, 'is missing, although its run was not brought to an end');
  const owner = ownerIn(bytes);
  if (owner === undefined) throw damagedLedger(file, 'cannot be read, or is cut short');
  if (basename(file) !== `${owner.run}.log`) throw damagedLedger(file, `belongs to the run ${owner.run}`);
  const epoch = firstEpochIn(bytes, OWNER_BYTES);
  // Where the first entry is half written, only the tables know what is due: after a power cut, the tip can be of the
  // epoch before.
  const isTorn = epoch === undefined && bytes.length >= ALLOCATED_BYTES && hasEntryHeader(bytes);
  if (!isTorn && (epoch ?? 0) <= tip.epoch) refuseTooFew(file, tip, epoch === tip.epoch ? bytes : undefined);
  return { tip, bytes };
}

/** `bytes`: of a log that has entries of that epoch. */
function refuseTooFew(file: string, tip: Tip, bytes: Buffer | undefined): void {
  const entries = bytes ? entriesIn(file, bytes, OWNER_BYTES, tip.epoch).length : 0;
  if (entries < tip.entries)
    throw damagedLedger(
      file,
      `has ${entries} entries where ${tip.entries} were written: it was cut, or is an older copy`,
    );
}

/** What the tables say about a log. */
export interface ExpectedLog {
  readonly run: string;
  readonly epoch: number;
  /** 1: it is there, with a tip. 0: it may not be made yet, or an earlier version wrote it, without owner and tip. */
  readonly format: number;
}

/**
 * The entries of the epoch, in order. The last one may be half written, as a kill leaves it; it was then never promised
 * to anyone, and is left out. Throws ConfigError where one is damaged that others were built on, where some are missing,
 * and where the log and the tables are not of the same time.
 */
export function readLog<Entry>(file: string, { run, epoch, format }: ExpectedLog): Entry[] {
  const bytes = readIfThere(file);
  if (format === 0 && !existsSync(tipOf(file))) return bytes ? entriesIn<Entry>(file, bytes, 0, epoch) : [];
  const found = whatIsIn(file, bytes);
  if (found === undefined) {
    if (format === 0) return [];
    throw damagedLedger(file, `was being removed, although ${LEDGER_FILE} has the run ${run} at work`);
  }
  if (Math.max(found.tip.epoch, firstEpochIn(found.bytes, OWNER_BYTES) ?? 0) > epoch)
    throw damagedLedger(
      file,
      `is newer than ${LEDGER_FILE} beside it, which an older copy must have replaced`,
    );
  if (found.tip.epoch === epoch) refuseTooFew(file, found.tip, found.bytes);
  return entriesIn<Entry>(file, found.bytes, OWNER_BYTES, epoch);
}

function firstEpochIn(bytes: Buffer, start: number): number | undefined {
  if (bytes.length < start + HEADER_BYTES) return undefined;
  const epoch = bytes.readUInt32LE(start);
  return decode(bytes, start, epoch, 0) ? epoch : undefined;
}

/** A log that has never had an entry has zeros there. */
function hasEntryHeader(bytes: Buffer): boolean {
  return bytes.subarray(OWNER_BYTES, OWNER_BYTES + HEADER_BYTES).some((byte) => byte !== 0);
}

function entriesIn<Entry>(file: string, bytes: Buffer, start: number, epoch: number): Entry[] {
  const entries: Entry[] = [];
  for (let position = start; ; ) {
    const text = decode(bytes, position, epoch, entries.length);
    if (text === undefined) {
      refuseDamage(file, bytes, position, epoch, entries.length);
      return entries;
    }
    entries.push(JSON.parse(text.toString()) as Entry);
    position += HEADER_BYTES + text.length;
  }
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
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
      throw damagedLedger(file, `cannot be read from byte ${from} on`);
}
