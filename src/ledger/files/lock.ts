import { createHash } from 'node:crypto';
import { join } from 'node:path';
import Database from 'libsql';
import { readFileSync, resolve, rmSync, writeFileSync } from '../../model/files/fs.ts';
import {
  ConfigError,
  makeHome,
  makePrivateFile,
  ownershipHints,
  PRIVATE_FILE,
  RunStopped,
} from '../../model/index.ts';

/** The process that holds a lock. */
export interface LockHolder {
  /** Such as `run r1`. */
  readonly who: string;
  readonly pid: number;
  /** ISO 8601. */
  readonly since: string;
}

interface Lock {
  readonly what: string;
  readonly who: string;
  /** The fate of its work if the holder is stopped; part of the message to the second process. */
  readonly ifStopped: string;
}

/** Locks the store for this home: one process sends at a time. Throws ConfigError if another process holds the lock. */
export function lockStore(home: string, store: string, run: string): () => void {
  return lock(home, `store-${digestOf(store)}`, {
    what: store,
    who: `run ${run}`,
    ifStopped: 'what it did is kept',
  });
}

/**
 * Locks the store in order to settle the runs that died there. Does not wait: if another process holds the lock, returns
 * its holder, or undefined if that is not known.
 */
export function tryLockStore(
  home: string,
  store: string,
  run: string,
): { readonly unlock: () => void } | { readonly holder: LockHolder | undefined } {
  const taken = take(home, `store-${digestOf(store)}`, { who: `run ${run}`, patienceMs: 0 });
  return typeof taken === 'function' ? { unlock: taken } : taken;
}

/** Locks an export's file, so that two nightly exports do not overlap. Throws ConfigError if it is locked. */
export function lockExport(home: string, out: string): () => void {
  return lock(home, `export-${digestOf(out)}`, {
    what: out,
    who: 'an export',
    ifStopped: 'the file then stays as it was',
  });
}

/** Locks the state of the page, which one server may write. Throws ConfigError if another process holds the lock. */
export function lockPage(home: string): () => void {
  return lock(home, 'ui', {
    what: `the page for ${home}`,
    who: 'storeport ui',
    ifStopped: 'what was begun in it is kept',
  });
}

/**
 * SQLite's exclusive lock on an empty file. The operating system releases it when the process ends, however it ends, so
 * no stale lock can be left and process numbers do not matter. A file beside it names the holder; it means nothing while
 * the lock is free.
 *
 * Returns the function that releases it.
 */
function lock(home: string, name: string, { what, who, ifStopped }: Lock): () => void {
  const taken = take(home, name, { who, patienceMs: PATIENCE_MS });
  if (typeof taken !== 'function') throw inUse(what, ifStopped, taken.holder);
  return taken;
}

/** Commands that only settle dead runs hold the lock for a moment. */
const PATIENCE_MS = 500;

/** Returns the function that releases the lock, or its holder. */
function take(
  home: string,
  name: string,
  { who, patienceMs }: { readonly who: string; readonly patienceMs: number },
): (() => void) | { readonly holder: LockHolder | undefined } {
  const holder = join(home, `${name}.json`);
  try {
    makeHome(home);
  } catch (error) {
    throw cannotWrite(home, error);
  }
  const database = openIn(home, `${name}.lock`);
  try {
    database.exec(`pragma busy_timeout = ${patienceMs}; begin exclusive`);
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw cannotWrite(home, error);
    return { holder: readHolder(holder) };
  }
  const unlock = () => {
    rmSync(holder, { force: true });
    release(database);
  };
  try {
    const since = new Date().toISOString();
    const text = JSON.stringify({ who, pid: process.pid, since } satisfies LockHolder);
    writeFileSync(holder, text, { mode: PRIVATE_FILE });
  } catch (error) {
    unlock();
    throw cannotWrite(home, error);
  }
  return unlock;
}

/** Closing alone keeps the lock until the garbage collector frees the statements of this connection. */
export function release(database: Database.Database): void {
  if (database.inTransaction) database.exec('rollback');
  database.close();
}

/** True if another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return (error as { code?: string }).code === 'SQLITE_BUSY';
}

/** Opens a private SQLite file under `home`, which must exist. Throws ConfigError if it cannot be written. */
export function openIn(home: string, file: string): Database.Database {
  try {
    makePrivateFile(join(home, file));
    return new Database(resolve(home, file));
  } catch (error) {
    throw cannotWrite(home, error);
  }
}

/** Codes of the system and of SQLite for a disk without room. */
const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);

/** The error for a folder in which a file could not be made: of the command, unless only room is missing. */
function cannotWrite(home: string, error: unknown): ConfigError | RunStopped {
  const { message, code } = error as NodeJS.ErrnoException;
  if (FULL.has(code)) {
    const folder = resolve(home);
    return new RunStopped('ledger-failed', `The disk that holds ${folder} is full: ${message}.`, [
      'Make space on it, then run the command again.',
    ]);
  }
  return new ConfigError(`The folder ${home} cannot be written to: ${message}.`, [
    'It holds what storeport must remember: name another with --home.',
    ...ownershipHints(error, home),
  ]);
}

/** The locked thing may be an address or a path, which cannot be a file name. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function readHolder(file: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LockHolder;
  } catch {
    // The file is written a moment after the lock is taken.
    return undefined;
  }
}

function inUse(what: string, ifStopped: string, holder: LockHolder | undefined): ConfigError {
  const who = holder
    ? `${holder.who}, process ${holder.pid}, since ${holder.since}`
    : 'another storeport, which has just begun';
  // Windows has no signals: another program can only kill it.
  const canSignal = holder !== undefined && process.platform !== 'win32';
  const stop = canSignal ? `with Ctrl-C or kill -INT ${holder.pid}` : 'with Ctrl-C';
  return new ConfigError(
    `${what} is in use: ${who}.`,
    [
      `Nothing was done. One process at a time may work with it: wait for its end, or stop it ${stop}; ${ifStopped}.`,
      'Then run this command again.',
    ],
    'in-use',
  );
}
