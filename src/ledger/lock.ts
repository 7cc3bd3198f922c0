import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { ConfigError } from '../model/index.ts';

/** Who works with a store, for the message to the second one. */
export interface Holder {
  readonly run: string;
  readonly pid: number;
  /** ISO 8601. */
  readonly since: string;
}

/**
 * The right to send to one store from one home. It is a lock that the system keeps for SQLite on an empty file, so that
 * it ends with the process, however that ends: nothing is left behind that could be taken for a lock, whoever has the
 * process number later. Who holds it stands in a file beside it, which says nothing where the lock is free.
 *
 * Returns what gives it back. Throws ConfigError where another process holds it.
 */
export function lockStore(home: string, store: string, run: string): () => void {
  const { lock, holder } = filesFor(home, store);
  mkdirSync(home, { recursive: true });
  const database = new Database(lock);
  try {
    database.pragma('busy_timeout = 0');
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    throw inUse(store, readHolder(holder));
  }
  const unlock = () => {
    rmSync(holder, { force: true });
    // Closing alone leaves it locked for as long as statements of this connection wait for the garbage collector.
    database.exec('rollback');
    database.close();
  };
  try {
    writeFileSync(holder, JSON.stringify({ run, pid: process.pid, since: new Date().toISOString() }));
  } catch (error) {
    unlock();
    throw error;
  }
  return unlock;
}

/** Beside the ledger, one a store: names of stores are no file names. */
function filesFor(home: string, store: string) {
  const name = createHash('sha256').update(store).digest('hex').slice(0, 16);
  return { lock: join(home, `store-${name}.lock`), holder: join(home, `store-${name}.json`) };
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    // It is written a moment after the lock is taken.
    return undefined;
  }
}

function inUse(store: string, holder: Holder | undefined): ConfigError {
  const who = holder
    ? `run ${holder.run}, process ${holder.pid}, since ${holder.since}`
    : 'another storeport, which has just begun';
  return new ConfigError(`${store} is in use: ${who}.`, [
    'One run at a time: wait for its end, or stop it with Ctrl-C; what it did is kept.',
  ]);
}
