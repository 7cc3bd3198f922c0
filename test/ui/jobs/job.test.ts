import { afterEach, describe, expect, test, vi } from 'vitest';
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

test('a job whose command throws ends, and another can be started', async () => {
  const job = jobOf(async ({ follow }) => {
    follow?.({ progress: PROGRESS, client: {} });
    throw new Error('bug');
  });
  await job.ended;
  expect(job.view()).toMatchObject({
    ...{ state: 'ended', end: { exitCode: 3 } },
  });
  expect(job.view().end?.failure?.message).toContain('bug');
});

test('a question after a stop is answered at once, with nothing', async () => {
  const answers: unknown[] = [];
  const job = jobOf(async ({ ask, askSecret, stopped }) => {
    await new Promise((resolve) => stopped.addEventListener('abort', resolve));
    answers.push(await ask?.({ text: 'Send the rest?', lines: [] }), await askSecret?.('Client secret?'));
  });
  job.control({ action: 'stop' });
  await job.ended;
  expect(answers).toEqual([false, undefined]);
});

test('who waits for a change waits no longer than wanted', async () => {
  let say = (_text: string) => {};
  let end = () => {};
  const job = jobOf(({ message }) => {
    say = (text) => message?.('note', text);
    return new Promise<void>((resolve) => {
      end = resolve;
    });
  });
  await job.changed(1);
  const changed = job.changed(60_000);
  say('News');
  await changed;
  end();
  await job.ended;
  await job.changed(60_000);
});

test.each([
  ['import', true],
  ['send-fixes', true],
  ['export', false],
  ['check', false],
  ['auth-check', false],
] as const)('a job of the kind %s can be paused: %s', async (kind, canPause) => {
  let end = () => {};
  const job = jobOf(
    () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
    { ...PLANNED, kind },
  );
  expect(job.control({ action: 'pause' })).toBe(canPause);
  expect(job.view().state).toBe(canPause ? 'paused' : 'running');
  end();
  await job.ended;
});

const PROGRESS = { records: () => 60, part: () => 0.6, outcomes: () => ({}) };

describe('the time that is left', () => {
  afterEach(() => vi.useRealTimers());

  /** A job that has worked for `ms` and is at 60 of 100 records. */
  function working(before: number) {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'setTimeout'] });
    const job = jobOf(
      async ({ follow }) => {
        follow?.({ progress: { ...PROGRESS, before }, client: {} });
        await new Promise(() => {});
      },
      { ...PLANNED, kind: 'import' },
    );
    return { job, left: () => Math.round(job.view().progress?.secondsLeft ?? Number.NaN) };
  }

  test('is estimated from the records of this execution', () => {
    const { left } = working(50);
    vi.advanceTimersByTime(10_000);
    expect(left()).toBe(40);
  });

  test('does not grow in a pause', () => {
    const { job, left } = working(0);
    vi.advanceTimersByTime(30_000);
    expect(left()).toBe(20);
    job.control({ action: 'pause' });
    vi.advanceTimersByTime(3_600_000);
    expect(left()).toBe(20);
    job.control({ action: 'continue' });
    vi.advanceTimersByTime(3_000);
    expect(left()).toBe(22);
  });
});
