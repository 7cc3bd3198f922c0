import { closeSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { existsSync, openSync, readdirSync } from '../../model/files/fs.ts';
import { damagedLedger, LEDGER_FILE } from '../../model/index.ts';
import { readIfThere, withFile } from '../files/files.ts';
import { ALLOCATED_BYTES, type EpochExtent, SYNCS_AT_ONCE, secondLogOf } from './log.ts';
import {
  decodeEntry,
  type EntryId,
  firstEpochIn,
  HEADER_BYTES,
  type LogOwner,
  OWNER_BYTES,
  ownerIn,
} from './log-format.ts';
import { readTip, type Tip, tipOf } from './log-tip.ts';

/**
 * Compares all logs with their tips, without the tables. Throws ConfigError if one of them is missing or is not as it was
 * last written.
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
    // A file without both may be another program's.
    if (names.has(basename(tipOf(file))) || (bytes && ownerIn(bytes))) whatIsIn(file, bytes);
  }
}

const LOG_NAME = /^\d{8}-\d{6}-[0-9a-f]+(\.2)?\.log$/;
const TIP_NAME = /^\d{8}-\d{6}-[0-9a-f]+(\.2)?\.tip$/;

/** Undefined for a log that is being made or removed: no request was sent for an entry of it. */
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
  const first = `${owner.run}.log`;
  if (![first, secondLogOf(first)].includes(basename(file)))
    throw damagedLedger(file, `belongs to the run ${owner.run}`);
  const epoch = firstEpochIn(bytes);
  // If the first entry is half written, the tip may be of the epoch before (a power cut). Only the tables can tell.
  const isTorn = epoch === undefined && bytes.length >= ALLOCATED_BYTES && hasEntryHeader(bytes);
  if (!isTorn && (epoch ?? 0) <= tip.epoch) refuseTooFew(file, tip, epoch === tip.epoch ? bytes : undefined);
  return { tip, bytes };
}

/** `bytes`: the log, if it has entries of that epoch. */
function refuseTooFew(file: string, tip: Tip, bytes: Buffer | undefined): void {
  const entries = bytes ? entriesIn(file, bytes, tip.epoch).length : 0;
  if (entries < tip.entries)
    throw damagedLedger(
      file,
      `has ${entries} entries where ${tip.entries} were written: it was cut, or is an older copy`,
    );
}

/** The log that the tables expect. */
export interface ExpectedLog {
  readonly run: string;
  readonly epoch: number;
  /**
   * 2: it has two files, which may be in different epochs. 1: it has one file, with a tip. 0: it may not exist yet.
   */
  readonly format: number;
}

/**
 * The texts of the entries that the tables do not have, in order: those of the epoch, and those of the next one if it began while this
 * one was being moved into the tables. `file`: the first file of the log.
 *
 * A kill can leave the last entry half written, a power cut the last ones; no request was sent for them, so they are left
 * out. Throws ConfigError if an earlier entry is damaged, if entries are missing, or if the log and the tables are not of the same time.
 */
export function readLog(file: string, expected: ExpectedLog): Buffer[] {
  if (expected.format < 2) return readFile(file, expected);
  const second = secondLogOf(file);
  const [present, following] = expected.epoch % 2 === 0 ? [file, second] : [second, file];
  const next = { ...expected, epoch: expected.epoch + 1 };
  return [...readFile(present, expected), ...readFile(following, next)];
}

/** Those of the epoch in one file. */
function readFile(file: string, { run, epoch, format }: ExpectedLog): Buffer[] {
  const bytes = readIfThere(file);
  if (format === 0 && !existsSync(tipOf(file))) return [];
  const found = whatIsIn(file, bytes);
  if (found === undefined) {
    if (format === 0) return [];
    throw damagedLedger(file, `was being removed, although ${LEDGER_FILE} has the run ${run} at work`);
  }
  if (Math.max(found.tip.epoch, firstEpochIn(found.bytes) ?? 0) > epoch)
    throw damagedLedger(
      file,
      `is newer than ${LEDGER_FILE} beside it, which an older copy must have replaced`,
    );
  if (found.tip.epoch === epoch) refuseTooFew(file, found.tip, found.bytes);
  return entriesIn(file, found.bytes, epoch);
}

/**
 * The texts of the entries of an epoch that this process has written and synced. Throws an Error if they are not as they
 * were written, or the error of the system.
 */
export function readEpoch({ file, epoch, entries, bytes }: EpochExtent): Buffer[] {
  const written = withFile(file, (descriptor) => {
    const buffer = Buffer.allocUnsafe(bytes);
    const read = descriptor === undefined ? 0 : readSync(descriptor, buffer, 0, bytes, OWNER_BYTES);
    return buffer.subarray(0, read);
  });
  const found: Buffer[] = [];
  for (let position = 0; found.length < entries; ) {
    const text = decodeEntry(written, position, { epoch, number: found.length });
    if (text === undefined) throw new Error(`${file} was changed by another program`);
    found.push(text);
    position += HEADER_BYTES + text.length;
  }
  return found;
}

/** A new log has zeros there. */
function hasEntryHeader(bytes: Buffer): boolean {
  return bytes.subarray(OWNER_BYTES, OWNER_BYTES + HEADER_BYTES).some((byte) => byte !== 0);
}

function entriesIn(file: string, bytes: Buffer, epoch: number): Buffer[] {
  const entries: Buffer[] = [];
  for (let position = OWNER_BYTES; ; ) {
    const text = decodeEntry(bytes, position, { epoch, number: entries.length });
    if (text === undefined) {
      // After a power cut, entries whose syncs were under way may be on disk in any order. None of them was confirmed.
      const next = { epoch, number: entries.length + SYNCS_AT_ONCE };
      if (hasEntryAfter(bytes, position, next))
        throw damagedLedger(file, `cannot be read from byte ${position} on`);
      return entries;
    }
    entries.push(text);
    position += HEADER_BYTES + text.length;
  }
}

/** Undefined if the file is not a log. */
export function ownerOf(file: string): LogOwner | undefined {
  return ownerIn(firstBytes(file, OWNER_BYTES));
}

/** The epoch of the first entry; undefined if there is none, or the file is not a log. */
export function firstEpochOf(file: string): number | undefined {
  const bytes = firstBytes(file, ALLOCATED_BYTES);
  return ownerIn(bytes) && firstEpochIn(bytes);
}

/** Empty if the file is gone by now, or is an unreadable file of another kind. */
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

/** Searches a whole entry. */
function hasEntryAfter(bytes: Buffer, from: number, next: EntryId): boolean {
  const begin = Buffer.alloc(8);
  begin.writeUInt32LE(next.epoch, 0);
  begin.writeUInt32LE(next.number, 4);
  for (let at = bytes.indexOf(begin, from); at >= 0; at = bytes.indexOf(begin, at + 1))
    if (decodeEntry(bytes, at, next)) return true;
  return false;
}
