import { ConfigError } from '../../model/index.ts';
import type { CommonArguments } from '../context.ts';
import { type Option, SEND_OPTIONS, STORE_OPTIONS } from '../options/options.ts';
import type { Command } from './command.ts';
import { type ImportArguments, runDelivery } from './import.ts';
import { type RunArguments, WHICH_RUN } from './run.ts';

/** Options without defaults: the run's own values apply unless given again. */
export const STORED_OPTIONS = Object.fromEntries(
  Object.entries<Option>({ ...SEND_OPTIONS, ...STORE_OPTIONS }).flatMap(
    ([name, { default: _, ...option }]) => (name === 'sandbox' ? [] : [[name, option]]),
  ),
);

export const runResumeCommand: Command<RunArguments> = {
  usage: 'resume [run]',
  summary: 'Go on with a run that stopped early, with the options that it had',
  positionals: WHICH_RUN,
  options: STORED_OPTIONS,
  examples: [['$0 run resume', 'Go on with the latest run']],
  async run(args, context) {
    const { resumeRun } = await import('../../pipeline/index.ts');
    const { id, options } = await repeated(args);
    context.log.about({ run: id });
    return runDelivery(options, context, (importOptions, connect) => resumeRun(id, importOptions, connect));
  },
};

interface RetryArguments extends RunArguments {
  readonly rejected: boolean;
}

export const runRetryCommand: Command<RetryArguments> = {
  usage: 'retry [run]',
  summary: 'Send again what failed in a run, with the options that it had',
  positionals: WHICH_RUN,
  options: {
    rejected: {
      type: 'boolean',
      default: false,
      describe: 'Also what the store refused, such as after its settings were changed',
    },
    ...STORED_OPTIONS,
  },
  examples: [['$0 run retry', 'Send again what failed in the latest run']],
  async run(args, context) {
    const { RETRYABLE_OUTCOMES, retryRun } = await import('../../pipeline/index.ts');
    const { id, options } = await repeated(args);
    context.log.about({ run: id });
    const outcomes = args.rejected ? ([...RETRYABLE_OUTCOMES, 'rejected'] as const) : RETRYABLE_OUTCOMES;
    return runDelivery(options, context, (importOptions, connect) =>
      retryRun(id, importOptions, outcomes, connect),
    );
  },
};

/** Returns the options of an earlier run, overridden by those given now. Throws ConfigError if it cannot run again. */
export async function repeated(args: RunArguments & CommonArguments) {
  const { runNamed } = await import('../../pipeline/index.ts');
  const { id, command, options, remembered, resource, files, out } = runNamed(args.home, args.run);
  if (command !== 'import')
    throw new ConfigError(`The run ${id} was no import, but came of storeport run ${command}.`, [
      'Name the import that is meant; storeport run list shows all runs.',
    ]);
  if (!remembered)
    throw new ConfigError(`The run ${id} was for a sandbox that lived as long as its command.`);
  const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
  const fixed = { yes: true, resource, files: files.map(({ file, path = file }) => path), out };
  return { id, options: { ...options, ...given, ...fixed } as unknown as ImportArguments & CommonArguments };
}
