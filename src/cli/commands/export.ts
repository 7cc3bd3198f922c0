import { ConfigError } from '../../model/index.ts';
import type { Resource } from '../../resources/index.ts';
import type { TableFormat } from '../../write/index.ts';
import { resourcesFor } from '../api.ts';
import type { Context } from '../context.ts';
import { STORE_OPTIONS } from '../options.ts';
import { createRateMeter, grouped, showProgress } from '../progress.ts';
import { wholeNumber } from '../settings.ts';
import { type ConnectArguments, type Connection, connect } from '../store.ts';
import type { Command } from './command.ts';

interface ExportArguments extends ConnectArguments {
  readonly resource: string;
  readonly out?: string | undefined;
  readonly format?: TableFormat | undefined;
  readonly columns?: string | undefined;
  readonly filter: readonly string[];
  readonly limit?: number | undefined;
  readonly raw: boolean;
}

export const exportCommand: Command<ExportArguments> = {
  usage: 'export <resource>',
  summary: 'Write products, reviews, checkouts or images to a file or to standard output',
  positionals: (yargs) =>
    yargs.positional('resource', {
      type: 'string',
      demandOption: true,
      describe: 'products, reviews, checkouts or images',
    }),
  options: {
    out: {
      type: 'string',
      requiresArg: true,
      describe:
        'File, compressed if it ends in .gz; it appears whole or not at all (default: standard output)',
    },
    format: {
      choices: ['csv', 'json', 'ndjson'],
      requiresArg: true,
      describe: 'Default: by the name of the file, else csv',
    },
    columns: { type: 'string', requiresArg: true, describe: 'Columns of the CSV, with commas between' },
    filter: {
      type: 'string',
      array: true,
      default: [] as string[],
      requiresArg: true,
      describe: 'name=value: reviews by product, rating, published; checkouts by status',
    },
    limit: { type: 'number', requiresArg: true, describe: 'Take at most N items' },
    raw: {
      type: 'boolean',
      default: false,
      describe: 'Leave cells that a spreadsheet would run as formulas',
    },
    ...STORE_OPTIONS,
  },
  examples: [
    ['$0 export reviews --out reviews.csv', 'All reviews, as a spreadsheet reads them'],
    ['$0 export checkouts --filter status=abandoned --format ndjson', 'To a pipe, one JSON object a line'],
  ],
  async run(given, context) {
    const args = given.out === '-' ? { ...given, out: undefined } : given;
    const { runExport } = await import('../../pipeline/index.ts');
    const { resourceNamed } = await import('../../resources/index.ts');
    const resources = await resourcesFor(args, context);
    const resource = resourceNamed(
      args.resource,
      resources.filter(({ list }) => list),
    );
    const limit = wholeNumber('limit', args.limit, 1);
    const format = args.format ?? formatOf(args.out);
    refuseWhatCannotBe(args.out, args.json);
    const interrupted = context.onInterrupt();
    let connection: Connection | undefined;
    let latest = { items: 0, total: undefined as number | undefined };
    const rate = createRateMeter();
    const progress = showProgress(context.terminal, () => {
      const of = latest.total === undefined ? '' : ` of ${grouped(latest.total)}`;
      return `${grouped(latest.items)}${of} ${resource.name}, ${grouped(Math.round(rate(latest.items)))}/s`;
    });
    try {
      const summary = await runExport({
        resource,
        out: args.out,
        format,
        columns: args.columns,
        filters: args.filter,
        raw: args.raw,
        limit,
        connect: async () => {
          if (resource.list?.undocumented) context.terminal.note(undocumentedLine(resource));
          connection = await connect(args, context, resources);
          const { client, concurrency } = connection;
          interrupted.addEventListener('abort', () => void client.close());
          return { client, concurrency };
        },
        interrupted,
        onProgress: (state) => {
          latest = state;
        },
      });
      progress.stop();
      tell(summary, args.out, context);
      return summary.exit_code;
    } finally {
      progress.stop();
      await connection?.close();
    }
  },
};

function refuseWhatCannotBe(out: string | undefined, json: boolean): void {
  if (json && out === undefined)
    throw new ConfigError(
      '--json prints a summary to standard output, where the data goes too: add --out FILE.',
    );
}

function formatOf(out: string | undefined): TableFormat {
  if (out === undefined) return 'csv';
  if (/\.(ndjson|jsonl)(\.gz)?$/i.test(out)) return 'ndjson';
  return /\.json(\.gz)?$/i.test(out) ? 'json' : 'csv';
}

function undocumentedLine({ name, list }: Resource): string {
  return `Warning: the API document names ${list?.path} and does not show that it lists ${name}: compare what is exported with the store's own count.`;
}

interface Told {
  readonly resource: string;
  readonly items: number;
  readonly repeated: number;
  readonly unsure: number;
  readonly pages: number;
  readonly not_in_columns: Readonly<Record<string, number>>;
}

/** Where the data itself goes to standard output, what is said about it goes to standard error. */
function tell(summary: Told, out: string | undefined, { terminal, json }: Context): void {
  const dropped = Object.entries(summary.not_in_columns);
  if (dropped.length > 0)
    terminal.note(
      `Warning: no column shows ${dropped.map(([path, count]) => `${path} (${grouped(count)} items)`).join(', ')}; NDJSON has all fields.`,
    );
  if (summary.repeated > 0)
    terminal.note(
      `The list shifted while it was read: ${grouped(summary.repeated)} ${summary.repeated === 1 ? 'item' : 'items'} came twice, and stand there once.`,
    );
  if (summary.unsure > 0)
    terminal.note(
      `Warning: the list changed faster than it could be read; something may be missing before ${grouped(summary.unsure)} of its ${grouped(summary.pages)} pages. Export again when less is going on.`,
    );
  const line = `Exported ${grouped(summary.items)} ${summary.resource}${out === undefined ? '' : ` to ${out}`}.`;
  if (out === undefined) terminal.note(line);
  else terminal.out(json ? JSON.stringify(summary) : line);
}
