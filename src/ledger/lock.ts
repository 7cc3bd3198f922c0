import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { ConfigError, makeHome, makePrivateFile, PRIVATE_FILE } from '../model/index.ts';

/** Who has a lock. */
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
  /** What becomes of its work if it is stopped, for the message to the second one. */
  readonly ifStopped: string;
}

/** The right to send to one store from one home. Throws ConfigError where another process has it. */
export function lockStore(home: string, store: string, run: string): () => void {
  return lock(home, `store-${digestOf(store)}`, {
    what: store,
    who: `run ${run}`,
    ifStopped: 'what it did is kept',
  });
}

/**
 * The same for who brings dead runs to their end, and goes on without it where somebody is at work: then it returns who
 * that is, as far as that is known.
 */
export function tryLockStore(
  home: string,
  store: string,
  run: string,
): { readonly unlock: () => void } | { readonly holder: LockHolder | undefined } {
  const taken = take(home, `store-${digestOf(store)}`, `run ${run}`, 0);
  return typeof taken === 'function' ? { unlock: taken } : taken;
}

/** The right to write one export from one home, so that two nights do not overlap. Throws ConfigError. */
export function lockExport(home: string, out: string): () => void {
  return lock(home, `export-${digestOf(out)}`, {
    what: out,
    who: 'an export',
    ifStopped: 'the file then stays as it was',
  });
}

/**
 * It is a lock that the system keeps for SQLite on an empty file, so that it ends with the process, however that ends:
 * nothing is left behind that could be taken for a lock, whoever has the process number later. Who holds it stands in a
 * file beside it, which says nothing where the lock is free.
 *
 * Returns what gives it back.
 */
function lock(home: string, name: string, { what, who, ifStopped }: Lock): () => void {
  const taken = take(home, name, who, PATIENCE_MS);
  if (typeof taken !== 'function') throw inUse(what, ifStopped, taken.holder);
  return taken;
}

/** Who only looks what runs have left has the lock for a moment. */
const PATIENCE_MS = 500;

/** Returns what gives it back, or who has it. */
function take(
  home: string,
  name: string,
  who: string,
  patienceMs: number,
): (() => void) | { readonly holder: LockHolder | undefined } {
  const holder = join(home, `${name}.json`);
  const database = openIn(home, `${name}.lock`);
  try {
    database.pragma(`busy_timeout = ${patienceMs}`);
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    return { holder: readHolder(holder) };
  }
  const unlock = () => {
    rmSync(holder, { force: true });
    // Closing alone leaves it locked for as long as statements of this connection wait for the garbage collector.
    database.exec('rollback');
    database.close();
  };
  try {
    const since = new Date().toISOString();
    const text = JSON.stringify({ who, pid: process.pid, since } satisfies LockHolder);
    writeFileSync(holder, text, { mode: PRIVATE_FILE });
  } catch (error) {
    unlock();
    throw error;
  }
  return unlock;
}

export function openIn(home: string, file: string): Database.Database {
  try {
    makeHome(home);
    makePrivateFile(join(home, file));
    return new Database(join(home, file));
  } catch (error) {
    throw new ConfigError(`The folder ${home} cannot be written to: ${(error as Error).message}.`, [
      'It holds what storeport must remember: name another with --home.',
    ]);
  }
}

/** What is locked may be an address or a path, which are no file names. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function readHolder(file: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LockHolder;
  } catch {
    // It is written a moment after the lock is taken.
    return undefined;
  }
}

function inUse(what: string, ifStopped: string, holder: LockHolder | undefined): ConfigError {
  const who = holder
    ? `${holder.who}, process ${holder.pid}, since ${holder.since}`
    : 'another storeport, which has just begun';
  const stop = holder ? `with Ctrl-C or kill -INT ${holder.pid}` : 'with Ctrl-C';
  return new ConfigError(
    `${what} is in use: ${who}.`,
    [
      `Nothing was done. One process at a time may work with it: wait for its end, or stop it ${stop}; ${ifStopped}.`,
      'Then run this command again.',
    ],
    'in-use',
  );
}
