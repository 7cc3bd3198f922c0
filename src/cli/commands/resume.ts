import { ConfigError, printedCommand } from '../../model/index.ts';
import {
  MONITOR_OPTIONS,
  type OptionTable,
  REPORT_OPTIONS,
  SEND_OPTIONS,
  STORE_OPTIONS,
  withoutDefaults,
} from '../../options/index.ts';
import type { CommonArguments } from '../context.ts';
import { type ImportArguments, runWithStore } from '../run-import.ts';
import type { Command } from './command.ts';
import { noteLostFolder, type RunArguments, WHICH_RUN } from './run.ts';

const { sandbox: _sandbox, ...STORE } = STORE_OPTIONS;

export const OVERRIDING_OPTIONS = {
  ...withoutDefaults({ ...SEND_OPTIONS, ...STORE, ...REPORT_OPTIONS }),
  ...MONITOR_OPTIONS,
};

/** Options that `--help` shows, including common ones. */
export const MAIN_OVERRIDING_OPTIONS = [
  'profile',
  'rate',
  'concurrency',
  'timeout',
  'give-up-after',
  'in-doubt',
  'errors-as',
  'home',
  'json',
];

/** An option of the commands that continue a run. */
export const OVERWRITE_NEWER = {
  'overwrite-newer': {
    topic: 'selection',
    type: 'boolean',
    default: false,
    describe: 'Also records that a later run has imported since: their older values replace the newer ones',
  },
} as const satisfies OptionTable;

interface ContinueArguments extends RunArguments {
  readonly overwriteNewer: boolean;
}

export const runResumeCommand: Command<ContinueArguments> = {
  usage: 'resume [run]',
  summary: 'Continue a run that stopped early, with its options',
  positionals: WHICH_RUN,
  options: { ...OVERWRITE_NEWER, ...OVERRIDING_OPTIONS },
  mainOptions: ['overwrite-newer', ...MAIN_OVERRIDING_OPTIONS],
  examples: [['$0 run resume', 'Continue the latest run']],
  async run(args, context) {
    const { resumeRun } = await import('../../pipeline/index.ts');
    const { id, options, run } = await optionsOfRun(args, 'resumed');
    noteLostFolder(run, context);
    context.log.about({ run: id });
    const { overwriteNewer } = args;
    return runWithStore(options, context, (importOptions, connect) =>
      resumeRun(id, { ...importOptions, overwriteNewer }, connect),
    );
  },
};

interface RetryArguments extends ContinueArguments {
  readonly rejected: boolean;
}

export const runRetryCommand: Command<RetryArguments> = {
  usage: 'retry [run]',
  summary: 'Send failed records of a run again, with its options',
  positionals: WHICH_RUN,
  options: {
    rejected: {
      topic: 'selection',
      type: 'boolean',
      default: false,
      describe: 'Also records that the store rejected, for example after its settings were changed',
    },
    ...OVERWRITE_NEWER,
    ...OVERRIDING_OPTIONS,
  },
  mainOptions: ['rejected', 'overwrite-newer', ...MAIN_OVERRIDING_OPTIONS],
  examples: [['$0 run retry', 'Send the failed records of the latest run again']],
  async run(args, context) {
    const { RETRYABLE_OUTCOMES, retryRun } = await import('../../pipeline/index.ts');
    const { id, options, run } = await optionsOfRun(args, 'retried');
    noteLostFolder(run, context);
    context.log.about({ run: id });
    const outcomes = args.rejected ? ([...RETRYABLE_OUTCOMES, 'rejected'] as const) : RETRYABLE_OUTCOMES;
    const { overwriteNewer } = args;
    return runWithStore(options, context, (importOptions, connect) =>
      retryRun(id, { ...importOptions, outcomes, overwriteNewer }, connect),
    );
  },
};

/**
 * Returns the options of an earlier run, overridden by those given now. Throws ConfigError if it was no import, was for a
 * sandbox, or was pruned.
 */
export async function optionsOfRun(
  args: RunArguments & CommonArguments,
  /** Participle for the message that refuses a pruned run; undefined if such a run will do. */
  unlessPruned?: string,
) {
  const { refusePruned, runNamed } = await import('../../pipeline/index.ts');
  const run = await runNamed(args.home, args.run);
  const { id, command, options, remembered, resource, files, out } = run;
  if (command !== 'import')
    throw new ConfigError(`The run ${id} was not an import: "${command}" made it.`, [
      `Name an import. All runs: ${printedCommand('run list')}`,
    ]);
  if (!remembered) throw new ConfigError(`The run ${id} was for a sandbox that ended with its command.`);
  if (unlessPruned !== undefined) refusePruned(run, unlessPruned);
  const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
  // `canary` is not stored with a run, so the rest is sent without asking.
  const fixed = { yes: true, resource, files: files.map(({ file, path = file }) => path), out };
  return {
    id,
    run,
    options: { ...options, ...given, ...fixed } as unknown as ImportArguments & CommonArguments,
  };
}
