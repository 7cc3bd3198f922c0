import { join } from 'node:path';
import { resolve } from '../../model/files/fs.ts';
import { ConfigError, RunStopped, startStopwatch } from '../../model/index.ts';
import type { MigrationStop, MigrationSummary, Summary } from '../../report/index.ts';
import { runImport } from '../import/import.ts';
import { resumeRun } from '../import/resume.ts';
import { type StoreTarget, storeIdFrom } from '../run/context.ts';
import { reportsFolder } from '../run/own-files.ts';
import { summaryOf } from '../run/reports.ts';
import { findRun, withLedger } from '../run/runs.ts';
import { newRunId } from '../summary/facts.ts';
import { checkSteps } from './check-steps.ts';
import { continueSteps, type StepWork } from './continue-steps.ts';
import { type OpenedStep, openSteps } from './open-steps.ts';
import type { MigrationOptions, MigrationStep } from './options.ts';
import {
  keepMigrationState,
  latestRunNumber,
  type MigrationState,
  readMigrationState,
  type StateStep,
} from './state.ts';
import {
  type EndedStep,
  hasWrongRecords,
  migrationSummary,
  openMigrationFolder,
  writeMigrationReports,
} from './summary.ts';

/** Connects a step to the store; undefined to send nothing. */
export type ConnectStep = (step: MigrationStep) => Promise<StoreTarget>;

/**
 * Imports the steps of a plan in the order of their references, after checking them all. Continues a pass that was begun
 * before. Without `connect` it only checks. Resolves with the summary, also if it stopped early. Throws ConfigError or
 * RunStopped if it could not begin.
 */
export async function runMigration(
  options: MigrationOptions,
  connect?: ConnectStep,
): Promise<MigrationSummary> {
  const { plan, home, store, hear, interrupted } = options;
  const stopwatch = startStopwatch();
  const id = newRunId(stopwatch.startedAt);
  const opened = await openSteps(options.steps);
  hear.ordered(opened.map(({ resource }) => resource));
  const address = store?.address;
  const state = address === undefined ? undefined : readMigrationState(home, plan.path, address);
  const notes: string[] = [];
  const noted = (message: string) => {
    notes.push(message);
    hear.noted(message);
  };
  const continued = await continueSteps(opened, state, { plan, home, noted });
  const out = options.out ?? continued.state?.out ?? resolve(reportsFolder(id));
  openMigrationFolder(out, options);
  const facts = { id, store: address ?? null, out, stopwatch, notes };

  const toCheck = opened.filter(({ resource }) => continued.work.get(resource)?.kind !== 'done');
  const checks = await checkSteps(toCheck, connect ? join(out, 'check') : out, options);
  const isCut = checks.length < toCheck.length || checks.some(({ stopped }) => stopped !== undefined);
  const goesOn =
    connect !== undefined &&
    !isCut &&
    !interrupted.aborted &&
    (!checks.some(hasWrongRecords) || (await hear.confirm(checks)));
  if (!goesOn) {
    const checked = opened.map(({ resource }) => ({
      resource,
      summary: checks.find((check) => check.resource === resource),
      isEarlier: continued.work.get(resource)?.kind === 'done',
    }));
    return writeMigrationReports(migrationSummary(checked, { ...facts, phase: 'check' }, options));
  }

  for (const { step, mapping } of toCheck)
    await storeIdFrom(step.options.resource, mapping, await connect(step));
  const pass: MigrationState = continued.state ?? {
    ...{ plan: plan.path, store: address ?? '', digest: plan.digest, out, steps: [] },
    earlier: continued.earlier,
  };
  const { ended, stopped } = await runSteps(opened, { pass, work: continued.work, out, options, connect });
  return writeMigrationReports(migrationSummary(ended, { ...facts, phase: 'import', stopped }, options));
}

interface Pass {
  readonly pass: MigrationState;
  readonly work: ReadonlyMap<string, StepWork>;
  readonly out: string;
  readonly options: MigrationOptions;
  readonly connect: ConnectStep;
}

/** Imports the steps one after another, up to the first that stops early. */
async function runSteps(
  steps: readonly OpenedStep[],
  { pass, work, out, options, connect }: Pass,
): Promise<{ readonly ended: EndedStep[]; readonly stopped: MigrationStop | undefined }> {
  const { home, hear, interrupted, exitCodeOf } = options;
  const ended: EndedStep[] = [];
  let state = pass;
  let isStopped = false;
  let stopped: MigrationStop | undefined;
  for (const opened of steps) {
    const { resource, step, name } = opened;
    const todo = work.get(resource) ?? { kind: 'import' };
    if (todo.kind === 'done') {
      const summary = await withLedger(
        home,
        () => {},
        async (ledger) => summaryOf(ledger, await findRun(ledger, todo.run.id), exitCodeOf),
      );
      ended.push({ resource, summary, isEarlier: true });
      continue;
    }
    if (isStopped || stopped || interrupted.aborted) {
      ended.push({ resource });
      continue;
    }
    const begun: StateStep = {
      resource,
      out: todo.kind === 'resume' ? todo.run.out : join(out, name),
      after: todo.kind === 'resume' ? todo.run.number - 1 : latestRunNumber(home),
    };
    // Kept before the run begins: a run without a note of its id is found by these.
    state = withStep(state, begun);
    await keepMigrationState(home, state);
    let summary: Summary;
    try {
      summary = await runStep(opened, todo, begun.out, { hear, connect: () => connect(step) });
    } catch (error) {
      stopped = ended.some(({ isEarlier }) => !isEarlier) ? stopOf(error, resource) : undefined;
      if (!stopped) throw error;
      ended.push({ resource });
      continue;
    }
    state = withStep(state, { ...begun, run: summary.run });
    await keepMigrationState(home, state);
    ended.push({ resource, summary });
    isStopped = summary.stopped !== undefined;
  }
  return { ended, stopped };
}

async function runStep(
  { step, resource }: OpenedStep,
  todo: StepWork,
  out: string,
  { hear, connect }: Pick<MigrationOptions, 'hear'> & { readonly connect: () => Promise<StoreTarget> },
): Promise<Summary> {
  const options = { ...step.options, out, watch: hear.watcher('import', resource) };
  const summary =
    todo.kind === 'resume'
      ? await resumeRun(todo.run.id, options, connect)
      : await runImport(options, connect);
  hear.ended('import', summary);
  return summary;
}

/** The reason that a step could not begin. Earlier steps were sent, so "nothing was sent" would be wrong. */
function stopOf(error: unknown, resource: string): MigrationStop | undefined {
  if (!(error instanceof ConfigError || error instanceof RunStopped)) return undefined;
  const reason = error instanceof RunStopped ? error.reason : 'step-not-begun';
  const message = [`The ${resource} could not begin: ${error.message}`, ...error.hints].join(' ');
  return { reason, message };
}

function withStep(state: MigrationState, step: StateStep): MigrationState {
  return { ...state, steps: [...state.steps.filter(({ resource }) => resource !== step.resource), step] };
}
