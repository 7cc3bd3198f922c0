import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLedger } from '../../src/ledger/index.ts';
import { NEW_RUN } from '../support/new-run.ts';

// A kill between two statements cannot be had here; a statement that fails leaves the same behind.

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'storeport-end-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const END = { state: 'done' as const, files: NEW_RUN.files, finishedAt: 2000, workedMs: 1 };

function sql(text: string): unknown[] {
  const database = new Database(join(home, 'ledger.db'));
  try {
    if (text.startsWith('select')) return database.prepare(text).all();
    database.exec(text);
    return [];
  } finally {
    database.close();
  }
}

const breakIdentity = () =>
  sql(`create trigger full before insert on identity begin select raise(abort, 'disk is full'); end`);
const mendIdentity = () => sql('drop trigger full');
const states = () => sql('select state from run');
const keys = () => sql('select key from identity');

/** A run that created one record. */
async function created() {
  const ledger = openLedger(home);
  ledger.lock(NEW_RUN.store, NEW_RUN.id);
  const open = ledger.begin(NEW_RUN, 4);
  await open.intend({ seq: 0, row: 2, key: 'k0', kind: 'create', rows: [] });
  const outcome = { outcome: 'created', id: 'a', attempts: 1, durationMs: 1 } as const;
  open.settle({ seq: 0, row: 2, key: 'k0', outcome }, true);
  await open.flush();
  return { ledger, open };
}

describe('a run is at its end when its keys are known, and not before', () => {
  test('by itself', async () => {
    const { ledger, open } = await created();
    breakIdentity();
    expect(() => open.end(END)).toThrow(/disk is full/);
    expect([states(), keys()]).toEqual([[{ state: 'running' }], []]);
    mendIdentity();
    open.end(END);
    expect([states(), keys()]).toEqual([[{ state: 'done' }], [{ key: 'k0' }]]);
    open.close();
    ledger.close();
  });

  test('by another that comes after a kill', async () => {
    const { ledger, open } = await created();
    open.close();
    ledger.close();
    breakIdentity();
    const next = openLedger(home);
    expect(() => next.lock(NEW_RUN.store, 'r2')).toThrow(/disk is full/);
    expect([states(), keys()]).toEqual([[{ state: 'running' }], []]);
    next.close();
    mendIdentity();
    const last = openLedger(home);
    last.lock(NEW_RUN.store, 'r3');
    expect([states(), keys()]).toEqual([[{ state: 'stopped' }], [{ key: 'k0' }]]);
    last.close();
  });
});
