import { existsSync, resolve } from '../../../model/files/fs.ts';
import { ConfigError, type JsonObject, missingFile, printedCommand } from '../../../model/index.ts';
import {
  argumentsOf,
  EXPORT_OPTIONS,
  type OptionTable,
  ofTasks,
  READ_OPTIONS,
  withoutDefaults,
} from '../../../options/index.ts';
import { EXPORTABLE_NAMES } from '../../../resources/names.ts';
import type { CommandContext } from '../../context.ts';
import { resourceFor } from '../../options/api.ts';
import { paintCommands } from '../../output/colour.ts';
import { EXPORTABLE_TEXT } from '../../output/resource-names.ts';
import type { Command } from '../command.ts';
import { RESOURCE_AND_FILES } from '../import.ts';
import { DATABASE_OPTIONS, type DatabaseArguments } from './database.ts';
import { type Fleet, wakeWorkers, withFleet } from './open-fleet.ts';
import { STORES_OPTION } from './store.ts';
import { type FleetTask, shownTask } from './task-text.ts';

/** Work of a task, with options as the plain command line has them. */
export type FleetWork = Pick<Parameters<Fleet['addTasks']>[1], 'command' | 'resource' | 'options'>;

/** Options of an import of a fleet: those of the plain command, without what concerns one machine. */
export const IMPORT_TASK_OPTIONS: OptionTable = withoutDefaults(ofTasks(READ_OPTIONS));

/** Options of an export of a fleet. */
export const EXPORT_TASK_OPTIONS: OptionTable = {
  out: {
    topic: 'output',
    describe: 'Name of the file among the artifacts, compressed if it ends in .gz (default: RESOURCE.csv)',
    emptyIsNone: true,
  },
  ...withoutDefaults(ofTasks(EXPORT_OPTIONS)),
};

interface RunAddArguments extends DatabaseArguments {
  readonly resource: string;
  readonly files?: readonly string[];
  readonly stores?: string | undefined;
}

export const fleetRunImportCommand: Command<RunAddArguments> = {
  usage: 'import <resource> <files..>',
  summary: 'Import files into one store or many; workers do it',
  positionals: {
    resource: RESOURCE_AND_FILES.resource,
    files: {
      describe:
        'Files that every worker can read: s3://bucket/key, a web address, or a path that all of them have',
      completes: 'file',
    },
  },
  options: { ...STORES_OPTION, ...IMPORT_TASK_OPTIONS, ...DATABASE_OPTIONS },
  mainOptions: [
    'stores',
    'mapping',
    'mode',
    'set',
    'limit',
    'max-errors',
    'mask-contacts',
    'errors-as',
    'encoding',
    'database',
    'profile',
    'json',
  ],
  examples: [
    [
      '$0 fleet run import products s3://shops/spring.csv --stores tag:batch7',
      'One task for each store with that tag',
    ],
  ],
  async run(args, context) {
    const files = sharedFiles(args.files ?? []);
    const options = { ...(await taskOptions(args, IMPORT_TASK_OPTIONS)), files };
    return addWork({ command: 'import', resource: args.resource, options }, args, context);
  },
};

export const fleetRunExportCommand: Command<RunAddArguments> = {
  usage: 'export <resource>',
  summary: 'Export from one store or many; workers do it, and keep the files as artifacts',
  positionals: { resource: { describe: EXPORTABLE_TEXT, completes: EXPORTABLE_NAMES } },
  options: { ...STORES_OPTION, ...EXPORT_TASK_OPTIONS, ...DATABASE_OPTIONS },
  mainOptions: [
    'stores',
    'out',
    'format',
    'columns',
    'mapping',
    'filter',
    'since',
    'limit',
    'database',
    'profile',
    'json',
  ],
  examples: [['$0 fleet run export reviews --stores all --format ndjson', 'The reviews of all stores, once']],
  async run(args, context) {
    const options = await taskOptions(args, EXPORT_TASK_OPTIONS);
    return addWork({ command: 'export', resource: args.resource, options }, args, context);
  },
};

async function addWork(work: FleetWork, args: RunAddArguments, context: CommandContext): Promise<number> {
  const stores = selectionIn(args.stores);
  const { RESOURCES } = await import('../../../resources/index.ts');
  await resourceFor(work.resource, RESOURCES, work.command);
  return withFleet(args, context, async (fleet, sql) => {
    const { terminal, json } = context;
    await fleet.refuseUnreadableFiles(sql, filesOf(work));
    const tasks = await fleet.addTasks(sql, { ...work, stores });
    await wakeWorkers(
      { fleet, sql },
      tasks.map(({ storeNumber }) => storeNumber),
      context,
    );
    if (json) terminal.out(JSON.stringify(tasks.map(shownTask)));
    else terminal.out(addedText(tasks, stores), paintCommands);
    return 0;
  });
}

function addedText(tasks: readonly FleetTask[], stores: string): string {
  const [first] = tasks;
  const isOne = tasks.length === 1;
  return [
    ...tasks.map(({ id, store }) => `${id}  ${store}`),
    `${isOne ? '1 task is' : `${tasks.length} tasks are`} queued. To follow ${isOne ? 'it' : 'them'}:`,
    `  ${isOne ? printedCommand('fleet show', [first?.id ?? '']) : printedCommand('fleet list', [], { stores })}`,
  ].join('\n');
}

/** Throws ConfigError if no stores are selected: work for all of them must be asked for. */
export function selectionIn(stores: string | undefined): string {
  if (stores !== undefined) return stores;
  throw new ConfigError('Which stores? Name them with --stores.', [
    '--stores all, --stores paris,lyon or --stores tag:NAME',
  ]);
}

/**
 * The given options of a table, by their names in camel case. The text of a mapping file is among them, so that workers need not
 * have the file.
 */
export async function taskOptions(args: object, table: OptionTable): Promise<JsonObject> {
  const options: Record<string, JsonObject[string]> = { ...(argumentsOf(table, args) as JsonObject) };
  const { mapping, allowLookup } = options;
  if (Array.isArray(allowLookup)) options.allowLookup = allowLookup.map((folder) => resolve(String(folder)));
  if (typeof mapping === 'string' && (existsSync(mapping) || /[/\\]|\.ya?ml$|\.json$/.test(mapping)))
    options.mappingText = await mappingText(mapping);
  return options;
}

async function mappingText(file: string): Promise<string> {
  const { readFile } = await import('../../../model/files/fs.ts');
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? missingFile(file, 'mapping') : error;
  });
}

/** The files that the tasks of this work read. */
export function filesOf({ options: { files } }: FleetWork): string[] {
  return Array.isArray(files) ? files.map(String) : [];
}

/** Addresses as they are, and paths from the root, since workers have other working directories. */
export function sharedFiles(files: readonly string[]): string[] {
  if (files.includes('-'))
    throw new ConfigError(
      'A fleet cannot import standard input: workers read the files, and maybe several times.',
      ['Put the file into a folder that all workers have, or into a bucket: s3://bucket/key.'],
    );
  return files.map((file) => (/^[a-z][a-z0-9+.-]+:\/\//i.test(file) ? file : resolve(file)));
}
