import { existsSync } from '../../model/files/fs.ts';
import { ConfigError } from '../../model/index.ts';
import { argumentsOf, FORMAT_OPTIONS, STORE_OPTIONS } from '../../options/index.ts';
import type { FormatOptions } from '../../pipeline/index.ts';
import type { SuggestedMapping } from '../../pipeline/suggest/index.ts';
import type { Resource } from '../../resources/index.ts';
import { IMPORTABLE_NAMES } from '../../resources/names.ts';
import { openAtomicFile } from '../../write/index.ts';
import { type CommandContext, warn } from '../context.ts';
import { type ApiArguments, resourceFor, resourcesFor } from '../options/api.ts';
import { IMPORTABLE_TEXT } from '../output/resource-names.ts';
import { suggestionLines } from '../output/suggestion-text.ts';
import type { Command } from './command.ts';

interface SuggestArguments extends FormatOptions, ApiArguments {
  readonly resource: string;
  readonly files: readonly string[];
  readonly out?: string | undefined;
  readonly ask: boolean;
}

export const mappingSuggestCommand: Command<SuggestArguments> = {
  usage: 'suggest <resource> [files..]',
  positionals: {
    resource: {
      describe: `${IMPORTABLE_TEXT}; left out, the one that fits the file best`,
      completes: IMPORTABLE_NAMES,
    },
    files: {
      describe: 'CSV, TSV, JSON or NDJSON file, gzipped or not; - is standard input',
      completes: 'file',
    },
  },
  summary: 'Write a mapping for an unknown file, from the names of its columns and a sample of its cells',
  options: {
    out: {
      topic: 'output',
      describe: 'File of the mapping (default: standard output)',
      completes: 'file',
      emptyIsNone: true,
    },
    ...FORMAT_OPTIONS,
    ask: {
      topic: 'mapping',
      type: 'boolean',
      default: false,
      describe: 'Ask about what is uncertain, one question each',
    },
    profile: { ...STORE_OPTIONS.profile, describe: 'Named profile of the store that the records are for' },
  },
  mainOptions: [
    'out',
    'ask',
    'format',
    'encoding',
    'delimiter',
    'sheet',
    'skip-lines',
    'no-header',
    'profile',
    'json',
  ],
  examples: [
    ['$0 mapping suggest products shop.csv --out shop.yaml', 'A mapping to check and to import with'],
    ['$0 mapping suggest shop.csv', 'The same for a file of unknown content'],
  ],
  async run(args, context) {
    const { runSuggest, questionText } = await import('../../pipeline/suggest/index.ts');
    const { resources, files } = await readWords(args, context);
    const [file, other] = files;
    if (file === undefined)
      throw new ConfigError('Name the file that the mapping is for. How: storeport mapping suggest --help');
    if (other !== undefined)
      throw new ConfigError(`One mapping is suggested for one file, and ${other} is a second one.`, [
        'Run the command once for each file with another header.',
      ]);
    refuseExisting(args.out);
    const { questions } = context.terminal;
    if (args.ask && !questions)
      throw new ConfigError('--ask asks questions, and there is no terminal to ask on.', [
        'Leave it out: what is uncertain is in the comments of the mapping.',
      ]);
    const suggested = await runSuggest({
      file,
      resources,
      read: argumentsOf(FORMAT_OPTIONS, args),
      stdin: () => context.io.stdin,
      onWarning: ({ code, message }) => {
        // The comments of the mapping name what is wrong with columns.
        if (code === 'titles-skipped') warn(context, message);
      },
      ask: args.ask
        ? async (question) => (await questions?.yesNo(questionText(question))) ?? false
        : undefined,
    });
    await writeText(suggested, { out: args.out, questionText }, context);
    for (const line of suggestionLines(suggested, { file, out: args.out })) context.terminal.note(line);
    return 0;
  },
};

/** The resources that are possible, and the files. The first word is a file if it names no resource. */
async function readWords(args: SuggestArguments, context: CommandContext) {
  const resources = await resourcesFor(args, context);
  const importable = resources.filter((resource: Resource) => resource.create);
  const isFile =
    !importable.some(({ name }) => name === args.resource) &&
    (args.resource === '-' || existsSync(args.resource));
  if (isFile) return { resources: importable, files: [args.resource, ...args.files] };
  return { resources: [await resourceFor(args.resource, resources, 'import')], files: args.files };
}

/** A mapping file may have been corrected by hand, so none is overwritten. */
function refuseExisting(out: string | undefined): void {
  if (out !== undefined && out !== '-' && existsSync(out))
    throw new ConfigError(`${out} exists already, and may have been corrected by hand.`, [
      'Nothing was written. Name another file with --out, or remove it first.',
    ]);
}

type QuestionText = (question: SuggestedMapping['questions'][number]) => string;

async function writeText(
  { text, draft, ...suggested }: SuggestedMapping,
  { out, questionText }: { readonly out: string | undefined; readonly questionText: QuestionText },
  { terminal, json }: CommandContext,
): Promise<void> {
  if (out !== undefined && out !== '-') {
    const file = await openAtomicFile(out);
    await file.write(text);
    await file.commit();
  }
  if (json)
    terminal.out(
      JSON.stringify({
        resource: suggested.resource.name,
        mapping: text,
        out,
        fields: draft.fields.map(({ field, columns, score, doubt }) => ({
          field,
          columns,
          confidence: Number(score.toFixed(2)),
          doubt,
        })),
        left_out: draft.leftOut,
        questions: suggested.questions.map(questionText),
        missing: suggested.missing,
        preset: suggested.preset,
        sampled_records: suggested.records,
        valid_records: suggested.valid,
        exit_code: 0,
      }),
    );
  else if (out === undefined || out === '-') terminal.out(text.trimEnd());
}
