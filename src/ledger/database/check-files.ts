import { closeSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { existsSync, readdirSync } from '../../model/files/fs.ts';
import { damagedLedger, LEDGER_FILE } from '../../model/index.ts';
import { openIfThere, syncFile, withFile } from '../files/files.ts';
import { syncFolder } from '../files/folders.ts';
import { checkLogs, firstEpochOf } from '../wal/read-log.ts';
import { assertReadable } from './migrations.ts';
import {
  createSums,
  isSameState,
  type KnownSums,
  NO_PAGES,
  readSums,
  sameGeneration,
  stampOf,
  updateSums,
} from './page-checksums.ts';
import { DESCRIPTION_BYTES, readWal, type WalPart, type WalPosition, walBegin } from './sqlite-wal.ts';

/** The files of one ledger, except the logs of its runs. */
export interface LedgerFiles {
  readonly database: string;
  readonly wal: string;
  readonly sums: string;
}

export function ledgerFiles(home: string): LedgerFiles {
  const database = join(home, LEDGER_FILE);
  return { database, wal: `${database}-wal`, sums: join(home, 'ledger.sums') };
}

/**
 * Compares `ledger.db` and its write-ahead log with the checksums of their pages, byte by byte. Does not use SQLite, which
 * would change the files on closing them. Call it only while no process has the ledger open.
 *
 * Updates the checksums after a process died. Makes them for a new ledger, and then returns `new`. Throws ConfigError if the
 * files are not as they were last written, or if a ledger without checksums is of another version.
 */
export function checkFiles(home: string): 'new' | 'checked' {
  const files = ledgerFiles(home);
  const hasCommits = existsSync(files.sums) ? undefined : refuseWithoutSums(files);
  checkLogs(home);
  if (hasCommits !== undefined) {
    refuseTraces(home, files, hasCommits);
    createSums(files.sums, NO_PAGES, new Uint32Array());
    return 'new';
  }
  const known = readSums(files.sums);
  if (known === undefined) throw damagedLedger(files.sums, 'cannot be read');
  const { header } = known;
  if (header.pages === 0) refuseTraces(home, files);
  const log = logOf(files, known);
  const { closed } = header;
  if (closed && log.overlay.size === 0 && isSameState(closed, stampOf(files.database))) {
    // SQLite may begin its next log with any salts. After a power cut the sums must still say that there was no log.
    syncFile(files.sums);
    return 'checked';
  }

  const pages = log.beyond?.databasePages ?? header.pages;
  comparePages(files, { sums: known.sums, pages, pageSize: header.pageSize }, log);
  // After a power cut the sums must neither know more of the log than is on disk, nor lack a log that is.
  if (existsSync(files.wal)) syncFile(files.wal);
  syncFolder(home);
  updateSums(files.sums, { pageSize: header.pageSize, pages, wal: log.end, closed: undefined }, log.overlay);
  return 'checked';
}

/** The write-ahead log as SQLite will read it. */
interface FoundLog {
  /** The crc32 of each page in the log: of its latest content, unless the log is short. */
  readonly overlay: ReadonlyMap<number, number>;
  /** The commits that the checksums do not cover yet. */
  readonly beyond: WalPart | undefined;
  readonly end: WalPosition | undefined;
  /** True if the log ends before the position in the checksums. */
  readonly isShort: boolean;
}

const NO_LOG: FoundLog = { overlay: new Map(), beyond: undefined, end: undefined, isShort: false };

function logOf({ wal, sums: sumsFile }: LedgerFiles, knownSums: KnownSums): FoundLog {
  const { header } = knownSums;
  const { wal: known, pageSize } = header;
  const foreign = () =>
    damagedLedger(wal, `does not belong to ${sumsFile}: it is of another time, or of another ledger`);
  return withFile(wal, (file) => {
    const begin = file === undefined ? undefined : walBegin(file);
    const none = { ...NO_LOG, isShort: known !== undefined };
    if (file === undefined || begin === undefined) return none;
    if (known && sameGeneration(known, begin)) {
      const first = readWal(file, begin, { pageSize, to: known.frames });
      if (first.end.frames < known.frames)
        return { ...none, overlay: first.pages, end: first.commits > 0 ? first.end : undefined };
      if (first.end.sums.some((sum, index) => sum !== known.sums[index])) throw foreign();
      const beyond = readWal(file, known, { pageSize });
      return {
        overlay: new Map([...first.pages, ...beyond.pages]),
        beyond: beyond.commits > 0 ? beyond : undefined,
        end: beyond.end,
        isShort: false,
      };
    }
    const beyond = readWal(file, begin, { pageSize });
    if (beyond.commits === 0) return none;
    // SQLite counts its salt up with each new log. Our sums are synced between a new log's first and second commit.
    const follows = known === undefined || begin.salts[0] === (known.salts[0] + 1) >>> 0;
    // A log that was checkpointed and emptied can reappear after a power cut.
    const saysNothingNew =
      beyond.databasePages === header.pages &&
      [...beyond.pages].every(([page, sum]) => sum === knownSums.sums[page - 1]);
    if (!saysNothingNew && (!follows || beyond.commits > 1)) throw foreign();
    return { overlay: beyond.pages, beyond, end: beyond.end, isShort: false };
  });
}

/** Number of pages in the database, and their size in bytes. */
interface PageCount {
  readonly pages: number;
  readonly pageSize: number;
}

/** Throws ConfigError if a page is missing or different. */
function comparePages(
  { database, wal }: LedgerFiles,
  { sums, pages, pageSize }: PageCount & { readonly sums: Uint32Array },
  { overlay, isShort }: FoundLog,
): void {
  if (pages > 0) refuseEmptied(database);
  const unused = lockBytePage(pageSize);
  for (const [page, sum] of pageSums(database, { pages, pageSize }, overlay)) {
    if (page === unused) continue;
    // After a power cut the sums of single pages may be older than the header, so those of the log count.
    const expected = isShort ? sums[page - 1] : (overlay.get(page) ?? sums[page - 1]);
    if (sum === expected) continue;
    if (isShort)
      throw damagedLedger(wal, 'is missing, or is shorter than it was: what was written last is not there');
    if (sum === undefined) throw tooShort(database, pages * pageSize);
    throw damagedLedger(database, `is not what was written last: page ${page} of ${pages} is different`);
  }
}

/**
 * SQLite locks bytes of this page and never writes it, so it is in no log and has no checksum. A database of more than
 * 1 GiB has it: sqlite.org/fileformat2.html#the_lock_byte_page.
 */
function lockBytePage(pageSize: number): number {
  return 2 ** 30 / pageSize + 1;
}

/** Throws ConfigError if the database is missing or empty. SQLite then deletes the log, even if it has every page. */
function refuseEmptied(database: string): void {
  if (sizeOf(database) > 0) return;
  throw damagedLedger(database, existsSync(database) ? 'is empty' : 'is missing');
}

function tooShort(database: string, due: number) {
  return damagedLedger(
    database,
    `is shorter than it must be: ${sizeOf(database)} bytes, where ${due} are due`,
  );
}

function sizeOf(file: string): number {
  return Number(stampOf(file)?.size ?? 0n);
}

/** The crc32 of each page as SQLite will read it; undefined if the file ends before it. */
function* pageSums(
  database: string,
  { pages, pageSize }: PageCount,
  overlay: ReadonlyMap<number, number>,
): Generator<readonly [page: number, sum: number | undefined]> {
  const file = openIfThere(database);
  try {
    const buffer = Buffer.alloc(pageSize * PAGES_AT_ONCE);
    for (let first = 1; first <= pages; first += PAGES_AT_ONCE) {
      const read = file === undefined ? 0 : readSync(file, buffer, 0, buffer.length, (first - 1) * pageSize);
      for (let page = first; page < first + PAGES_AT_ONCE && page <= pages; page++) {
        const at = (page - first) * pageSize;
        const there = at + pageSize <= read ? crc32(buffer.subarray(at, at + pageSize)) : undefined;
        yield [page, overlay.get(page) ?? there];
      }
    }
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

const PAGES_AT_ONCE = 64;

/** Throws ConfigError if a ledger without checksums is not new. Returns true if its write-ahead log has commits. */
function refuseWithoutSums({ database, wal, sums }: LedgerFiles): boolean {
  const log = withFile(wal, (file) => {
    const begin = file === undefined ? undefined : walBegin(file);
    return file === undefined || begin === undefined ? undefined : readWal(file, begin, begin);
  });
  const hasCommits = log !== undefined && log.commits > 0;
  const description = (hasCommits && log.description) || firstBytes(database);
  const format = description.readUInt32BE(60);
  assertReadable(database, format);
  if (format > 0) throw damagedLedger(sums, 'is missing');
  return hasCommits;
}

function firstBytes(file: string): Buffer {
  return withFile(file, (descriptor) => {
    const bytes = Buffer.alloc(DESCRIPTION_BYTES);
    if (descriptor !== undefined) readSync(descriptor, bytes, 0, DESCRIPTION_BYTES, 0);
    return bytes;
  });
}

/** Throws ConfigError if a home without runs has files that only runs leave: its ledger was lost. */
function refuseTraces(home: string, { database }: LedgerFiles, hasCommits = false): void {
  const traces = readdirSync(home).filter(
    (name) =>
      /^store-[0-9a-f]{16}\.lock$/.test(name) ||
      (name.endsWith('.log') && firstEpochOf(join(home, name)) !== undefined) ||
      (name === `${LEDGER_FILE}-wal` && hasCommits),
  );
  const [trace] = traces;
  if (trace === undefined) return;
  const what = sizeOf(database) > 0 ? 'has no runs' : existsSync(database) ? 'is empty' : 'is missing';
  throw damagedLedger(database, `${what}, although runs have left ${trace} beside it`);
}
