import type { ListedRun, ShownRun } from '../../pipeline/index.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { grouped } from '../output/progress.ts';
import { outcomeLines, summaryText } from '../output/summary-text.ts';
import type { Command } from './command.ts';
import { finish } from './import.ts';

export interface RunArguments {
  readonly run: string;
}

export const WHICH_RUN = {
  run: { default: 'last', describe: 'Its id, the beginning of its id, or "last"' },
};

export const runListCommand: Command<object> = {
  usage: 'list',
  summary: 'All runs, the latest first',
  options: {},
  async run({ home }, { terminal, json }) {
    const { listRuns } = await import('../../pipeline/index.ts');
    const runs = listRuns(home, terminal.error);
    if (json) terminal.out(JSON.stringify(runs));
    else if (runs.length === 0) terminal.out(`There are no runs in ${home} yet.`);
    else terminal.out(runs.flatMap(runLines).join('\n'));
    return 0;
  },
};

/** `20261121-093012-a1b2  done  products  1,204 created, 3 invalid  (products.csv to https://…)`, and next commands. */
function runLines({ run, state, stopped, resource, outcomes, files, store, next }: ListedRun): string[] {
  const counts = Object.entries(outcomes).map(([word, count]) => `${grouped(count)} ${word}`);
  const names = files.map((file) => (file === '-' ? 'standard input' : file));
  const how = stopped ? `${state} (${stopped})` : state;
  const none = state === 'running' ? 'no records written down yet' : 'no records';
  return [
    `${run}  ${how}  ${resource}  ${counts.join(', ') || none}  (${names.join(', ')} to ${store})`,
    ...next.map((command) => `    ${command}`),
  ];
}

export const runShowCommand: Command<RunArguments> = {
  usage: 'show [run]',
  summary: 'What became of the records of a run',
  positionals: WHICH_RUN,
  options: {},
  async run({ home, run }, { terminal, json }) {
    const { showRun } = await import('../../pipeline/index.ts');
    const books = showRun(home, run, exitCodeOf, terminal.error);
    terminal.out(json ? JSON.stringify(books) : shownText(books));
    return 0;
  },
};

function shownText(books: ShownRun): string {
  const { exit_code, run, resource, records, outcomes, process: worker } = books;
  if (exit_code !== null) return summaryText({ ...books, exit_code });
  const who = worker ? ` (process ${worker.pid}, since ${worker.since})` : '';
  return [
    `The run ${run} is at work${who}. Of its ${resource}, ${grouped(records)} are written down so far; the rest is noted some hundreds at a time.`,
    ...outcomeLines(outcomes),
  ].join('\n');
}

export const runReportCommand: Command<RunArguments> = {
  usage: 'report [run]',
  summary: 'Write the reports of a run again',
  positionals: WHICH_RUN,
  options: {},
  async run({ home, run }, context) {
    const { rewriteReports } = await import('../../pipeline/index.ts');
    return finish(await rewriteReports(home, run, exitCodeOf, context.beside), context);
  },
};
