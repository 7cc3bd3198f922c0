import { closeSync, fdatasync, fdatasyncSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { openSync, rmSync } from '../../model/files/fs.ts';
import { PRIVATE_FILE } from '../../model/index.ts';
import { syncFolder } from '../files/folders.ts';
import type { EntryLog } from './entry-log.ts';
import { encodeEntry, type LogOwner, OWNER_BYTES, ownerBlock } from './log-format.ts';
import { giveUpTip, openTip, type Tip, tipOf } from './log-tip.ts';

/**
 * The write-ahead log of one run: its intents and outcomes since the last write to the tables. For each group of records
 * SQLite would write and sync several pages. An entry here is one write and one sync of bytes that are already
 * allocated, and the sync does not block the program.
 *
 * The file begins with a block that names its run and store. Entries follow one another, each with the number of its
 * epoch. When the tables have taken over the entries, the epoch ends and the next entry overwrites the first one; the
 * tables hold the number of the epoch that counts. log-format.ts describes the bytes, read-log.ts reads them.
 *
 * With a second file, epochs alternate: even ones are in the first, odd ones in the second. So an epoch can be moved into
 * the tables while the next one is written.
 *
 * The tip beside each file (log-tip.ts) holds the number of entries.
 */
export interface RunLog extends EntryLog {
  /** The epoch that is being written: where it is, and how much of it there is. */
  extent(): EpochExtent;
  /**
   * Begins `epoch`, never during a sync. It overwrites the last epoch in its file, so the tables must have that one.
   */
  begin(epoch: number): void;
  /** Adds the second file. Only before an odd epoch begins. Throws the error of the system. */
  addSecond(): void;
  /** From now on, everything but `extent` throws. */
  close(): void;
}

/** One epoch in its file. */
export interface EpochExtent {
  readonly file: string;
  readonly epoch: number;
  readonly entries: number;
  /** Length of all entries. */
  readonly bytes: number;
}

/**
 * Entries that may be on their way to the disk at the same time. A disk takes two syncs in less time than one after the
 * other. With more, a power cut could leave more entries that nobody confirmed.
 */
export const SYNCS_AT_ONCE = 2;

/** Size of a new log. Allocated once, so that a later sync does not have to sync the file's size. */
export const ALLOCATED_BYTES = 1024 * 1024;

/** Makes the log and its tip, or empties them. Throws the error of the system. */
export function createRunLog(file: string, owner: LogOwner, syncFile: typeof fdatasync = fdatasync): RunLog {
  const files = [createLogFile(file, owner)];
  let current = files[0] as LogFile;
  let epoch = 0;
  let entries = 0;
  let position = 0;
  let isClosed = false;

  /** The system may have given the number of a closed descriptor to another file, which would be overwritten. */
  function refuseClosed(): void {
    if (isClosed) throw new Error('the log of the run is closed');
  }

  return {
    syncsAtOnce: SYNCS_AT_ONCE,
    get position() {
      return position;
    },
    extent: () => ({ file: current.file, epoch, entries, bytes: position }),
    write(pieces) {
      refuseClosed();
      const encoded = encodeEntry(epoch, entries, pieces);
      writeAll(current.descriptors[0] as number, encoded, OWNER_BYTES + position);
      position += encoded.length;
      entries += 1;
    },
    sync(done) {
      refuseClosed();
      const file = current;
      const descriptor = file.idle.pop();
      if (descriptor === undefined) throw new Error('too many syncs of a log at once');
      const synced: Tip = { state: 'in use', epoch, entries };
      syncFile(descriptor, (error) => {
        try {
          if (isClosed) closeSync(descriptor);
          else file.idle.push(descriptor);
          // Before `done`: once these requests are sent, recovery must notice if their entries are missing.
          if (!error && !isClosed) confirm(file, synced);
        } catch (failure) {
          return done(failure as Error);
        }
        done(error);
      });
    },
    begin(next) {
      refuseClosed();
      current = files[next % files.length] as LogFile;
      epoch = next;
      entries = 0;
      position = 0;
      current.confirmed = 0;
      current.tip.write({ state: 'in use', epoch, entries });
    },
    addSecond() {
      refuseClosed();
      files.push(createLogFile(secondLogOf(file), owner));
    },
    close() {
      isClosed = true;
      for (const { idle, tip } of files) {
        // A sync that is under way closes its own descriptor.
        for (const descriptor of idle) closeSync(descriptor);
        tip.close();
      }
    },
  };
}

interface LogFile {
  readonly file: string;
  /** One for each sync, since the system reports a failed write once for each. The first is also written to. */
  readonly descriptors: readonly number[];
  /** Those without a sync under way. */
  readonly idle: number[];
  readonly tip: ReturnType<typeof openTip>;
  /** Entries that the tip says are on disk. */
  confirmed: number;
}

/** A sync that began earlier and ends later says nothing new. */
function confirm(file: LogFile, synced: Tip): void {
  if (synced.entries <= file.confirmed) return;
  file.confirmed = synced.entries;
  file.tip.write(synced);
}

function createLogFile(file: string, owner: LogOwner): LogFile {
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
  tip.write({ state: 'in use', epoch: 0, entries: 0 });
  tip.sync();
  const more = Array.from({ length: SYNCS_AT_ONCE - 1 }, () => openSync(file, 'r+'));
  const descriptors = [descriptor, ...more];
  return { file, descriptors, idle: [...descriptors], tip, confirmed: 0 };
}

/** The second file of a log. */
export function secondLogOf(file: string): string {
  return `${file.slice(0, -'.log'.length)}.2.log`;
}

/** Writes all bytes: a disk that becomes full takes a part without an error, and only the next call fails. */
function writeAll(descriptor: number, bytes: Buffer, position: number): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
}

/** Removes the log with its tips. The tables must have all of its entries. */
export function removeLog(file: string): void {
  for (const each of [file, secondLogOf(file)]) {
    giveUpTip(tipOf(each));
    rmSync(each, { force: true });
    rmSync(tipOf(each), { force: true });
  }
}
