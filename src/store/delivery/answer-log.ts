import { type AnswerCounts, TIME_STEPS, timeStep } from '../../model/index.ts';
import type { Situation } from '../response/rules.ts';

/** Counts the ends of requests for records. */
export interface AnswerLog {
  note(ms: number, situation: Situation): void;
  /** The counts since the client began. */
  counts(): AnswerCounts;
}

/** Situations without a usable answer of the API. */
const FAULTS: ReadonlySet<Situation> = new Set([
  'unavailable',
  'no-answer',
  'server-error',
  'unreadable',
  'accepted-without-id',
  'redirect',
  'refused-by-page',
]);

export function createAnswerLog(): AnswerLog {
  const times = new Array<number>(TIME_STEPS).fill(0);
  let all = 0;
  let refused = 0;
  let faults = 0;
  return {
    note(ms, situation) {
      // Nothing reached the store.
      if (situation === 'not-sent' || situation === 'unsendable') return;
      all++;
      const step = timeStep(ms);
      times[step] = (times[step] ?? 0) + 1;
      if (situation === 'throttled') refused++;
      else if (FAULTS.has(situation)) faults++;
    },
    counts: () => ({ all, refused, faults, times: [...times] }),
  };
}
