import { closeSync, fdatasync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { PRIVATE_FILE } from '../model/index.ts';
import { syncFolder } from './folders.ts';
import { encode, type LogOwner, OWNER_BYTES, ownerBlock } from './log-format.ts';
import { giveUpTip, openTip, tipOf } from './log-tip.ts';

/**
 * The write-ahead log of one run: what was noted since the tables were written last. A commit of SQLite dirties
 * several pages and their directory for each group of records; one entry here is one write and one sync of bytes that
 * are there already, and the sync happens beside the program.
 *
 * The file begins with a block that names its run and store. Entries follow one behind the other, each with the epoch
 * that it belongs to. Once the tables have taken what they say, the epoch ends and the next entry is written over the
 * first one; the tables say which epoch counts. log-format.ts has the bytes, read-log.ts reads them.
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

/** Written once, so that a sync later on is about bytes and not about a file that grows. */
export const ALLOCATED_BYTES = 1024 * 1024;

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
