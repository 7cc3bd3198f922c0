import { resolve } from '../../model/files/fs.ts';
import type { JsonObject } from '../../model/index.ts';
import {
  argumentsOf,
  FORMAT_OPTIONS,
  type OptionalArguments,
  READ_OPTIONS,
  REPORT_OPTIONS,
  reportFormatOf,
  STORE_OPTIONS,
} from '../../options/index.ts';
import type { FormatOptions } from '../../pipeline/index.ts';
import { IMPORTABLE_NAMES } from '../../resources/names.ts';
import { printSummary } from '../command-log.ts';
import { version } from '../context.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { resourceFor, resourcesFor } from '../options/api.ts';
import { type CountryArguments, countryIn } from '../options/country.ts';
import { type StoreArguments, storeAddress } from '../options/settings.ts';
import { watchImport } from '../watch-import.ts';
import type { Command } from './command.ts';

/** Arguments of a command that adopts pairs of key and identifier. */
export interface AdoptArguments
  extends StoreArguments,
    CountryArguments,
    FormatOptions,
    OptionalArguments<typeof REPORT_OPTIONS> {
  readonly resource: string;
  readonly file: string;
  readonly out?: string | undefined;
}

/** All but the format: pairs are in a table. */
const { format: _format, ...FORMAT } = FORMAT_OPTIONS;

export const runAdoptCommand: Command<AdoptArguments> = {
  usage: 'adopt <resource> <file>',
  summary: 'Learn identifiers of records that storeport did not create, from a CSV of keys and _id',
  positionals: {
    resource: { describe: 'products, customers, …', completes: IMPORTABLE_NAMES },
    file: {
      describe: 'CSV with a column for the key (such as reference, or key) and one called _id or id',
      completes: 'file',
    },
  },
  options: {
    'base-url': STORE_OPTIONS['base-url'],
    profile: STORE_OPTIONS.profile,
    country: READ_OPTIONS.country,
    out: READ_OPTIONS.out,
    ...REPORT_OPTIONS,
    ...FORMAT,
  },
  mainOptions: [
    'base-url',
    'profile',
    'out',
    'encoding',
    'delimiter',
    'sheet',
    'skip-lines',
    'no-header',
    'home',
    'json',
  ],
  examples: [['$0 run adopt products ids.csv', 'From now on an import updates these products']],
  async run(args, context) {
    const { runAdopt } = await import('../../pipeline/index.ts');
    const resources = await resourcesFor(args, context);
    const store = await storeAddress(args, context.environment);
    const country = await countryIn(args, context);
    context.terminal.note(`Store: ${store}`);
    const interrupted = context.onInterrupt(() => watch.leave());
    const watch = watchImport(context, interrupted);
    try {
      const summary = await runAdopt({
        resource: await resourceFor(args.resource, resources, 'import'),
        file: args.file,
        store,
        home: args.home,
        read: argumentsOf(FORMAT_OPTIONS, args),
        country,
        stdin: () => context.io.stdin,
        out: args.out === undefined ? undefined : resolve(args.out),
        reportFormat: reportFormatOf(args),
        toRepeat: {
          ...(argumentsOf(REPORT_OPTIONS, args) as JsonObject),
          ...(country === undefined ? {} : { country }),
        },
        commandFiles: context.commandFiles,
        version: version(),
        exitCodeOf,
        interrupted,
        watch: watch.watcher,
      });
      watch.stop();
      return await printSummary(summary, context);
    } finally {
      watch.stop();
    }
  },
};
