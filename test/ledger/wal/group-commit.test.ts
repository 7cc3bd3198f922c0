import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGroupCommit } from '../../../src/ledger/wal/group-commit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function counted() {
  let commits = 0;
  const group = createGroupCommit(() => {
    commits++;
  });
  return { group, commits: () => commits };
}

describe('group commit', () => {
  test('entries within a millisecond are committed together', () => {
    const { group, commits } = counted();
    for (let n = 0; n < 5; n++) group.noted(false);
    expect(commits()).toBe(0);
    vi.advanceTimersByTime(1);
    expect(commits()).toBe(1);
    vi.advanceTimersByTime(100);
    expect(commits()).toBe(1);
  });

  test('enough entries are committed at once, and only once', () => {
    const { group, commits } = counted();
    group.noted(false);
    group.soon();
    group.noted(true);
    expect(commits()).toBe(1);
    vi.advanceTimersByTime(100);
    expect(commits()).toBe(1);
  });

  test('entries after a commit are part of the next one', () => {
    const { group, commits } = counted();
    group.soon();
    vi.advanceTimersByTime(0);
    group.noted(false);
    vi.advanceTimersByTime(1);
    expect(commits()).toBe(2);
  });
});
