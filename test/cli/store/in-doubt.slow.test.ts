import { expect, test } from 'vitest';
import { importIntoTroubledStore } from '../../support/troubled-store.ts';

test('--in-doubt resend repeats creates in doubt, but never accepted ones', async () => {
  const { asked, outcomes } = await importIntoTroubledStore(['--in-doubt', 'resend']);
  expect(asked.cut).toBeGreaterThan(1);
  expect(asked.broken).toBeGreaterThan(1);
  expect(asked.nameless).toBe(1);
  expect(outcomes).toMatchObject({
    cut: 'in-doubt no-answer',
    nameless: 'in-doubt accepted-unreadable',
    fine: 'created',
  });
});
