import { OUTCOMES, type OutcomeWord } from '../model/index.ts';

/** How far a run is: outcomes as they come. */
export interface Count {
  add(outcome: OutcomeWord): void;
  readonly records: number;
  /** Records that were planned so far, settled or not. */
  readonly planned: number;
  onPlanned(records: number): void;
  /** How much of what was read is planned, 0 to 1; less than 1 only where rows are gathered first. */
  readonly given: number;
  onGiven(part: number): void;
  /** In the order of OUTCOMES; only those that occurred. */
  outcomes(): Record<string, number>;
}

export function createCount(): Count {
  const counts = new Map<OutcomeWord, number>();
  let records = 0;
  let planned = 0;
  let given = 1;
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
    get given() {
      return given;
    },
    onGiven(part) {
      given = part;
    },
    outcomes: () =>
      Object.fromEntries(
        OUTCOMES.flatMap((word) => (counts.has(word) ? [[word, counts.get(word) as number]] : [])),
      ),
  };
}
