import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { readWal, type WalPart, walBegin } from '../../../src/ledger/database/sqlite-wal.ts';
import { scaledRuns } from '../../support/property-tests.ts';
import { removeTestFolder } from '../../support/run.ts';

const PAGE = 4096;

interface Step {
  readonly kind: 'insert' | 'delete' | 'roll back' | 'checkpoint';
  readonly bytes: number;
}

const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom('insert', 'insert', 'insert', 'delete', 'roll back', 'checkpoint'),
    bytes: fc.integer({ min: 1, max: 30_000 }),
  }),
  { minLength: 1, maxLength: 25 },
);

/** Performs the steps in sequence, and looks at the log after each. */
function perform(folder: string, all: readonly Step[], look: () => void): Buffer {
  const database = new Database(join(folder, 'a.db'));
  database.pragma('journal_mode = WAL');
  database.pragma('wal_autocheckpoint = 0');
  // Little memory, so that SQLite writes pages before it commits, and leaves them there after a rollback.
  database.pragma('cache_size = 2');
  database.exec('create table t (x blob)');
  look();
  for (const { kind, bytes } of all) {
    if (kind === 'checkpoint') database.pragma('wal_checkpoint(passive)');
    else {
      database.exec('begin immediate');
      if (kind === 'delete') database.exec('delete from t where rowid % 3 = 0');
      else for (let n = 0; n < 4; n++) database.exec(`insert into t values (zeroblob(${bytes}))`);
      database.exec(kind === 'roll back' ? 'rollback' : 'commit');
    }
    look();
  }
  database.pragma('wal_checkpoint(truncate)');
  database.close();
  return readFileSync(join(folder, 'a.db'));
}

test('pages that are read commit by commit equal those that SQLite moves into its file', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const folder = mkdtempSync(join(tmpdir(), 'storeport-wal-'));
      const sums = new Map<number, number>();
      let last: WalPart | undefined;
      let pages = 0;
      const file = perform(folder, all, () => {
        const wal = openSync(join(folder, 'a.db-wal'), 'r');
        const begin = walBegin(wal);
        if (begin) {
          const same = last?.end.salts.every((salt, index) => salt === begin.salts[index]);
          last = readWal(wal, (same && last?.end) || begin, { pageSize: PAGE });
          for (const [page, sum] of last.pages) sums.set(page, sum);
          if (last.commits > 0) pages = last.databasePages;
        }
        closeSync(wal);
      });
      removeTestFolder(folder);
      expect(pages * PAGE).toBe(file.length);
      for (let page = 1; page <= pages; page++)
        expect([page, sums.get(page)]).toEqual([page, crc32(file.subarray((page - 1) * PAGE, page * PAGE))]);
    }),
    { numRuns: scaledRuns(40) },
  );
});
