import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLedger } from '../../../src/ledger/index.ts';
import { removeTestFolder } from '../../support/run.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'storeport-lock-'));
});
afterEach(() => removeTestFolder(home));

const STORE = 'https://shop.example';

test('a store is locked until the ledger is closed, and not longer, even within one process', () => {
  const first = openLedger(home);
  const second = openLedger(home);
  first.lock(STORE, 'r1');
  expect(() => second.lock(STORE, 'r2')).toThrow(/is in use: run r1, process \d+/);
  expect(() => second.lock(STORE, 'r2')).toThrow(
    expect.objectContaining({
      reason: 'in-use',
      hints: [
        expect.stringContaining(process.platform === 'win32' ? 'with Ctrl-C;' : `kill -INT ${process.pid}`),
        'Then run this command again.',
      ],
    }),
  );
  second.lock('https://other.example', 'r3');
  first.close();
  second.lock(STORE, 'r2');
  second.close();
});
