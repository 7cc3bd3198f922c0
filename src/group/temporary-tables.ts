import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import Database from 'libsql';
import { readdirSync, resolve, truncateSync, unlinkSync } from '../model/files/fs.ts';
import { isOfDeadProcess, makePrivateFile, RunStopped } from '../model/index.ts';

/**
 * SQLite tables that only this process sees. They vanish when they are closed or when the process ends in any way. On
 * Windows a file may stay after that: empty, or whole if the process was killed. The next process that opens tables in the
 * same folder removes it.
 */
export interface TemporaryTables {
  readonly database: Database.Database;
  close(): void;
}

/** Throws RunStopped if the folder has no room for it. `unlink`: throws on Windows for a file that SQLite has open. */
export function openTemporaryTables(folder: string, unlink = unlinkSync): TemporaryTables {
  const path = join(folder, `storeport-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  const database = onDisk(folder, () => {
    makePrivateFile(path);
    return new Database(resolve(path));
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
  // The open file does not need its name.
  const isNameless = remove(path, unlink);
  if (!isNameless) removeLeftTables(folder, unlink);
  return {
    database,
    close() {
      database.close();
      // libsql keeps the file open until the garbage collector frees its statements. At least the rows must not stay.
      if (!isNameless && !remove(path, unlink)) empty(path);
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
    throw error instanceof RunStopped ? error : notKept(folder, error);
  }
}

function notKept(folder: string, error: unknown): RunStopped {
  return new RunStopped(
    'temporary-file-failed',
    `The rows could not be stored in ${folder} for grouping, so nothing more was read: ${(error as Error).message}.`,
    ['Make space on the disk that holds this folder, then run the command again.'],
  );
}

/** Removes the tables of processes that were killed: they hold rows of customers. */
function removeLeftTables(folder: string, unlink: typeof unlinkSync): void {
  for (const name of namesIn(folder)) {
    const pid = /^storeport-(\d+)-[0-9a-f]{12}\.tmp$/.exec(name)?.[1];
    const path = join(folder, name);
    if (pid !== undefined && isOfDeadProcess(path, Number(pid))) remove(path, unlink);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Files can be made in a folder that cannot be listed.
    return [];
  }
}

function empty(path: string): void {
  try {
    truncateSync(path);
  } catch {
    // The next process that opens tables in this folder removes the file.
  }
}

function remove(path: string, unlink: typeof unlinkSync): boolean {
  try {
    unlink(path);
    return true;
  } catch {
    return false;
  }
}
