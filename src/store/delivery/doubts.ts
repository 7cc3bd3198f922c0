/**
 * Watches the share of new records that end in doubt, for stores that answer now and then but lose most answers.
 *
 * Ten answers make up for one doubt. So whatever the order, the doubts of a run are never more than `most` and a tenth
 * of the records that were answered. A store that loses one answer in fifty is never held up by
 * this; the run stops for one that keeps losing more than one in eleven.
 */
export interface DoubtLimit {
  answered(): void;
  inDoubt(): void;
  /** True if records must be sent one at a time, with a probe of the store after each doubt. */
  mustSlowDown(): boolean;
  /** True if one more doubt would exceed `most`. */
  mustStop(): boolean;
  /** Counts since all doubts were last paid for. */
  seen(): SeenDoubts;
}

export interface SeenDoubts {
  /** Records in doubt. */
  readonly bad: number;
  /** Records in doubt, and answers. */
  readonly ends: number;
}

export interface DoubtsOptions {
  readonly concurrency: number;
  /** Called when there are many doubts and others were answered; not called again before all are paid for. */
  readonly onMany?: ((seen: SeenDoubts) => void) | undefined;
}

const ANSWERS_A_DOUBT = 10;

/** A few doubts say nothing about the share, even if the concurrency is small. */
const FEWEST = 10;

/** A short outage may hit all that is in flight, so the limit for stopping is twice as high. */
export function createDoubts({ concurrency, onMany }: DoubtsOptions): DoubtLimit {
  const many = Math.max(concurrency, FEWEST);
  const most = 2 * many;
  // Counted in answers, so that all numbers are whole.
  let owed = 0;
  let bad = 0;
  let ends = 0;
  let isSaid = false;

  const areMany = () => owed >= many * ANSWERS_A_DOUBT;

  return {
    mustSlowDown: areMany,
    mustStop: () => owed > (most - 1) * ANSWERS_A_DOUBT,
    seen: () => ({ bad, ends }),
    answered() {
      if (owed === 0) return;
      owed--;
      ends++;
      if (owed > 0) return;
      bad = 0;
      ends = 0;
      isSaid = false;
    },
    inDoubt() {
      owed += ANSWERS_A_DOUBT;
      bad++;
      ends++;
      // Without any answer it is an outage, which the breaker reports.
      if (isSaid || !areMany() || ends === bad) return;
      isSaid = true;
      onMany?.({ bad, ends });
    },
  };
}
