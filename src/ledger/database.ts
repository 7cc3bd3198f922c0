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
  /** Of all that was committed. */
  readonly checksums: PageChecksums;
  /** Taken for each commit with its checksums, and for each checkpoint. */
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
      // A new one is made here, where no other process is about to do the same.
      if (checkFiles(home) === 'new') {
        if (existsSync(files.database)) refuseOpenElsewhere(files);
        checkAndClose(
          openAt(home, files, () => {}),
          file,
        );
      }
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
 * A process of an earlier version does not keep checksums. Throws ConfigError where one has the ledger open: what it
 * commits from here on would be taken for damage.
 */
function refuseOpenElsewhere({ database: file, sums }: LedgerFiles): void {
  const sqlite = new Libsql(file);
  try {
    // Not as a statement of its own: the lock would last until the garbage collector takes it.
    sqlite.exec('pragma locking_mode = exclusive; begin exclusive; rollback');
  } catch (error) {
    if ((error as { code?: string }).code === 'SQLITE_BUSY') {
      rmSync(sums);
      throw new ConfigError(
        `The ledger ${file} is in use by an earlier version of storeport.`,
        ['Wait for the end of that command, or stop it with Ctrl-C. Then run this command again.'],
        'in-use',
      );
    }
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
    if (state && (stateOf(wal)?.size ?? 0n) === 0n) checksums.closed(state);
  }

  try {
    migrate(database, file);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** For a ledger of an earlier version, whose checksums were made of what was found. */
function checkAndClose(database: Database, file: string): void {
  try {
    const [{ quick_check: found }] = database.pragma('quick_check(1)') as [{ quick_check: string }];
    if (found !== 'ok') throw damagedLedger(file, `is inconsistent (${found})`);
  } finally {
    database.close();
  }
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
export function inTransaction(database: Database, work: () => void): void {
  database.turns.take();
  try {
    catchUp(database);
    commit(database, work);
    try {
      database.checksums.catchUp();
      if (database.checksums.frames >= CHECKPOINT_FRAMES) checkpoint(database, 'passive');
    } catch {
      // The work is done. What went wrong meets the next transaction before it begins.
    }
  } finally {
    database.turns.giveBack();
  }
}

function commit(database: Database, work: () => void): void {
  database.exec('begin immediate');
  try {
    database.checksums.reserve();
    work();
    database.exec('commit');
  } finally {
    if (database.inTransaction) database.exec('rollback');
  }
}

/**
 * Only for who has the turn. A commit that the checksums do not know yet is of a process that was killed. SQLite may not
 * count it, and then writes its next commit over it: what is in the log after a commit of our own is what counts.
 */
function catchUp(database: Database): void {
  if (!database.checksums.isBehind()) return;
  commit(database, () => database.exec(`pragma user_version = ${formatOf(database)}`));
  database.checksums.catchUp();
}

/**
 * Puts the write-ahead log into the file; only for who has the turn. After a power cut the pages are then there in any
 * case, so their checksums must be on disk before.
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
