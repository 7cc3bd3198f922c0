import { relative } from '../../model/files/fs.ts';
import { grouped } from '../../model/index.ts';
import {
  type OptionalArguments,
  REPORT_OPTIONS,
  reportFormatOf,
  withoutDefaults,
} from '../../options/index.ts';
import type { KnownRun, ListedRun, ShownRun } from '../../pipeline/index.ts';
import { printSummary } from '../command-log.ts';
import type { CommandContext } from '../context.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { paintCommands, paintSummary } from '../output/colour.ts';
import { outcomeLines, summaryText } from '../output/summary-text.ts';
import type { Command } from './command.ts';

export interface RunArguments {
  readonly run: string;
}

export const WHICH_RUN = {
  run: { default: 'last', describe: 'Its id, the beginning of its id, or "last"', completes: 'run' },
} as const;

export const runListCommand: Command<object> = {
  usage: 'list',
  summary: 'All runs, the latest first',
  options: {},
  async run({ home }, { terminal, json }) {
    const { listRuns } = await import('../../pipeline/index.ts');
    const runs = await listRuns(home, terminal.error);
    if (json) terminal.out(JSON.stringify(runs));
    else if (runs.length === 0) terminal.out(`There are no runs in ${home} yet.`);
    else terminal.out(runs.flatMap(runLines).join('\n'), paintCommands);
    return 0;
  },
};

/** `20261121-093012-a1b2  done  products  1,204 created, 3 invalid  (products.csv to https://…)`, and next commands. */
function runLines({
  run,
  state,
  stopped,
  pruned_at,
  resource,
  outcomes,
  files,
  store,
  next,
}: ListedRun): string[] {
  const counts = Object.entries(outcomes).map(([word, count]) => `${grouped(count)} ${word}`);
  const names = files.map((file) => (file === '-' ? 'standard input' : file));
  const pruned = pruned_at === null ? '' : `, pruned on ${pruned_at.slice(0, 10)}`;
  const ending = `${stopped ? `${state} (${stopped})` : state}${pruned}`;
  const noRecords = state === 'running' ? 'no records in the ledger yet' : 'no records';
  return [
    `${run}  ${ending}  ${resource}  ${counts.join(', ') || noRecords}  (${names.join(', ')} to ${store})`,
    ...next.map((command) => `    ${command}`),
  ];
}

export const runShowCommand: Command<RunArguments> = {
  usage: 'show [run]',
  summary: 'The outcomes of a run',
  positionals: WHICH_RUN,
  options: {},
  async run({ home, run }, { terminal, json }) {
    const { showRun } = await import('../../pipeline/index.ts');
    const shown = await showRun(home, run, { exitCodeOf, onTrouble: terminal.error });
    terminal.out(json ? JSON.stringify(shown) : shownText(shown), paintSummary);
    return 0;
  },
};

function shownText(shown: ShownRun): string {
  const { exit_code, run, resource, records, outcomes, process: worker } = shown;
  if (exit_code !== null) return summaryText({ ...shown, exit_code });
  const workerNote = worker ? ` (process ${worker.pid}, since ${worker.since})` : '';
  return [
    `The run ${run} is at work${workerNote}. ${grouped(records)} of its ${resource} are in the ledger so far; outcomes are written some hundreds at a time.`,
    ...outcomeLines(outcomes),
  ].join('\n');
}

export const runReportCommand: Command<RunArguments & OptionalArguments<typeof REPORT_OPTIONS>> = {
  usage: 'report [run]',
  summary: 'Write the reports of a run again',
  positionals: WHICH_RUN,
  options: withoutDefaults(REPORT_OPTIONS),
  async run({ home, run, ...args }, context) {
    const { rewriteReports, runNamed } = await import('../../pipeline/index.ts');
    noteLostFolder(await runNamed(home, run), context);
    const options = { exitCodeOf, commandFiles: context.commandFiles, reportFormat: reportFormatOf(args) };
    return printSummary(await rewriteReports(home, run, options), context);
  },
};

/** Says where the reports of a run are now, if its working folder is gone. */
export function noteLostFolder(
  { lostFolder, out }: Pick<KnownRun, 'lostFolder' | 'out'>,
  { terminal }: CommandContext,
): void {
  if (lostFolder !== undefined)
    terminal.note(
      `${lostFolder}, the working folder of this run, does not exist any more. Its reports are written to ${relative('', out)}.`,
    );
}
