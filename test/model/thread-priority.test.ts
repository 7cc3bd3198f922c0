import { expect, test } from 'vitest';
import { runBehindSending } from '../../src/model/index.ts';

function prioritySetOn(platform: string, current: number): number | undefined {
  let set: number | undefined;
  runBehindSending({
    platform,
    getPriority: () => current,
    setPriority: (thread, priority) => {
      expect(thread).toBe(0);
      set = priority;
    },
  });
  return set;
}

test('a thread has less priority than its process, and never more than before', () => {
  expect(prioritySetOn('linux', 0)).toBe(5);
  expect(prioritySetOn('linux', -5)).toBe(0);
  expect(prioritySetOn('linux', 17)).toBe(19);
});

test('where the call would change the whole process, nothing is set', () => {
  expect(prioritySetOn('darwin', 0)).toBeUndefined();
  expect(prioritySetOn('win32', 0)).toBeUndefined();
});

test('a system that forbids it is no failure', () => {
  const refuse = () => {
    throw new Error('EACCES');
  };
  expect(() =>
    runBehindSending({ platform: 'linux', getPriority: () => 0, setPriority: refuse }),
  ).not.toThrow();
});
