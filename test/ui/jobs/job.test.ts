import { expect, test } from 'vitest';
import type { CommandWatch } from '../../../src/ui/command-port.ts';
import { startJob } from '../../../src/ui/jobs/job.ts';
import { createJobs } from '../../../src/ui/jobs/jobs.ts';
import type { PlannedJob } from '../../../src/ui/jobs/plan-job.ts';
import { temporaryFolder } from '../../support/run.ts';
import { callerOf, uiContextIn } from '../../support/ui-context.ts';

const PLANNED: PlannedJob = {
  kind: 'auth-check',
  title: 'Check',
  words: [],
  command: 'storeport auth check',
};

/** A job whose command is a function. */
function jobOf(command: (watch: CommandWatch) => Promise<void>, planned = PLANNED) {
  const { commands } = uiContextIn(temporaryFolder(), {
    run: async (_words, watch) => {
      await command(watch);
      return { exitCode: 0 };
    },
  });
  return startJob(planned, commands);
}

test.each([
  ['no', undefined, undefined],
  ['no', 'a secret', undefined],
  ['yes', undefined, undefined],
  ['yes', 'a secret', 'a secret'],
] as const)(
  'a question for a secret that is answered with %s and %s gives %s',
  async (action, secret, given) => {
    let answer: string | undefined = 'nothing was asked';
    const job = jobOf(async ({ askSecret }) => {
      answer = await askSecret?.('Client secret?');
    });
    expect(job.view()).toMatchObject({ state: 'asking', question: { isSecret: true } });
    job.control({ action, ...(secret === undefined ? {} : { secret }) });
    await job.ended;
    expect(answer).toBe(given);
  },
);

test.each([
  ['yes', true],
  ['no', false],
] as const)('a question whether to go on that is answered with %s gives %s', async (action, given) => {
  let answer: boolean | undefined;
  const job = jobOf(async ({ ask }) => {
    answer = await ask?.({ text: 'Send the rest?', lines: [] });
  });
  job.control({ action });
  await job.ended;
  expect(answer).toBe(given);
});

test('a job whose result cannot be noted ends, and says so', async () => {
  const job = jobOf(async () => {}, {
    ...PLANNED,
    atEnd: async () => {
      throw new Error('No space is left.');
    },
  });
  await job.ended;
  expect(job.view()).toMatchObject({
    ...{
      state: 'ended',
      end: { exitCode: 0, failure: { message: expect.stringContaining('No space is left.') } },
    },
  });
});

test('a server that stops begins no other job, also one that is being planned', async () => {
  const context = uiContextIn(temporaryFolder());
  let plan = () => {};
  const planned = new Promise<void>((resolve) => {
    plan = resolve;
  });
  const jobs = createJobs({
    context: { ...context, commands: { ...context.commands, storeWords: () => planned.then(() => []) } },
    ...{ works: undefined as never, fixes: undefined as never, exports: undefined as never },
  });
  const started = callerOf(jobs.routes)('POST /jobs', { kind: 'auth-check', store: 'sandbox' });
  await jobs.stop();
  plan();
  await expect(started).rejects.toThrow('is stopping');
  expect(jobs.current()).toBeNull();
});
