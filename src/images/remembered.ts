import { join } from 'node:path';
import Database from 'libsql';
import { resolve, rmSync } from '../model/files/fs.ts';
import { makePrivateFile } from '../model/index.ts';

/**
 * Addresses that were fine, over all runs. It is only a cache: without it, each address is asked again. Only digests are
 * in it. Others are not remembered, since they are asked again each time.
 */
export interface RememberedImages {
  /** True if the address was fine not long ago, and is not too large by now. */
  isFine(digest: string): boolean;
  add(images: readonly FineImage[]): void;
  /** Forgets the oldest. */
  close(): void;
}

export interface FineImage {
  readonly digest: string;
  /** Bytes; undefined if unknown. */
  readonly size?: number | undefined;
}

export interface RememberedOptions {
  /** Folder of the ledger. */
  readonly home: string;
  readonly maxAgeMs: number;
  readonly mostBytes: number;
  /** Images that were fine when private addresses were allowed are apart: elsewhere these are refused. */
  readonly allowsPrivate: boolean;
  /** Called once, if the file is damaged or cannot be written. */
  readonly onLost: (message: string) => void;
  /** Milliseconds since 1970, over processes. */
  readonly wallNow: () => number;
  /** Addresses to remember; others are forgotten, the oldest first. */
  readonly most?: number;
  /** Milliseconds to wait for another process that writes to the file. */
  readonly busyMs?: number;
}

export const REMEMBERED_FILE = 'images.db';

/** Some 60 megabytes. */
const MOST = 1_000_000;

const BUSY_MS = 5000;

/** Age at which addresses are forgotten, whatever a command asks for. */
const FORGOTTEN_MS = 30 * 24 * 3_600_000;

/** Tolerated correction of the clock. What is further in the future is asked again. */
const CLOCK_CORRECTION_MS = 3_600_000;

/** Number of this form of the file. Another form is replaced. */
const FORM = 1;

/** Opens the file in the home, which must exist. A damaged one is replaced by an empty one. Never throws. */
export function openRememberedImages(options: RememberedOptions): RememberedImages {
  const { home, maxAgeMs, mostBytes, onLost, wallNow, most = MOST, busyMs = BUSY_MS } = options;
  const keyOf = (digest: string) => (options.allowsPrivate ? `private ${digest}` : digest);
  const file = join(home, REMEMBERED_FILE);
  let database = open();

  /** Opens the file; a new one if it was damaged. Undefined if it cannot be used at all. */
  function open(): Database.Database | undefined {
    try {
      return opened(file, busyMs);
    } catch (error) {
      const isReplaced = isDamage(error);
      onLost(
        isReplaced
          ? `${file} with the images that were fine is damaged: ${wordsOf(error)}. They are asked again.`
          : `${file} cannot be used: ${wordsOf(error)}. All images are asked, and none is remembered.`,
      );
      if (!isReplaced) return undefined;
    }
    try {
      for (const name of [file, `${file}-journal`]) rmSync(name, { force: true });
      return opened(file, busyMs);
    } catch {
      // The message above is enough: the next command tries again.
      return undefined;
    }
  }

  /** Does without the file from now on if it fails. */
  function orForget<Result>(work: (used: Database.Database) => Result): Result | undefined {
    if (!database) return undefined;
    try {
      return work(database);
    } catch (error) {
      onLost(`Images that are fine are not remembered, since ${file} fails: ${wordsOf(error)}.`);
      closeQuietly(database);
      database = undefined;
      return undefined;
    }
  }

  const select = orForget((used) => used.prepare('select size, at from fine where digest = ?'));
  const insert = orForget((used) => used.prepare('insert or replace into fine values (?, ?, ?)'));

  return {
    isFine(digest) {
      const known = orForget(
        () => select?.get(keyOf(digest)) as { size: number | null; at: number } | undefined,
      );
      if (!known) return false;
      const age = wallNow() - known.at;
      return age >= -CLOCK_CORRECTION_MS && Math.max(0, age) < maxAgeMs && (known.size ?? 0) <= mostBytes;
    },
    add(images) {
      const at = wallNow();
      orForget((used) => {
        used.exec('begin immediate');
        for (const { digest, size } of images) insert?.run(keyOf(digest), size ?? null, at);
        used.exec('commit');
      });
    },
    close() {
      orForget((used) => {
        used.prepare('delete from fine where at < ?').run(wallNow() - Math.max(FORGOTTEN_MS, maxAgeMs));
        const oldest = used.prepare('select at from fine order by at desc limit 1 offset ?').get(most) as
          | { at: number }
          | undefined;
        if (oldest) used.prepare('delete from fine where at <= ?').run(oldest.at);
      });
      if (database) closeQuietly(database);
      database = undefined;
    },
  };
}

/** Throws if the file is damaged, or of another form. */
function opened(file: string, busyMs: number): Database.Database {
  makePrivateFile(file);
  const database = new Database(resolve(file), { timeout: busyMs });
  try {
    // A transaction is in the file whole or not at all. After a power cut it may be missing, which does no harm.
    for (const setting of ['synchronous = NORMAL', `busy_timeout = ${busyMs}`]) database.pragma(setting);
    const [{ quick_check: checked } = { quick_check: '' }] = database.pragma('quick_check(1)') as {
      quick_check: string;
    }[];
    if (checked !== 'ok') throw damage(checked);
    const [{ user_version: form } = { user_version: 0 }] = database.pragma('user_version') as {
      user_version: number;
    }[];
    if (form !== 0 && form !== FORM) throw damage(`it has the form of another version (${form})`);
    database.exec(
      `create table if not exists fine (digest text primary key, size integer, at integer) without rowid; pragma user_version = ${FORM}`,
    );
    return database;
  } catch (error) {
    closeQuietly(database);
    throw error;
  }
}

const DAMAGED = 'SQLITE_CORRUPT';

function damage(message: string): Error {
  return Object.assign(new Error(message), { code: DAMAGED });
}

/** True for a file that SQLite cannot read. One that is only locked must not be replaced. */
function isDamage(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' && (code.startsWith(DAMAGED) || code === 'SQLITE_NOTADB');
}

function closeQuietly(database: Database.Database): void {
  try {
    // An open transaction would keep the lock until the process ends.
    if (database.inTransaction) database.exec('rollback');
    database.close();
  } catch {
    // The file is not used any more.
  }
}

function wordsOf(error: unknown): string {
  return (error as Error).message.replaceAll(/\s+/g, ' ').replace(/[. ]+$/, '');
}
