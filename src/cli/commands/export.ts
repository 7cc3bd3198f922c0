import type { ExportMapping } from '../../map/index.ts';
import { ConfigError, grouped } from '../../model/index.ts';
import {
  type ArgumentsOf,
  csvFormOf,
  EXPORT_OPTIONS,
  MONITOR_OPTIONS,
  STORE_OPTIONS,
} from '../../options/index.ts';
import type { ExportSummary } from '../../pipeline/index.ts';
import type { Resource } from '../../resources/index.ts';
import { EXPORTABLE_NAMES } from '../../resources/names.ts';
import { logSummary } from '../command-log.ts';
import {
  type CommandContext,
  type CommonArguments,
  LEFT_FILES,
  version,
  warn,
  whenInterrupted,
} from '../context.ts';
import { resourceFor, resourcesFor } from '../options/api.ts';
import { refuseMixedOutput } from '../options/output-format.ts';
import { profileOf } from '../options/settings.ts';
import { createDisplayRate, exportProgress, showProgress, waitingWords } from '../output/progress.ts';
import { EXPORTABLE_TEXT } from '../output/resource-names.ts';
import { type ConnectArguments, type Connection, connectToStore } from '../store.ts';
import type { Command } from './command.ts';

interface ExportArguments extends ConnectArguments, ArgumentsOf<typeof EXPORT_OPTIONS> {
  readonly resource: string;
}

export const exportCommand: Command<ExportArguments> = {
  usage: 'export <resource>',
  summary: `Write ${EXPORTABLE_TEXT} to a file or to standard output`,
  positionals: { resource: { describe: EXPORTABLE_TEXT, completes: EXPORTABLE_NAMES } },
  options: {
    ...EXPORT_OPTIONS,
    ...STORE_OPTIONS,
    ...MONITOR_OPTIONS,
  },
  mainOptions: [
    'out',
    'format',
    'columns',
    'mapping',
    'filter',
    'since',
    'incremental',
    'limit',
    'profile',
    'sandbox',
    'quiet',
    'json',
  ],
  examples: [
    ['$0 export reviews --out reviews.csv', 'All reviews, as a spreadsheet reads them'],
    ['$0 export reviews --mapping ./newsletter.yaml --out news.csv', 'With columns of your own'],
    ['$0 export checkouts --filter status=abandoned --format ndjson', 'To a pipe, one JSON object a line'],
    [
      "$0 export reviews --columns '_id,content,*' --out 'reviews-{date}.csv'",
      'A file a day, with all fields',
    ],
    ['$0 export reviews --incremental --out all.ndjson.gz', 'Adds what is new since the last time'],
  ],
  async run(given, context) {
    const args = given.out === '-' ? { ...given, out: undefined } : given;
    const { fileName, nameParts, runExport } = await import('../../pipeline/index.ts');
    const resources = await resourcesFor(args, context);
    const resource = await resourceFor(args.resource, resources, 'export');
    refuseConflictingOptions(args);
    const mapping =
      args.mapping === undefined ? undefined : await mappingFor(args.mapping, resource, resources);
    const profile = profileOf(args, context.environment) ?? 'default';
    const out =
      args.out === undefined ? undefined : fileName(args.out, nameParts(new Date(), resource.name, profile));
    const interrupted = context.onInterrupt(() => context.terminal.error(LEFT_FILES));
    let connection: Connection | undefined;
    let latest = { read: 0, total: null as number | null };
    const rate = createDisplayRate();
    const progress = showProgress(
      context.terminal,
      () =>
        waitingWords(connection?.client.waiting()) + exportProgress(latest, rate(latest.read), resource.name),
    );
    try {
      const summary = await runExport({
        resource,
        out,
        stdout: context.io.stdout,
        template: args.out,
        format: args.format,
        csv: csvFormOf(args),
        columns: args.columns,
        mapping,
        filters: args.filter,
        raw: args.raw,
        since: args.since,
        incremental: args.incremental,
        limit: args.limit,
        home: args.home,
        commandFiles: context.commandFiles,
        version: version(),
        connect: async () => {
          if (resource.list?.undocumented) warn(context, undocumentedLine(resource));
          connection = await connectToStore(args, context, resources);
          const { client } = connection;
          whenInterrupted(interrupted, () => void client.close());
          context.watch?.follow?.({
            progress: {
              records: () => latest.read,
              total: () => latest.total,
              part: () => (latest.total ? latest.read / latest.total : undefined),
              outcomes: () => ({}),
            },
            client,
          });
          return connection;
        },
        interrupted,
        onProgress: (state) => {
          if (latest.read === 0) context.log.facts?.enter('read');
          latest = state;
        },
        onWarning: (warning) => warn(context, warning),
      });
      progress.stop();
      // A user who chose the columns knows which fields they omit.
      const hasOwnColumns = args.columns !== undefined || mapping !== undefined;
      printExport(
        summary,
        {
          profile: profileOf(args, context.environment) ?? null,
          out,
          hasOwnColumns,
          filters: args.filter,
          list: resource.list,
        },
        context,
      );
      return summary.exit_code;
    } finally {
      progress.stop();
      await connection?.close();
    }
  },
};

