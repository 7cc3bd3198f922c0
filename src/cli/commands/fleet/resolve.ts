import { join } from 'node:path';
import { grouped, type PrintedOptions, placeWords, printedCommand } from '../../../model/index.ts';
import type { Doubtful, Finding, OpenDoubts } from '../../../pipeline/index.ts';
import { logResolved, logSummary, ONLY_IN_REPORTS } from '../../command-log.ts';
import { type CommandContext, warn } from '../../context.ts';
import { paintCommands } from '../../output/colour.ts';
import { stepLines } from '../../output/first-steps.ts';
import type { Command } from '../command.ts';
import {
  answersGiven,
  RESOLVE_OPTIONS,
  type ResolveAnswers,
  refuseUnclearAnswers,
  releasedLines,
} from '../resolve.ts';
import { DATABASE_OPTIONS, type DatabaseArguments } from './database.ts';
import { type Fleet, type FleetSql, withFleet } from './open-fleet.ts';
import { FILES_OPTION, openFiles } from './place.ts';
import { executorParts, READER_OF_SHELL } from './worker.ts';

interface FleetResolveArguments extends DatabaseArguments, ResolveAnswers {
  readonly task: string;
  readonly home: string;
  readonly artifacts?: string | undefined;
}

export const fleetResolveCommand: Command<FleetResolveArguments> = {
  usage: 'resolve <task>',
  summary: 'Settle records of an import that are in doubt; without options, list them',
  positionals: { task: { describe: 'Its id, which storeport fleet list --doubts shows' } },
  options: { ...RESOLVE_OPTIONS, ...FILES_OPTION, ...DATABASE_OPTIONS },
  mainOptions: [...Object.keys(RESOLVE_OPTIONS), 'database', 'profile', 'json'],
  examples: [
    ['$0 fleet resolve 20261125-093012-a1b2c3d4e5f6', 'List the records in doubt of a task'],
    ['$0 fleet resolve 20261125-093012-a1b2c3d4e5f6 --row 7 --there 64a1f0', 'The record in row 7 is there'],
  ],
  run(args, context) {
    const isListing = refuseUnclearAnswers(args) === 'none';
    return withFleet(args, context, async (fleet, sql) =>
      isListing ? listDoubts(fleet, sql, args.task, context) : settle(fleet, sql, args, context),
    );
  },
};

async function settle(
  fleet: Fleet,
  sql: FleetSql,
  args: FleetResolveArguments,
  context: CommandContext,
): Promise<number> {
  const { terminal, log, json } = context;
  const storage = await openFiles({ fleet, sql }, args, context, { purpose: 'write' });
  try {
    const options = {
      ...executorParts(sql, context, READER_OF_SHELL),
      storage,
      scratch: join(args.home, 'worker'),
    };
    const { summary, found, refused, released, warnings } = await fleet.resolveTask(
      options,
      args.task,
      async (doubts, ask) => {
        if (args.ask) return asked(await ask(), doubts, context);
        if (args.from === undefined) return answersGiven(args, doubts);
        const { answersIn } = await import('../../../pipeline/index.ts');
        const { found, problems } = await answersIn(args.from, doubts, () => context.io.stdin);
        for (const problem of problems) terminal.error(problem);
        return found;
      },
    );
    for (const line of refused) terminal.error(line);
    for (const line of warnings) warn(context, line);
    logResolved(log, found);
    logSummary(log, summary, ONLY_IN_REPORTS);
    const notThere = [...found.values()].filter((finding) => finding === 'not-there').length;
    if (json) terminal.out(JSON.stringify({ ...summary, resolved: found.size, released }));
    else
      terminal.out(
        [settledText(args.task, found.size, notThere), ...releasedLines(released, { retry: retryOf })].join(
          '\n',
        ),
        paintCommands,
      );
    return summary.exit_code;
  } finally {
    await storage.close();
  }
}

