import { ConfigError, printedCommand } from '../../../model/index.ts';
import type { OptionTable } from '../../../options/index.ts';
import type { CommandContext } from '../../context.ts';
import { paintCommands } from '../../output/colour.ts';
import type { Command } from '../command.ts';
import { OVERWRITE_NEWER } from '../resume.ts';
import { DATABASE_OPTIONS } from './database.ts';
import { TASK_FILTER, type TaskFilterArguments } from './list.ts';
import { type Fleet, type FleetSql, wakeWorkers, withFleet } from './open-fleet.ts';

type ChangedTask = Awaited<ReturnType<Fleet['stopTasks']>>[number];
type TaskFilter = Parameters<Fleet['stopTasks']>[1];

interface SelectedTasks extends TaskFilterArguments {
  readonly tasks: readonly string[];
}

const TASK_IDS = {
  tasks: {
    describe: 'Their ids, which storeport fleet list shows; or select them with --stores or --schedule',
  },
} as const;

const SELECTING: OptionTable = { ...TASK_FILTER, ...DATABASE_OPTIONS };

export const fleetStopCommand: Command<SelectedTasks> = {
  usage: 'stop [tasks..]',
  summary: 'Stop tasks: queued ones at once, running ones as soon as their requests are answered',
  positionals: TASK_IDS,
  options: SELECTING,
  examples: [['$0 fleet stop --stores paris', 'All tasks of that store which have not ended']],
  run(args, context) {
    const filter = filterIn(args, ['queued', 'running']);
    return withFleet(args, context, async (fleet, sql) =>
      printChanges(await fleet.stopTasks(sql, filter), stoppedText, context),
    );
  },
};

interface FleetResumeArguments extends SelectedTasks {
  readonly overwriteNewer: boolean;
  readonly ended?: string | undefined;
  readonly reviewed?: string | undefined;
  readonly nothingSent: boolean;
}

export const fleetResumeCommand: Command<FleetResumeArguments> = {
  usage: 'resume [tasks..]',
  summary: 'Continue tasks that stopped early; or say that a worker has ended, or that doubts were looked at',
  positionals: TASK_IDS,
  options: {
    ended: {
      topic: 'fleet',
      describe: 'Id of a worker whose process or machine is gone: what it left can then be resolved at once',
    },
    reviewed: {
      topic: 'fleet',
      describe:
        'Name of a store whose doubts you looked at after a backup was restored: creates are sent again',
    },
    'nothing-sent': {
      topic: 'fleet',
      type: 'boolean',
      default: false,
      describe:
        'With --reviewed: nothing was sent to that store after the backup, so nothing need be adopted',
    },
    ...OVERWRITE_NEWER,
    ...SELECTING,
  },
  examples: [
    ['$0 fleet resume --stores tag:batch7', 'All that stopped early in these stores'],
    ['$0 fleet resume --ended db7-4711', 'That worker cannot send anything any more'],
  ],
  run(args, context) {
    const { ended, reviewed, nothingSent, overwriteNewer } = args;
    if (nothingSent && reviewed === undefined)
      throw new ConfigError('--nothing-sent needs --reviewed STORE.');
    if (ended !== undefined && reviewed !== undefined)
      throw new ConfigError('--ended and --reviewed are two commands: give one of them.');
    const declares = ended !== undefined || reviewed !== undefined;
    const selects = args.tasks.length > 0 || args.stores !== undefined || args.schedule !== undefined;
    const filter = declares && !selects ? undefined : filterIn(args, ['stopped']);
    return withFleet(args, context, async (fleet, sql) => {
      const said: string[] = [];
      if (ended !== undefined) {
        const runs = await fleet.declareEnded(sql, ended);
        said.push(
          `The worker ${ended} has ended. ${runs === 0 ? 'It left no doubts that waited for this.' : `Doubts of ${runs} ${runs === 1 ? 'run' : 'runs'} can be resolved now.`}`,
        );
      }
      if (reviewed !== undefined) {
        await fleet.declareReviewed(sql, reviewed, { nothingSent });
        said.push(
          `The store "${reviewed}" is reviewed: what it does not have is created there again. Where it has a list, that is asked first.`,
        );
      }
      if (!context.json && said.length > 0) context.terminal.out(said.join('\n'));
      if (filter !== undefined)
        return printQueued(
          { fleet, sql },
          await fleet.resumeTasks(sql, filter, { overwriteNewer }),
          (tasks) => queuedText(tasks, 'queued to continue'),
          context,
        );
      if (context.json)
        context.terminal.out(JSON.stringify({ ended: ended ?? null, reviewed: reviewed ?? null }));
      return 0;
    });
  },
};

interface FleetRetryArguments extends SelectedTasks {
  readonly overwriteNewer: boolean;
  readonly rejected: boolean;
}

