/**
 * Watches how large a share of new records ends in doubt, for stores that answer now and then and lose most answers.
 *
 * Each doubt costs one, and ten answers pay for one. So whatever the order, the doubts of a run are never more than
 * `most` and a tenth of the records that were answered. A store that loses one answer in fifty is never held up by this;
 * one that goes on to lose more than one in eleven is stopped.
 */
export interface Doubts {
  good(): void;
  bad(): void;
  /** Whether records are to be sent one at a time, with a look at the store after each doubt. */
  areMany(): boolean;
  /** Whether one more would be more than `most`. */
  areTooMany(): boolean;
  /** What is not paid for, and the ends since there was nothing to pay. */
  seen(): SeenDoubts;
}

export interface SeenDoubts {
  readonly bad: number;
  readonly ends: number;
}

export interface DoubtsOptions {
  readonly concurrency: number;
  /** Called when there come to be many among others that were answered, once until all are paid for. */
  readonly onMany?: ((seen: SeenDoubts) => void) | undefined;
}

const ANSWERS_A_DOUBT = 10;

/** A few doubts say nothing of the share, also where the concurrency is small. */
const FEWEST = 10;

/** As many as can be in flight are too few to stop at: all of them may meet one short outage. */
export function createDoubts({ concurrency, onMany }: DoubtsOptions): Doubts {
  const many = Math.max(concurrency, FEWEST);
  const most = 2 * many;
  // In answers, so that all is whole numbers.
  let owed = 0;
  let bad = 0;
  let ends = 0;
  let isSaid = false;

  const areMany = () => owed >= many * ANSWERS_A_DOUBT;

  return {
    areMany,
    areTooMany: () => owed > (most - 1) * ANSWERS_A_DOUBT,
    seen: () => ({ bad, ends }),
    good() {
      if (owed === 0) return;
      owed--;
      ends++;
      if (owed > 0) return;
      bad = 0;
      ends = 0;
      isSaid = false;
    },
    bad() {
      owed += ANSWERS_A_DOUBT;
      bad++;
      ends++;
      // None that was answered is an outage, of which more is said elsewhere.
      if (isSaid || !areMany() || ends === bad) return;
      isSaid = true;
      onMany?.({ bad, ends });
    },
  };
}
