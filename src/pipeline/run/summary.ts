import type { RunCommand } from '../../ledger/index.ts';
import type { MappingWarning, OutcomeStatus, ReadFormat, StopReason, Suspicion } from '../../model/index.ts';
import { publicSuspicions } from '../inputs/damage-report.ts';
import { shownWarnings } from '../inputs/mapping-warnings.ts';
import type { RunFacts } from './facts.ts';
import { type NeverHeld, neverHeldIn } from './never-held.ts';
import type { Problem, RunStatistics } from './statistics.ts';

/** What `summary.json` says and `--json` prints. The names are a contract. */
export interface Summary {
  readonly run: string;
  readonly command: RunCommand | 'validate';
  readonly resource: string;
  readonly mode: string;
  /** Records that were passed over, as `--offset` asked. */
  readonly offset: number;
  /** Base URL; null where no store was contacted. */
  readonly store: string | null;
  /** `null`: it was not read to its end, so it has no digest. */
  readonly files: readonly ({
    readonly file: string;
    readonly sha256: string | null;
    /** Rows of nothing but delimiters and blanks, where there are any: they are no records. */
    readonly empty_rows?: number;
    /** Where the mapping leaves rows out. */
    readonly skipped_rows?: number;
    /** Columns, or fields of its first objects, that the mapping does not use, where there are any. */
    readonly unused_columns?: readonly string[];
    /** Of these, columns of data that a shop would miss, by kind, where there are any. */
    readonly missed_columns?: readonly { readonly kind: string; readonly columns: readonly string[] }[];
    /** Cells that look damaged, where there are any; they were taken as they are. */
    readonly suspicious?: readonly Suspicion[];
    /** What the mapping says about its records, where it says anything. */
    readonly warnings?: readonly MappingWarning[];
  } & Partial<ReadFormat>)[];
  readonly mapping: { readonly name: string; readonly sha256: string };
  /** Records that were read: the sum of `outcomes`. */
  readonly records: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** Records that were not read since the run stopped before; null when they could not be counted. */
  readonly not_read?: number | null;
  /** Why the run stopped before its end. */
  readonly stopped?: { readonly reason: StopReason; readonly message: string };
  /** Conditions, maps and lookups of the user's mapping that never applied, where there are any. */
  readonly never_held?: readonly NeverHeld[];
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

const MOST_PROBLEMS = 20;

/** The books of a run, added up. */
export function summarise(facts: RunFacts, tally: RunStatistics, exitCodeOf: ExitCodeOf): Summary {
  const { stopped, workedMs } = facts;
  const outcomes = tally.outcomes();
  // A run that stopped may still meet what they are for.
  const neverHeld = stopped ? [] : neverHeldIn(facts.files);
  return {
    run: facts.id,
    command: facts.command,
    resource: facts.resource,
    mode: facts.mode,
    offset: facts.offset,
    store: facts.store,
    files: facts.files.map(
      ({ file, sha256 = null, reading, emptyRows, skippedRows, unused, missed, suspicious, warnings }) => ({
        file,
        sha256,
        ...reading,
        ...(emptyRows === undefined ? {} : { empty_rows: emptyRows.rows }),
        ...(skippedRows === undefined ? {} : { skipped_rows: skippedRows }),
        ...(unused === undefined ? {} : { unused_columns: unused }),
        ...(missed === undefined ? {} : { missed_columns: missed }),
        ...(suspicious === undefined ? {} : { suspicious: publicSuspicions(suspicious) }),
        ...(warnings === undefined ? {} : { warnings: shownWarnings(warnings) }),
      }),
    ),
    mapping: { name: facts.mapping.name, sha256: facts.mapping.digest },
    records: tally.records,
    outcomes,
    ...(stopped ? { not_read: facts.notRead ?? null, stopped } : {}),
    ...(neverHeld.length > 0 ? { never_held: neverHeld } : {}),
    problems: tally.problems(MOST_PROBLEMS),
    attempts: tally.attempts,
    started_at: facts.startedAt.toISOString(),
    finished_at: facts.finishedAt.toISOString(),
    duration_ms: workedMs,
    records_per_second: Math.round((tally.records * 1000) / Math.max(1, workedMs)),
    versions: { storeport: facts.version, node: process.version },
    out: facts.out,
    exit_code: exitCodeOf(outcomes, stopped?.reason),
  };
}

/** The exit code of a run that ended so. */
export type ExitCodeOf = (
  outcomes: Readonly<Partial<Record<OutcomeStatus, number>>>,
  stopped?: StopReason,
) => number;
