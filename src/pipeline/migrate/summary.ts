import { join, sep } from 'node:path';
import { mkdirSync, relative } from '../../model/files/fs.ts';
import { ConfigError, EXIT_CODES, INCOMPLETE, ownershipHints, type Stopwatch } from '../../model/index.ts';
import {
  type MigrationStepSummary,
  type MigrationStop,
  type MigrationSummary,
  migrationPage,
  REPORT_FILES,
  type Summary,
} from '../../report/index.ts';
import { openAtomicFile, refuseOverwriting } from '../../write/index.ts';
import type { MigrationOptions, MigrationPhase } from './options.ts';

/** The facts of a migration besides its steps. */
export interface MigrationFacts {
  readonly id: string;
  readonly phase: MigrationPhase;
  readonly store: string | null;
  readonly out: string;
  readonly stopwatch: Stopwatch;
  readonly notes?: readonly string[];
  /** Why a step could not begin, if that ended the migration. */
  readonly stopped?: MigrationStop | undefined;
  readonly notUndone?: Readonly<Record<string, number>>;
}

/** A step with its summary, if it has one. */
export interface EndedStep {
  readonly resource: string;
  readonly summary?: Summary | undefined;
  /** True if an earlier command has done it. */
  readonly isEarlier?: boolean;
}

/** Makes the summary of a migration from those of its steps. Its exit code is that of the step that went worst. */
export function migrationSummary(
  steps: readonly EndedStep[],
  { id, phase, store, out, stopwatch, notUndone, ...facts }: MigrationFacts,
  { plan, version, exitCodeOf, interrupted }: MigrationOptions,
): MigrationSummary {
  const ended = steps.flatMap(({ summary }) => summary ?? []);
  const outcomes: Record<string, number> = {};
  for (const { outcomes: counts } of ended)
    for (const [word, count] of Object.entries(counts)) outcomes[word] = (outcomes[word] ?? 0) + count;
  const isWhole = steps.every(({ summary, isEarlier }) => summary !== undefined || isEarlier);
  const stopped: MigrationStop | undefined =
    facts.stopped ??
    ended.find((summary) => summary.stopped)?.stopped ??
    (interrupted.aborted && !isWhole
      ? { reason: 'interrupted' as const, message: 'The migration was interrupted between two steps.' }
      : undefined);
  return {
    migration: id,
    command: 'migrate',
    phase,
    plan: {
      file: plan.file,
      ...(plan.title === undefined ? {} : { title: plan.title }),
      sha256: plan.digest,
    },
    again: plan.again,
    store,
    ...(facts.notes && facts.notes.length > 0 ? { notes: facts.notes } : {}),
    order: steps.map(({ resource }) => resource),
    steps: steps.map(stepSummary),
    records: sum(ended, ({ records }) => records),
    outcomes,
    attempts: sum(ended, ({ attempts }) => attempts),
    ...(notUndone ? { not_undone: notUndone } : {}),
    ...(stopped ? { stopped } : {}),
    started_at: stopwatch.startedAt.toISOString(),
    finished_at: stopwatch.date().toISOString(),
    duration_ms: Math.round(stopwatch.elapsedMs()),
    versions: { storeport: version, node: process.version },
    out,
    exit_code:
      stopped?.reason === 'step-not-begun' ? EXIT_CODES.stopped.code : exitCodeOf(outcomes, stopped?.reason),
  };
}

function stepSummary({ resource, summary, isEarlier }: EndedStep): MigrationStepSummary {
  if (!summary) return { resource, state: isEarlier ? 'before' : 'left', run: null };
  return { resource, state: summary.stopped ? 'stopped' : isEarlier ? 'before' : 'done', run: summary };
}

function sum(summaries: readonly Summary[], of: (summary: Summary) => number): number {
  return summaries.reduce((total, summary) => total + of(summary), 0);
}

/** True if a record of the check is wrong. */
export function hasWrongRecords({ outcomes }: Summary): boolean {
  return [...INCOMPLETE].some((word) => (outcomes[word] ?? 0) > 0);
}

/** Throws ConfigError if the reports of a migration would overwrite its plan or a file of a step, or cannot be written. */
export function openMigrationFolder(out: string, { plan, steps }: MigrationOptions): void {
  refuseOverwriting(
    [REPORT_FILES.summary, REPORT_FILES.page].map((name) => ({
      path: join(out, name),
      says: `the report ${join(out, name)}`,
    })),
    [
      { path: plan.path, says: `the plan ${plan.file}` },
      ...steps.flatMap(({ options }) => options.files.map((path) => ({ path, says: `the source ${path}` }))),
    ],
  );
  try {
    mkdirSync(out, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ConfigError(`The folder for reports, ${out}, cannot be made: ${(error as Error).message}.`, [
      'Choose another with --out.',
      ...ownershipHints(error, out),
    ]);
  }
}

/** Writes summary.json and report.html. Throws RunStopped if they cannot be written. */
export async function writeMigrationReports(summary: MigrationSummary): Promise<MigrationSummary> {
  const linkTo = (out: string) =>
    [...relative(summary.out, out).split(sep).map(encodeURIComponent), REPORT_FILES.page].join('/');
  await writeText(join(summary.out, REPORT_FILES.page), migrationPage(summary, linkTo));
  await writeText(join(summary.out, REPORT_FILES.summary), `${JSON.stringify(summary, null, 2)}\n`);
  return summary;
}

async function writeText(path: string, text: string): Promise<void> {
  const file = await openAtomicFile(path);
  await file.write(text);
  await file.commit();
}
