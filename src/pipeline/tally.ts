import { OUTCOMES, type Outcome, type OutcomeWord, type Settled } from '../model/index.ts';

/** Problems of one shape: the same outcome, code and field, and a message that differs only in names and numbers. */
export interface Problem {
  readonly outcome: OutcomeWord;
  readonly code: string;
  readonly field: string;
  readonly count: number;
  /** Row and message of the first. */
  readonly example_row: number;
  readonly example: string;
}

/** Counts outcomes as they come. Its size depends on how many shapes of problems there are, not on records. */
export interface Tally {
  add(outcome: Outcome, row: number): void;
  readonly records: number;
  readonly attempts: number;
  /** Records that were planned so far, settled or not. */
  readonly planned: number;
  onPlanned(records: number): void;
  /** In the order of OUTCOMES; only those that occurred. */
  outcomes(): Record<string, number>;
  /** The `most` frequent. */
  problems(most: number): Problem[];
}

/** Shapes beyond this many are counted in outcomes but not listed: a hostile file must not fill the memory. */
const MOST_SHAPES = 1000;

export function createTally(): Tally {
  const counts = new Map<OutcomeWord, number>();
  const shapes = new Map<string, Problem & { count: number }>();
  let records = 0;
  let attempts = 0;
  let planned = 0;
  return {
    get planned() {
      return planned;
    },
    onPlanned(more) {
      planned += more;
    },
    get records() {
      return records;
    },
    get attempts() {
      return attempts;
    },
    add(outcome, row) {
      records++;
      attempts += outcome.attempts;
      counts.set(outcome.outcome, (counts.get(outcome.outcome) ?? 0) + 1);
      if (!outcome.code) return;
      const { code, field = '', message = '' } = outcome;
      const shape = [outcome.outcome, code, field, shapeOf(message)].join('\n');
      const known = shapes.get(shape);
      if (known) known.count++;
      else if (shapes.size < MOST_SHAPES)
        shapes.set(shape, {
          outcome: outcome.outcome,
          code,
          field,
          count: 1,
          example_row: row,
          example: message,
        });
    },
    outcomes: () =>
      Object.fromEntries(
        OUTCOMES.flatMap((word) => (counts.has(word) ? [[word, counts.get(word) as number]] : [])),
      ),
    problems: (most) => [...shapes.values()].sort((a, b) => b.count - a.count).slice(0, most),
  };
}

/** Lets records pass, and counts them. */
export function* countedBy(tally: Tally, records: Iterable<Settled>): Generator<Settled> {
  for (const end of records) {
    tally.add(end.outcome, end.row);
    yield end;
  }
}

export function tallyOf(records: Iterable<Settled>): Tally {
  const tally = createTally();
  for (const { outcome, row } of records) tally.add(outcome, row);
  return tally;
}

/** What is quoted and what is a number differ from record to record; the rest is the problem. */
export function shapeOf(message: string): string {
  return message.replaceAll(/"[^"]*"/g, '"…"').replaceAll(/\d+/g, '#');
}
