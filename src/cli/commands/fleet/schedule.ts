import { ConfigError, milliseconds, printedCommand } from '../../../model/index.ts';
import { DURATION, type OptionTable } from '../../../options/index.ts';
import { EXPORTABLE_NAMES, IMPORTABLE_NAMES } from '../../../resources/names.ts';
import type { Command } from '../command.ts';
import { DATABASE_OPTIONS, type DatabaseArguments } from './database.ts';
import { type Fleet, withFleet } from './open-fleet.ts';
import {
  EXPORT_TASK_OPTIONS,
  type FleetWork,
  filesOf,
  IMPORT_TASK_OPTIONS,
  selectionIn,
  sharedFiles,
  taskOptions,
} from './run.ts';
import { STORES_OPTION } from './store.ts';
import { tableText } from './table-text.ts';

type Schedule = Awaited<ReturnType<Fleet['listSchedules']>>[number];

interface ScheduleAddArguments extends DatabaseArguments {
  readonly name: string;
  readonly export?: string | undefined;
  readonly import?: string | undefined;
  readonly file: readonly string[];
  readonly stores?: string | undefined;
  readonly cron?: string | undefined;
  readonly zone?: string | undefined;
  readonly spread?: string | undefined;
}

const SCHEDULE_NAME = { name: { describe: 'Name of the schedule' } } as const;

/** Of the options that both commands have, those of the import: it takes more formats. */
const TASK_OPTIONS: OptionTable = { ...EXPORT_TASK_OPTIONS, ...IMPORT_TASK_OPTIONS };

export const fleetScheduleAddCommand: Command<ScheduleAddArguments> = {
  usage: 'add <name>',
  summary: 'Export or import by the clock',
  positionals: SCHEDULE_NAME,
  options: {
    export: { topic: 'fleet', choices: EXPORTABLE_NAMES, describe: 'Export this resource' },
    import: {
      topic: 'fleet',
      choices: IMPORTABLE_NAMES,
      describe: 'Import this resource, from the files of --file',
    },
    file: {
      topic: 'reading',
      array: true,
      default: [] as string[],
      describe: 'File to import, which every worker can read; may be repeated',
      completes: 'file',
    },
    cron: {
      topic: 'fleet',
      describe: 'Minute, hour, day of the month, month, day of the week: "0 2 * * *" is every day at 2:00',
    },
    zone: {
      topic: 'fleet',
      describe: 'Time zone of --cron, such as Europe/Berlin (default: UTC)',
    },
    spread: {
      topic: 'fleet',
      syntax: DURATION,
      describe: 'Begin each store at a moment of its own within this time, such as 2h (default: all at once)',
    },
    ...STORES_OPTION,
    ...TASK_OPTIONS,
    ...DATABASE_OPTIONS,
  },
  mainOptions: [
    'export',
    'import',
    'file',
    'cron',
    'zone',
    'spread',
    'stores',
    'out',
    'format',
    'mapping',
    'database',
    'profile',
  ],
  examples: [
    [
      '$0 fleet schedule add nightly --export reviews --stores all --cron "0 2 * * *" --spread 2h',
      'The reviews of all stores, between 2 and 4',
    ],
  ],
  async run(args, context) {
    const { name, cron, zone, spread } = args;
    if (cron === undefined)
      throw new ConfigError('When? Give --cron.', ['--cron "0 2 * * *" is every day at 2:00 UTC.']);
    const work = await scheduledWork(args);
    const stores = selectionIn(args.stores);
    const spreadS = spread === undefined ? 0 : Math.round(milliseconds(spread) / 1000);
    return withFleet(args, context, async (fleet, sql) => {
      await fleet.refuseUnreadableFiles(sql, filesOf(work));
      const added = await fleet.addSchedule(sql, { ...work, name, cron, zone, stores, spreadS });
      const { terminal, json } = context;
      terminal.out(
        json
          ? JSON.stringify(shownSchedule(added))
          : `The schedule "${name}" is added. It begins first at ${timeText(added.nextSlot)}.`,
      );
      return 0;
    });
  },
};

async function scheduledWork(args: ScheduleAddArguments): Promise<FleetWork> {
  const { export: exported, import: imported, file } = args;
  if ((exported === undefined) === (imported === undefined))
    throw new ConfigError('A schedule needs --export RESOURCE or --import RESOURCE, and not both.');
  if (exported !== undefined) {
    if (file.length > 0)
      throw new ConfigError('--file is for an import; name the file of an export with --out.');
    return { command: 'export', resource: exported, options: await taskOptions(args, TASK_OPTIONS) };
  }
  if (file.length === 0) throw new ConfigError('Which file? An import needs --file.');
  const options = { ...(await taskOptions(args, TASK_OPTIONS)), files: sharedFiles(file) };
  return { command: 'import', resource: imported as string, options };
}

