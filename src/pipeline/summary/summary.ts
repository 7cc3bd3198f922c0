import type { RunCommand } from '../../ledger/index.ts';
import {
  type MappingWarning,
  MISSED,
  type OutcomeStatus,
  type ReadFormat,
  type RuleUse,
  type StopReason,
  type Suspicion,
} from '../../model/index.ts';
import type { ReportNames } from '../../report/index.ts';
import { publicSuspicions } from '../inputs/damage-report.ts';
import { shownWarnings } from '../inputs/mapping-warnings.ts';
import type { RunFacts } from './facts.ts';
import type { PlanSummary } from './plan.ts';
import type { Problem, RunStatistics } from './statistics.ts';

/** The content of `summary.json`, also printed by `--json`. The names are a contract. */
export interface Summary {
  readonly run: string;
  readonly command: RunCommand | 'validate';
  readonly resource: string;
  readonly mode: string;
  /** Records skipped by `--offset`. */
  readonly offset: number;
  /** Base URL; null if no store was contacted. */
  readonly store: string | null;
  /** `sha256` is null if the file was not read to its end. */
  readonly files: readonly ({
    readonly file: string;
    readonly sha256: string | null;
    /** Number of rows with nothing but delimiters and blanks, if any. They are not records. */
    readonly empty_rows?: number;
    /** Number of rows that the mapping leaves out, if any. */
    readonly skipped_rows?: number;
    /** Columns (or fields of the first objects) that the mapping does not use, if any. */
    readonly unused_columns?: readonly string[];
    /** The unused columns that a shop would miss, by kind, if any. */
    readonly missed_columns?: readonly { readonly kind: string; readonly columns: readonly string[] }[];
    /** Cells that look damaged, if any. They were used unchanged. */
    readonly suspicious?: readonly Suspicion[];
    /** Warnings of the mapping about records, if any. */
    readonly warnings?: readonly MappingWarning[];
  } & Partial<ShownFormat>)[];
  readonly mapping: { readonly name: string; readonly sha256: string };
  /** Number of records read: the sum of `outcomes`. */
  readonly records: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** Only of `validate`: what an import would do. */
  readonly plan?: PlanSummary;
  /** Number of records not read because the run stopped; null if they could not be counted. */
  readonly not_read?: number | null;
  /** The reason that the run stopped early. */
  readonly stopped?: { readonly reason: StopReason; readonly message: string };
  /** Conditions, maps and lookups of the user's mapping that never applied, if any. */
  readonly never_held?: readonly NeverHeld[];
  /** Problems by shape, the most frequent first. */
  readonly problems: readonly Problem[];
  readonly attempts: number;
  readonly started_at: string;
  readonly finished_at: string;
  readonly duration_ms: number;
  readonly records_per_second: number;
  readonly versions: { readonly storeport: string; readonly node: string };
  /** Folder of the reports. */
  readonly out: string;
  /** Names of the reports in it. */
  readonly reports: ReportNames;
  readonly exit_code: number;
}

/** How a file was read. */
interface ShownFormat extends Omit<ReadFormat, 'otherSheets' | 'skippedLines' | 'noHeader' | 'paddedRows'> {
  /** Lines above the header, if some were left out. */
  readonly skipped_lines?: number;
  /** True if the file has no header. */
  readonly no_header?: true;
  /** True if cells that are missing at the end of a row were read as empty. */
  readonly padded_rows?: true;
}

function shownFormat({
  otherSheets: _,
  skippedLines,
  noHeader,
  paddedRows,
  ...format
}: ReadFormat): ShownFormat {
  return {
    ...format,
    ...(skippedLines === undefined ? {} : { skipped_lines: skippedLines }),
    ...(noHeader ? { no_header: noHeader } : {}),
    ...(paddedRows ? { padded_rows: paddedRows } : {}),
  };
}

const MOST_PROBLEMS = 20;

/** The parts of a summary that neither the run nor its records know. */
export interface SummaryOptions {
  readonly exitCodeOf: ExitCodeOf;
  readonly reports: ReportNames;
}

/** Makes the summary of a run. */
export function summarise(
  facts: RunFacts,
  statistics: RunStatistics,
  { exitCodeOf, reports }: SummaryOptions,
): Summary {
  const { stopped, workedMs } = facts;
  const outcomes = statistics.outcomes();
  // The records that a rule is for may be in the part that was not read.
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
        ...(reading && shownFormat(reading)),
        ...(emptyRows === undefined ? {} : { empty_rows: emptyRows.rows }),
        ...(skippedRows === undefined ? {} : { skipped_rows: skippedRows }),
        ...(unused === undefined ? {} : { unused_columns: unused }),
        ...(missed === undefined ? {} : { missed_columns: missed }),
        ...(suspicious === undefined ? {} : { suspicious: publicSuspicions(suspicious) }),
        ...(warnings === undefined ? {} : { warnings: shownWarnings(warnings) }),
      }),
    ),
    mapping: { name: facts.mapping.name, sha256: facts.mapping.digest },
    records: statistics.records,
    outcomes,
    ...(facts.plan ? { plan: facts.plan } : {}),
    ...(stopped ? { not_read: facts.notRead ?? null, stopped } : {}),
    ...(neverHeld.length > 0 ? { never_held: neverHeld } : {}),
    problems: statistics.problems(MOST_PROBLEMS),
    attempts: statistics.attempts,
    started_at: facts.startedAt.toISOString(),
    finished_at: facts.finishedAt.toISOString(),
    duration_ms: workedMs,
    records_per_second: Math.round((statistics.records * 1000) / Math.max(1, workedMs)),
    versions: { storeport: facts.version, node: process.version },
    out: facts.out,
    reports,
    exit_code: exitCodeOf(outcomes, stopped?.reason),
  };
}

/** Computes the exit code of a run. */
export type ExitCodeOf = (
  outcomes: Readonly<Partial<Record<OutcomeStatus, number>>>,
  stopped?: StopReason,
) => number;

/** A rule of the user's mapping that was evaluated in a run and applied to no record. */
export type NeverHeld = Omit<RuleUse, 'use'>;

/** `files`: the uses of the rules in each file. If those of one file are unknown, no rule counts as unused. */
export function neverHeldIn(files: readonly { readonly rules?: readonly RuleUse[] }[]): NeverHeld[] {
  if (files.some(({ rules }) => rules === undefined)) return [];
  const [first] = files;
  return (first?.rules ?? []).flatMap(({ use: _, ...rule }, index) => {
    const use = files.reduce((bits, { rules }) => bits | (rules?.[index]?.use ?? 0), 0);
    return use === MISSED ? [rule] : [];
  });
}
