import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import Database from 'libsql';
import { resolve, unlinkSync } from '../model/files/fs.ts';
import { type ImageVerdict, makePrivateFile, RunStopped } from '../model/index.ts';

/** Verdicts of this run, by the digest of the address. Addresses that are fine are not in it. */
export interface ImageFaults {
  find(digest: string): ImageFault | undefined;
  close(): void;
}

export interface ImageFault {
  readonly verdict: Exclude<ImageVerdict, 'ok'>;
  readonly found: string;
}

/** A file of verdicts that is being written. Other threads can read it by its path once all are in it. */
export interface ImageFaultFile {
  readonly path: string;
  add(faults: readonly (ImageFault & { readonly digest: string })[]): void;
  /** Closes the file and removes it. */
  remove(): void;
}

/** The name before the number of the process. `removeLeftovers` finds by it the files that a killed process left behind. */
const FAULTS_NAME = 'images';

/** The path whose leftovers are files of verdicts. */
export function faultsPath(folder: string): string {
  return join(folder, FAULTS_NAME);
}

/** Creates a file in a folder. Throws RunStopped if that is not possible. */
export function createFaultFile(folder: string): ImageFaultFile {
  const path = join(folder, `.${FAULTS_NAME}.${process.pid}.${randomBytes(6).toString('hex')}.part`);
  const database = orStop(folder, () => {
    makePrivateFile(path);
    const opened = new Database(resolve(path));
    // Nobody reads the file after a kill, so nothing needs to be synced.
    for (const setting of ['journal_mode = OFF', 'synchronous = OFF']) opened.pragma(setting);
    opened.exec('create table fault (digest text primary key, verdict text, found text) without rowid');
    return opened;
  });
  const insert = database.prepare('insert or replace into fault values (?, ?, ?)');
  return {
    path,
    add(faults) {
      if (faults.length === 0) return;
      orStop(folder, () => {
        database.exec('begin');
        for (const { digest, verdict, found } of faults) insert.run(digest, verdict, found);
        database.exec('commit');
      });
    },
    remove() {
      database.close();
      try {
        unlinkSync(path);
      } catch {
        // Windows refuses it while a thread reads. The next command removes it.
      }
    },
  };
}

/** Opens a file of verdicts for reading, in any thread. */
export function openImageFaults(path: string): ImageFaults {
  const database = new Database(resolve(path), { readonly: true });
  const select = database.prepare('select verdict, found from fault where digest = ?');
  return {
    find: (digest) => select.get(digest) as ImageFault | undefined,
    close: () => database.close(),
  };
}

function orStop<Result>(folder: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new RunStopped(
      'temporary-file-failed',
      `The verdicts about images could not be stored in ${folder}, so nothing more was done: ${(error as Error).message}.`,
      ['Make space on the disk that holds this folder, then run the command again.'],
    );
  }
}
