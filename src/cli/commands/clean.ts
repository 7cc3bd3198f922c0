import { statSync } from '../../model/files/fs.ts';
import { countOf, durationText, grouped, milliseconds } from '../../model/index.ts';
import {
  csvFormOf,
  MONITOR_OPTIONS,
  READ_OPTIONS,
  runOptionsOf,
  STORE_OPTIONS,
} from '../../options/index.ts';
import type { CleanSummary, ShownRecord } from '../../pipeline/index.ts';
import type { TableFormat } from '../../write/index.ts';
import { logSummary } from '../command-log.ts';
import { LEFT_FILES } from '../context.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { resourceFor, resourcesFor } from '../options/api.ts';
import { countryIn } from '../options/country.ts';
import { refuseMixedOutput } from '../options/output-format.ts';
import { withSuggestion } from '../options/unknown-file.ts';
import { paintSummary } from '../output/colour.ts';
import {
  emptyLine,
  imageLines,
  leftOutLine,
  neverHeldLines,
  problemLine,
  skippedLine,
  warningLine,
} from '../output/summary-text.ts';
import { suspectLines } from '../output/suspect-text.ts';
import type { ReadArguments } from '../run-import.ts';
import { watchImport } from '../watch-import.ts';
import type { Command } from './command.ts';
import { RESOURCE_AND_FILES } from './import.ts';

interface CleanArguments extends Omit<ReadArguments, 'maskContacts' | 'maxErrors' | 'errorsAs'> {
  readonly rejects?: string | undefined;
  readonly keepColumns: boolean;
  readonly to?: TableFormat | undefined;
  readonly raw: boolean;
  readonly profile?: string | undefined;
}

const {
  'errors-as': _errorsAs,
  'max-errors': _maxErrors,
  'mask-contacts': _maskContacts,
  strict: _strict,
  accept: _accept,
  out: _out,
  ...READ
} = READ_OPTIONS;

export const cleanCommand: Command<CleanArguments> = {
  usage: 'clean <resource> <files..>',
  summary: 'Write good records to one file and the rows of all others to another; no store is contacted',
  positionals: RESOURCE_AND_FILES,
  options: {
    out: {
      topic: 'output',
      describe: 'File of the clean records, compressed if it ends in .gz (default: standard output)',
      completes: 'file',
      emptyIsNone: true,
    },
    rejects: {
      topic: 'output',
      describe:
        'CSV of the rows of all other records, as they were, with reasons (default: beside --out, or below storeport-runs)',
      completes: 'file',
      emptyIsNone: true,
    },
    'keep-columns': {
      topic: 'output',
      type: 'boolean',
      default: false,
      describe: "The source's own columns, in place of the API's fields",
    },
    to: {
      topic: 'output',
      choices: ['csv', 'json', 'ndjson'],
      describe: 'Format of --out (default: by its name, else csv)',
      emptyIsNone: true,
    },
    raw: {
      topic: 'output',
      type: 'boolean',
      default: false,
      describe: 'Leave cells that a spreadsheet would run as formulas',
      emptyIsNone: true,
    },
    ...READ,
    ...MONITOR_OPTIONS,
    timeout: { ...STORE_OPTIONS.timeout, topic: 'images', describe: 'Deadline of one request for an image' },
    profile: { ...STORE_OPTIONS.profile, describe: 'Named profile of the store that the records are for' },
  },
  mainOptions: [
    'out',
    'rejects',
    'keep-columns',
    'to',
    'mapping',
    'set',
    'limit',
    'show',
    'check-images',
    'encoding',
    'sheet',
    'json',
  ],
  examples: [
    [
      '$0 clean products export.csv --out clean.csv',
      "Good products in the API's fields; the rest in clean.rejects.csv",
    ],
    ['$0 clean customers crm.csv --keep-columns --out crm-clean.csv', 'The same columns, with clean cells'],
  ],
  async run(given, context) {
    const args = given.out === '-' ? { ...given, out: undefined } : given;
    refuseMixedOutput(args);
    const { runClean } = await import('../../pipeline/index.ts');
    const resources = await resourcesFor(args, context);
    const interrupted = context.onInterrupt(() => context.terminal.error(LEFT_FILES));
    const watch = watchImport(context, interrupted);
    try {
      let preview: readonly ShownRecord[] = [];
      const options = {
        ...args,
        ...runOptionsOf(
          { ...args, country: await countryIn(args, context) },
          { environment: context.environment, timeoutMs: milliseconds(args.timeout) },
        ),
        stdin: () => context.io.stdin,
        stdout: context.io.stdout,
        resource: await resourceFor(args.resource, resources, 'import'),
        rejects: args.rejects ?? besideOut(args.out, 'rejects.csv'),
        page: besideOut(args.out, 'report.html'),
        pageWithoutRows: args.reportWithoutRows,
        format: args.to,
        csv: csvFormOf(args),
        commandFiles: context.commandFiles,
        exitCodeOf,
        interrupted,
        watch: {
          ...watch.watcher,
          shown: (records: readonly ShownRecord[]) => {
            preview = records;
          },
        },
      };
      const summary = await withSuggestion(() => runClean(options), options);
      watch.stop();
      const { terminal, log, json } = context;
      logSummary(log, summary, ['problems', 'changes', 'suspicious']);
      const { previewText } = await import('../output/preview-text.ts');
      const text = [
        ...(preview.length > 0 ? [`${previewText(preview, terminal.outColumns())}\n`] : []),
        cleanText(summary),
      ].join('\n');
      if (json) terminal.out(JSON.stringify(preview.length > 0 ? { ...summary, shown: preview } : summary));
      else if (args.out === undefined) {
        // The file of rejects has a name that nobody gave.
        if (args.quiet) for (const line of setApartLine(summary)) terminal.error(line);
        terminal.note(text);
      } else terminal.out(text, paintSummary);
      return summary.exit_code;
    } finally {
      watch.stop();
    }
  },
};

