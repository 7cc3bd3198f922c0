import type Libsql from 'libsql';
import { ConfigError } from '../../model/index.ts';
import { isBusy, openIn, release } from '../files/lock.ts';

/** Long enough for another process to commit, or to check the whole ledger. */
const PATIENCE_MS = 60_000;
/** Shorter, since the next process can checkpoint what is left in SQLite's log. */
const CLOSING_PATIENCE_MS = 5000;

/**
 * Marks the ledger as open in this process until the returned function is called. If no other process has it open, calls
 * `check` first and keeps others from opening it meanwhile. The marks are locks of the operating system, so a process
 * that died leaves none. Throws what `check` throws.
 */
export function shareLedger(home: string, check: () => void): () => void {
  const opening = openIn(home, 'ledger-open.lock');
  try {
    begin(opening, 'exclusive', PATIENCE_MS);
    const shared = openIn(home, 'ledger.lock');
    try {
      if (tryLockExclusively(shared)) {
        check();
        shared.exec('rollback');
      }
      begin(shared, 'deferred', PATIENCE_MS);
      // A deferred transaction takes its lock at the first read.
      shared.exec('select * from sqlite_master');
    } catch (error) {
      release(shared);
      throw error;
    }
    let isShared = true;
    // The library aborts the process if a closed database is used.
    return () => {
      if (isShared) release(shared);
      isShared = false;
    };
  } finally {
    release(opening);
  }
}

/**
 * The lock for a commit together with its checksums, and for a checkpoint. SQLite's own lock ends with the commit: without
 * this one, another process could checkpoint pages that the checksums do not cover yet.
 */
export interface Turns {
  /** Throws SQLITE_BUSY if another process holds it too long. */
  take(): void;
  tryTake(): boolean;
  giveBack(): void;
  close(): void;
}

export function openTurns(home: string): Turns {
  const turns = openIn(home, 'ledger-write.lock');
  // SQLite would make a journal file for each turn, although nothing is written.
  turns.exec(`pragma busy_timeout = ${PATIENCE_MS}; pragma journal_mode = memory`);
  return {
    take: () => void turns.exec('begin exclusive'),
    tryTake() {
      try {
        turns.exec(`pragma busy_timeout = ${CLOSING_PATIENCE_MS}; begin exclusive`);
        return true;
      } catch {
        return false;
      }
    },
    giveBack: () => void turns.exec('rollback'),
    close: () => release(turns),
  };
}

/** Returns true if this process holds the lock now. */
function tryLockExclusively(database: Libsql.Database): boolean {
  try {
    begin(database, 'exclusive', 0);
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

function begin(database: Libsql.Database, kind: 'exclusive' | 'deferred', patienceMs: number): void {
  try {
    database.exec(`pragma busy_timeout = ${patienceMs}; begin ${kind}`);
  } catch (error) {
    if (patienceMs > 0 && isBusy(error))
      throw new ConfigError(
        'Another storeport process is checking the ledger.',
        ['Run the command again.'],
        'in-use',
      );
    throw error;
  }
}