export const fleetScheduleListCommand: Command<DatabaseArguments> = {
  usage: 'list',
  summary: 'Schedules, with the time at which each begins next',
  options: DATABASE_OPTIONS,
  run(args, context) {
    return withFleet(args, context, async (fleet, sql) => {
      const { terminal, json } = context;
      const schedules = await fleet.listSchedules(sql);
      if (json)
        terminal.out(
          JSON.stringify(
            schedules.map((each) => shownSchedule({ ...each, options: fleet.visibleOptions(each.options) })),
          ),
        );
      else if (schedules.length === 0)
        terminal.out('There are no schedules yet. To add one: storeport fleet schedule add --help');
      else terminal.out(schedulesText(schedules));
      return 0;
    });
  },
};

interface PauseArguments extends DatabaseArguments {
  readonly name: string;
  readonly off: boolean;
}

export const fleetSchedulePauseCommand: Command<PauseArguments> = {
  usage: 'pause <name>',
  summary: 'Make no tasks until --off; slots that pass meanwhile are left out',
  positionals: SCHEDULE_NAME,
  options: {
    off: { topic: 'fleet', type: 'boolean', default: false, describe: 'End the pause' },
    ...DATABASE_OPTIONS,
  },
  run({ name, off, ...args }, context) {
    return withFleet(args, context, async (fleet, sql) => {
      const { terminal, json } = context;
      const schedule = await fleet.pauseSchedule(sql, name, !off);
      if (json) terminal.out(JSON.stringify(shownSchedule(schedule)));
      else
        terminal.out(
          off
            ? `The schedule "${name}" begins again at ${timeText(schedule.nextSlot)}.`
            : `The schedule "${name}" is paused. To end the pause: ${printedCommand('fleet schedule pause', [name], { off: true })}`,
        );
      return 0;
    });
  },
};

export const fleetScheduleRemoveCommand: Command<DatabaseArguments & { readonly name: string }> = {
  usage: 'remove <name>',
  summary: 'Remove a schedule; its tasks stay',
  positionals: SCHEDULE_NAME,
  options: DATABASE_OPTIONS,
  run({ name, ...args }, context) {
    return withFleet(args, context, async (fleet, sql) => {
      await fleet.removeSchedule(sql, name);
      const { terminal, json } = context;
      terminal.out(
        json ? JSON.stringify({ removed: name }) : `The schedule "${name}" is removed. Its tasks stay.`,
      );
      return 0;
    });
  },
};

function schedulesText(schedules: readonly Schedule[]): string {
  const rows = schedules.map(
    ({ name, command, resource, stores, cron, zone, spreadS, isPaused, nextSlot }) => [
      name,
      `${command} ${resource}`,
      stores,
      `${cron} ${zone}`,
      spreadS === 0 ? '-' : durationText(spreadS),
      isPaused ? 'paused' : timeText(nextSlot),
    ],
  );
  return [
    tableText(['schedule', 'does', 'stores', 'cron', 'spread', 'next'], rows),
    ...schedules.flatMap(troubleLines),
  ].join('\n');
}

/** Reasons for which a schedule does not do all that it says. */
function troubleLines({ name, gone, selected, trouble }: Schedule): string[] {
  return [
    ...(gone.length === 0
      ? []
      : [
          `${name}: no store is there for ${gone.join(', ')}, so ${gone.length === 1 ? 'it is' : 'they are'} left out.`,
        ]),
    ...(selected === 0 ? [`${name}: it selects no store, so it makes no tasks.`] : []),
    ...(trouble === null
      ? []
      : [`${name}: it could not begin at ${timeText(trouble.at)}: ${trouble.message}`]),
  ];
}

/** As `--spread` takes it: in the largest unit that gives a whole number. */
function durationText(seconds: number): string {
  if (seconds % 3600 === 0) return `${seconds / 3600}h`;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}

function timeText(time: Date | null): string {
  return time === null ? 'never' : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function shownSchedule({
  name,
  command,
  resource,
  options,
  stores,
  cron,
  zone,
  ...schedule
}: Schedule): object {
  const { spreadS: spread_s, isPaused: paused, nextSlot: next_slot, lastSlot: last_slot, addedAt } = schedule;
  const { selected, gone, trouble } = schedule;
  return {
    ...{ name, command, resource, options, stores, cron, zone, spread_s, paused, next_slot, last_slot },
    added_at: addedAt,
    ...{ selected, gone, trouble },
  };
}
