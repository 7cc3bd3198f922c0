import { resolve } from '../../../model/files/fs.ts';
import type { JsonObject } from '../../../model/index.ts';
import { argumentsOf, FORMAT_OPTIONS, REPORT_OPTIONS, reportFormatOf } from '../../../options/index.ts';
import { IMPORTABLE_NAMES } from '../../../resources/names.ts';
import { printSummary } from '../../command-log.ts';
import { version } from '../../context.ts';
import { exitCodeOf } from '../../exit-codes.ts';
import { watchImport } from '../../watch-import.ts';
import { type AdoptArguments, runAdoptCommand } from '../adopt.ts';
import type { Command } from '../command.ts';
import { DATABASE_OPTIONS, type DatabaseArguments } from './database.ts';
import { withFleet } from './open-fleet.ts';
import { FILES_OPTION, openFiles, type PlaceArguments } from './place.ts';
import { executorParts, READER_OF_SHELL } from './worker.ts';

interface FleetAdoptArguments extends DatabaseArguments, AdoptArguments, PlaceArguments {
  readonly store: string;
}

/** The store is one of the fleet. */
const { 'base-url': _baseUrl, profile: _profile, ...OPTIONS } = runAdoptCommand.options ?? {};

export const fleetAdoptCommand: Command<FleetAdoptArguments> = {
  usage: 'adopt <store> <resource> <file>',
  summary: 'Learn identifiers of records in a store, from a CSV of keys and _id; nothing is sent',
  positionals: {
    store: { describe: 'Its name, which storeport fleet store list shows' },
    resource: { describe: 'products, customers, …', completes: IMPORTABLE_NAMES },
    file: {
      describe:
        'CSV with a column for the key (such as reference, or key) and one called _id or id, such as a results.csv',
      completes: 'file',
    },
  },
  options: { ...OPTIONS, ...FILES_OPTION, ...DATABASE_OPTIONS },
  mainOptions: ['out', 'artifacts', 'encoding', 'delimiter', 'database', 'profile', 'json'],
  examples: [
    ['$0 fleet adopt paris customers results.csv', 'After a backup was restored: what was sent since'],
  ],
  run(args, context) {
    return withFleet(args, context, async (fleet, sql) => {
      const store = await fleet.oneStore(sql, args.store);
      // Before the first worker, no rows are encrypted.
      const hasPlace = args.artifacts !== undefined || (await fleet.readPlaceRecord(sql)) !== undefined;
      const storage = hasPlace
        ? await openFiles({ fleet, sql }, args, context, { purpose: 'read' })
        : undefined;
      const interrupted = context.onInterrupt(() => watch.leave());
      const watch = watchImport(context, interrupted);
      try {
        const summary = await fleet.adoptRecords(
          { ...executorParts(sql, context, READER_OF_SHELL), storage },
          store,
          {
            resource: fleet.taskResource(args.resource, store.settings, 'create'),
            file: args.file,
            home: args.home,
            read: argumentsOf(FORMAT_OPTIONS, args),
            country: args.country,
            stdin: () => context.io.stdin,
            out: args.out === undefined ? undefined : resolve(args.out),
            reportFormat: { ...reportFormatOf(args), commands: fleet.fleetCommands(store.name) },
            toRepeat: {
              ...(argumentsOf(REPORT_OPTIONS, args) as JsonObject),
              ...(args.country === undefined ? {} : { country: args.country }),
            },
            commandFiles: context.commandFiles,
            version: version(),
            exitCodeOf,
            interrupted,
            watch: watch.watcher,
          },
        );
        watch.stop();
        return await printSummary(summary, context);
      } finally {
        watch.stop();
        await storage?.close();
      }
    });
  },
};
