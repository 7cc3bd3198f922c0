import type { ExportMapping, Mapping } from '../../map/index.ts';
import { ConfigError } from '../../model/index.ts';
import { argumentsOf, FORMAT_OPTIONS } from '../../options/index.ts';
import type { FormatOptions } from '../../pipeline/index.ts';
import { type CommandContext, warn } from '../context.ts';
import { resourcesFor } from '../options/api.ts';
import { missingWords } from '../output/inputs-text.ts';
import type { Command } from './command.ts';

export const mappingListCommand: Command<unknown> = {
  usage: 'list',
  summary: 'The mappings that ship with storeport, by platform',
  options: {},
  async run(_args, { terminal, json }) {
    const { presetsByPlatform } = await import('../../map/presets/platforms.ts');
    const platforms = [...presetsByPlatform()];
    if (json) {
      const mappings = platforms.flatMap(([platform, presets]) =>
        presets.map(({ name, resource, title, recognise }) => ({
          name,
          platform,
          resource,
          title,
          recognise,
        })),
      );
      terminal.out(JSON.stringify({ mappings, exit_code: 0 }));
    } else {
      const names = platforms.flatMap(([, presets]) => presets.map(({ name }) => name));
      const width = Math.max(...names.map(({ length }) => length));
      const blocks = platforms.map(([platform, presets]) =>
        [
          platform,
          ...presets.map(
            ({ name, resource, title }) => `${name.padEnd(width)}  ${resource.padEnd(10)}  ${title}`,
          ),
        ].join('\n'),
      );
      terminal.out(blocks.join('\n\n'));
    }
    return 0;
  },
};

const MAPPING = { describe: 'Preset, or the path of a file', completes: 'mapping' } as const;

interface MappingArguments {
  readonly mapping: string;
}

export const mappingShowCommand: Command<MappingArguments> = {
  usage: 'show <mapping>',
  positionals: { mapping: MAPPING },
  summary: 'Print a mapping, to start one of your own from',
  options: {},
  async run({ mapping }, context) {
    const { terminal, json } = context;
    const { columnsIn, mappingText, parseAnyMapping } = await import('../../map/index.ts');
    const text = mappingText(mapping);
    if (json) {
      const shown = await parseAnyMapping(mapping, text, () => resourcesFor({}, context));
      const columns = 'fields' in shown ? columnsIn(shown.fields) : shown.columns.map(({ name }) => name);
      const { name, title, resource } = shown;
      terminal.out(JSON.stringify({ name, title, resource: resource.name, columns, text, exit_code: 0 }));
    } else terminal.out(text.trimEnd());
    return 0;
  },
};

export const mappingSchemaCommand: Command<unknown> = {
  usage: 'schema',
  summary: 'Print a JSON Schema of mappings, with which editors complete keys and show mistakes',
  options: {},
  async run(_args, { terminal }) {
    const { mappingSchema } = await import('../../map/syntax/json-schema.ts');
    terminal.out(JSON.stringify(mappingSchema(), null, 2));
    return 0;
  },
};

interface CheckArguments extends MappingArguments, FormatOptions {
  readonly file?: string | undefined;
}

export const mappingCheckCommand: Command<CheckArguments> = {
  usage: 'check <mapping> [file]',
  positionals: {
    mapping: MAPPING,
    file: {
      describe: 'CSV or JSON file whose header or first objects it is compared with',
      completes: 'file',
    },
  },
  summary:
    "Check a mapping against its resource, and, if it reads files, against a file's header or first objects",
  options: FORMAT_OPTIONS,
  mainOptions: ['format', 'encoding', 'delimiter', 'sheet', 'skip-lines', 'no-header', 'json'],
  async run(args, context) {
    const { mapping: name, file } = args;
    const { terminal, json } = context;
    const { mappingText, parseAnyMapping } = await import('../../map/index.ts');
    const mapping = await parseAnyMapping(name, mappingText(name), () => resourcesFor({}, context));
    if (!('fields' in mapping)) return checkExport(mapping, file, context);
    const header = file === undefined ? undefined : await checkHeader(mapping, { ...args, file }, context);
    if (json)
      terminal.out(
        JSON.stringify({
          mapping: name,
          resource: mapping.resource.name,
          fields: mapping.fields.map(({ path }) => path.join('.')),
          missing: header?.missing ?? [],
          unused: header?.unused ?? [],
          exit_code: 0,
        }),
      );
    else {
      terminal.out(`${name} is valid: ${mapping.fields.length} fields of ${mapping.resource.name}.`);
      if (header) {
        const lacked = missingWords(header, (name) => name).join(', ') || 'none';
        terminal.out(
          header.ofObjects
            ? `Fields that the first objects of ${file} lack: ${lacked}.`
            : `Columns that ${file} lacks: ${lacked}.`,
        );
        const unused = header.unused.join(', ') || 'none';
        terminal.out(`${header.ofObjects ? 'Fields' : 'Columns'} that the mapping does not use: ${unused}.`);
        for (const line of header.suggestion) terminal.out(line);
      }
    }
    return 0;
  },
};

/** Checks an export mapping. It is compared with the fields of the API document instead of a file. */
async function checkExport(
  mapping: ExportMapping,
  file: string | undefined,
  { terminal, json }: CommandContext,
): Promise<number> {
  const { name, resource, columns } = mapping;
  if (file !== undefined)
    throw new ConfigError(
      `The mapping ${name} says what an export writes, so it cannot be checked against a file.`,
      [`Leave out ${file}.`],
    );
  const { fieldsLeftOut, shownPaths } = await import('../../map/index.ts');
  const unused = fieldsLeftOut(mapping);
  if (json)
    terminal.out(
      JSON.stringify({
        mapping: name,
        resource: resource.name,
        columns: columns.map((column) => column.name),
        fields: shownPaths(mapping),
        unused,
        exit_code: 0,
      }),
    );
  else {
    terminal.out(`${name} is valid: ${columns.length} columns of an export of ${resource.name}.`);
    terminal.out(`Fields that no column shows: ${unused.join(', ') || 'none'}.`);
  }
  return 0;
}

/** Resolves a mapping in a file's header, or in its first objects. */
async function checkHeader(
  { name, resource }: Mapping,
  args: FormatOptions & { readonly file: string },
  context: CommandContext,
) {
  const { openInputs } = await import('../../pipeline/index.ts');
  const { resourceNamed } = await import('../../resources/index.ts');
  const { files } = await openInputs({
    resource: resourceNamed(resource.name, await resourcesFor({}, context)),
    files: [args.file],
    mapping: name,
    mode: 'upsert',
    constants: {},
    read: argumentsOf(FORMAT_OPTIONS, args),
    onWarning: ({ message }) => warn(context, message),
  });
  await Promise.all(files.map(({ source }) => source.close()));
  const [input] = files;
  if (!input) throw new Error('a file that is named is read');
  const { missing, similarUnused, unused } = input.binding;
  const suggestion = missing.length > 0 ? (input.source.suggestion?.() ?? []) : [];
  return { missing, similarUnused, unused, suggestion, ofObjects: input.source.table.items !== undefined };
}
