import * as z from 'zod';
import { ConfigError } from '../../model/index.ts';
import {
  camelCase,
  EXPORT_OPTIONS,
  type Option,
  type OptionalArguments,
  type OptionTable,
  ofTasks,
  READ_OPTIONS,
  valueSyntaxOf,
} from '../../options/index.ts';
import { RESOURCES, resourceNamed } from '../../resources/index.ts';
import { formatOfName } from '../../write/index.ts';
import { readLocation } from '../artifacts/index.ts';
import type { Work } from './task.ts';

/** Set by a retry or a resume. */
const ofFollowUps = {
  /** Also records that the store rejected. */
  retryRejected: z.boolean('true or false').optional(),
  /** Also records that a later task has imported since. */
  overwriteNewer: z.boolean('true or false').optional(),
};

/** Text of the mapping file, so that workers need not have it. */
const mappingText = z.string().optional();

const IMPORTED = ofTasks(READ_OPTIONS);
const EXPORTED = ofTasks(EXPORT_OPTIONS);

/** Options of an import, in camel case, as the plain command line parses them. */
const importOptions = z.strictObject({
  files: z.array(valueSchema({})).min(1, 'at least one file'),
  ...schemasOf(IMPORTED),
  mappingText,
  ...ofFollowUps,
});

/** Options of an export. `out` names the file among the artifacts. */
const exportOptions = z.strictObject({
  out: z
    .string()
    .regex(/^[^/\\]+$/, 'the name of a file, without a folder')
    .optional(),
  ...schemasOf(EXPORTED),
  mappingText,
  ...ofFollowUps,
});

/** Fields of a task beside the options of the command. */
type FollowUp = { readonly mappingText?: string | undefined } & {
  readonly [Name in keyof typeof ofFollowUps]?: boolean | undefined;
};
export type ImportTaskOptions = OptionalArguments<typeof IMPORTED> &
  FollowUp & { readonly files: readonly string[] };
export type ExportTaskOptions = OptionalArguments<typeof EXPORTED> &
  FollowUp & { readonly out?: string | undefined };

/** Schemas of the values of options that are given in camel case. */
function schemasOf(table: OptionTable): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(table).map(([name, option]) => {
      const one = valueSchema(option);
      return [camelCase(name), (option.array ? z.array(one, 'a list') : one).optional()];
    }),
  );
}

/** A value as the command line has parsed it: parsing it again must succeed. */
function valueSchema(option: Pick<Option, 'syntax' | 'type' | 'choices'>): z.ZodType {
  const { words, read } = valueSyntaxOf(option);
  if (option.type === 'boolean') return z.boolean('true or false');
  if (option.type === 'number')
    return z.number(words).refine((value) => read(String(value)) !== undefined, words);
  return z.string(words).refine((value) => read(value) !== undefined, words);
}

const PURPOSES = { import: 'create', export: 'list' } as const;

/** Throws ConfigError for a resource or an option that the command does not have, and for a file that no worker can read. */
export function refuseWrongWork({ command, resource, options }: Work): void {
  const purpose = PURPOSES[command];
  if (purpose === undefined) throw new ConfigError('A task is an import or an export.');
  resourceNamed(
    resource,
    RESOURCES.filter((each) => each[purpose] !== undefined),
  );
  if (command === 'export') {
    const { out, format } = exportTaskOptions(options);
    return void formatOfName({ name: out, option: '--out', asked: format, formatOption: '--format' });
  }
  for (const file of importTaskOptions(options).files) readLocation(file);
}

/** Throws ConfigError for an option that an import does not have. */
export function importTaskOptions(options: unknown): ImportTaskOptions {
  return parsed(importOptions, options, 'import') as ImportTaskOptions;
}

/** Throws ConfigError for an option that an export does not have. */
export function exportTaskOptions(options: unknown): ExportTaskOptions {
  return parsed(exportOptions, options, 'export') as ExportTaskOptions;
}

function parsed<Output>(schema: z.ZodType<Output>, options: unknown, command: string): Output {
  const result = schema.safeParse(options);
  if (result.success) return result.data;
  throw new ConfigError(
    `The options of the ${command} are wrong.`,
    result.error.issues.map((issue) => {
      if (issue.code === 'unrecognized_keys')
        return `An ${command} of a fleet has no option ${issue.keys.join(', ')}.`;
      return `${issue.path.join('.') || 'options'} must be ${issue.message}.`;
    }),
  );
}
