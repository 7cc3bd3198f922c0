import type Libsql from 'libsql';
import { ConfigError } from '../model/index.ts';
import { openIn } from './lock.ts';

/** How long the check of another process may take, which reads the whole ledger; or its commit. */
const PATIENCE_MS = 60_000;
/** How long to wait for the turn when closing: what is left in SQLite's log then is put away by the next process. */
const CLOSING_PATIENCE_MS = 5000;

/**
 * Notes that this process has the ledger open, until what it returns is called. Calls `check` before, if no other
 * process has it open, and no other can open it meanwhile. One that died has left nothing that would count: these are
 * locks of the system. Throws what `check` throws.
 */
export function shareLedger(home: string, check: () => void): () => void {
  const opening = openIn(home, 'ledger-open.lock');
  try {
    begin(opening, 'exclusive', PATIENCE_MS);
    const shared = openIn(home, 'ledger.lock');
    try {
      if (isAlone(shared)) {
        check();
        shared.exec('rollback');
      }
      begin(shared, 'deferred', PATIENCE_MS);
      // The transaction has its lock from the first read on.
      shared.exec('select * from sqlite_master');
    } catch (error) {
      release(shared);
      throw error;
    }
    let isShared = true;
    // The library aborts the process where a closed database is used.
    return () => {
      if (isShared) release(shared);
      isShared = false;
    };
  } finally {
    release(opening);
  }
}

/**
 * One process at a time commits to the ledger and brings its checksums up to date, or puts SQLite's log into its file:
 * SQLite's own lock ends with the commit, and another process could put away what the checksums do not know yet.
 */
export interface Turns {
  /** Throws SQLITE_BUSY where others have it for too long. */
  take(): void;
  tryTake(): boolean;
  giveBack(): void;
  close(): void;
}

export function openTurns(home: string): Turns {
  const turns = openIn(home, 'ledger-write.lock');
  turns.pragma(`busy_timeout = ${PATIENCE_MS}`);
  // Nothing is written: without this, SQLite makes a file for each turn.
  turns.pragma('journal_mode = memory');
  return {
    take: () => void turns.exec('begin exclusive'),
    tryTake() {
      try {
        turns.pragma(`busy_timeout = ${CLOSING_PATIENCE_MS}`);
        turns.exec('begin exclusive');
        return true;
      } catch {
        return false;
      }
    },
    giveBack: () => void turns.exec('rollback'),
    close: () => release(turns),
  };
}

function isAlone(database: Libsql.Database): boolean {
  try {
    begin(database, 'exclusive', 0);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return false;
    throw error;
  }
}

function begin(database: Libsql.Database, kind: 'exclusive' | 'deferred', patienceMs: number): void {
  database.pragma(`busy_timeout = ${patienceMs}`);
  try {
    database.exec(`begin ${kind}`);
  } catch (error) {
    if (patienceMs > 0 && (error as { code?: string }).code === 'SQLITE_BUSY')
      throw new ConfigError(
        'Another storeport is just checking the ledger.',
        ['Run the command again.'],
        'in-use',
      );
    throw error;
  }
}

/** Closing alone leaves it locked for as long as statements of this connection wait for the garbage collector. */
function release(database: Libsql.Database): void {
  if (database.inTransaction) database.exec('rollback');
  database.close();
}
