import { join } from 'node:path';
import { ConfigError } from '../../model/index.ts';
import type { KnownRun } from '../../pipeline/index.ts';
import { type Problem, REPORT_FILES } from '../../report/index.ts';
import type { JobEnd, JobKind, StartJob, StoreView } from '../api/index.ts';
import type { CommandEnd } from '../command-port.ts';
import type { UiContext, Works } from '../context.ts';
import { optionWords, withImportChoice } from '../work/words.ts';

/** A job that can be started. */
export interface PlannedJob {
  readonly kind: JobKind;
  /** `Import products.csv into shop.example.com`. */
  readonly title: string;
  /** Words of the command, without the name of the program. */
  readonly words: readonly string[];
  /** The command line that does the same. */
  readonly command: string;
  readonly work?: string;
  readonly storeId?: string;
  readonly limit?: number;
  /** Names rows in messages of the command by their numbers in the file of the user. */
  readonly rename?: (message: string) => string;
  /** Called when the command has ended, and before the job has. Returns further facts for the page. */
  readonly atEnd?: (end: CommandEnd) => Promise<Partial<JobEnd> | undefined>;
}

/** The part of a job that depends on its kind. */
type JobWords = Omit<PlannedJob, 'kind' | 'storeId' | 'limit'>;

/** Makes the words of the jobs that concern exports. */
export interface ExportJobs {
  plan(job: Extract<StartJob, { kind: 'export' }>): Promise<JobWords>;
}

/** Rows that were written into corrected.csv. */
export interface FixesToSend {
  /** Words of the import that sends them. */
  readonly words: readonly string[];
  /** Returns the number of a row of corrected.csv in the file that the user knows. */
  readonly rowOf: (row: number) => number | undefined;
  /** Names rows in a message about corrected.csv by these numbers. */
  readonly rename: (message: string) => string;
  /** Marks in the grid what a check of them has refused. `errors`: the errors.csv of the check. */
  keepCheck(errors: string): Promise<void>;
}

/** Makes the words of the jobs that concern corrected rows. */
export interface FixJobs {
  /** Writes the corrected rows into a file, for an import. */
  fixesToSend(run: string): Promise<FixesToSend>;
  /** Finds a run by its id, by the beginning of one, or as `last`. Throws ConfigError if there is no such run. */
  runOf(name: string): Promise<KnownRun>;
  /** Removes the corrections of a run if all its rows have arrived. */
  dropFixed(run: string): Promise<undefined>;
}

export interface JobParts {
  readonly context: UiContext;
  readonly works: Works;
  readonly fixes: FixJobs;
  readonly exports: ExportJobs;
}

type Planner<Kind extends JobKind> = (
  job: Extract<StartJob, { kind: Kind }>,
  parts: JobParts,
) => Promise<JobWords>;

