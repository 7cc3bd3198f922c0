import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encodeIntent, type Ledger, openLedger, type RunCommand } from '../../../src/ledger/index.ts';
import type { Outcome } from '../../../src/model/index.ts';
import { NEW_RUN } from '../../support/new-run.ts';
import { allOf } from '../../support/pages.ts';
import { removeTestFolder } from '../../support/run.ts';

const ID = '5a9d0b010000000000000000';

let home: string;
let ledger: Ledger;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'storeport-trash-'));
  ledger = openLedger(home);
  await ledger.lock(NEW_RUN.store, 'test');
});
afterEach(async () => {
  await ledger.close();
  removeTestFolder(home);
});

/** Creates a run with one record of this outcome. */
async function runWith(id: string, command: RunCommand, outcome: Partial<Outcome>): Promise<void> {
  const run = { ...NEW_RUN, id, command };
  const open = await ledger.begin(run, 4);
  const end = { id: ID, attempts: 1, durationMs: 0, outcome: 'updated', ...outcome } as const;
  open.settle({ seq: 0, row: 2, key: 'T', outcome: end }, false);
  await open.flush();
  await open.end({ state: 'done', files: run.files, finishedAt: 2, workedMs: 1 });
  await open.close();
}

async function trashed() {
  const history = await ledger.history(NEW_RUN.store, NEW_RUN.resource);
  return (await history.trashed?.([ID, 'other']))?.get(ID);
}

test('nothing is in the trash before an undo', async () => {
  await runWith('made', 'import', { outcome: 'created' });
  expect((await ledger.history(NEW_RUN.store, NEW_RUN.resource)).trashed).toBeUndefined();
});

test('a record that an undo updated is in the trash until an import updates it', async () => {
  await runWith('made', 'import', { outcome: 'created' });
  await runWith('taken', 'undo', {});
  expect(await trashed()).toEqual({ run: 'taken', sure: true });
  await runWith('refused', 'import', { outcome: 'rejected' });
  expect(await trashed()).toEqual({ run: 'taken', sure: true });
  await runWith('back', 'import', {});
  expect(await trashed()).toBeUndefined();
});

test('an undo without an answer may have happened, one that was never sent has not', async () => {
  await runWith('made', 'import', { outcome: 'created' });
  await runWith('unsent', 'undo', { outcome: 'unsent', attempts: 0 });
  expect(await trashed()).toBeUndefined();
  await runWith('failed', 'undo', { outcome: 'failed' });
  expect(await trashed()).toEqual({ run: 'failed', sure: false });
  await runWith('done', 'undo', {});
  expect(await trashed()).toEqual({ run: 'done', sure: true });
});

test('a killed undo may have put records in flight into the trash', async () => {
  await runWith('made', 'import', { outcome: 'created' });
  const open = await ledger.begin({ ...NEW_RUN, id: 'killed', command: 'undo' }, 1);
  await open.intend(
    encodeIntent({ seq: 0, row: 2, key: 'T', kind: 'update', rows: [{ row: 2, cells: [ID, 'TRASH'] }] }),
  );
  await open.close();
  await ledger.close();
  ledger = openLedger(home);
  await ledger.lock(NEW_RUN.store, 'next');
  expect(await trashed()).toEqual({ run: 'killed', sure: false });
  const killed = (await ledger.runs()).find(({ id }) => id === 'killed');
  expect(killed && (await allOf(ledger.settled(killed)))).toMatchObject([
    { key: 'T', outcome: { outcome: 'failed', code: 'crash', id: ID } },
  ]);
});