export const fleetRetryCommand: Command<FleetRetryArguments> = {
  usage: 'retry [tasks..]',
  summary: 'Send failed records of tasks again',
  positionals: TASK_IDS,
  options: {
    rejected: {
      topic: 'selection',
      type: 'boolean',
      default: false,
      describe: 'Also records that the store rejected, for example after its settings were changed',
    },
    ...OVERWRITE_NEWER,
    ...SELECTING,
  },
  run(args, context) {
    const filter = filterIn(args, ['done', 'stopped']);
    const { rejected, overwriteNewer } = args;
    return withFleet(args, context, async (fleet, sql) => {
      const tasks = await fleet.retryTasks(sql, filter, { rejected, overwriteNewer });
      return printQueued({ fleet, sql }, tasks, retriedText, context);
    });
  },
};

async function printQueued(
  database: { readonly fleet: Fleet; readonly sql: FleetSql },
  tasks: readonly ChangedTask[],
  allText: AllText,
  context: CommandContext,
): Promise<number> {
  const queued = tasks.filter(({ changed }) => changed);
  await wakeWorkers(
    database,
    queued.map(({ storeNumber }) => storeNumber),
    context,
  );
  return printChanges(tasks, allText, context);
}

/** Tasks that are named, in any state, or all selected ones in these states. Throws ConfigError if nothing selects. */
function filterIn(
  { tasks, stores, schedule }: SelectedTasks,
  states: NonNullable<TaskFilter['states']>,
): TaskFilter {
  if (tasks.length > 0) {
    if (stores !== undefined || schedule !== undefined)
      throw new ConfigError(
        'Name tasks by their ids, or select them with --stores or --schedule, but not both.',
      );
    return { ids: [...new Set(tasks)] };
  }
  if (stores === undefined && schedule === undefined)
    throw new ConfigError('Which tasks? Give their ids, --stores or --schedule.', [
      `--stores all selects the tasks of all stores. To see them: ${printedCommand('fleet list')}`,
    ]);
  return { states, stores, schedule };
}

/** Prints a line for each task, and returns the exit code: 1 if a named task could not be changed. */
function printChanges(
  tasks: readonly ChangedTask[],
  allText: AllText,
  { terminal, json }: CommandContext,
): number {
  const changed = tasks.filter((task) => task.changed).length;
  if (json)
    terminal.out(
      JSON.stringify(
        tasks.map(({ id, store, before, after, changed, stopWanted, nothing = null }) => ({
          ...{ task: id, store, before, after, changed },
          stop_wanted: stopWanted,
          nothing_to_retry: nothing,
        })),
      ),
    );
  else
    terminal.out(
      [...tasks.map((task) => `${task.id}  ${task.store}  ${changeText(task)}`), ...allText(tasks)].join(
        '\n',
      ),
      paintCommands,
    );
  return changed === tasks.length ? 0 : 1;
}

/** Lines about all tasks, below those of each. */
type AllText = (tasks: readonly ChangedTask[]) => string[];

const isChanged = ({ changed }: ChangedTask) => changed;
const tasksAre = (count: number) => (count === 1 ? 'task is' : 'tasks are');

function queuedText(tasks: readonly ChangedTask[], done: string): string[] {
  return [`${tasks.filter(isChanged).length} of ${tasks.length} ${tasksAre(tasks.length)} ${done}.`];
}

/** A task that runs has not stopped when the command ends. */
function stoppedText(tasks: readonly ChangedTask[]): string[] {
  const running = tasks.filter((task) => task.changed && task.after === 'running').length;
  const stopped = tasks.filter(isChanged).length - running;
  const all = tasks.length === 1 ? '1 task' : `${tasks.length} tasks`;
  return [
    ...(running > 0
      ? [
          `${running} of ${all} ${running === 1 ? 'stops' : 'stop'} as soon as requests in flight are answered.`,
        ]
      : []),
    ...(stopped > 0 || running === 0
      ? [`${stopped} of ${all} ${stopped === 1 ? 'is' : 'are'} stopped.`]
      : []),
  ];
}

function retriedText(tasks: readonly ChangedTask[]): string[] {
  if (tasks.length === 0) return ['There is nothing to retry: no task has records that can be sent again.'];
  const idle = tasks.filter(({ nothing }) => nothing === 'nothing-failed');
  return [
    ...queuedText(tasks, 'queued to send failed records again'),
    ...(idle.length === 0 ? [] : ['To see what can be done instead:']),
    ...idle.map(({ id }) => `  ${printedCommand('fleet show', [id])}`),
  ];
}

const NOTHING_WORDS: Readonly<Record<NonNullable<ChangedTask['nothing']>, string>> = {
  export: 'an export has no records to send. fleet resume makes it anew',
  'nothing-failed': 'none of its records can be sent again',
};

function changeText({ before, after, changed, stopWanted, nothing }: ChangedTask): string {
  if (!changed) return `stays ${before}${nothing === undefined ? '' : `: ${NOTHING_WORDS[nothing]}`}`;
  return stopWanted && after === 'running' ? 'running, and stops soon' : `${before} → ${after}`;
}
