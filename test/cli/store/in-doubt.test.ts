import { join } from 'node:path';
import { expect, test } from 'vitest';
import { booksOf, readReports, storeport, temporaryFolder } from '../../support/run.ts';
import { importIntoTroubledStore as importAll, troubledStore } from '../../support/troubled-store.ts';

test('a create with a lost answer is sent once and in doubt; a refused or limited one is not', async () => {
  const { ended, reports, asked, outcomes } = await importAll();
  expect(outcomes).toEqual({
    fine: 'created',
    cut: 'in-doubt no-answer',
    broken: 'in-doubt server-error',
    gateway: 'in-doubt server-error',
    nameless: 'in-doubt accepted-unreadable',
    moved: 'rejected redirected',
    limited: 'created',
    stale: 'created',
    refused: 'rejected store-refused',
  });
  expect(asked).toEqual({
    fine: 1,
    cut: 1,
    broken: 1,
    gateway: 1,
    nameless: 1,
    moved: 1,
    limited: 2,
    stale: 2,
    refused: 1,
  });
  expect(ended.code).toBe(1);
  expect(booksOf(reports).balanced).toBe(true);
  expect(reports.inDoubt.map((row) => [row.reference, row.storeport_outcome, row.storeport_code])).toEqual([
    ['cut', 'in-doubt', 'no-answer'],
    ['broken', 'in-doubt', 'server-error'],
    ['gateway', 'in-doubt', 'server-error'],
    ['nameless', 'in-doubt', 'accepted-unreadable'],
  ]);
  expect(reports.errors.map((row) => row.reference)).toEqual(['moved', 'refused']);
  expect(reports.results.at(-1)).toMatchObject({ field: 'reference', http_status: '422' });
  expect(reports.results.at(-1)?.message).toContain('no more of these');
  expect(ended.stdout).toContain('look in the store for the records in in-doubt.csv');
});

test('importing in-doubt.csv sends nothing and leaves the records in doubt', async () => {
  const first = await importAll();
  const { url, asked } = await troubledStore();
  const cwd = temporaryFolder();
  const env = { STOREPORT_BASE_URL: url, STOREPORT_CLIENT_ID: 'c', STOREPORT_CLIENT_SECRET: 'a-secret' };
  const ended = await storeport(
    ['import', 'products', join(first.cwd, 'out', 'in-doubt.csv'), '--out', 'out'],
    { cwd, env },
  );
  const reports = readReports(join(cwd, 'out'));
  expect(asked).toEqual({});
  expect(ended.code).toBe(1);
  expect(reports.summary.outcomes).toEqual({ 'in-doubt': 4 });
  expect(reports.results[0]).toMatchObject({ key: 'cut', code: 'no-answer', attempts: '0' });
  expect(reports.results[0]?.message).toContain(first.reports.summary.run);
  expect(reports.inDoubt.map((row) => row.reference)).toEqual(['cut', 'broken', 'gateway', 'nameless']);
});
