import type { ImageCounts, MappingWarning, Stopwatch, Suspicion } from '../../model/index.ts';
import { type CleanPage, cleanPage, type NeverHeld, type Problem } from '../../report/index.ts';
import { type AtomicFile, openAtomicFile } from '../../write/index.ts';
import type { Change } from '../cleaning/changes.ts';
import { publicSuspicions } from '../inputs/damage-report.ts';
import type { ImportInputs } from '../inputs/inputs.ts';
import { shownWarnings } from '../inputs/mapping-warnings.ts';
import type { RunStatistics } from '../summary/statistics.ts';
import { neverHeldIn } from '../summary/summary.ts';
import type { CleanFacts } from './open-cleaning.ts';
import type { CleanOptions } from './options.ts';

export interface CleanSummary {
  readonly command: 'clean';
  readonly resource: string;
  readonly files: readonly string[];
  readonly mapping: string;
  readonly out: string | null;
  /** File of the rejected rows; null if there is none. */
  readonly rejects: string | null;
  /** The page for people; null if there is none. */
  readonly page: string | null;
  /** Number of records read: the sum of `outcomes`. */
  readonly records: number;
  /** `planned` were written to `out`, the others to `rejects`. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Number of rows with only delimiters and blanks, which are in neither file. */
  readonly empty_rows: number;
  /** Number of rows that the mapping left out. */
  readonly skipped_rows: number;
  /** Rows that `--rows`, `--skip-rows` or `--until-blank-row` left out. */
  readonly left_out_rows: number;
  /** Columns that the mapping does not use. With `keepColumns` they are written nevertheless. */
  readonly unused_columns: readonly string[];
  /** Cells that look damaged. They were not changed. */
  readonly suspicious: readonly (Suspicion & { readonly file: string })[];
  /** The same as in a run's summary. */
  readonly never_held?: readonly NeverHeld[];
  /** Warnings about valid records. */
  readonly warnings: readonly MappingWarning[];
  /** By kind, each with its number of cells and the first of them. */
  readonly changes: readonly Change[];
  /** Counts of the check of images, if there was one. */
  readonly images?: ImageCounts;
  /** Problems by kind, most frequent first. */
  readonly problems: readonly Problem[];
  readonly duration_ms: number;
  readonly exit_code: number;
}

const MOST_PROBLEMS = 20;

/** Facts for the summary of a clean-up. */
export interface EndedCleaning extends CleanFacts {
  readonly inputs: ImportInputs;
  readonly statistics: RunStatistics;
  readonly stopwatch: Stopwatch;
  readonly images?: ImageCounts | undefined;
  /** File of the rejected rows, if there is one. */
  readonly rejects: string | undefined;
}

export function cleanSummary(
  options: CleanOptions,
  { inputs, files, statistics, changes, stopwatch, images, rejects }: EndedCleaning,
): CleanSummary {
  const outcomes = statistics.outcomes();
  const neverHeld = neverHeldIn(files);
  return {
    command: 'clean',
    resource: options.resource.name,
    files: options.files,
    mapping: inputs.mapping.name,
    out: options.out ?? null,
    rejects: rejects ?? null,
    page: options.page ?? null,
    records: statistics.records,
    outcomes,
    empty_rows: files.reduce((sum, { emptyRows }) => sum + (emptyRows?.rows ?? 0), 0),
    skipped_rows: files.reduce((sum, { skippedRows = 0 }) => sum + skippedRows, 0),
    left_out_rows: files.reduce((sum, { leftOutRows = 0 }) => sum + leftOutRows, 0),
    unused_columns: [...new Set(inputs.files.flatMap(({ binding }) => binding.unused))],
    suspicious: files.flatMap(({ file, suspicious = [] }) =>
      publicSuspicions(suspicious).map((each) => ({ file, ...each })),
    ),
    ...(neverHeld.length > 0 ? { never_held: neverHeld } : {}),
    warnings: files.flatMap(({ warnings = [] }) => shownWarnings(warnings)),
    changes,
    ...(images ? { images } : {}),
    problems: statistics.problems(MOST_PROBLEMS),
    duration_ms: stopwatch.elapsedMs(),
    exit_code: options.exitCodeOf(outcomes),
  };
}

/** The parts of the page that the summary does not have. */
export type CleanPageParts = Pick<CleanPage, 'files' | 'startedAt' | 'returned'>;

/** Writes the page of a clean-up, if there is to be one, up to its rename. Throws RunStopped. */
export async function stagePage(
  page: string | undefined,
  summary: CleanSummary,
  parts: CleanPageParts,
): Promise<AtomicFile | undefined> {
  const { out, never_held = [], duration_ms } = summary;
  if (page === undefined || out === null) return undefined;
  const file = await openAtomicFile(page);
  await file.write(cleanPage({ ...summary, ...parts, out, neverHeld: never_held, durationMs: duration_ms }));
  await file.seal();
  return file;
}
