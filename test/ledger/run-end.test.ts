import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { encodeIntent, type KnownRun, openLedger } from '../../src/ledger/index.ts';
import { logFileOf } from '../../src/ledger/recover.ts';
import { createRunLog } from '../../src/ledger/wal/log.ts';
import { NEW_RUN } from '../support/new-run.ts';
import { removeTestFolder } from '../support/run.ts';

// A statement that fails leaves the same state as a kill between two statements, which cannot be produced here.

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'storeport-end-'));
});
afterEach(() => removeTestFolder(home));

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

/** Creates a run with one created record. */
async function created() {
  const ledger = openLedger(home);
  await ledger.lock(NEW_RUN.store, NEW_RUN.id);
  const open = await ledger.begin(NEW_RUN, 4);
  await open.intend(encodeIntent({ seq: 0, row: 2, key: 'k0', kind: 'create', rows: [] }));
  const outcome = { outcome: 'created', id: 'a', attempts: 1, durationMs: 1 } as const;
  open.settle({ seq: 0, row: 2, key: 'k0', outcome }, true);
  await open.flush();
  return { ledger, open };
}

describe('a run has ended only if its keys are indexed', () => {
  test('by itself', async () => {
    const { ledger, open } = await created();
    breakIdentity();
    await expect(open.end(END)).rejects.toThrow(/disk is full/);
    expect([states(), keys()]).toEqual([[{ state: 'running' }], []]);
    mendIdentity();
    await open.end(END);
    expect([states(), keys()]).toEqual([[{ state: 'done' }], [{ key: 'k0' }]]);
    await open.close();
    await ledger.close();
  });

  test('on demand, if it died', async () => {
    const { ledger, open } = await created();
    await open.close();
    await ledger.close();
    const next = openLedger(home);
    await next.lock(NEW_RUN.store, 'r2');
    expect([states(), keys()]).toEqual([[{ state: 'stopped' }], []]);
    breakIdentity();
    await expect(next.history(NEW_RUN.store, 'products')).rejects.toThrow(/disk is full/);
    mendIdentity();
    // The run itself does not need them, since it knows what it has settled.
    const [run] = await next.runs();
    await next.history(NEW_RUN.store, 'products', run);
    expect(keys()).toEqual([]);
    const { lookup } = await next.history(NEW_RUN.store, 'products');
    expect(keys()).toEqual([{ key: 'k0' }]);
    expect((await lookup?.(['k0']))?.get('k0')).toMatchObject({ id: 'a', run: 'r1' });
    await next.close();
  });
});

test('a run that is resumed after a later one does not make keys older that the later one has changed', async () => {
  const { ledger, open } = await created();
  await open.end({ ...END, state: 'stopped' });
  await open.close();
  const later = await ledger.begin({ ...NEW_RUN, id: 'r2' }, 4);
  const updated = { outcome: 'updated', id: 'a', attempts: 1, durationMs: 1 } as const;
  later.settle({ seq: 0, row: 2, key: 'k0', outcome: updated }, false);
  await later.flush();
  await later.end(END);
  await later.close();
  const [, first] = await ledger.runs();
  const again = await ledger.reopen(first as KnownRun, 4);
  const made = { outcome: 'created', id: 'b', attempts: 1, durationMs: 1 } as const;
  again.settle({ seq: 1, row: 3, key: 'k1', outcome: made }, false);
  await again.flush();
  await again.end(END);
  await again.close();
  const { lookup } = await ledger.history(NEW_RUN.store, 'products');
  const known = await lookup?.(['k0', 'k1']);
  expect([known?.get('k0')?.run, known?.get('k1')?.run]).toEqual(['r2', 'r1']);
  await ledger.close();
});

test('a log with entries of the epoch in which its run ended shows that the tables are older', async () => {
  const ledger = openLedger(home);
  await ledger.lock(NEW_RUN.store, NEW_RUN.id);
  const run = await ledger.begin(NEW_RUN, 1);
  await run.flush();
  await run.end(END);
  await run.close();
  await ledger.close();
  const [{ epoch }] = sql('select epoch from run') as [{ epoch: number }];
  const log = createRunLog(logFileOf(home, NEW_RUN.id), { run: NEW_RUN.id, store: NEW_RUN.store });
  log.begin(epoch);
  log.write(['{}']);
  log.close();
  expect(() => openLedger(home)).toThrow('is older than');
});
