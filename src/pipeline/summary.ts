import type { SourceFile } from '../ledger/index.ts';
import { RunStopped, type StopReason } from '../model/index.ts';
import type { begin, ImportOptions } from './run.ts';
import type { Inputs } from './sources.ts';
import type { Problem, Tally } from './tally.ts';

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

/** Why a run stopped; a bug of our own stops it too. */
export function reasonOf(stopped: Error | undefined): StopReason | undefined {
  return stopped instanceof RunStopped ? stopped.reason : stopped && 'internal-error';
}
