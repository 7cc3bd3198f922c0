/** Decides when what was noted is committed, so that many records share one synced write. */
export interface GroupCommit {
  /**
   * Something was noted; `enough`: so much of it that waiting for more gains nothing. Then it commits before it returns:
   * while other answers are still being read, the disk has begun.
   */
  noted(enough: boolean): void;
  /** Commits in this turn of the event loop. */
  soon(): void;
}

/**
 * A commit waits at most this long for company. Where the store is slow that is nothing beside an answer; where it is
 * fast, enough has come together before.
 */
const HOLD_MS = 1;

export function createGroupCommit(commit: () => void): GroupCommit {
  let held: NodeJS.Timeout | undefined;
  let next: NodeJS.Immediate | undefined;

  function run(): void {
    clearTimeout(held);
    clearImmediate(next);
    held = undefined;
    next = undefined;
    commit();
  }

  function soon(): void {
    next ??= setImmediate(run);
  }

  return {
    noted(enough) {
      if (enough) run();
      else held ??= setTimeout(run, HOLD_MS);
    },
    soon,
  };
}
