import { closeSync, fdatasync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { PRIVATE_FILE } from '../../model/index.ts';
import { syncFolder } from '../files/folders.ts';
import { encodeEntry, type LogOwner, OWNER_BYTES, ownerBlock } from './log-format.ts';
import { giveUpTip, openTip, tipOf } from './log-tip.ts';

/**
 * The write-ahead log of one run: its intents and outcomes since the last write to the tables. For each group of records
 * SQLite would write and sync several pages. An entry here is one write and one sync of bytes that are already
 * allocated, and the sync does not block the program.
 *
 * The file begins with a block that names its run and store. Entries follow one another, each with the number of its
 * epoch. When the tables have taken over the entries, the epoch ends and the next entry overwrites the first one; the
 * tables hold the number of the epoch that counts. log-format.ts describes the bytes, read-log.ts reads them.
 *
 * The tip beside it (log-tip.ts) holds the number of entries.
 */
export interface RunLog {
  /** Bytes written since the epoch began. */
  readonly position: number;
  /** Writes the entry without syncing it. Throws the error of the system. */
  write(entry: object): void;
  /** Calls back when everything written is on disk, or with the error. One sync at a time. */
  sync(done: (error: Error | null) => void): void;
  /** Begins `epoch`: the tables have committed all entries written so far. Never during a sync. */
  begin(epoch: number): void;
  close(): void;
}

/** Size of a new log. Allocated once, so that a later sync does not have to sync the file's size. */
export const ALLOCATED_BYTES = 1024 * 1024;

/** Makes the log and its tip, or empties them. Throws the error of the system. */
export function createRunLog(file: string, owner: LogOwner): RunLog {
  const owned = ownerBlock(owner);
  const tip = openTip(tipOf(file));
  tip.write({ state: 'being made', epoch: 0, entries: 0 });
  tip.sync();
  const descriptor = openSync(file, 'w', PRIVATE_FILE);
  const empty = Buffer.alloc(ALLOCATED_BYTES);
  owned.copy(empty);
  writeAll(descriptor, empty, 0);
  fdatasyncSync(descriptor);
  syncFolder(dirname(file));
  const noteInTip = (epoch: number, entries: number) => tip.write({ state: 'in use', epoch, entries });
  noteInTip(0, 0);
  tip.sync();
  let epoch = 0;
  let number = 0;
  let position = 0;

  return {
    get position() {
      return position;
    },
    write(entry) {
      const bytes = encodeEntry(epoch, number, JSON.stringify(entry));
      writeAll(descriptor, bytes, OWNER_BYTES + position);
      position += bytes.length;
      number += 1;
    },
    sync(done) {
      const written = number;
      fdatasync(descriptor, (error) => {
        try {
          // Before `done`: once these requests are sent, recovery must notice if their entries are missing.
          if (!error) noteInTip(epoch, written);
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
      noteInTip(epoch, 0);
    },
    close() {
      closeSync(descriptor);
      tip.close();
    },
  };
}

/** Writes all bytes: a disk that becomes full takes a part without an error, and only the next call fails. */
function writeAll(descriptor: number, bytes: Buffer, position: number): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
}

/** Removes the log and its tip. The tables must have all of its entries. */
export function removeLog(file: string): void {
  giveUpTip(tipOf(file));
  rmSync(file, { force: true });
  rmSync(tipOf(file), { force: true });
}
