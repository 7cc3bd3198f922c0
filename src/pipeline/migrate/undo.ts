import { join } from 'node:path';
import { type KnownRun, runsUnder } from '../../ledger/index.ts';
import { resolve } from '../../model/files/fs.ts';
import { ConfigError, printedCommand, startStopwatch } from '../../model/index.ts';
import type { MigrationSummary } from '../../report/index.ts';
import type { Resource } from '../../resources/index.ts';
import { undoRun } from '../import/undo.ts';
import { reportsFolder } from '../run/own-files.ts';
import { refusePruned } from '../run/pruned.ts';
import { withLedger } from '../run/runs.ts';
import { newRunId } from '../summary/facts.ts';
import type { ConnectStep } from './migrate.ts';
import type { MigrationOptions, MigrationStep } from './options.ts';
import { keepMigrationState, readMigrationState, runOfStep } from './state.ts';
import { type EndedStep, migrationSummary, openMigrationFolder, writeMigrationReports } from './summary.ts';

/** Shown for confirmation before a migration is undone: the number of records by resource. */
export interface MigrationToUndo {
  readonly runs: number;
  readonly undone: Readonly<Record<string, number>>;
  /** Those that the API can neither delete nor update. */
  readonly notUndone: Readonly<Record<string, number>>;
}

/**
 * Undoes the runs of a migration, the last first, as far as the API can. Resolves with undefined if there is nothing to
 * undo or `confirm` declines. Throws ConfigError if the plan was never run at this store.
 */
export async function undoMigration(
  options: MigrationOptions,
  connect: ConnectStep,
  confirm: (what: MigrationToUndo) => Promise<boolean>,
): Promise<MigrationSummary | undefined> {
  const { plan, home, store, hear } = options;
  const stopwatch = startStopwatch();
  const id = newRunId(stopwatch.startedAt);
  const address = store?.address ?? '';
  const state = readMigrationState(home, plan.path, address);
  if (!state)
    throw new ConfigError(
      `${plan.file} was not run at ${address} from this folder, so there is nothing to undo.`,
      [`Give the same store and the same --home as then. All runs: ${printedCommand('run list')}`],
    );
  const known = runsUnder(home);
  const ids = new Set([
    ...state.earlier,
    ...state.steps.flatMap((step) => runOfStep(known, address, step)?.id ?? []),
  ]);
  const runs = known.filter((run) => ids.has(run.id)).sort((a, b) => b.number - a.number);
  for (const run of runs) if (canUndo(run, options)) refusePruned(run, 'undone');
  const work: RunToUndo[] = [];
  for (const run of runs) work.push(toUndo(run, options, await createdBy(home, run)));
  const undone = countsOf(work.filter(({ step }) => step !== undefined));
  const notUndone = countsOf(work.filter(({ step }) => step === undefined));
  if (!(await confirm({ runs: runs.length, undone, notUndone }))) return undefined;

  const out = options.out ?? resolve(reportsFolder(id));
  openMigrationFolder(out, options);
  const ended: EndedStep[] = [];
  for (const [index, { run, step, created }] of work.entries()) {
    if (step === undefined || created === 0) continue;
    if (options.interrupted.aborted || ended.some(({ summary }) => summary?.stopped)) {
      ended.push({ resource: run.resource });
      continue;
    }
    const watch = hear.watcher('undo', run.resource);
    const summary = await undoRun(
      run.id,
      {
        ...step.options,
        ...{ out: join(out, `${index + 1}-undo-${run.resource}`), watch },
        confirm: async ({ count }) => count > 0,
      },
      () => connect(step),
    );
    if (!summary) continue;
    hear.ended('undo', summary);
    ended.push({ resource: run.resource, summary });
  }
  const summary = migrationSummary(
    ended,
    { id, phase: 'undo', store: address, out, stopwatch, notUndone },
    options,
  );
  if (!summary.stopped) await keepMigrationState(home, { ...state, undone: true });
  return writeMigrationReports(summary);
}

interface RunToUndo {
  readonly run: KnownRun;
  /** Undefined if the API cannot undo it. */
  readonly step: MigrationStep | undefined;
  readonly created: number;
}

/** The resource of a run if the API can undo it. */
function canUndo(run: KnownRun, { resources }: MigrationOptions): Resource | undefined {
  return resources.find(({ name, update, trash }) => name === run.resource && update && trash);
}

/** The plan may have lost the step of a run, so the options of another step are used for it. */
function toUndo(run: KnownRun, options: MigrationOptions, created: number): RunToUndo {
  const resource = canUndo(run, options);
  const [step] = options.steps;
  if (!step || !resource) return { run, step: undefined, created };
  return { run, step: { ...step, options: { ...step.options, resource } }, created };
}

async function createdBy(home: string, run: KnownRun): Promise<number> {
  return withLedger(
    home,
    () => {},
    async (ledger) => (await ledger.outcomes(run)).created ?? 0,
  );
}

function countsOf(work: readonly RunToUndo[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { run, created } of work)
    if (created > 0) counts[run.resource] = (counts[run.resource] ?? 0) + created;
  return counts;
}
