import { existsSync } from '../model/files/fs.ts';
import { ConfigError } from '../model/index.ts';
import { COMMON_OPTIONS, CONFIG_FILE, variableOf } from '../options/index.ts';
import type { CommandLine } from './options/command-line.ts';
import type { Standing } from './output/first-steps.ts';

/** The folder of the ledger, for a command line without a command. */
export function homeIn(
  { given }: CommandLine,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const named = given.findLast(({ name }) => name === 'home')?.text;
  return named ?? (environment[variableOf('home')] || COMMON_OPTIONS.home.default);
}

/**
 * Finds out the state of this folder. Reads only what exists: a new folder costs nothing and stays as it is.
 * Errors in a file become problems, since the user has not asked for anything yet.
 */
export async function standingOf(
  home: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Standing> {
  const problems: string[] = [];
  const profiles = await orProblem(problems, async () =>
    existsSync(CONFIG_FILE) ? (await import('./options/config.ts')).profileNames() : [],
  );
  const runs = await orProblem(problems, async () =>
    existsSync(home) ? (await import('../pipeline/run/unfinished-runs.ts')).unfinishedRuns(home) : [],
  );
  return {
    profiles,
    hasStore: [variableOf('base-url'), variableOf('profile')].some((name) => Boolean(environment[name])),
    runs,
    problems,
  };
}

async function orProblem<Item>(
  problems: string[],
  read: () => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    problems.push([`Warning: ${error.message}`, ...error.hints.map((hint) => `  ${hint}`)].join('\n'));
    return [];
  }
}