async function mappingFor(
  name: string,
  resource: Resource,
  resources: readonly Resource[],
): Promise<ExportMapping> {
  const { namedExportMapping } = await import('../../map/index.ts');
  return namedExportMapping(name, resource, resources);
}

function refuseConflictingOptions({ out, json, columns, mapping }: ExportArguments & CommonArguments): void {
  if (columns !== undefined && mapping !== undefined)
    throw new ConfigError('--columns and --mapping both say what the columns are: leave one of them out.');
  refuseMixedOutput({ json, out });
}

function undocumentedLine({ name, list }: Resource): string {
  return `the API document names ${list?.path} and does not show that it lists ${name}: compare what is exported with the store's own count.`;
}

interface ExportFacts {
  readonly profile: string | null;
  readonly out: string | undefined;
  /** True if the user chose the columns. */
  readonly hasOwnColumns: boolean;
  /** Values of `--filter`. */
  readonly filters: readonly string[];
  readonly list: Resource['list'];
}

const filtersIn = (filters: readonly string[]) => filters.map((filter) => `--filter ${filter}`).join(' ');
const nameIn = (filter: string) => filter.slice(0, filter.indexOf('='));

/** Fields that a warning names. */
const MAX_NAMED_FIELDS = 50;

/** Prints the result: to standard error if the data goes to standard output. */
function printExport(
  summary: ExportSummary,
  { profile, out, hasOwnColumns, filters, list }: ExportFacts,
  context: CommandContext,
): void {
  const { terminal, log, json } = context;
  logSummary(log, summary);
  const dropped = hasOwnColumns ? [] : Object.entries(summary.not_in_columns);
  if (dropped.length > 0) {
    const named = dropped
      .slice(0, MAX_NAMED_FIELDS)
      .map(([path, count]) => `${path} (${grouped(count)} items)`);
    const more = dropped.length - named.length;
    warn(
      context,
      `no column shows ${named.join(', ')}${more > 0 ? `, and ${grouped(more)} other fields` : ''}; NDJSON has all fields.`,
    );
  }
  if (summary.repeated > 0)
    terminal.note(
      `The list shifted while it was read: ${grouped(summary.repeated)} ${summary.repeated === 1 ? 'item' : 'items'} came twice, and are exported once.`,
    );
  const { unsure, short } = summary;
  if (unsure > short)
    warn(
      context,
      `the list changed while it was read; something may be missing${list?.id ? '' : ', or come twice,'} before ${grouped(unsure - short)} of its ${grouped(summary.pages)} pages. Export again when fewer changes are made.`,
    );
  if (short > 0)
    warn(
      context,
      `${grouped(short)} of ${grouped(summary.pages)} pages held fewer items than the store's own numbers or its other pages say, also when they were read again; something may be missing. If the next export says the same, the store may count items that it does not show.`,
    );
  const { mismatched, unchecked } = summary;
  if (mismatched > 0)
    warn(
      context,
      `the store sent ${grouped(mismatched)} ${summary.resource} that do not match ${filtersIn(filters)}; they were left out. It ignores the filter or calls it otherwise: see list.filters in docs/configuration.md.`,
    );
  if (unchecked > 0) {
    const line = `${grouped(unchecked)} ${summary.resource} do not show whether they match ${filtersIn(filters)}, and are there as the store sent them.`;
    // A filter without a field to compare can never be checked, so it deserves no warning.
    if (filters.every((filter) => list?.filterFields?.[nameIn(filter)])) warn(context, line);
    else terminal.note(line);
  }
  if (summary.undated > 0)
    warn(
      context,
      `${grouped(summary.undated)} ${summary.resource} have no date that can be read; they are there, whatever --since says.`,
    );
  if (summary.had_earlier === false)
    terminal.note('No earlier export of this kind is known: everything is new.');
  const leftOut = [
    ...(summary.known > 0 ? [`${grouped(summary.known)} known already`] : []),
    ...(mismatched > 0 ? [`${grouped(mismatched)} that do not match`] : []),
    ...(summary.early > 0 ? [`${grouped(summary.early)} from before`] : []),
  ];
  const line = [
    `Exported ${grouped(summary.items)} ${summary.had_earlier ? 'new ' : ''}${summary.resource}`,
    ...(out === undefined ? [] : [`to ${out}`]),
    ...(leftOut.length === 0 ? [] : [`(left out: ${leftOut.join(', ')})`]),
  ].join(' ');
  if (out === undefined) terminal.note(`${line}.`);
  else terminal.out(json ? JSON.stringify(withProfile(summary, profile)) : `${line}.`);
}

/** The summary as `--json` prints it. */
function withProfile({ command, resource, store, ...rest }: ExportSummary, profile: string | null): object {
  return { command, resource, store, profile, ...rest };
}
