import { OUTCOMES, type OutcomeWord } from '../model/index.ts';

/** How far a run is: outcomes as they come. */
export interface Count {
  add(outcome: OutcomeWord): void;
  readonly records: number;
  /** Records that were planned so far, settled or not. */
  readonly planned: number;
  onPlanned(records: number): void;
  /** In the order of OUTCOMES; only those that occurred. */
  outcomes(): Record<string, number>;
}

export function createCount(): Count {
  const counts = new Map<OutcomeWord, number>();
  let records = 0;
  let planned = 0;
  return {
    add(outcome) {
      records++;
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    },
    get records() {
      return records;
    },
    get planned() {
      return planned;
    },
    onPlanned(more) {
      planned += more;
    },
    outcomes: () =>
      Object.fromEntries(
        OUTCOMES.flatMap((word) => (counts.has(word) ? [[word, counts.get(word) as number]] : [])),
      ),
  };
}