function settledText(task: string, resolved: number, notThere: number): string {
  return [
    `${grouped(resolved)} ${resolved === 1 ? 'record is' : 'records are'} no longer in doubt.`,
    ...(notThere === 0 ? [] : ['To send those that are not there:', `  ${retryOf(task)}`]),
  ].join('\n');
}

function retryOf(task: string): string {
  return printedCommand('fleet retry', [task]);
}

/** Prints how far the list of the store can be trusted, and returns its findings. */
function asked(
  { found, known, twice }: Awaited<ReturnType<Parameters<Parameters<Fleet['resolveTask']>[2]>[1]>>,
  { run }: OpenDoubts,
  { terminal }: CommandContext,
): ReadonlyMap<Doubtful, Finding> {
  terminal.note(
    `The store's list has ${known.seen} of ${known.wanted} ${run.resource} that are known to be there${known.seen === 0 ? ', so it says nothing' : ''}.`,
  );
  for (const { key, ids } of twice)
    terminal.note(
      `"${key}" is there ${ids.length} times (${ids.join(', ')}): remove the extra ones in the store, then name the remaining one.`,
    );
  return found;
}

const MOST_SHOWN = 20;

type TaskDoubts = Awaited<ReturnType<Fleet['listDoubts']>>;

async function listDoubts(
  fleet: Fleet,
  sql: FleetSql,
  id: string,
  { terminal, json }: CommandContext,
): Promise<number> {
  const found = await fleet.listDoubts(sql, id);
  const { doubts: in_doubt, quarantinedUntil, quarantinedBy, files } = found;
  if (json)
    terminal.out(
      JSON.stringify({
        ...{ task: id, in_doubt },
        quarantined_until: quarantinedUntil,
        quarantined_by: quarantinedBy.length === 0 ? null : quarantinedBy.join(', '),
        files,
      }),
    );
  else terminal.out(doubtsText(id, found, fleet.fetchedFolder(id)), paintCommands);
  return in_doubt.length === 0 ? 0 : 1;
}

/** Lists all if no artifact has them. `folder`: of the files of the task, once they are fetched. */
export function doubtsText(
  id: string,
  { doubts, quarantinedUntil, quarantinedBy, files }: TaskDoubts,
  folder: string,
): string {
  if (doubts.length === 0) return `Nothing is in doubt in the task ${id}.`;
  const resolving = (options: PrintedOptions) => printedCommand('fleet resolve', [id], options);
  const shown = files.length === 0 ? doubts : doubts.slice(0, MOST_SHOWN);
  const more = doubts.length - shown.length;
  return [
    `In doubt in the task ${id}: ${grouped(doubts.length)}.`,
    ...shown.map(({ key, code, ...place }) => `  ${placeWords(place)}, "${key}": ${code}`),
    ...(more > 0 ? [`  and ${grouped(more)} more, in ${files.join(' and ')} of its artifacts`] : []),
    'Look for them in the store. Then say what you found:',
    ...stepLines([
      [resolving({ row: 'N', there: 'ID' }), 'it is there'],
      [resolving({ row: 'N', 'not-there': true }), 'it is not there: fleet retry then sends it'],
      ...files.flatMap((file) => [
        [printedCommand('fleet get', [id, file]), `many: fetch ${file}`] as const,
        [resolving({ from: `${folder}/${file}` }), 'once its column storeport_found is filled in'] as const,
      ]),
    ]),
    ...(quarantinedUntil === null ? [] : quarantineLines(quarantinedUntil, quarantinedBy)),
  ].join('\n');
}

function quarantineLines(until: Date, workers: readonly string[]): string[] {
  const isOne = workers.length === 1;
  return [
    `${isOne ? 'The worker' : 'The workers'} ${workers.join(', ')} ${isOne ? 'was' : 'were'} lost, and may still send some of them until ${until.toISOString()}: until then, none is settled as not there.`,
    isOne
      ? 'If its process or its machine is certainly gone:'
      : 'If the process or the machine of each is certainly gone:',
    ...workers.map((worker) => `  ${printedCommand('fleet resume', [], { ended: worker })}`),
  ];
}
