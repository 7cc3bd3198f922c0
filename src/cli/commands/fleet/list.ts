import { printedCommand } from '../../../model/index.ts';
import { wholeNumber } from '../../../options/index.ts';
import type { CommandContext } from '../../context.ts';
import { paintCommands, paintSummary } from '../../output/colour.ts';
import type { Command } from '../command.ts';
import { DATABASE_OPTIONS, type DatabaseArguments } from './database.ts';
import { type Fleet, withFleet } from './open-fleet.ts';
import { STORES_OPTION } from './store.ts';
import { ageText, tableText } from './table-text.ts';
import { shownTask, shownTaskDetails, tasksText, taskText } from './task-text.ts';

const STATES = ['queued', 'running', 'done', 'stopped'] as const;

/** Options that select tasks. */
export const TASK_FILTER = {
  ...STORES_OPTION,
  schedule: { topic: 'selection', describe: 'Tasks of this schedule' },
} as const;

export interface TaskFilterArguments extends DatabaseArguments {
  readonly stores?: string | undefined;
  readonly schedule?: string | undefined;
}

interface FleetListArguments extends TaskFilterArguments {
  readonly state?: (typeof STATES)[number] | undefined;
  readonly doubts: boolean;
  readonly workers: boolean;
  readonly limit?: number | undefined;
}

const USUAL_LIMIT = 50;

export const fleetListCommand: Command<FleetListArguments> = {
  usage: 'list',
  summary: 'Tasks, the latest first, with their states and outcomes; or the workers',
  options: {
    state: { topic: 'selection', choices: STATES, describe: 'Tasks in this state' },
    ...TASK_FILTER,
    doubts: {
      topic: 'selection',
      type: 'boolean',
      default: false,
      describe: 'Only tasks with records in doubt',
    },
    limit: {
      topic: 'selection',
      type: 'number',
      syntax: wholeNumber(1),
      describe: `At most N tasks (default: ${USUAL_LIMIT})`,
    },
    workers: {
      topic: 'selection',
      type: 'boolean',
      default: false,
      describe: 'List the workers instead, with the stores that each holds',
    },
    ...DATABASE_OPTIONS,
  },
  examples: [['$0 fleet list --state stopped --stores tag:batch7', 'What stopped early in these stores']],
  run(args, context) {
    return withFleet(args, context, async (fleet, sql) => {
      const { terminal, json } = context;
      if (args.workers) return printWorkers(await fleet.listWorkers(sql), context);
      const { state, stores, schedule, limit = USUAL_LIMIT, doubts } = args;
      const filter = {
        states: state === undefined ? undefined : [state],
        stores,
        schedule,
        inDoubt: doubts || undefined,
      };
      const tasks = await fleet.listTasks(sql, { ...filter, limit });
      if (json) {
        terminal.out(JSON.stringify(tasks.map(shownTask)));
        return 0;
      }
      const counts = await fleet.countTasks(sql, filter);
      const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
      const words = Object.entries(counts).flatMap(([word, count]) =>
        count > 0 ? [`${count} ${word}`] : [],
      );
      terminal.out(
        total === 0
          ? 'There are no such tasks. To add some: storeport fleet run --help'
          : [
              tasksText(tasks, Date.now()),
              `${total} ${total === 1 ? 'task' : 'tasks'}: ${words.join(', ')}.${tasks.length < total ? ` These are the latest ${tasks.length}.` : ''}`,
            ].join('\n'),
      );
      return 0;
    });
  },
};

function printWorkers(
  workers: Awaited<ReturnType<Fleet['listWorkers']>>,
  { terminal, json }: CommandContext,
): number {
  if (json) {
    const shown = workers.map(
      ({ id, host, version, slots, startedAt, seenAt, isAlive, isDraining, stores }) => ({
        ...{ worker: id, host, version, slots, started_at: startedAt, seen_at: seenAt },
        ...{ alive: isAlive, draining: isDraining, stores },
      }),
    );
    terminal.out(JSON.stringify(shown));
  } else if (workers.length === 0)
    terminal.out(`No worker is at work. To start one: ${printedCommand('fleet worker')}`);
  else terminal.out(workersText(workers), paintCommands);
  return 0;
}

function workersText(workers: Awaited<ReturnType<Fleet['listWorkers']>>): string {
  const rows = workers.map(({ id, version, slots, seenAt, isAlive, isDraining, stores }) => [
    id,
    version,
    isAlive ? (isDraining ? 'draining' : 'working') : 'silent',
    ageText(Date.now() - seenAt.getTime()),
    `${stores.length} of ${slots}`,
  ]);
  const silent = workers.filter(({ isAlive }) => !isAlive);
  return [
    tableText(['worker', 'version', 'state', 'seen', 'stores'], rows),
    ...(silent.length === 0
      ? []
      : [
          'Silent workers may still be there. If you know that the process or its machine is gone:',
          ...silent.map(({ id }) => `  ${printedCommand('fleet resume', [], { ended: id })}`),
        ]),
  ].join('\n');
}

export const fleetShowCommand: Command<DatabaseArguments & { readonly task: string }> = {
  usage: 'show <task>',
  summary: 'Everything about a task: its run, outcomes, artifacts, and what to do next',
  positionals: { task: { describe: 'Its id, which storeport fleet list shows' } },
  options: DATABASE_OPTIONS,
  run({ task: id, ...args }, context) {
    return withFleet(args, context, async (fleet, sql) => {
      const task = await fleet.showTask(sql, id);
      const followUp = await fleet.followUpOf(sql, task);
      const place = (await fleet.readPlaceRecord(sql))?.location;
      const { terminal, json } = context;
      if (json) {
        terminal.out(JSON.stringify(shownTaskDetails(task, followUp, place)));
        return 0;
      }
      const { problemLines } = await import('../../output/summary-text.ts');
      const wrong = problemLines(followUp.problems, task.stopReason ?? undefined);
      terminal.out(taskText(task, followUp, { wrong, place, now: Date.now() }), paintSummary);
      return 0;
    });
  },
};
