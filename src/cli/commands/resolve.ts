import { join } from 'node:path';
import { relative } from '../../model/files/fs.ts';
import {
  ConfigError,
  grouped,
  identifierFault,
  PLAIN_COMMANDS,
  placeWords,
  type RunCommands,
  runCommand,
} from '../../model/index.ts';
import {
  type OptionalArguments,
  type OptionTable,
  type REPORT_OPTIONS,
  reportFormatOf,
  wholeNumber,
} from '../../options/index.ts';
import type { Doubtful, Finding, OpenDoubts, Resolved } from '../../pipeline/index.ts';
import type { Resource } from '../../resources/index.ts';
import { logResolved, logSummary, ONLY_IN_REPORTS } from '../command-log.ts';
import { type CommandContext, type CommonArguments, warn } from '../context.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { resourcesFor } from '../options/api.ts';
import { stepLines } from '../output/first-steps.ts';
import { summaryText } from '../output/summary-text.ts';
import { connectToStore } from '../store.ts';
import type { Command } from './command.ts';
import { OVERRIDING_OPTIONS, optionsOfRun } from './resume.ts';
import { type RunArguments, WHICH_RUN } from './run.ts';

/** The answers about records in doubt, and the records that they are about. */
export interface ResolveAnswers {
  readonly there?: string | undefined;
  readonly notThere: boolean;
  readonly ask: boolean;
  readonly from?: string | undefined;
  readonly row: readonly number[];
  readonly key: readonly string[];
  readonly code: readonly string[];
  readonly all: boolean;
}

interface ResolveArguments extends RunArguments, OptionalArguments<typeof REPORT_OPTIONS>, ResolveAnswers {}

/** Options with the answers about records in doubt, and those that say which records. */
export const RESOLVE_OPTIONS = {
  there: { topic: 'doubts', describe: 'Identifier under which it is in the store' },
  'not-there': {
    topic: 'doubts',
    type: 'boolean',
    default: false,
    describe: 'They are not in the store: run retry then sends them',
  },
  from: {
    topic: 'doubts',
    describe: 'in-doubt.csv or in-doubt.xlsx with its column storeport_found filled in',
    completes: 'file',
  },
  ask: {
    topic: 'doubts',
    type: 'boolean',
    default: false,
    describe: 'Look into the list of the store (products only)',
  },
  row: {
    topic: 'doubts',
    type: 'number',
    syntax: wholeNumber(1),
    array: true,
    default: [] as number[],
    describe: 'The record in this row',
  },
  key: {
    topic: 'doubts',
    array: true,
    default: [] as string[],
    describe: 'The record with this key',
  },
  code: {
    topic: 'doubts',
    array: true,
    default: [] as string[],
    describe: 'All records in doubt for this cause, such as crash',
  },
  all: { topic: 'doubts', type: 'boolean', default: false, describe: 'All records in doubt' },
} as const satisfies OptionTable;

export const runResolveCommand: Command<ResolveArguments> = {
  usage: 'resolve [run]',
  summary: 'Settle records that are in doubt; without options, list them',
  positionals: WHICH_RUN,
  options: {
    ...RESOLVE_OPTIONS,
    ...OVERRIDING_OPTIONS,
  },
  mainOptions: [...Object.keys(RESOLVE_OPTIONS), 'profile', 'home', 'json'],
  examples: [
    ['$0 run resolve', 'List the records in doubt of the latest run'],
    ['$0 run resolve last --row 7 --there 64a1f0', 'The record in row 7 is there'],
    ['$0 run resolve last --code crash --not-there', 'None of those that a crash left in doubt is there'],
    ['$0 run resolve last --from in-doubt.csv', 'With the answers in the report'],
  ],
  async run(args, context) {
    if (refuseUnclearAnswers(args) === 'none') return listDoubts(args, context);
    const { resolveRun } = await import('../../pipeline/index.ts');
    const { summary, exitCode, out, found, refused, released, warnings } = await resolveRun(
      { home: args.home, name: args.run, exitCodeOf, reportFormat: reportFormatOf(args) },
      async (doubts) => {
        const { answersIn } = await import('../../pipeline/index.ts');
        if (args.ask) return answersOfStore(args, context, doubts);
        if (args.from === undefined) return answersGiven(args, doubts);
        const { found, problems } = await answersIn(args.from, doubts, () => context.io.stdin);
        for (const problem of problems) context.terminal.error(problem);
        return found;
      },
    );
    const { terminal, log, json } = context;
    const resolved = found.size;
    for (const line of refused) terminal.error(line);
    for (const line of warnings) warn(context, line);
    logResolved(log, found);
    if (summary) logSummary(log, summary, ONLY_IN_REPORTS);
    if (json) terminal.out(JSON.stringify({ ...(summary ?? { exit_code: exitCode }), resolved, released }));
    else
      terminal.out(
        [
          `${grouped(resolved)} ${resolved === 1 ? 'record is' : 'records are'} no longer in doubt.`,
          ...releasedLines(released, PLAIN_COMMANDS),
          summary ? summaryText(summary) : prunedText(out),
        ].join('\n'),
      );
    return exitCode;
  },
};

/** Lines about records of later runs that were held back by a doubt, each with the command that sends them. */
export function releasedLines(
  released: Resolved['released'],
  { retry }: Pick<RunCommands, 'retry'>,
): string[] {
  return released.flatMap(({ run, records }) => [
    `${grouped(records)} ${records === 1 ? 'record' : 'records'} of the run ${run} waited for this. To send what differs from the store:`,
    `  ${retry(run)}`,
  ]);
}

