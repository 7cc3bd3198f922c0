import Libsql from 'libsql';
import { existsSync, resolve } from '../../model/files/fs.ts';
import {
  asDamage,
  ConfigError,
  makePrivateFile,
  ownershipHints,
  printedCommand,
  RunStopped,
} from '../../model/index.ts';
import { makeFolder } from '../files/folders.ts';
import { checkFiles, type LedgerFiles, ledgerFiles } from './check-files.ts';
import { assertReadable, FORMAT, migrationsAfter } from './migrations.ts';
import { openPageChecksums, type PageChecksums, stampOf } from './page-checksums.ts';
import { openTurns, shareLedger, type Turns } from './share.ts';

/** Closing it checkpoints the write-ahead log. */
export interface Database extends Libsql.Database {
  /** Cover every commit. */
  readonly checksums: PageChecksums;
  /** Held during each commit with its checksums, and during each checkpoint. */
  readonly turns: Turns;
}

export function hasLedger(home: string): boolean {
  const { database, sums } = ledgerFiles(home);
  return existsSync(database) || existsSync(sums);
}

/**
 * Opens `ledger.db` under `home` and migrates it. Every commit is synced to disk before it returns: with SQLite's default
 * for a write-ahead log, a power cut could lose the last commits, and intents with them.
 * Throws ConfigError if the folder cannot be written, or the ledger is damaged or of another version.
 */
export function openDatabase(home: string): Database {
  const files = ledgerFiles(home);
  const file = files.database;
  let created: Database | undefined;
  let unshare: (() => void) | undefined;
  try {
    makeFolder(home);
    unshare = shareLedger(home, () => {
      if (checkFiles(home) !== 'new') return;
      // Create the ledger here, while no other process can open it.
      created = openAt(home, files, () => unshare?.());
    });
    return created ?? openAt(home, files, unshare);
  } catch (error) {
    created?.close();
    unshare?.();
    if (error instanceof ConfigError) throw error;
    const damage = asDamage(error, home);
    if (damage) throw damage;
    throw new ConfigError(`The ledger ${file} cannot be opened: ${(error as Error).message}.`, [
      'Check that the folder can be written and the disk has space, or choose another with --home.',
      ...ownershipHints(error, home),
    ]);
  }
}

/** Settings of a connection, in one call: each by itself takes as long as all of them. */
const SETTINGS = `
  pragma journal_mode = WAL;
  pragma synchronous = FULL;
  -- On macOS only this makes the disk write its own cache, as Node does. No other system knows it.
  pragma fullfsync = ON;
  pragma checkpoint_fullfsync = ON;
  -- The default of the library sorts in memory, and the end of a run sorts up to a million keys.
  pragma temp_store = FILE;
  -- In KiB. Three threads may have a connection each, and with twice as much, the default, they are not faster.
  pragma cache_size = -1000;
  -- A checkpoint must come after the sync of the checksums: see checkpoint().
  pragma wal_autocheckpoint = 0;
`;

/** Opens the database, migrates it, and adds what this module keeps with it. `unshare` is called on closing. */
function openAt(home: string, { database: file, wal, sums }: LedgerFiles, unshare: () => void): Database {
  const turns = openTurns(home);
  makePrivateFile(file);
  const sqlite = new Libsql(resolve(file));
  // Set first: another process may be opening or closing the ledger.
  sqlite.exec('pragma busy_timeout = 5000');
  const [{ page_count: pages }] = sqlite.pragma('page_count') as [{ page_count: number }];
  // Only a new ledger takes it, before its first page is written: `shrink` can then give free pages back. In any other
  // it would be a commit without checksums.
  if (pages === 0) sqlite.exec('pragma auto_vacuum = incremental');
  sqlite.exec(SETTINGS);
  const checksums = openPageChecksums(sums, wal);
  const closeSqlite = sqlite.close.bind(sqlite);
  const database: Database = Object.assign(sqlite, {
    checksums,
    turns,
    close() {
      // SQLite checkpoints when the last process closes it, so the checksums must cover the whole log by then.
      const hasTurn = turns.tryTake();
      try {
        if (hasTurn && !isAtRest()) checkpointAll();
      } catch {
        // The disk is full, or another process is reading. The next process to open the ledger reads the log.
      } finally {
        checksums.close();
        closeSqlite();
        turns.close();
        unshare();
      }
    },
  });

  function isAtRest(): boolean {
    return (stampOf(wal)?.size ?? 0n) === 0n && checksums.isClosedAs(stampOf(file));
  }

  function checkpointAll(): void {
    sqlite.pragma('busy_timeout = 0');
    checkpoint(database, 'truncate');
    const state = stampOf(file);
    if (state && (stampOf(wal)?.size ?? 0n) === 0n) checksums.noteClosed(state);
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
  assertReadable(file, format);
  if (format === FORMAT) return;
  inTransaction(database, () => {
    // Another process may have migrated it meanwhile.
    const steps = migrationsAfter(formatOf(database));
    if (steps !== '') database.exec(`${steps} pragma user_version = ${FORMAT};`);
  });
}

/** Frames in the write-ahead log before a checkpoint: SQLite's own default. */
const CHECKPOINT_FRAMES = 1000;

/**
 * Runs `work` in a transaction; every write goes through here. The library's own wrapper is not used: if SQLite has
 * already rolled back (a full disk), it fails at rolling back again and hides the cause.
 */
export function inTransaction<Result>(database: Database, work: () => Result): Result {
  database.turns.take();
  try {
    catchUp(database);
    const result = runTransaction(database, work);
    try {
      database.checksums.catchUp();
      if (database.checksums.frames >= CHECKPOINT_FRAMES) checkpoint(database, 'passive');
    } catch {
      // The work is committed. The checksums are added before the next transaction, or fail there; a checkpoint is tried
      // again after it, and the log is complete without one.
    }
    return result;
  } finally {
    database.turns.giveBack();
  }
}

function runTransaction<Result>(database: Database, work: () => Result): Result {
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
 * Adds checksums for a commit whose process was killed before it could write them. Needs the turn. SQLite may ignore
 * that commit and overwrite it with the next one. So this commits once itself: after that the content of the log is
 * certain.
 */
function catchUp(database: Database): void {
  if (!database.checksums.isBehind()) return;
  runTransaction(database, () => database.exec(`pragma user_version = ${formatOf(database)}`));
  database.checksums.catchUp();
}

/**
 * Copies the write-ahead log into `ledger.db`. Needs the turn. Syncs the checksums first: after a power cut, any of the
 * copied pages may be on disk.
 */
function checkpoint(database: Database, kind: 'passive' | 'truncate'): void {
  catchUp(database);
  database.checksums.sync();
  database.pragma(`wal_checkpoint(${kind})`);
}

/** Runs `work`, which writes to the ledger. Throws RunStopped if SQLite or the disk fails; other errors are bugs. */
export function writing<Result>(home: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const isOfDisk = error instanceof Error && 'code' in error;
    throw isOfDisk && !(error instanceof RunStopped) ? ledgerFailed(home, error) : error;
  }
}

/** The error for a ledger that cannot be written in mid-run. Nothing may be sent after that. */
export function ledgerFailed(home: string, error: unknown): RunStopped {
  const { message } = error as Error;
  // The full path: the log of a scheduled job does not name its working folder.
  const folder = resolve(home);
  return new RunStopped(
    'ledger-failed',
    `The ledger could not be written, so nothing more was sent: ${message}. It is in the folder ${folder}.`,
    [
      `Make space on the disk that holds ${folder}. Other commands can then be run again. To continue an import: ${printedCommand('run resume')}`,
    ],
  );
}
