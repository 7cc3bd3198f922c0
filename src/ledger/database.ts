import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { ConfigError, LEDGER_FILE, makePrivateFile, RunStopped } from '../model/index.ts';
import { makeFolder } from './folders.ts';
import { MIGRATIONS } from './migrations/index.ts';

export type { Database };

export function hasLedger(home: string): boolean {
  return existsSync(join(home, LEDGER_FILE));
}

/**
 * Opens `ledger.db` under `home` and brings it up to date. Every commit is synced to disk before it returns: the
 * default of a write-ahead log would lose the last commits in a power cut, and with them intents.
 * Throws ConfigError where the folder cannot be written, or the ledger is from a newer version or damaged.
 */
export function openDatabase(home: string): Database.Database {
  const file = join(home, LEDGER_FILE);
  let database: Database.Database;
  try {
    makeFolder(home);
    makePrivateFile(file);
    database = new Database(file);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('busy_timeout = 5000');
    // The library sorts in memory otherwise, and a million keys are sorted at the end of a run.
    database.pragma('temp_store = FILE');
    migrate(database, file);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`The ledger ${file} cannot be opened: ${(error as Error).message}.`, [
      'Check that the folder can be written and the disk has space, or choose another with --home.',
    ]);
  }
  return database;
}

function migrate(database: Database.Database, file: string): void {
  const { user_version: applied } = database.prepare('pragma user_version').get() as { user_version: number };
  if (applied > MIGRATIONS.length)
    throw new ConfigError(
      `The ledger ${file} was written by a newer storeport (its format ${applied}, ours ${MIGRATIONS.length}).`,
      ['Update storeport, or choose another folder with --home.'],
    );
  if (applied === MIGRATIONS.length) return;
  const steps = MIGRATIONS.slice(applied).join(' ');
  database.exec(`begin immediate; ${steps} pragma user_version = ${MIGRATIONS.length}; commit;`);
}

/**
 * All of `work` or nothing. Not the library's own wrapper: where SQLite has rolled back by itself (a full disk), that
 * one fails at rolling back again and hides why.
 */
export function inTransaction(database: Database.Database, work: () => void): void {
  database.exec('begin immediate');
  try {
    work();
    database.exec('commit');
  } catch (error) {
    if (database.inTransaction) database.exec('rollback');
    throw error;
  }
}

/** Does what writes to the ledger; what SQLite or the disk then says is a reason to stop. */
export function writing<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof ConfigError || error instanceof RunStopped ? error : ledgerFailed(error);
  }
}

/** What to say when the ledger cannot be written in mid-run: nothing may be sent after that. */
export function ledgerFailed(error: unknown): RunStopped {
  const { message } = error as Error;
  return new RunStopped(
    'ledger-failed',
    `The ledger could not be written, so nothing more was sent: ${message}.`,
    ['Make space on the disk that holds --home, then go on with storeport run resume.'],
  );
}
