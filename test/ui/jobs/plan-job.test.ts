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
  fixesToSend: async (run) => ({
    words: ['products', `${run}.csv`],
    rowOf: (row) => row + 9,
    rename: (message) => message.replace('row 7', 'row 16'),
    keepCheck: async () => {},
  }),
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

test('a check of corrected rows names them as the file of the user does', async () => {
  const kept: string[] = [];
  const context = uiContextIn(temporaryFolder());
  const checking = {
    ...fixes,
    fixesToSend: async (run: string) => ({
      ...(await fixes.fixesToSend(run)),
      keepCheck: async (errors: string) => void kept.push(errors),
    }),
  };
  const parts = { context, fixes: checking, works: undefined as never, exports: undefined as never };
  const { atEnd, rename } = await planJob({ kind: 'check-fixes', run: ID, store: 'sandbox' }, parts);
  expect(rename?.('row 7: too late')).toBe('row 16: too late');
  const problem = {
    outcome: 'invalid',
    code: 'x',
    field: '',
    count: 1,
    example: 'row 7: no',
    example_row: 7,
  };
  expect(await atEnd?.({ exitCode: 1, result: { problems: [problem] } })).toMatchObject({
    result: { problems: [{ example: 'row 16: no', example_row: 16 }] },
  });
  expect(kept).toEqual([expect.stringMatching(/errors\.csv$/)]);
  await atEnd?.({ exitCode: 3, result: { problems: [], stopped: { reason: 'interrupted' } } });
  expect(kept).toHaveLength(1);
});