const PLANNERS: { readonly [Kind in JobKind]: Planner<Kind> } = {
  async check({ work, store, limit }, { context, works }) {
    const source = [...(await works.sourceWords(work)), ...optionWords({ limit })];
    const words = await checkWords(source, store, context);
    return {
      ...{ title: `Check ${works.nameOf(work)}`, work, command: context.commands.commandLine(words) },
      // Its reports are for the page, and each check replaces those of the last one.
      words: [...words, '--out', context.ownFolder('checks', work)],
    };
  },
  async import({ work, version, store, agreed, ...choice }, { context, works }) {
    const target = await agreedStore(store, agreed, context);
    // Another tab may have changed the mapping since the plan was shown.
    const source = await works.sourceWords(work, version);
    const words = [
      'import',
      ...withImportChoice(source, choice),
      ...(await context.commands.storeWords(store)),
    ];
    const title = `Import ${works.nameOf(work)} into ${target.title}`;
    return { title, work, words, command: context.commands.commandLine(words) };
  },
  resume: runJob('Resume', ['run', 'resume']),
  retry: runJob('Send again what failed in', ['run', 'retry']),
  // The person said yes on the page, which names the store.
  undo: runJob('Undo', ['run', 'undo'], ['--yes']),
  'ask-store': runJob('Ask the store about', ['run', 'resolve'], ['--ask']),
  async 'check-fixes'({ run: name, store }, { context, fixes }) {
    const { id: run } = await fixes.runOf(name);
    const { words: source, rename, rowOf, keepCheck } = await fixes.fixesToSend(run);
    const words = await checkWords(source, store, context);
    const out = context.ownFolder('checks', run);
    return {
      ...{
        title: `Check the corrected rows of ${run}`,
        command: context.commands.commandLine(words),
        rename,
      },
      // The page reads the errors report, in whatever form the user wants others.
      words: [...words, '--errors-as', 'csv', '--out', out],
      async atEnd({ result, failure }) {
        if (failure || !result || result.stopped !== undefined) return undefined;
        await keepCheck(join(out, REPORT_FILES.errors));
        const problems = (result.problems ?? []) as unknown as readonly Problem[];
        const renamed = problems.map((problem) => ({
          ...problem,
          example: rename(problem.example),
          example_row: rowOf(problem.example_row) ?? problem.example_row,
        }));
        return { result: { ...result, problems: renamed } };
      },
    };
  },
  async 'send-fixes'({ run: name, store, agreed }, { context, fixes }) {
    const target = await agreedStore(store, agreed, context);
    const { id: run, store: address } = await fixes.runOf(name);
    // The sandbox ends with its run, so the rows go into a new one.
    if (target.address !== null && target.address !== address)
      throw new ConfigError(`The run ${run} was for ${address}, and ${target.title} is another store.`);
    const { commands } = context;
    const { words: source } = await fixes.fixesToSend(run);
    const words = ['import', ...source, ...(await commands.storeWords(store))];
    return {
      ...{ title: `Send the corrected rows of ${run}`, words, command: commands.commandLine(words) },
      atEnd: () => fixes.dropFixed(run),
    };
  },
  async 'auth-check'({ store }, { context }) {
    const { commands } = context;
    const words = ['auth', 'check', ...(await commands.storeWords(store))];
    return { title: 'Check the credentials', words, command: commands.commandLine(words) };
  },
  export: (job, { exports }) => exports.plan(job),
};

/** Plans a job. Throws ConfigError if it is not possible, or if the user did not agree to its store. */
export async function planJob(job: StartJob, parts: JobParts): Promise<PlannedJob> {
  const planner = PLANNERS[job.kind] as Planner<JobKind>;
  const { store: storeId, limit } = job as { readonly store?: string; readonly limit?: number };
  return {
    kind: job.kind,
    ...(storeId === undefined ? {} : { storeId }),
    ...(limit === undefined ? {} : { limit }),
    ...(await planner(job as never, parts)),
  };
}

/** A job about a run. Its store is known from the run; the user must have agreed to its address. */
function runJob(title: string, command: readonly string[], options: readonly string[] = []) {
  return async (
    { run: name, agreed }: { readonly run: string; readonly agreed: string },
    { context, fixes }: JobParts,
  ): Promise<JobWords> => {
    // The id, since `last` may be another run by the time of the command.
    const { id: run, store: address } = await fixes.runOf(name);
    if (agreed !== address) throw notAgreed(address);
    const words = [...command, run, ...options];
    return {
      ...{ title: `${title} ${run}`, words, command: context.commands.commandLine(words) },
      atEnd: () => fixes.dropFixed(run),
    };
  };
}

/** The store of a job. Throws ConfigError if it cannot be used, or if the user has not agreed to its address. */
async function agreedStore(
  id: string,
  agreed: string | undefined,
  { commands }: UiContext,
): Promise<StoreView> {
  const store = (await commands.stores()).find((each) => each.id === id);
  if (!store) throw new ConfigError(`There is no store ${id} in the settings.`, ['Choose another store.']);
  if (store.problem !== undefined) throw new ConfigError(store.problem);
  if (id !== 'sandbox' && agreed !== store.address) throw notAgreed(store.address ?? store.title);
  return store;
}

function notAgreed(address: string): ConfigError {
  return new ConfigError(`Nothing was sent: you have not agreed to send to ${address}.`, [
    'Reload the page, and read which store it names.',
  ]);
}

/**
 * A check plans with what earlier runs into the store are known to have created. A new sandbox has nothing of that, and
 * validate takes the store of the settings.
 */
async function checkWords(
  source: readonly string[],
  store: string | undefined,
  { commands }: UiContext,
): Promise<string[]> {
  const chosen = store === undefined ? [] : await commands.storeWords(store);
  return store === 'sandbox'
    ? ['import', ...source, '--dry-run', ...chosen]
    : ['validate', ...source, ...chosen];
}
