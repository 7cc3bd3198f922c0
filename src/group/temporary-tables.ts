import { randomBytes } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { makePrivateFile, RunStopped } from '../model/index.ts';

/** SQLite tables that only this process sees. They vanish when they are closed or when the process ends in any way. */
export interface TemporaryTables {
  readonly database: Database.Database;
  close(): void;
}

/** Throws RunStopped if the folder has no room for it. */
export function openTemporaryTables(folder: string): TemporaryTables {
  const path = join(folder, `storeport-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  const database = onDisk(folder, () => {
    makePrivateFile(path);
    return new Database(path);
  });
  // Nobody reads the file after a kill or a power cut, so nothing needs to be synced.
  for (const setting of [
    'journal_mode = OFF',
    'synchronous = OFF',
    'locking_mode = EXCLUSIVE',
    'temp_store = FILE',
    'cache_size = -4000',
  ])
    database.pragma(setting);
  // The open file does not need its name. Windows may refuse to remove it before the file is closed.
  const isNameless = remove(path);
  return {
    database,
    close() {
      database.close();
      if (!isNameless) remove(path);
    },
  };
}

/** Turns an error of the file into a reason to stop the run, since it is not a bug. */
export function onDisk<Result>(folder: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw notKept(folder, error);
  }
}

/** Does the same for rows that are read one by one. */
export function* readingRows<Item>(folder: string, items: Iterable<Item>): Generator<Item> {
  try {
    yield* items;
  } catch (error) {
    throw notKept(folder, error);
  }
}

function notKept(folder: string, error: unknown): RunStopped {
  return new RunStopped(
    'temporary-file-failed',
    `The rows could not be stored in ${folder} for grouping, so nothing more was read: ${(error as Error).message}.`,
    ['Make space on the disk that holds this folder, then run the command again.'],
  );
}

function remove(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}
