import { existsSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import Libsql from 'libsql';
import { asDamage, ConfigError, damagedLedger, makePrivateFile, RunStopped } from '../model/index.ts';
import { checkFiles, type LedgerFiles, ledgerFiles } from './check-files.ts';
import { makeFolder } from './folders.ts';
import { MIGRATIONS, tooNew } from './migrations/index.ts';
import { openPageChecksums, type PageChecksums, stateOf } from './page-checksums.ts';
import { openTurns, shareLedger, type Turns } from './share.ts';

/** Closing it puts the write-ahead log into the file. */
export interface Database extends Libsql.Database {
  /** They cover everything that was committed. */
  readonly checksums: PageChecksums;
  /** One is taken for each commit and its checksums, and for each checkpoint. */
  readonly turns: Turns;
}

export function hasLedger(home: string): boolean {
  const { database, sums } = ledgerFiles(home);
  return existsSync(database) || existsSync(sums);
}

/**
 * Opens `ledger.db` under `home` and brings it up to date. Every commit is synced to disk before it returns: the
 * default of a write-ahead log would lose the last commits in a power cut, and with them intents.
 * Throws ConfigError where the folder cannot be written, or the ledger is from a newer version or damaged.
 */
export function openDatabase(home: string): Database {
  const files = ledgerFiles(home);
  const file = files.database;
  let unshare: (() => void) | undefined;
  try {
    makeFolder(home);
    unshare = shareLedger(home, () => {
      if (checkFiles(home) !== 'new') return;
      if (existsSync(file)) refuseUnfit(files);
      // A new one is made here, where no other process is about to do the same.
      openAt(home, files, () => {}).close();
    });
    return openAt(home, files, unshare);
  } catch (error) {
    unshare?.();
    if (error instanceof ConfigError) throw error;
    const damage = asDamage(error, home);
    if (damage) throw damage;
    throw new ConfigError(`The ledger ${file} cannot be opened: ${(error as Error).message}.`, [
      'Check that the folder can be written and the disk has space, or choose another with --home.',
    ]);
  }
}

/**
 * The checksums of a ledger of an earlier version were made of what was found. Throws ConfigError, and takes them away
 * again, where it must not be taken for right.
 */
function refuseUnfit({ database, sums }: LedgerFiles): void {
  try {
    refuseOpenElsewhere(database);
    refuseInconsistent(database);
  } catch (error) {
    rmSync(sums);
    throw error;
  }
}

/** A process of an earlier version keeps no checksums: what it commits from here on would be taken for damage. */
function refuseOpenElsewhere(file: string): void {
  const sqlite = new Libsql(file);
  try {
    // Not as a statement of its own: the lock would last until the garbage collector takes it.
    sqlite.exec('pragma locking_mode = exclusive; begin exclusive; rollback');
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    throw new ConfigError(
      `The ledger ${file} is in use by an earlier version of storeport.`,
      ['Wait for the end of that command, or stop it with Ctrl-C. Then run this command again.'],
      'in-use',
    );
  } finally {
    sqlite.close();
  }
}

function refuseInconsistent(file: string): void {
  const sqlite = new Libsql(file);
  try {
    const [{ quick_check: found }] = sqlite.pragma('quick_check(1)') as [{ quick_check: string }];
    if (found !== 'ok') throw damagedLedger(file, `is inconsistent (${found})`);
  } finally {
    sqlite.close();
  }
}

function openAt(home: string, { database: file, wal, sums }: LedgerFiles, unshare: () => void): Database {
  const turns = openTurns(home);
  makePrivateFile(file);
  const sqlite = new Libsql(file);
  // First of all: another process may just begin or end.
  sqlite.pragma('busy_timeout = 5000');
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = FULL');
  // The library sorts in memory otherwise, and a million keys are sorted at the end of a run.
  sqlite.pragma('temp_store = FILE');
  // The checksums must be on disk before: see `checkpoint`.
  sqlite.pragma('wal_autocheckpoint = 0');
  const checksums = openPageChecksums(sums, wal);
  const closeSqlite = sqlite.close.bind(sqlite);
  const database: Database = Object.assign(sqlite, {
    checksums,
    turns,
    close() {
      // The last process that closes SQLite puts the log into the file: the checksums must know all of it.
      const hasTurn = turns.tryTake();
      try {
        if (hasTurn && !isAtRest()) putAway();
      } catch {
        // A full disk, or another process that reads: whoever opens the ledger next reads the log that is left.
      } finally {
        checksums.close();
        closeSqlite();
        turns.close();
        unshare();
      }
    },
  });

  function isAtRest(): boolean {
    return (stateOf(wal)?.size ?? 0n) === 0n && checksums.isClosedAs(stateOf(file));
  }

  function putAway(): void {
    sqlite.pragma('busy_timeout = 0');
    checkpoint(database, 'truncate');
    const state = stateOf(file);
    if (state && (stateOf(wal)?.size ?? 0n) === 0n) checksums.noteClosed(state);
  }

  try {
    migrate(database, file);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

function formatOf(database: Database): number {
  return (database.prepare('pragma user_version').get() as { user_version: number }).user_version;
}

function migrate(database: Database, file: string): void {
  const format = formatOf(database);
  if (format > MIGRATIONS.length) throw tooNew(file, format);
  if (format === MIGRATIONS.length) return;
  inTransaction(database, () => {
    // Another process may have done it meanwhile.
    const steps = MIGRATIONS.slice(formatOf(database)).join(' ');
    if (steps !== '') database.exec(`${steps} pragma user_version = ${MIGRATIONS.length};`);
  });
}

/** Frames of the write-ahead log, after which they are put into the file. It is what SQLite does by itself. */
const CHECKPOINT_FRAMES = 1000;

/**
 * All of `work` or nothing; every write goes this way. Not the library's own wrapper: where SQLite has rolled back by
 * itself (a full disk), that one fails at rolling back again and hides why.
 */
export function inTransaction<Result>(database: Database, work: () => Result): Result {
  database.turns.take();
  try {
    catchUp(database);
    const result = commit(database, work);
    try {
      database.checksums.catchUp();
      if (database.checksums.frames >= CHECKPOINT_FRAMES) checkpoint(database, 'passive');
    } catch {
      // The work is done. What went wrong meets the next transaction before it begins.
    }
    return result;
  } finally {
    database.turns.giveBack();
  }
}

function commit<Result>(database: Database, work: () => Result): Result {
  database.exec('begin immediate');
  try {
    database.checksums.reserve();
    const result = work();
    database.exec('commit');
    return result;
  } finally {
    if (database.inTransaction) database.exec('rollback');
  }
}

/**
 * Needs the turn. A commit that the checksums do not know yet was made by a process that was killed. SQLite may not count
 * it, and then writes its next commit over it: only after a commit of our own is it certain what the log holds.
 */
function catchUp(database: Database): void {
  if (!database.checksums.isBehind()) return;
  commit(database, () => database.exec(`pragma user_version = ${formatOf(database)}`));
  database.checksums.catchUp();
}

/**
 * Needs the turn. Puts the write-ahead log into the file. The checksums must be on disk before: after a power cut any of
 * these pages may be there.
 */
function checkpoint(database: Database, kind: 'passive' | 'truncate'): void {
  catchUp(database);
  database.checksums.sync();
  database.pragma(`wal_checkpoint(${kind})`);
}

/** Does what writes to the ledger; what SQLite or the disk then says is a reason to stop. */
export function writing<Result>(home: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof ConfigError || error instanceof RunStopped ? error : ledgerFailed(home, error);
  }
}

/** What to say when the ledger cannot be written in mid-run: nothing may be sent after that. */
export function ledgerFailed(home: string, error: unknown): RunStopped {
  const { message } = error as Error;
  // In full: the log of a job does not say where it ran.
  const folder = resolve(home);
  return new RunStopped(
    'ledger-failed',
    `The ledger could not be written, so nothing more was sent: ${message}. It is in the folder ${folder}.`,
    [`Make space on the disk that holds ${folder}, then go on with storeport run resume.`],
  );
}
