import { expect, test } from 'vitest';
import { openDatabase } from '../../../src/ledger/database/database.ts';
import { temporaryFolder } from '../../support/run.ts';

// Without `fullfsync`, a power cut on macOS can lose what SQLite has synced: it stays in the cache of the disk.
test.each([
  ['synchronous', 2],
  ['fullfsync', 1],
  ['checkpoint_fullfsync', 1],
])('the ledger has the setting that syncs reach the disk: %s', (name, value) => {
  const database = openDatabase(temporaryFolder());
  expect(database.pragma(name)).toEqual([{ [name]: value }]);
  database.close();
});
