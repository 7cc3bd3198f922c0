import type { NewRun } from '../../src/ledger/index.ts';

/** A run for tests of the ledger, as an import creates it. */
export const NEW_RUN: NewRun = {
  id: 'r1',
  command: 'import',
  resource: 'products',
  mode: 'upsert',
  store: 'https://shop.example',
  remembered: true,
  mappingName: 'native',
  mappingDigest: 'd',
  files: [{ file: 'a.csv' }],
  header: ['name'],
  options: { offset: 3 },
  out: '/tmp/out',
  version: '0.0.0',
  startedAt: 1000,
};
