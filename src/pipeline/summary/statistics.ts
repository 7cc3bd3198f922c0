import {
  generalField,
  type IssueKind,
  type Outcome,
  type OutcomeStatus,
  type RecordResult,
} from '../../model/index.ts';
import type { Problem, SettledBatch } from '../../report/index.ts';
import { createRecordCounts, type RecordCounts } from './progress.ts';

/** Outcomes and problems of a run. Memory depends on the number of problem shapes, not of records. */
export interface RunStatistics {
  readonly records: RecordCounts['records'];
  readonly outcomes: RecordCounts['outcomes'];
  add(outcome: Outcome, row: number): void;
  addBatch(batch: SettledBatch): void;
  readonly attempts: number;
  /** The most frequent problems, at most `most`. */
  problems(most: number): Problem[];
}

/** Further shapes are counted in outcomes but not listed, so that a hostile file cannot fill the memory. */
const MOST_SHAPES = 1000;

type Counted = { -readonly [Name in keyof Problem]: Problem[Name] };

export function createStatistics(): RunStatistics {
  const count = createRecordCounts();
  const shapes = new Map<string, Counted>();
  let attempts = 0;

  /** Counts a record with issues of one kind. */
  function note(
    { outcome, id, httpStatus }: Outcome,
    { code, field = '', count: issues, example }: IssueKind,
    row: number,
  ) {
    const general = generalField(field);
    const isRefusedUpdate = outcome === 'rejected' && id !== undefined && httpStatus !== undefined;
    const shape = causeKey(outcome, { code, field, example, id });
    const known = shapes.get(shape);
    if (known) {
      known.count++;
      known.issues += issues;
      if (known.field !== field) known.field = general;
    } else if (shapes.size < MOST_SHAPES)
      shapes.set(shape, {
        ...{ outcome, code, field, count: 1, issues },
        ...(isRefusedUpdate ? { http_status: httpStatus } : {}),
        ...{ example_row: row, example },
      });
  }

  function add(outcome: Outcome, row: number): void {
    count.add(outcome.outcome);
    attempts += outcome.attempts;
    const { code, field, message = '', kinds } = outcome;
    if (!code) return;
    if (!kinds) note(outcome, { code, field, count: 1, example: message }, row);
    else for (const kind of kinds) note(outcome, kind, row);
  }

  return {
    get records() {
      return count.records;
    },
    get attempts() {
      return attempts;
    },
    add,
    addBatch(batch) {
      for (const [word, records] of Object.entries(batch.plain)) count.add(word as OutcomeStatus, records);
      attempts += batch.attempts;
      for (const { outcome, row } of batch.others) add(outcome, row);
    },
    outcomes: count.outcomes,
    problems: (most) =>
      [...shapes.values()].sort((a, b) => b.issues - a.issues || b.count - a.count).slice(0, most),
  };
}

/** Passes pages of records on and counts them. */
export async function* withStatistics(
  statistics: RunStatistics,
  pages: AsyncIterable<readonly RecordResult[]>,
): AsyncGenerator<readonly RecordResult[]> {
  for await (const page of pages) {
    for (const { outcome, row } of page) statistics.add(outcome, row);
    yield page;
  }
}

export async function statisticsOf(pages: AsyncIterable<readonly RecordResult[]>): Promise<RunStatistics> {
  const statistics = createStatistics();
  for await (const page of pages) for (const { outcome, row } of page) statistics.add(outcome, row);
  return statistics;
}

/** The same for issues of one shape: equal outcome, code and field, and messages that differ only in names and numbers. */
export function causeKey(
  outcome: string,
  { code, field = '', example, id }: Pick<IssueKind, 'code' | 'field' | 'example'> & Pick<Outcome, 'id'>,
): string {
  return [outcome, code, generalField(field), problemShape(example, id)].join('\n');
}

/** Removes the parts of a message that differ from record to record: quotes, words with digits, and the identifier. */
export function problemShape(message: string, id?: string): string {
  const text = id ? message.replaceAll(id, '#') : message;
  return text.replaceAll(/"[^"]*"/g, '"…"').replaceAll(WITH_DIGIT, '#');
}

/** Anchored at the beginning of a word, so that a long word without a digit is scanned once. */
const WITH_DIGIT = /(?<![\w-])[\w-]*\d[\w-]*/g;