/** A pruned run cannot be retried, and its reports are not written again. */
function prunedText(out: string): string {
  return (
    `The run was pruned, so its reports in ${out} stay as they are. ` +
    'To send what is not in the store, import the report in-doubt again.'
  );
}

/** Throws ConfigError for several answers, or a wrong one. Returns `none` if there is no answer. */
export function refuseUnclearAnswers(args: ResolveAnswers): 'none' | 'one' {
  const answers = [args.there !== undefined, args.notThere, args.ask, args.from !== undefined];
  const given = answers.filter(Boolean).length;
  if (given > 1) throw new ConfigError('--there, --not-there, --ask and --from exclude each other.');
  if (given === 0) return 'none';
  refuseEmpty(args);
  return 'one';
}

/** Throws ConfigError for empty values: an unset shell variable would otherwise select all records without a key. */
function refuseEmpty({ there, key, code, from }: ResolveAnswers): void {
  const fault = there === undefined ? undefined : identifierFault(there.trim());
  if (fault !== undefined)
    throw new ConfigError(`--there "${there}" is not an identifier: ${fault}.`, [
      'Give the identifier that the store shows, or --not-there where the record is not there.',
    ]);
  for (const [name, values] of Object.entries({ key, code, from: from === undefined ? [] : [from] }))
    if (values.some((value) => value.trim() === ''))
      throw new ConfigError(`--${name} is empty.`, ['Is a variable of the shell not set?']);
}

/** Returns the records that the options name, with the answer they give. Throws ConfigError if none or too many. */
export async function answersGiven(
  args: ResolveAnswers,
  doubts: OpenDoubts,
): Promise<Map<Doubtful, Finding>> {
  const { select } = await import('../../pipeline/index.ts');
  const { row: rows, key: keys, code: codes, all, there } = args;
  if (rows.length + keys.length + codes.length === 0 && !all)
    throw new ConfigError('Which records? Name them with --row, --key or --code, or all with --all.');
  const selected = select(doubts, { rows, keys, codes, all });
  if (there !== undefined && selected.length !== 1)
    throw new ConfigError(`--there is for one record, and ${selected.length} are selected.`, [
      'An identifier belongs to one. For many, fill in the column storeport_found of the report in-doubt and use --from.',
    ]);
  const finding: Finding = there === undefined ? 'not-there' : { id: there.trim() };
  return new Map(selected.map((record) => [record, finding]));
}

/** Looks the records up in the store's list. */
async function answersOfStore(
  args: ResolveArguments & CommonArguments,
  context: CommandContext,
  doubts: OpenDoubts,
): Promise<ReadonlyMap<Doubtful, Finding>> {
  const { askStore } = await import('../../pipeline/index.ts');
  const { options } = await optionsOfRun(args);
  const resources = await resourcesFor(options, context);
  const resource = resources.find(({ name }) => name === doubts.run.resource) as Resource;
  const connection = await connectToStore(options, context, resources);
  const { terminal } = context;
  try {
    await connection.client.authenticate();
    const { found, known, twice } = await askStore(connection, resource, doubts);
    terminal.note(
      `The store's list has ${known.seen} of ${known.wanted} ${resource.name} that are known to be there` +
        (known.seen === 0
          ? ', so it says nothing.'
          : known.seen < known.wanted
            ? ', so what it lacks may still be there.'
            : '.'),
    );
    for (const { key, ids } of twice)
      terminal.note(
        `"${key}" is there ${ids.length} times (${ids.join(', ')}): remove the extra ones in the store, then name the remaining one.`,
      );
    return found;
  } finally {
    await connection.close();
  }
}

const MOST_SHOWN = 20;

/** Lists the records in doubt, and how to settle them. */
async function listDoubts(
  { home, run: name }: ResolveArguments & CommonArguments,
  { terminal, json }: CommandContext,
): Promise<number> {
  const { doubtIn } = await import('../../pipeline/index.ts');
  const { run, out, inDoubt, doubtful } = await doubtIn(home, name, terminal.error);
  if (json) {
    terminal.out(
      JSON.stringify({
        run,
        in_doubt: doubtful.map(({ row, file, key, code }) => ({ row, file, key, code })),
      }),
    );
  } else if (doubtful.length === 0) terminal.out(`Nothing is in doubt in the run ${run}.`);
  else
    terminal.out(
      [
        `In doubt in the run ${run}: ${grouped(doubtful.length)}.`,
        ...doubtful
          .slice(0, MOST_SHOWN)
          .map(({ key, code, ...place }) => `  ${placeWords(place)}, "${key}": ${code}`),
        ...(doubtful.length > MOST_SHOWN
          ? [
              `  and ${grouped(doubtful.length - MOST_SHOWN)} more, in ${inDoubt.map((name) => `${out}/${name}`).join(' and ')}`,
            ]
          : []),
        'Look for them in the store. Then say what you found:',
        ...stepLines([
          [runCommand('run resolve', run, { row: 'N', there: 'ID' }), 'it is there'],
          [
            runCommand('run resolve', run, { row: 'N', 'not-there': true }),
            'it is not there: run retry then sends it',
          ],
          [
            runCommand('run resolve', run, { from: relative('', join(out, inDoubt[0] ?? '')) }),
            'many: fill in its column storeport_found',
          ],
        ]),
      ].join('\n'),
    );
  return doubtful.length === 0 ? 0 : 1;
}
