import { describe, expect, test } from 'vitest';
import { doubtsText } from '../../../src/cli/commands/fleet/resolve.ts';
import { shownTask, taskText } from '../../../src/cli/commands/fleet/task-text.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 25, 9, minute));

const TASK: Parameters<typeof taskText>[0] = {
  ...{ number: 1, id: 't-1', store: 'paris', storeNumber: 1, command: 'import', resource: 'products' },
  ...{ state: 'done', next: 'resume', stopWanted: false, schedule: null, slot: null, worker: null, epoch: 2 },
  ...{ notBefore: at(0), addedAt: at(0), queuedAt: at(0), startedAt: at(1), finishedAt: at(5) },
  ...{ lost: 0, exitCode: 1, stopReason: null, stopMessage: null, outcomes: { created: 2, invalid: 1 } },
  ...{ options: { files: ['/data/a.csv'] }, summary: null, artifacts: [] },
};
const textOf = (task: Partial<typeof TASK>, unread?: string) =>
  taskText({ ...TASK, ...task }, { unread, steps: [] }, { wrong: [], now: at(10).getTime() });

describe('a task', () => {
  test('has its times in the order in which they happened', () => {
    const times = (text: string) => [...text.matchAll(/^(.*\S) {2,}2026-.*$/gm)].map(([, name]) => name);
    expect(times(textOf({}))).toEqual(['queued', 'began', 'ended']);
    expect(times(textOf({ queuedAt: at(3) }))).toEqual(['first began', 'queued again', 'ended']);
  });

  test('says why it stopped, and how much was not read', () => {
    const text = textOf(
      { state: 'stopped', stopMessage: 'Three workers were lost.' },
      '7 records were not read.',
    );
    expect(text).toMatch(/^why +Three workers were lost\. 7 records were not read\.$/m);
  });

  test.each([
    ['done', { invalid: 1 }, ['show']],
    ['done', { rejected: 1, failed: 1 }, ['retry', 'show']],
    ['stopped', { 'in-doubt': 1, failed: 1 }, ['resume', 'resolve']],
    ['queued', { 'in-doubt': 1 }, ['stop', 'resolve']],
    ['running', { 'in-doubt': 1 }, ['stop']],
  ] as const)('that is %s with %o leads on by %o', (state, outcomes, commands) => {
    expect(shownTask({ ...TASK, state, outcomes }).to_do).toEqual(
      commands.map((command) => `storeport fleet ${command} t-1`),
    );
  });
});

describe('doubts of a task', () => {
  const DOUBTS = Array.from({ length: 30 }, (_, n) => ({ row: n + 2, key: `k${n}`, code: 'crash' }));

  test('are all listed while no file has them, and no file is named', () => {
    const text = doubtsText(
      't-1',
      { doubts: DOUBTS, quarantinedUntil: null, quarantinedBy: [], files: [] },
      'got',
    );
    expect(text.match(/crash/g)).toHaveLength(30);
    expect(text).not.toContain('in-doubt.csv');
  });

  test('are in the files of the task', () => {
    const text = doubtsText(
      't-1',
      {
        ...{ doubts: DOUBTS, quarantinedUntil: null, quarantinedBy: [], files: ['in-doubt.csv'] },
      },
      'got',
    );
    expect(text).toContain('and 10 more, in in-doubt.csv of its artifacts');
    expect(text).toContain('--from got/in-doubt.csv');
  });

  test('name each worker that may still send them', () => {
    const quarantine = { doubts: DOUBTS, quarantinedUntil: at(20), files: [] };
    const text = doubtsText('t-1', { ...quarantine, quarantinedBy: ['a-1', 'b-2'] }, 'got');
    expect(text).toContain('The workers a-1, b-2 were lost');
    for (const worker of ['a-1', 'b-2']) expect(text).toContain(`  storeport fleet resume --ended ${worker}`);
    expect(doubtsText('t-1', { ...quarantine, quarantinedBy: ['a-1'] }, 'got')).toContain(
      'The worker a-1 was lost',
    );
  });
});
