import * as z from 'zod';
import { ageIn, bytesIn, COUNTRY_WORDS, ConfigError, countryCode, maxErrorsIn } from '../../model/index.ts';
import { RESOURCES, resourceNamed } from '../../resources/index.ts';
import { formatOfName } from '../../write/index.ts';
import { readLocation } from '../artifacts/index.ts';
import type { Work } from './task.ts';

const text = z.string().trim().min(1, 'text that is not empty');
const count = (least: number) => z.int('a whole number').min(least, `at least ${least}`);
const yes = z.boolean('true or false');

const csvForm = {
  outDelimiter: z.enum([',', ';', '\t'], '",", ";" or a tab').optional(),
  outBom: yes.optional(),
};

/** Options of an import, in camel case, as the plain command line parses them. */
const importOptions = z.strictObject({
  files: z.array(text).min(1, 'at least one file'),
  mapping: text.optional(),
  /** Text of the mapping file, so that workers need not have it. */
  mappingText: z.string().optional(),
  allowLookup: z.array(text).optional(),
  mode: z.enum(['create', 'update', 'upsert'], 'create, update or upsert').optional(),
  limit: count(1).optional(),
  offset: count(0).optional(),
  maxErrors: z
    .string()
    .refine((value) => maxErrorsIn(value) !== undefined, 'a number or a percentage')
    .optional(),
  set: z.array(z.string().regex(/^[^=]+=./s, 'path=value')).optional(),
  imageBase: text.optional(),
  country: z
    .string()
    .refine((value) => countryCode(value) !== undefined, COUNTRY_WORDS)
    .optional(),
  checkImages: yes.optional(),
  imageRate: z.number().positive('a number above 0').optional(),
  imageMaxSize: z
    .string()
    .refine((value) => bytesIn(value) !== undefined, 'a size such as 500KB or 20MB')
    .optional(),
  imageMaxAge: z
    .string()
    .refine((value) => value === '0' || ageIn(value) !== undefined, 'an age such as 36h, 90d or 12w, or 0')
    .optional(),
  maskContacts: yes.optional(),
  errorsAs: z.enum(['csv', 'xlsx'], 'csv or xlsx').optional(),
  reportWithoutRows: yes.optional(),
  ...csvForm,
  format: z.enum(['csv', 'tsv', 'json', 'ndjson', 'xlsx'], 'csv, tsv, json, ndjson or xlsx').optional(),
  encoding: text.optional(),
  delimiter: z.string().optional(),
  quote: z.string().optional(),
  sheet: text.optional(),
  skipLines: count(0).optional(),
  noHeader: yes.optional(),
  padRows: yes.optional(),
  rows: text.optional(),
  skipRows: z.array(z.string().regex(/^[^=]+=/, 'column=text')).optional(),
  untilBlankRow: yes.optional(),
  /** Set by a retry: also records that the store rejected. */
  retryRejected: yes.optional(),
  /** Set by a retry or a resume: also records that a later task has imported since. */
  overwriteNewer: yes.optional(),
});

/** Options of an export. `out` names the file among the artifacts. */
const exportOptions = z.strictObject({
  out: z
    .string()
    .regex(/^[^/\\]+$/, 'the name of a file, without a folder')
    .optional(),
  format: z.enum(['csv', 'json', 'ndjson'], 'csv, json or ndjson').optional(),
  columns: text.optional(),
  mapping: text.optional(),
  mappingText: z.string().optional(),
  filter: z.array(z.string().regex(/^[^=]+=/, 'name=value')).optional(),
  since: text.optional(),
  limit: count(1).optional(),
  raw: yes.optional(),
  ...csvForm,
  retryRejected: yes.optional(),
  overwriteNewer: yes.optional(),
});

export type ImportTaskOptions = z.infer<typeof importOptions>;
export type ExportTaskOptions = z.infer<typeof exportOptions>;

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
  return parsed(importOptions, options, 'import');
}

/** Throws ConfigError for an option that an export does not have. */
export function exportTaskOptions(options: unknown): ExportTaskOptions {
  return parsed(exportOptions, options, 'export');
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
