import type { SourceFile } from '../../ledger/index.ts';
import {
  EXIT_CODES,
  MISSED,
  type OutcomeStatus,
  type ReadFormat,
  type RuleUse,
  type StopReason,
} from '../../model/index.ts';
import type { NeverHeld, ReportNames, ShownFormat, Summary, SummaryFile } from '../../report/index.ts';
import { publicSuspicions } from '../inputs/damage-report.ts';
import { shownWarnings } from '../inputs/mapping-warnings.ts';
import { figuresOf, findingsIn } from '../look/findings.ts';
import type { RunFacts } from './facts.ts';
import type { RunStatistics } from './statistics.ts';

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
  const images = facts.images ?? facts.files[0]?.images;
  const findings = findingsIn(facts.files, acceptedIn(facts.options));
  const exitCode = exitCodeOf(outcomes, stopped?.reason);
  const neverHeld = stopped ? [] : neverHeldIn(facts.files);
  return {
    run: facts.id,
    command: facts.command,
    resource: facts.resource,
    mode: facts.mode,
    offset: facts.offset,
    store: facts.store,
    files: summaryFiles(facts.files),
    mapping: { name: facts.mapping.name, sha256: facts.mapping.digest },
    records: statistics.records,
    outcomes,
    ...(facts.plan ? { plan: facts.plan } : {}),
    ...(stopped ? { not_read: facts.notRead ?? null, stopped } : {}),
    ...(neverHeld.length > 0 ? { never_held: neverHeld } : {}),
    ...(findings.length > 0 ? { findings } : {}),
    ...(images ? { images } : {}),
    problems: statistics.problems(MOST_PROBLEMS),
    attempts: statistics.attempts,
    started_at: facts.startedAt.toISOString(),
    finished_at: facts.finishedAt.toISOString(),
    duration_ms: workedMs,
    records_per_second: Math.round((statistics.records * 1000) / Math.max(1, workedMs)),
    versions: { storeport: facts.version, node: process.version },
    out: facts.out,
    reports,
    exit_code:
      facts.options.strict === true && findings.length > 0
        ? Math.max(exitCode, EXIT_CODES.incomplete.code)
        : exitCode,
  };
}

/** The codes that `--accept` leaves out. */
function acceptedIn({ accept }: RunFacts['options']): string[] {
  return Array.isArray(accept) ? accept.map(String) : [];
}

/** The source files as people see them, in `summary.json` and on pages. */
export function summaryFiles(files: readonly SourceFile[]): SummaryFile[] {
  return files.map(
    ({ file, sha256 = null, reading, emptyRows, skippedRows, leftOutRows, unused, missed, ...rest }) => ({
      file,
      sha256,
      ...(reading && shownFormat(reading)),
      ...(emptyRows === undefined ? {} : { empty_rows: emptyRows.rows }),
      ...(skippedRows === undefined ? {} : { skipped_rows: skippedRows }),
      ...(leftOutRows === undefined ? {} : { left_out_rows: leftOutRows }),
      ...(unused === undefined ? {} : { unused_columns: unused }),
      ...(missed === undefined ? {} : { missed_columns: missed }),
      ...(rest.suspicious === undefined ? {} : { suspicious: publicSuspicions(rest.suspicious) }),
      ...(rest.warnings === undefined ? {} : { warnings: shownWarnings(rest.warnings) }),
      ...(rest.look === undefined ? {} : { figures: figuresOf(rest.look) }),
    }),
  );
}

/** Computes the exit code of a run. */
export type ExitCodeOf = (
  outcomes: Readonly<Partial<Record<OutcomeStatus, number>>>,
  stopped?: StopReason,
) => number;

/** `files`: the uses of the rules in each file. If those of one file are unknown, no rule counts as unused. */
export function neverHeldIn(files: readonly { readonly rules?: readonly RuleUse[] }[]): NeverHeld[] {
  if (files.some(({ rules }) => rules === undefined)) return [];
  const [first] = files;
  return (first?.rules ?? []).flatMap(({ use: _, ...rule }, index) => {
    const use = files.reduce((bits, { rules }) => bits | (rules?.[index]?.use ?? 0), 0);
    return use === MISSED ? [rule] : [];
  });
}
