import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { lockExport, openLedger } from '../../../src/ledger/index.ts';
import { RunStopped } from '../../../src/model/index.ts';
import { removeTestFolder } from '../../support/run.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'storeport-lock-'));
});
afterEach(() => removeTestFolder(home));

const STORE = 'https://shop.example';

test('a store is locked until the ledger is closed, and not longer, even within one process', async () => {
  const first = openLedger(home);
  const second = openLedger(home);
  await first.lock(STORE, 'r1');
  await expect(second.lock(STORE, 'r2')).rejects.toThrow(/is in use: run r1, process \d+/);
  await expect(second.lock(STORE, 'r2')).rejects.toThrow(
    expect.objectContaining({
      reason: 'in-use',
      hints: [
        expect.stringContaining(process.platform === 'win32' ? 'with Ctrl-C;' : `kill -INT ${process.pid}`),
        'Then run this command again.',
      ],
    }),
  );
  await second.lock('https://other.example', 'r3');
  await first.close();
  await second.lock(STORE, 'r2');
  await second.close();
});

test('exports into two files run at the same time, and two into one file do not', () => {
  const unlock = [lockExport(home, 'a.csv'), lockExport(home, 'b.csv')];
  expect(() => lockExport(home, 'a.csv')).toThrow('is in use');
  for (const each of unlock) each();
  lockExport(home, 'a.csv')();
});

test('a full disk stops the command, and is no bug', () => {
  vi.spyOn(Database.prototype, 'exec').mockImplementation(() => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  });
  onTestFinished(() => void vi.restoreAllMocks());
  expect(() => lockExport(home, 'a.csv')).toThrow(RunStopped);
  expect(() => lockExport(home, 'a.csv')).toThrow(`The disk that holds ${home} is full`);
});
