import type { Argv, Options } from 'yargs';
import { ConfigError } from '../../model/index.ts';
import type { ListedRun } from '../../pipeline/index.ts';
import type { CommonArguments } from '../context.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { SEND_OPTIONS, STORE_OPTIONS } from '../options.ts';
import { grouped } from '../progress.ts';
import { summaryText } from '../summary-text.ts';
import type { Command } from './command.ts';
import { deliver, finish, type ImportArguments } from './import.ts';

interface RunArguments {
  readonly run: string;
}

function whichRun(yargs: Argv): Argv {
  return yargs.positional('run', {
    type: 'string',
    default: 'last',
    describe: 'Its id, the beginning of its id, or "last"',
  });
}

export const runListCommand: Command<object> = {
  usage: 'list',
  summary: 'All runs, the latest first',
  options: {},
  async run({ home }, { terminal, json }) {
    const { listRuns } = await import('../../pipeline/index.ts');
    const runs = listRuns(home);
    if (json) terminal.out(JSON.stringify(runs));
    else if (runs.length === 0) terminal.out(`There are no runs in ${home} yet.`);
    else terminal.out(runs.map(runLine).join('\n'));
    return 0;
  },
};

/** `20261121-093012-a1b2  done  products  1,204 created, 3 invalid  (products.csv to https://…)` */
function runLine({ run, state, stopped, resource, outcomes, files, store }: ListedRun): string {
  const counts = Object.entries(outcomes).map(([word, count]) => `${grouped(count)} ${word}`);
  const names = files.map((file) => (file === '-' ? 'standard input' : file));
  const how = stopped ? `${state} (${stopped})` : state;
  return `${run}  ${how}  ${resource}  ${counts.join(', ') || 'no records'}  (${names.join(', ')} to ${store})`;
}

export const runShowCommand: Command<RunArguments> = {
  usage: 'show [run]',
  summary: 'What became of the records of a run',
  positionals: whichRun,
  options: {},
  async run({ home, run }, { terminal, json }) {
    const { showRun } = await import('../../pipeline/index.ts');
    const books = showRun(home, run, exitCodeOf);
    terminal.out(json ? JSON.stringify(books) : summaryText(books));
    return 0;
  },
};

export const runReportCommand: Command<RunArguments> = {
  usage: 'report [run]',
  summary: 'Write the reports of a run again',
  positionals: whichRun,
  options: {},
  async run({ home, run }, context) {
    const { rewriteReports } = await import('../../pipeline/index.ts');
    return finish(await rewriteReports(home, run, exitCodeOf), context);
  },
};

/** As the run had them, unless they are given again. */
const RESUME_OPTIONS = Object.fromEntries(
  Object.entries<Options>({ ...SEND_OPTIONS, ...STORE_OPTIONS }).flatMap(
    ([name, { default: _, ...option }]) => (name === 'sandbox' ? [] : [[name, option]]),
  ),
);

export const runResumeCommand: Command<RunArguments> = {
  usage: 'resume [run]',
  summary: 'Go on with a run that stopped early, with the options that it had',
  positionals: whichRun,
  options: RESUME_OPTIONS,
  examples: [['$0 run resume', 'Go on with the latest run']],
  async run(args, context) {
    const { resumeRun, runNamed } = await import('../../pipeline/index.ts');
    const { id, options, remembered, resource, files, out } = runNamed(args.home, args.run);
    if (!remembered)
      throw new ConfigError(`The run ${id} was for a sandbox that lived as long as its command.`);
    const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
    const fixed = { yes: true, resource, files: files.map(({ file, path = file }) => path), out };
    const repeated = { ...options, ...given, ...fixed } as unknown as ImportArguments & CommonArguments;
    return deliver(repeated, context, (importOptions, connect) => resumeRun(id, importOptions, connect));
  },
};
