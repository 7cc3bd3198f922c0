import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type KnownRun, runsUnder } from '../../ledger/index.ts';
import { existsSync, readFileSync } from '../../model/files/fs.ts';
import {
  ConfigError,
  folderAround,
  lostFolder,
  makeHome,
  nameBeside,
  PRIVATE_FILE,
  pathToWrite,
} from '../../model/index.ts';
import { openAtomicFile } from '../../write/index.ts';

/** One pass over a plan, as it is kept under `--home`: whoever runs the plan again continues it. */
export interface MigrationState {
  /** Absolute path of the plan. */
  readonly plan: string;
  readonly store: string;
  /** Digest of the plan and of the options that change what is sent. */
  readonly digest: string;
  /** Folder of the reports. */
  readonly out: string;
  /** The steps that were begun, in their order. */
  readonly steps: readonly StateStep[];
  /** Ids of the runs of earlier passes, the first first. */
  readonly earlier: readonly string[];
  /** True if the runs were undone, so that there is nothing to continue. */
  readonly undone?: boolean;
  /** The folder that held the home when it was kept; undefined until then. */
  readonly base?: string;
}

export interface StateStep {
  readonly resource: string;
  /** Folder of the reports of its run, by which it is found in the ledger if its id was not noted. */
  readonly out: string;
  /** Number of the latest run before it began. */
  readonly after: number;
  /** Id of its run, noted when it has ended. */
  readonly run?: string | undefined;
}

/** `plan`: by its place beside the home, so that a folder that was moved continues. */
function stateFile(home: string, plan: string, store: string): string {
  const name = createHash('sha256')
    .update(`${nameBeside(home, plan)}\n${store}`)
    .digest('hex')
    .slice(0, 16);
  return join(home, `migration-${name}.json`);
}

/** Reads the state of a plan at a store; undefined if it was never run there. Throws ConfigError for a damaged file. */
export function readMigrationState(home: string, plan: string, store: string): MigrationState | undefined {
  const file = stateFile(home, plan, store);
  if (!existsSync(file)) return undefined;
  try {
    return foundAgain(JSON.parse(readFileSync(file, 'utf8')) as MigrationState, home);
  } catch (error) {
    throw new ConfigError(
      `${file}, the state of this migration, cannot be read: ${(error as Error).message}`,
      ['Delete it to import all steps again: what the ledger knows of the store is not sent again.'],
    );
  }
}

/** A state with its folders where they are now. */
function foundAgain(state: MigrationState, home: string): MigrationState {
  const to = folderAround(home);
  const moved = { from: state.base ?? to, to };
  const now = (out: string) => {
    const path = pathToWrite(out, moved);
    return lostFolder(path)?.out ?? path;
  };
  return {
    ...state,
    out: now(state.out),
    steps: state.steps.map((step) => ({ ...step, out: now(step.out) })),
  };
}

/** Replaces the state. A kill or a power cut leaves the old one or the new one. */
export async function keepMigrationState(home: string, state: MigrationState): Promise<void> {
  makeHome(home);
  const path = stateFile(home, state.plan, state.store);
  const file = await openAtomicFile(path, { mode: PRIVATE_FILE });
  await file.write(`${JSON.stringify({ ...state, base: folderAround(home) }, null, 2)}\n`);
  await file.commit();
}

/** The run of a step, also if the process died before it could note its id; undefined if there is none. */
export function runOfStep(runs: readonly KnownRun[], store: string, step: StateStep): KnownRun | undefined {
  if (step.run !== undefined) return runs.find(({ id }) => id === step.run);
  return runs.find(
    (run) =>
      run.number > step.after &&
      run.command === 'import' &&
      run.store === store &&
      run.resource === step.resource &&
      run.out === step.out,
  );
}

/** Number of the latest run under `home`; 0 if there is none. */
export function latestRunNumber(home: string): number {
  return Math.max(0, ...runsUnder(home).map(({ number }) => number));
}
