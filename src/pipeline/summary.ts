import type { SourceFile } from '../ledger/index.ts';
import { OUTCOMES, type Outcome, type OutcomeWord, RunStopped, type StopReason } from '../model/index.ts';
import type { begin, ImportOptions } from './run.ts';
import type { Inputs } from './sources.ts';

/** What `summary.json` says and `--json` prints. The names are a contract. */
export interface Summary {
  readonly run: string;
  readonly command: 'import' | 'validate';
  readonly resource: string;
  readonly mode: string;
  /** Records that were passed over, as `--offset` asked. */
  readonly offset: number;
  /** Base URL; null where no store was contacted. */
  readonly store: string | null;
  /** `null`: it was not read to its end, so it has no digest. */
  readonly files: readonly { readonly file: string; readonly sha256: string | null }[];
  readonly mapping: { readonly name: string; readonly sha256: string };
  /** Records that were read: the sum of `outcomes`. */
  readonly records: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** Records that were not read since the run stopped before; null when they could not be counted. */
  readonly not_read?: number | null;
  /** Why the run stopped before its end. */
  readonly stopped?: { readonly reason: StopReason; readonly message: string };
  /** What went wrong, by shape, most frequent first. */
  readonly problems: readonly Problem[];
  readonly attempts: number;
  readonly started_at: string;
  readonly finished_at: string;
  readonly duration_ms: number;
  readonly records_per_second: number;
  readonly versions: { readonly storeport: string; readonly node: string };
  /** Folder of the reports. */
  readonly out: string;
  readonly exit_code: number;
}

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
  return {
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

/** What is quoted and what is a number differ from record to record; the rest is the problem. */
function shapeOf(message: string): string {
  return message.replaceAll(/"[^"]*"/g, '"…"').replaceAll(/\d+/g, '#');
}

/** What is known of a run when it has ended. */
export interface End extends ReturnType<typeof begin> {
  readonly tally: Tally;
  readonly out: string;
  readonly files: readonly SourceFile[];
  readonly store: string | null;
  readonly stopped?: Error | undefined;
  readonly notRead?: number | undefined;
}

const MOST_PROBLEMS = 20;

/** The books of a run, added up. */
export function summarise(options: ImportOptions, { mapping }: Inputs, end: End): Summary {
  const { tally, stopped } = end;
  const finishedAt = new Date();
  const durationMs = finishedAt.getTime() - end.startedAt.getTime();
  const outcomes = tally.outcomes();
  const reason = reasonOf(stopped);
  return {
    run: end.run,
    command: end.command,
    resource: options.resource.name,
    mode: options.mode,
    offset: options.offset,
    store: end.store,
    files: end.files.map(({ file, sha256 = null }) => ({ file, sha256 })),
    mapping: { name: mapping.name, sha256: mapping.digest },
    records: tally.records,
    outcomes,
    ...(stopped ? { not_read: end.notRead ?? null } : {}),
    ...(stopped && reason ? { stopped: { reason, message: stopped.message } } : {}),
    problems: tally.problems(MOST_PROBLEMS),
    attempts: tally.attempts,
    started_at: end.startedAt.toISOString(),
    finished_at: finishedAt.toISOString(),
    duration_ms: durationMs,
    records_per_second: Math.round((tally.records * 1000) / Math.max(1, durationMs)),
    versions: { storeport: options.version, node: process.version },
    out: end.out,
    exit_code: options.exitCodeOf(outcomes, stopped),
  };
}

/** Why a run stopped; a bug stops it too, and then the source was not read to its end. */
export function reasonOf(stopped: Error | undefined): StopReason | undefined {
  return stopped instanceof RunStopped ? stopped.reason : stopped && 'source-failed';
}
