import { resolve } from '../../model/files/fs.ts';
import type { FormatOptions } from '../../pipeline/index.ts';
import { IMPORTABLE_NAMES } from '../../resources/names.ts';
import { printSummary } from '../command-log.ts';
import { version } from '../context.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { resourceFor, resourcesFor } from '../options/api.ts';
import { type CountryArguments, countryIn } from '../options/country.ts';
import { formatOptionsIn } from '../options/format-options.ts';
import { FORMAT_OPTIONS, READ_OPTIONS, REPORT_OPTIONS, STORE_OPTIONS } from '../options/options.ts';
import { type ReportArguments, reportArgumentsIn, reportFormatIn } from '../options/report-format.ts';
import { type StoreArguments, storeAddress } from '../options/settings.ts';
import { watchImport } from '../watch-import.ts';
import type { Command } from './command.ts';

/** Arguments of a command that adopts pairs of key and identifier. */
export interface AdoptArguments extends StoreArguments, CountryArguments, FormatOptions, ReportArguments {
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
        read: formatOptionsIn(args),
        country,
        stdin: () => context.io.stdin,
        out: args.out === undefined ? undefined : resolve(args.out),
        reportFormat: reportFormatIn(args),
        toRepeat: { ...reportArgumentsIn(args), ...(country === undefined ? {} : { country }) },
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
