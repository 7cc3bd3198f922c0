import { expect, test } from 'vitest';
import type { KnownRun } from '../../../src/pipeline/index.ts';
import type { StartJob } from '../../../src/ui/api/index.ts';
import { type FixJobs, planJob } from '../../../src/ui/jobs/plan-job.ts';
import { temporaryFolder } from '../../support/run.ts';
import { uiContextIn } from '../../support/ui-context.ts';

const ID = '20261123-101500-abcd';
const STORE = 'https://shop.example.com';

const fixes: FixJobs = {
  runOf: async () => ({ id: ID, store: STORE }) as KnownRun,
  fixesWords: async (run) => ['products', `${run}.csv`],
  dropFixed: async () => undefined,
};

test.each<StartJob>([
  { kind: 'resume', run: 'last', agreed: STORE },
  { kind: 'retry', run: 'last', agreed: STORE },
  { kind: 'undo', run: '2026', agreed: STORE },
  { kind: 'ask-store', run: '2026', agreed: STORE },
  { kind: 'check-fixes', run: 'last', store: 'environment' },
  { kind: 'send-fixes', run: 'last', store: 'environment', agreed: STORE },
])('a job about a run names it by its id, whatever it was called: $kind', async (job) => {
  const context = uiContextIn(temporaryFolder(), {
    stores: async () => [{ id: 'environment', title: 'the store', address: STORE }],
  });
  const parts = { context, fixes, works: undefined as never, exports: undefined as never };
  const { words, title, command } = await planJob(job, parts);
  for (const text of [words.join(' '), title, command]) {
    expect(text).toContain(ID);
    expect(text.split(ID).join('')).not.toMatch(/\blast\b|2026/);
  }
});