/**
 * `clean.csv.gz` → `clean.rejects.csv`; undefined beside standard output, a device or a pipe, where nobody looks for a
 * file.
 */
function besideOut(out: string | undefined, ending: string): string | undefined {
  if (out === undefined || statSync(out, { throwIfNoEntry: false })?.isFile() === false) return undefined;
  return `${out.replace(/(\.(csv|tsv|tab|txt|json|ndjson|jsonl))?(\.gz)?$/i, '')}.${ending}`;
}

const MOST_SHOWN = 60;

function cleanText({
  resource,
  records,
  outcomes,
  empty_rows,
  skipped_rows,
  left_out_rows,
  suspicious,
  warnings,
  mapping,
  never_held,
  changes,
  images,
  problems,
  out,
  rejects,
  duration_ms,
}: CleanSummary): string {
  const { planned = 0 } = outcomes;
  const lines = [
    `Cleaned ${grouped(records)} ${resource} in ${durationText(duration_ms)}: ${countOf(planned, 'is good', 'are good')}${out === null ? '' : `, in ${out}`}.`,
  ];
  lines.push(...setApartLine({ outcomes, rejects }));
  lines.push(...imageLines(images), ...emptyLine(empty_rows));
  lines.push(...skippedLine(skipped_rows), ...leftOutLine(left_out_rows));
  lines.push(...warnings.map(warningLine));
  lines.push(...problems.map(problemLine));
  lines.push(...suspectLines(suspicious), ...neverHeldLines(never_held, mapping));
  lines.push(changes.length > 0 ? 'Changed:' : 'No cell had to be changed.');
  for (const { count, says, example } of changes) {
    const { row, column, before, after } = example;
    lines.push(
      `${grouped(count).padStart(10)} ${says}, such as ${shown(before)} → ${shown(after)} (row ${row}, ${column})`,
    );
  }
  return lines.join('\n');
}

/** Empty if all records are good. */
function setApartLine({ outcomes, rejects }: Pick<CleanSummary, 'outcomes' | 'rejects'>): string[] {
  const { planned: _planned, ...others } = outcomes;
  const counts = Object.entries(others).map(([word, count]) => `${grouped(count)} ${word}`);
  return counts.length > 0 ? [`Set apart: ${counts.join(', ')}, in ${rejects}.`] : [];
}

function shown(text: string): string {
  const short = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
  return JSON.stringify(short).replace(
    /\p{M}|[\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060\ufeff]/gu,
    escaped,
  );
}

/** Escapes an invisible character. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
