import { type KnownRun, runsUnder } from '../../ledger/index.ts';
import { ConfigError } from '../../model/index.ts';
import { assertSameFiles, assertSameMapping } from '../import/reopen.ts';
import type { OpenedStep } from './open-steps.ts';
import type { MigrationOptions } from './options.ts';
import { type MigrationState, runOfStep } from './state.ts';

/** The work that is left for a step. `run`: the run that has done it, or that is resumed. */
export type StepWork =
  | { readonly kind: 'done'; readonly run: KnownRun }
  | { readonly kind: 'resume'; readonly run: KnownRun }
  | { readonly kind: 'import' };

export interface Continuation {
  /** The state to continue; undefined for a new pass. */
  readonly state: MigrationState | undefined;
  /** By resource. */
  readonly work: ReadonlyMap<string, StepWork>;
  /** Ids of the runs of earlier passes. */
  readonly earlier: readonly string[];
}

type Noting = Pick<MigrationOptions['hear'], 'noted'>;

/**
 * Decides how a plan that was run before is continued: finished steps are left, and unfinished ones resumed. A step whose
 * files or mapping have changed is imported as it is now. If the plan has changed, or all is done, a new pass begins.
 */
export async function continueSteps(
  steps: readonly OpenedStep[],
  state: MigrationState | undefined,
  { plan, home, noted }: Pick<MigrationOptions, 'plan' | 'home'> & Noting,
): Promise<Continuation> {
  const anew = new Map(steps.map(({ resource }) => [resource, { kind: 'import' } as const]));
  if (!state) return { state: undefined, work: anew, earlier: [] };
  const runs = runsUnder(home);
  const found = state.steps.flatMap((step) => runOfStep(runs, state.store, step) ?? []);
  const earlier = [...state.earlier, ...found.map(({ id }) => id)];
  const newPass = { state: undefined, work: anew, earlier };
  if (state.undone) return newPass;
  if (state.digest !== plan.digest) {
    noted(
      `${plan.file} or its options have changed since it was run: all steps are imported as they are now. What the store has of them is not sent again.`,
    );
    return newPass;
  }
  const byResource = new Map(found.map((run) => [run.resource, run]));
  const work = new Map<string, StepWork>();
  for (const step of steps) {
    const run = byResource.get(step.resource);
    work.set(step.resource, run ? await workOf(run, step, noted) : { kind: 'import' });
  }
  if (steps.every(({ resource }) => byResource.get(resource)?.state === 'done')) {
    noted('All steps were done before: only what is new or changed is sent.');
    return newPass;
  }
  for (const [resource, each] of work) {
    if (each.kind === 'done') noted(`The ${resource} were done before, by the run ${each.run.id}.`);
    if (each.kind === 'resume') noted(`The ${resource} go on: the run ${each.run.id} has not ended.`);
  }
  return { state, work, earlier: state.earlier };
}

async function workOf(
  run: KnownRun,
  { mapping, resource }: OpenedStep,
  noted: Noting['noted'],
): Promise<StepWork> {
  try {
    await assertSameFiles(run);
    assertSameMapping(run, mapping);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    noted(`${error.message} The ${resource} are imported as they are now.`);
    return { kind: 'import' };
  }
  return { kind: run.state === 'done' ? 'done' : 'resume', run };
}
